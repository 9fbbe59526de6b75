open Weir_test
open Weir_threads
open Threads

let state p =
  match Lwt.state p with
  | Lwt.Return v -> "return " ^ v
  | Lwt.Fail e -> "fail " ^ Printexc.to_string e
  | Lwt.Sleep -> "sleep"

let canceled = "fail " ^ Printexc.to_string Lwt.Canceled
let check = Alcotest.(check string)

let down () =
  let p, _ = Lwt.task () in
  let released = ref false in
  let t = start (fun () -> Fun.protect ~finally:(fun () -> released := true) (fun () -> await p)) in
  Lwt.cancel t;
  check "the awaited" canceled (state p);
  check "the thread" canceled (state t);
  Alcotest.(check bool) "finaliser" true !released

let up () =
  let p, _ = Lwt.task () in
  let t = start (fun () -> try await p with Lwt.Canceled -> "told") in
  Lwt.cancel p;
  check "the thread" "return told" (state t)

let refused () =
  let p, u = Lwt.wait () in
  let t = start (fun () -> await p) in
  Lwt.cancel t;
  check "the awaited goes on" "sleep" (state p);
  check "the thread does not" canceled (state t);
  Lwt.wakeup u "late";
  check "late is ignored" canceled (state t)

let through () =
  let p, _ = Lwt.task () in
  let inner = start (fun () -> await p) in
  let outer = start (fun () -> await inner) in
  Lwt.cancel outer;
  List.iter (fun s -> check "all" canceled s) [ state p; state inner; state outer ]

let through_bind () =
  let p, _ = Lwt.task () in
  let t = start (fun () -> await p) in
  let q = Lwt.bind t Lwt.return in
  Lwt.cancel q;
  check "thread under a bind" canceled (state t);
  check "the awaited" canceled (state p)

let survives () =
  let p, _ = Lwt.task () and q, wake_q = Lwt.wait () in
  let t = start (fun () -> try await p with Lwt.Canceled -> await q) in
  Lwt.cancel t;
  check "cleaning up" "sleep" (state t);
  Lwt.wakeup wake_q "done";
  check "its own value" "return done" (state t)

let twice () =
  let p, _ = Lwt.task () and q, _ = Lwt.task () in
  let t = start (fun () -> try await p with Lwt.Canceled -> await q) in
  Lwt.cancel t;
  Lwt.cancel t;
  check "q" canceled (state q);
  check "the thread" canceled (state t)

let itself () =
  let me = ref (Lwt.return "") in
  let p, u = Lwt.wait () in
  let log = ref [] in
  me :=
    start (fun () ->
        await p |> ignore;
        Lwt.cancel !me;
        log := "on" :: !log;
        log := await (Lwt.return "resolved") :: !log;
        await (fst (Lwt.wait ())));
  Lwt.wakeup u "";
  check "at the next wait" canceled (state !me);
  Alcotest.(check (list string)) "not before" [ "resolved"; "on" ] !log

let protected_ () =
  let p, _ = Lwt.task () in
  let t = start (fun () -> await (Lwt.protected p)) in
  Lwt.cancel t;
  check "shared" "sleep" (state p);
  check "thread" canceled (state t)

let finished () =
  let t = start (fun () -> "v") in
  Lwt.cancel t;
  check "no effect" "return v" (state t)

let pick () =
  let released = ref 0 in
  let loser () =
    Fun.protect ~finally:(fun () -> incr released) (fun () -> await (fst (Lwt.task ())))
  in
  let winner =
    start (fun () ->
        yield ();
        "won")
  in
  check "Lwt.pick" "won" (Lwt_main.run (Lwt.pick [ start loser; winner; start loser ]));
  Alcotest.(check int) "losers" 2 !released

let cases =
  Suite.
    [
      case "of the thread reaches the awaited" down;
      case "of the awaited reaches the thread" up;
      case "is not refused" refused;
      case "through threads" through;
      case "through bind" through_bind;
      case "may be survived" survives;
      case "twice" twice;
      case "of itself" itself;
      case "protected" protected_;
      case "after the end" finished;
      case "Lwt.pick" pick;
    ]
