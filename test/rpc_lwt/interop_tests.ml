(* One driver's clients and the other's servers. Eio's scheduler runs both, in its
   virtual time: a promise of Lwt's needs no loop of its own. *)

open Eio.Std
open Weir_rpc
open World
module Suite = Weir_test.Suite
module Pipe = Weir_flow.Pipe
module E = Weir_rpc_eio
module L = Weir_rpc_lwt

let suspend register =
  let p, u = Promise.create () in
  register (fun () -> ignore (Promise.try_resolve u ()));
  Promise.await p

let await p =
  if Lwt.is_sleeping p then
    suspend (fun wake -> Lwt.on_any p (fun _ -> wake ()) (fun _ -> wake ()));
  match Lwt.state p with Return v -> v | Fail e -> raise e | Sleep -> assert false

type world = {
  sw : Switch.t;
  mono : Eio.Time.Mono.ty r;
  clock : L.Clock.t;
  flow : Weir_flow.Flow.half_close -> Weir_flow_lwt.Flow_lwt.flow;
}

let now mono = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now mono))
let sleep mono ns = Eio.Time.Mono.sleep_until mono (Mtime.of_uint64_ns (Int64.of_int (now mono + ns)))

(* [f] as a fiber, and as a promise that can be cancelled. *)
let start sw f =
  let p, u = Lwt.task () in
  let cancelled, cancel = Promise.create () in
  Lwt.on_cancel p (fun () -> ignore (Promise.try_resolve cancel ()));
  Fiber.fork_daemon ~sw (fun () ->
      (match Fiber.first (fun () -> Ok (f ())) (fun () -> Promise.await cancelled; Error Exit) with
      | Ok () -> if Lwt.is_sleeping p then Lwt.wakeup_later u ()
      | Error _ -> ()
      | exception (Eio.Cancel.Cancelled _ as e) -> raise e
      | exception e -> if Lwt.is_sleeping p then Lwt.wakeup_later_exn u e);
      `Stop_daemon);
  p

let in_both f =
  Eio_mock.Backend.run_full @@ fun env ->
  Switch.run @@ fun sw ->
  let mono = (env#mono_clock :> Eio.Time.Mono.ty r) in
  let clock : L.Clock.t =
    { now = (fun () -> now mono); sleep = (fun ns -> start sw (fun () -> sleep mono ns)) }
  in
  let flow f = Weir_flow_lwt.Flow_lwt.of_direct (f :> Weir_flow.Flow.flow) ~start:(start sw) in
  f { sw; mono; clock; flow }

(* A client of either kind. *)
type client = {
  call : 'q 'r. ?timeout_ns:int -> ('q, 'r) Method.t -> 'q -> ('r, Error.t) result;
  close : unit -> unit;
  state : unit -> Error.ending option;
}

type side = {
  serve : unit -> Error.ending;
  shutdown : grace_ns:int -> unit;
  cancelled : int ref;  (** handlers of [wait] *)
}

let eio_client w flow =
  let c = E.Client.create ~sw:w.sw ~clock:w.mono flow in
  {
    call = (fun ?timeout_ns m q -> E.Client.call c ?timeout_ns m q);
    close = (fun () -> E.Client.close c);
    state = (fun () -> E.Client.state c);
  }

let lwt_client w flow =
  let c = L.Client.create ~clock:w.clock (w.flow flow) in
  {
    call = (fun ?timeout_ns m q -> await (L.Client.call c ?timeout_ns m q));
    close = (fun () -> await (L.Client.close c));
    state = (fun () -> L.Client.state c);
  }

let limits = { Limits.default with calls = 20 }

let eio_server w flow =
  let cancelled = ref 0 in
  let wait ns =
    (try sleep w.mono ns
     with e ->
       incr cancelled;
       raise e);
    ns
  in
  let handlers = [ Service.Handler (Methods.echo, Fun.id); Handler (Methods.wait, wait) ] in
  let server = E.Server.create ~clock:w.mono ~limits handlers in
  {
    serve = (fun () -> E.Server.serve server flow);
    shutdown = (fun ~grace_ns -> E.Server.shutdown ~grace_ns server);
    cancelled;
  }

let lwt_server w flow =
  let cancelled = ref 0 in
  let wait ns =
    Lwt.catch
      (fun () -> Lwt.map (fun () -> ns) (w.clock.sleep ns))
      (fun e ->
        incr cancelled;
        Lwt.fail e)
  in
  let handlers =
    [ L.Server.Handler (Methods.echo, Lwt.return); Handler (Methods.wait, wait) ]
  in
  let server = L.Server.create ~clock:w.clock ~limits handlers in
  {
    serve = (fun () -> await (L.Server.serve server (w.flow flow)));
    shutdown = (fun ~grace_ns -> await (L.Server.shutdown ~grace_ns server));
    cancelled;
  }

let joined client server f =
  in_both @@ fun w ->
  let near, far = Pipe.duplex suspend in
  let server = server w far in
  let served = Fiber.fork_promise ~sw:w.sw server.serve in
  let client = client w near in
  f w client server (fun () -> Promise.await_exn served)

let text i = String.init (i * i * 13 mod 20_000) (fun j -> Char.chr ((i + j) land 255))
let got = function Ok v -> v | Error e -> failed e

let exchange client server () =
  joined client server @@ fun w client server served ->
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
  Alcotest.(check int) "its handler was cancelled" 1 !(server.cancelled);
  client.close ();
  Alcotest.check ending "in order" Ended (served ())

let shut_down client server () =
  joined client server @@ fun w client server served ->
  let long = Fiber.fork_promise ~sw:w.sw (fun () -> client.call Methods.wait (s 60)) in
  let short = Fiber.fork_promise ~sw:w.sw (fun () -> client.call Methods.wait (s 2)) in
  sleep w.mono (s 1);
  server.shutdown ~grace_ns:(s 3);
  Alcotest.(check int) "after the grace" (s 4) (now w.mono);
  Alcotest.(check int) "answered" (s 2) (got (Promise.await_exn short));
  (match Promise.await_exn long with
  | Error (Closed Ended) -> ()
  | _ -> Alcotest.fail "not cut");
  Alcotest.check ending "cut" Stopped (served ());
  Alcotest.(check bool) "told" true (client.state () = Some Draining)

let tests =
  let both name f =
    [
      Suite.case (name ^ ", Eio to Lwt") (f eio_client lwt_server);
      Suite.case (name ^ ", Lwt to Eio") (f lwt_client eio_server);
      Suite.case (name ^ ", Lwt to Lwt") (f lwt_client lwt_server);
    ]
  in
  [ ("both drivers", both "calls" exchange @ both "shutdown" shut_down) ]
