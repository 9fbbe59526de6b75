(* Where two ends meet: pipes or hosts, under virtual time. *)

open Lwt.Syntax
open Weir_rpc
open Weir_rpc_lwt
module Flow_lwt = Weir_flow_lwt.Flow_lwt
module Virtual_clock = Weir_lwt.Virtual_clock

let ms n = n * 1_000_000
let s n = n * 1_000_000_000
let calls_clock (c : Weir_lwt.Clock.t) : Clock.t = { now = c.now; sleep = Weir_lwt.Clock.sleep c }

(* Time moves when nothing else can happen; a deadlock is an error. *)
let virtually f =
  let time = Virtual_clock.create () in
  let clock = Virtual_clock.clock time in
  Virtual_clock.run time (fun () -> f clock)

(* A flow that its owner sees closed. *)
let closable (f : Flow_lwt.half_close) closed =
  object (self)
    inherit Flow_lwt.flow
    method read_into b = f#read_into b
    method write b = f#write b
    method shutdown_send = f#shutdown_send

    method close =
      closed := true;
      f#shutdown_send

    method! cast : type a. a Flow_lwt.ty -> a option =
      function
      | Flow_lwt.Half_close -> Some (self :> Flow_lwt.half_close)
      | Flow_lwt.Closable -> Some (self :> Flow_lwt.closable)
      | _ -> None
  end

type t = {
  clock : Clock.t;
  server : Server.t;
  client : Client.t;
  served : Error.ending Lwt.t;  (** how it ended for the server *)
}

(* A server for [handlers], which may want the clock, and its client. *)
let over_pipe ?client_limits ?limits ?concurrency ?timeout_ns ?idle_ns ?report ?(capacity = 65_536)
    handlers f =
  virtually @@ fun clock ->
  let clock = calls_clock clock in
  let near, far = Flow_lwt.duplex ~capacity () in
  let server =
    Server.create ~clock ?limits ?concurrency ?timeout_ns ?idle_ns ?report (handlers clock)
  in
  let served = Server.serve server far in
  let client = Client.create ~clock ?limits:client_limits near in
  f { clock; server; client; served }

let ending = Alcotest.testable Error.pp_ending ( = )
let error = Alcotest.testable Error.pp ( = )
let failed e = Alcotest.failf "%a" Error.pp e
let get p = Lwt.map (function Ok v -> v | Error e -> failed e) p

let check_ending what want p =
  let+ got = p in
  Alcotest.check ending what want got

let check_time what want (clock : Clock.t) = Alcotest.(check int) what want (clock.now ())

let end_well t =
  let* () = Client.close t.client in
  Alcotest.check ending "the client's end" Error.Stopped (Option.get (Client.state t.client));
  check_ending "the server's end" Error.Ended t.served

let write flow s =
  let+ r = Flow_lwt.write flow (Cstruct.of_string s) in
  match r with Ok () -> () | Error (`Flow e) -> Alcotest.failf "%a" Flow_lwt.pp_error e

let check_remote what code = function
  | Error (Error.Remote f) when f.code = code -> ()
  | Ok _ -> Alcotest.failf "%s: answered" what
  | Error e -> Alcotest.failf "%s: %a" what Error.pp e

let outcome = Alcotest.(result int error)

let check_outcome what want p =
  let+ got = p in
  Alcotest.check outcome what want got

(* A server for [handlers] over a pipe, and a peer to be played by hand. *)
let with_peer ?limits ?idle_ns ?capacity handlers f =
  virtually @@ fun clock ->
  let clock = calls_clock clock in
  let near, far = Flow_lwt.duplex ?capacity () in
  let server = Server.create ~clock ?limits ?idle_ns (handlers clock) in
  let closed = ref false in
  let served = Server.serve server (closable far closed) in
  let* () = f clock near server served in
  let+ _ = served in
  Alcotest.(check bool) "closed" true !closed;
  Alcotest.(check int) "none left" 0 (Server.connections server)
