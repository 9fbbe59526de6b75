open Weir_test
open Weir_flow
open Weir_threads

let suspend register =
  let p, u = Lwt.wait () in
  register (fun () -> Lwt.wakeup_later u ());
  Threads.await p

let run f = Lwt_main.run (Threads.start f)
let text n = String.init n (fun i -> Char.chr (i * 11 mod 256))

let closed f =
  match f () with _ -> Alcotest.fail "not closed" | exception Flow.Error (Flow.Closed, _) -> ()

let alone () =
  let r, w, close = Pipe.create ~capacity:4 Pipe.no_wait in
  Flow.write_string w "abc";
  let b = Bytes.create 8 in
  Alcotest.(check int) "what is there" 3 (Flow.read_into r b ~off:0 ~len:8);
  Alcotest.check_raises "would block"
    (Failure "Weir_flow.Pipe: this call would block and there is no scheduler") (fun () ->
      ignore (Flow.read r));
  close ();
  close ();
  Alcotest.(check int) "end" 0 (Flow.read_into r b ~off:0 ~len:8);
  Alcotest.(check int) "and again" 0 (Flow.read_into r b ~off:0 ~len:8);
  closed (fun () -> Flow.write_string w "d");
  Alcotest.check_raises "bounds" (Invalid_argument "Pipe.read_into") (fun () ->
      ignore (Flow.read_into r b ~off:4 ~len:5))

(* Waits given up leave nothing behind, on a pipe that stays quiet. *)
let given_up () =
  let suspend register =
    register ignore;
    raise Exit
  in
  let r, w, _ = Pipe.create ~capacity:4 suspend in
  let b = Bytes.create 8 in
  let words () = Obj.reachable_words (Obj.repr r) in
  let give_up f = match f () with _ -> Alcotest.fail "did not wait" | exception Exit -> () in
  give_up (fun () -> Flow.read_into r b ~off:0 ~len:8);
  let before = words () in
  for _ = 1 to 1_000 do
    give_up (fun () -> Flow.read_into r b ~off:0 ~len:8)
  done;
  Flow.write_string w "full";
  for _ = 1 to 1_000 do
    give_up (fun () ->
        Flow.write_string w "x";
        0)
  done;
  let grown = words () - before in
  if grown > 300 then Alcotest.failf "%d words more" grown;
  Alcotest.(check int) "all is there" 4 (Flow.read_into r b ~off:0 ~len:8)

let transfers =
  let gen = QCheck2.Gen.(tup4 (int_bound 5000) (int_range 1 700) (int_range 1 900) bool) in
  QCheck2.Test.make ~name:"all bytes, in order, within the capacity" ~count:200 gen
    (fun (n, capacity, piece, views) ->
      let s = text n in
      let r, w, close = Pipe.create ~capacity suspend in
      let sink = Memory.sink () in
      run (fun () ->
          ignore
            (Threads.both
               (fun () ->
                 ignore (Flow.copy (Memory.source ~chunk:piece s) w : int);
                 close ())
               (fun () ->
                 let r = if views then r else Wrap.limit max_int r in
                 ignore (Flow.copy r sink : int))));
      String.equal sink#contents s)

let cancelled () =
  let r, w, _ = Pipe.create suspend in
  let b = Bytes.create 4 in
  let t = Threads.start (fun () -> Flow.read_into r b ~off:0 ~len:4) in
  Lwt.cancel t;
  Alcotest.check_raises "read" Lwt.Canceled (fun () -> ignore (Lwt_main.run t));
  Flow.write_string w "ab";
  Alcotest.(check int) "took nothing" 2 (Flow.read_into r b ~off:0 ~len:4)

let half_close () =
  let a, b = Pipe.duplex suspend in
  run (fun () ->
      Flow.write_string a "question";
      (match Flow.cast a Flow.Half_close with
      | Some a -> a#shutdown_send
      | None -> Alcotest.fail "no half-close");
      closed (fun () -> Flow.write_string a "more");
      Alcotest.(check string) "to the end" "question" (Flow.read_all b ~max:100);
      Flow.write_string b "answer";
      b#shutdown_send;
      Alcotest.(check string) "the other way goes on" "answer" (Flow.read_all a ~max:100))

let cases =
  Suite.
    [
      case "without a scheduler" alone;
      qcheck transfers;
      case "a cancelled read" cancelled;
      case "waits given up" given_up;
      case "shutdown is not close" half_close;
    ]
