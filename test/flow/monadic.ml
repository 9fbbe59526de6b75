open Weir_test
open Weir_flow_lwt
open Lwt.Infix

let run = Lwt_main.run
let str = Alcotest.(check string)
let text n = String.init n (fun i -> Char.chr (i * 13 mod 256))
let ok = function Ok v -> v | Error (`Flow e) -> Alcotest.failf "%a" Flow_lwt.pp_error e

let null () =
  run
    ( Flow_lwt.copy Flow_lwt.null Flow_lwt.null >|= ok >>= fun () ->
      Flow_lwt.writev Flow_lwt.null [ Cstruct.empty ] >|= ok )

(* A function may add errors of its own to a flow's. *)
let rows () =
  let first_byte r =
    Lwt_result.bind (Flow_lwt.read r) (function
      | `Eof -> Lwt_result.fail `Empty
      | `Data b -> Lwt_result.return (Cstruct.get_char b 0))
  in
  let get r =
    match run (first_byte r) with
    | Ok c -> String.make 1 c
    | Error `Empty -> "empty"
    | Error (`Flow _) -> "flow"
  in
  str "byte" "a" (get (Flow_lwt.source "abc"));
  str "own" "empty" (get Flow_lwt.null)

type key_flow = < Flow_lwt.flow ; new_key : unit >
type _ Flow_lwt.ty += Key_flow : key_flow Flow_lwt.ty

let cast () =
  let keys = ref 0 in
  let f : key_flow =
    object (self)
      inherit Flow_lwt.flow
      method read_into _ = Lwt_result.return `Eof
      method write _ = Lwt_result.return ()
      method new_key = incr keys

      method! cast : type a. a Flow_lwt.ty -> a option =
        function Key_flow -> Some (self :> key_flow) | _ -> None
    end
  in
  (match Flow_lwt.cast (f :> Flow_lwt.flow) Key_flow with
  | Some f -> f#new_key
  | None -> Alcotest.fail "no cast");
  Alcotest.(check int) "found" 1 !keys;
  Alcotest.(check bool) "null has none" true (Option.is_none (Flow_lwt.cast Flow_lwt.null Key_flow));
  match run (Flow_lwt.read f) with Ok `Eof -> () | _ -> Alcotest.fail "default read"

let pipes =
  let gen = QCheck2.Gen.(tup3 (int_bound 3000) (int_range 1 300) (int_range 1 500)) in
  QCheck2.Test.make ~name:"pipe: all bytes, in order" ~count:100 gen (fun (n, capacity, chunk) ->
      let s = text n in
      let r, w, close = Flow_lwt.pipe ~capacity () in
      let sink = Flow_lwt.sink () in
      let send = Flow_lwt.copy (Flow_lwt.source ~chunk s) w >|= ok >|= close in
      let receive = Flow_lwt.copy r sink >|= ok in
      run (Lwt.join [ send; receive ]);
      String.equal s sink#contents)

let closed () =
  let r, w, close = Flow_lwt.pipe () in
  close ();
  (match run (Flow_lwt.write w (Cstruct.of_string "x")) with
  | Error (`Flow (Weir_flow.Flow.Closed, _)) -> ()
  | _ -> Alcotest.fail "write after close");
  match run (Flow_lwt.read r) with Ok `Eof -> () | _ -> Alcotest.fail "no end"

let suspend register =
  let p, u = Lwt.wait () in
  register (fun () -> Lwt.wakeup_later u ());
  Weir_threads.Threads.await p

let direct () =
  let a, b = Weir_flow.Pipe.duplex suspend in
  let switch = Lwt_switch.create () in
  let start f = Weir_threads.Threads.start f in
  let f = Flow_lwt.of_direct ~switch (a :> Weir_flow.Flow.flow) ~start in
  let reading = Flow_lwt.read f in
  Alcotest.(check bool) "waits" true (Lwt.is_sleeping reading);
  Weir_flow.Flow.write_string b "hi";
  (match run reading with
  | Ok (`Data d) -> str "read" "hi" (Cstruct.to_string d)
  | _ -> Alcotest.fail "read");
  ok (run (Flow_lwt.write f (Cstruct.of_string "yo")));
  str "written" "yo" (Weir_flow.Slice.to_string (Weir_flow.Flow.read b));
  run (Lwt_switch.turn_off switch);
  match run (Flow_lwt.read f) with
  | Error (`Flow (Weir_flow.Flow.Closed, _)) -> ()
  | _ -> Alcotest.fail "outlived its switch"

let half_closed () =
  let a, b = Flow_lwt.duplex () in
  let f = Option.get (Flow_lwt.cast a Flow_lwt.Half_close) in
  ok (run (Flow_lwt.write a (Cstruct.of_string "x")));
  run f#shutdown_send;
  run f#shutdown_send;
  let read flow =
    match ok (run (Flow_lwt.read flow)) with `Data d -> Cstruct.to_string d | `Eof -> "(end)"
  in
  str "there" "x" (read b);
  str "its end" "(end)" (read b);
  ok (run (Flow_lwt.write b (Cstruct.of_string "back")));
  str "the other direction" "back" (read a);
  let near, far = Weir_flow.Pipe.duplex suspend in
  let direct = Flow_lwt.of_direct (near :> Weir_flow.Flow.flow) ~start:Weir_threads.Threads.start in
  (match Flow_lwt.cast direct Flow_lwt.Half_close with
  | None -> Alcotest.fail "it can"
  | Some f -> run f#shutdown_send);
  Alcotest.(check int) "told" 0 (Weir_flow.Flow.read far).len;
  Alcotest.(check bool) "no close" true (Flow_lwt.cast direct Flow_lwt.Closable = None)

exception Stopped_by_us

let cancellations () =
  let is = Weir_flow.Flow.is_cancellation in
  Alcotest.(check (list bool))
    "known" [ true; true; false; false ]
    [ is Lwt.Canceled; is Out_of_memory; is Exit; is Stopped_by_us ];
  Weir_flow.Flow.register_cancellation (fun e -> e = Stopped_by_us);
  Alcotest.(check (list bool))
    "one more" [ true; true; false ]
    [ is Stopped_by_us; is Lwt.Canceled; is Exit ]

let cases =
  Suite.
    [
      case "null" null;
      case "rows of errors" rows;
      case "cast" cast;
      qcheck pipes;
      case "close" closed;
      case "half closed" half_closed;
      case "cancellations" cancellations;
      case "a direct flow, limited by a switch" direct;
    ]
