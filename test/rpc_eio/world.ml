(* Where two ends meet: pipes or hosts under virtual time, or the kernel. *)

open Eio.Std
open Weir_rpc
open Weir_rpc_eio
module Flow = Weir_flow.Flow
module Pipe = Weir_flow.Pipe

let ms n = n * 1_000_000
let s n = n * 1_000_000_000

type clock = Eio.Time.Mono.ty r

let suspend register =
  let p, u = Promise.create () in
  register (fun () -> ignore (Promise.try_resolve u ()));
  Promise.await p

(* Time jumps when nothing can run; a deadlock is an error. *)
let virtually f = Eio_mock.Backend.run_full @@ fun env -> f (env#mono_clock :> clock)
let now (clock : clock) = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock))

let sleep (clock : clock) ns =
  Eio.Time.Mono.sleep_until clock (Mtime.of_uint64_ns (Int64.of_int (now clock + ns)))

(* A flow that its owner sees closed. *)
let closable (f : Flow.half_close) closed =
  object (self)
    inherit Flow.flow
    method read_into b ~off ~len = f#read_into b ~off ~len
    method write b ~off ~len = f#write b ~off ~len
    method shutdown_send = f#shutdown_send

    method close =
      closed := true;
      f#shutdown_send

    method! cast : type a. a Flow.ty -> a option =
      function
      | Flow.Half_close -> Some (self :> Flow.half_close)
      | Flow.Closable -> Some (self :> Flow.closable)
      | _ -> None
  end

type t = {
  clock : clock;
  sw : Switch.t;
  server : Server.t;
  client : Client.t;
  served : Error.ending Promise.or_exn;  (** how it ended for the server *)
}

(* A server for [handlers], which may want the clock, and its client. *)
let over_pipe ?client_limits ?limits ?concurrency ?timeout_ns ?idle_ns ?report ?(capacity = 65_536)
    handlers f =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex ~capacity suspend in
  let server =
    Server.create ~clock ?limits ?concurrency ?timeout_ns ?idle_ns ?report (handlers clock)
  in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
  let client = Client.create ~sw ~clock ?limits:client_limits near in
  f { clock; sw; server; client; served }

let ending = Alcotest.testable Error.pp_ending ( = )
let failed e = Alcotest.failf "%a" Error.pp e
let get = function Ok v -> v | Error e -> failed e

let end_well t =
  Client.close t.client;
  Alcotest.check ending "the client's end" Error.Stopped (Option.get (Client.state t.client));
  Alcotest.check ending "the server's end" Error.Ended (Promise.await_exn t.served)

let closed what = function
  | Error (Error.Closed _) -> ()
  | Ok _ -> Alcotest.failf "%s: answered" what
  | Error e -> Alcotest.failf "%s: %a" what Error.pp e
