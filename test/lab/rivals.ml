open Weir_test
open Weir_lab_rivals

let ok = function Ok v -> v | Error _ -> Alcotest.fail "error"
let run p = ok (Lwt_main.run p)

(* The data devices check themselves on close: a copy that stops early must be
   caught, or the study measures nothing. *)
let damaged () =
  let d = Mirage.Data_direct.create () in
  ignore (Mirage.Data_direct.read_into d (Bytes.create 64) ~off:0 ~len:64);
  Alcotest.check_raises "short" Message.Damaged (fun () -> Mirage.Data_direct.close d);
  let f = Flow_oo.data_direct () in
  ignore (Weir_flow.Flow.copy f Weir_flow.Null.flow : int);
  Alcotest.check_raises "copied elsewhere" Message.Damaged (fun () -> f#close)

let conduit () =
  let f = run (Conduit3.connect () Conduit3.data) in
  Alcotest.(check bool) "its own" true (Option.is_some (Conduit3.cast f Conduit3.data));
  Alcotest.(check bool) "not null's" true (Option.is_none (Conduit3.cast f Conduit3.null));
  run (Conduit3.copy (Cstruct.create 7) f);
  run (Conduit3.close f)

type Conduit3.flow += Stranger

let unknown () =
  match Lwt_main.run (Conduit3.recv Stranger (Cstruct.create 1)) with
  | Error `Not_found -> ()
  | _ -> Alcotest.fail "found"

let fiber () =
  let v =
    Lwt_main.run
      (Prompt_fiber.start (fun () ->
           Prompt_fiber.await (Lwt.pause ());
           1 + Prompt_fiber.await (Prompt_fiber.start (fun () -> Prompt_fiber.await (Lwt.return 2)))))
  in
  Alcotest.(check int) "value" 3 v;
  Alcotest.check_raises "error" Exit (fun () ->
      Lwt_main.run
        (Prompt_fiber.start (fun () ->
             Prompt_fiber.await (Lwt.bind (Lwt.pause ()) (fun () -> Lwt.fail Exit)))))

let cases =
  Suite.
    [
      case "damage is seen" damaged;
      case "conduit's registry" conduit;
      case "conduit's unknown flow" unknown;
      case "fibers of prompts" fiber;
    ]
