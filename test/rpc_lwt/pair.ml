(* A client and a server, each of either driver. Eio's scheduler runs both, in its
   virtual time: a promise of Lwt's needs no loop of its own. *)

open Eio.Std
open Weir_rpc
open World
module Threads = Weir_threads.Threads
module Pipe = Weir_flow.Pipe
module E = Weir_rpc_eio
module L = Weir_rpc_lwt

let suspend register =
  let p, u = Promise.create () in
  register (fun () -> ignore (Promise.try_resolve u ()));
  Promise.await p

let await p =
  if Lwt.is_sleeping p then (
    try suspend (fun wake -> Lwt.on_any p (fun _ -> wake ()) (fun _ -> wake ()))
    with e ->
      Lwt.cancel p;
      raise e);
  match Lwt.state p with Return v -> v | Fail e -> raise e | Sleep -> assert false

type world = {
  sw : Switch.t;
  mono : Eio.Time.Mono.ty r;
  clock : L.Clock.t;
  flow : Weir_flow.Flow.half_close -> Weir_flow_lwt.Flow_lwt.flow;
}

let now mono = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now mono))

let sleep mono ns =
  Eio.Time.Mono.sleep_until mono (Mtime.of_uint64_ns (Int64.of_int (now mono + ns)))

(* [f] as a fiber, and as a promise that can be cancelled. *)
let start sw f =
  let p, u = Lwt.task () in
  let cancelled, cancel = Promise.create () in
  Lwt.on_cancel p (fun () -> ignore (Promise.try_resolve cancel ()));
  Fiber.fork_daemon ~sw (fun () ->
      (match
         Fiber.first
           (fun () -> Ok (f ()))
           (fun () ->
             Promise.await cancelled;
             Error Exit)
       with
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

(* A client of either kind, as a fiber of Eio's sees it. What is given to the calls
   with streams may run elsewhere: it waits by [pause] and by its streams only. *)
type ('q, 'r) streams = {
  send : 'q -> bool;
  finish : unit -> unit;
  receive : unit -> 'r option;
  pause : int -> unit;
}

type client = {
  call : 'q 'r. ?timeout_ns:int -> ('q, 'r) Method.t -> 'q -> ('r, Error.t) result;
  download :
    'q 'r.
    ?timeout_ns:int ->
    ('q, 'r) Method.download ->
    'q ->
    (pause:(int -> unit) -> 'r -> unit) ->
    (unit, Error.t) result;
  upload :
    'q 'r.
    ?timeout_ns:int ->
    ('q, 'r) Method.upload ->
    (pause:(int -> unit) -> ('q -> bool) -> unit) ->
    ('r, Error.t) result;
  exchange :
    'q 'r 'a.
    ?timeout_ns:int -> ('q, 'r) Method.exchange -> (('q, 'r) streams -> 'a) -> ('a, Error.t) result;
  close : unit -> unit;
  state : unit -> Error.ending option;
}

type side = { serve : unit -> Error.ending; shutdown : grace_ns:int -> unit }

let eio_client ?limits w flow =
  let open E.Client in
  let c = create ~sw:w.sw ~clock:w.mono ?limits flow in
  let pause = sleep w.mono in
  {
    call = (fun ?timeout_ns m q -> call c ?timeout_ns m q);
    download = (fun ?timeout_ns m q f -> download c ?timeout_ns m q (f ~pause));
    upload = (fun ?timeout_ns m f -> upload c ?timeout_ns m (f ~pause));
    exchange =
      (fun ?timeout_ns m f ->
        exchange c ?timeout_ns m (fun { send; finish; receive } ->
            f { send; finish; receive; pause }));
    close = (fun () -> close c);
    state = (fun () -> state c);
  }

let lwt_client ?limits w flow =
  let open L.Client in
  let c = create ~clock:w.clock ?limits (w.flow flow) in
  let pause ns = Threads.await (w.clock.sleep ns) in
  let start = Threads.start in
  {
    call = (fun ?timeout_ns m q -> await (call c ?timeout_ns m q));
    download =
      (fun ?timeout_ns m q f ->
        await (download c ?timeout_ns m q (fun v -> start (fun () -> f ~pause v))));
    upload =
      (fun ?timeout_ns m f ->
        await
          (upload c ?timeout_ns m (fun send ->
               start (fun () -> f ~pause (fun v -> Threads.await (send v))))));
    exchange =
      (fun ?timeout_ns m f ->
        await
          (exchange c ?timeout_ns m (fun { send; finish; receive } ->
               let send v = Threads.await (send v) in
               let receive () = Threads.await (receive ()) in
               start (fun () -> f { send; finish; receive; pause }))));
    close = (fun () -> await (close c));
    state = (fun () -> state c);
  }

(* Handlers, of the way in which they sleep. *)
let eio_server ?limits ?timeout_ns w handlers flow =
  let server = E.Server.create ~clock:w.mono ?limits ?timeout_ns (handlers ~pause:(sleep w.mono)) in
  {
    serve = (fun () -> E.Server.serve server flow);
    shutdown = (fun ~grace_ns -> E.Server.shutdown ~grace_ns server);
  }

let lwt_server ?limits ?timeout_ns w handlers flow =
  let threads : L.Server.threads = { start = Threads.start; await = Threads.await } in
  let pause ns = Threads.await (w.clock.sleep ns) in
  let handlers = List.map (L.Server.of_direct ~threads) (handlers ~pause) in
  let server = L.Server.create ~clock:w.clock ?limits ?timeout_ns handlers in
  {
    serve = (fun () -> await (L.Server.serve server (w.flow flow)));
    shutdown = (fun ~grace_ns -> await (L.Server.shutdown ~grace_ns server));
  }

type joined = { world : world; client : client; server : side; served : unit -> Error.ending }

type drivers = {
  name : string;
  make_client : ?limits:Limits.t -> world -> Weir_flow.Flow.half_close -> client;
  make_server :
    ?limits:Limits.t ->
    ?timeout_ns:int ->
    world ->
    (pause:(int -> unit) -> Service.handler list) ->
    Weir_flow.Flow.half_close ->
    side;
}

let all =
  [
    { name = "Eio"; make_client = eio_client; make_server = eio_server };
    { name = "Eio to Lwt"; make_client = eio_client; make_server = lwt_server };
    { name = "Lwt to Eio"; make_client = lwt_client; make_server = eio_server };
    { name = "Lwt"; make_client = lwt_client; make_server = lwt_server };
  ]

(* [f] with a client of a server for [handlers]. *)
let joined ?client_limits ?limits ?timeout_ns ?capacity drivers handlers f =
  in_both @@ fun w ->
  let near, far = Pipe.duplex ?capacity suspend in
  let server = drivers.make_server ?limits ?timeout_ns w handlers far in
  let served = Fiber.fork_promise ~sw:w.sw server.serve in
  let client = drivers.make_client ?limits:client_limits w near in
  f { world = w; client; server; served = (fun () -> Promise.await_exn served) }

let got = function Ok v -> v | Error e -> failed e

let end_well j =
  j.client.close ();
  Alcotest.check ending "in order" Error.Ended (j.served ())

let each name f =
  List.map (fun d -> Weir_test.Suite.case (name ^ ", " ^ d.name) (fun () -> f d)) all
