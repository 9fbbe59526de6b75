(* Calls between one driver's clients and the other's servers. *)

open Eio.Std
open Weir_rpc
open World
open Pair

let limits = { Limits.default with calls = 20 }

let handlers cancelled ~pause =
  let wait ns =
    (try pause ns
     with e ->
       incr cancelled;
       raise e);
    ns
  in
  [ Service.Handler (Methods.echo, Fun.id); Handler (Methods.wait, wait) ]

let text i = String.init (i * i * 13 mod 20_000) (fun j -> Char.chr ((i + j) land 255))

let exchange drivers =
  let cancelled = ref 0 in
  joined ~limits drivers (handlers cancelled) @@ fun j ->
  let { world = w; client; _ } = j in
  Fiber.List.iter
    (fun i ->
      Alcotest.(check bool) "its own" true (got (client.call Methods.echo (text i)) = text i);
      Alcotest.(check int) "waited" i (got (client.call Methods.wait i)))
    (List.init 200 Fun.id);
  let before = now w.mono in
  (match client.call ~timeout_ns:(ms 20) Methods.wait (s 60) with
  | Error Timed_out -> ()
  | _ -> Alcotest.fail "answered");
  Alcotest.(check int) "at its time" (ms 20) (now w.mono - before);
  Alcotest.(check string) "it goes on" "x" (got (client.call Methods.echo "x"));
  Alcotest.(check int) "its handler was cancelled" 1 !cancelled;
  end_well j

let shut_down drivers =
  joined ~limits drivers (handlers (ref 0)) @@ fun { world = w; client; server; served } ->
  let long = Fiber.fork_promise ~sw:w.sw (fun () -> client.call Methods.wait (s 60)) in
  let short = Fiber.fork_promise ~sw:w.sw (fun () -> client.call Methods.wait (s 2)) in
  sleep w.mono (s 1);
  server.shutdown ~grace_ns:(s 3);
  Alcotest.(check int) "after the grace" (s 4) (now w.mono);
  Alcotest.(check int) "answered" (s 2) (got (Promise.await_exn short));
  (match Promise.await_exn long with Error (Closed Ended) -> () | _ -> Alcotest.fail "not cut");
  Alcotest.check ending "cut" Stopped (served ());
  Alcotest.(check bool) "told" true (client.state () = Some Draining)

let tests = [ ("both drivers", each "calls" exchange @ each "shutdown" shut_down) ]
