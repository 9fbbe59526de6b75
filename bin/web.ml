open Weir_http

type t = {
  clock : Eio.Time.Mono.ty Eio.Std.r;
  server : Server.t;
  log : (string -> unit) option;
  warn : string -> unit;
  handler : Handler.t;
  admission : Admission.t;
  changed : Eio.Condition.t;  (** there may be room, or nobody left *)
  stopped : unit Eio.Promise.t;
  stop : unit Eio.Promise.u;
}

let failure (head : Request.head) e =
  Printf.sprintf "answering %s: %s" head.target (Printexc.to_string e)

let create ~sw ~clock ?(admission = Admission.create ()) ?log ?(warn = ignore) handler =
  let stopped, stop = Eio.Promise.create () in
  let changed = Eio.Condition.create () in
  let report head = function
    | Eio.Cancel.Cancelled _ as e -> raise e
    | e -> warn (failure head e)
  in
  let server =
    Server.create
      ~timer:(Time_limits.http_timer (Time_limits.create ~sw ~clock))
      ~now:Unix.gettimeofday
      ~stop:(fun () -> Eio.Promise.is_resolved stopped)
      ~report ()
  in
  Admission.on_room admission (fun () -> Eio.Condition.broadcast changed);
  {
    clock :> Eio.Time.Mono.ty Eio.Std.r;
    server;
    log;
    warn;
    handler;
    admission;
    changed;
    stopped;
    stop;
  }

let logger t ~peer =
  Option.map
    (fun print entry -> print (Access_log.line ~peer ~time:(Unix.gettimeofday ()) entry))
    t.log

let is_empty tcb = Weir_core.Tcp.unread tcb (fun _ _ len -> len) = 0

(* An idle connection closes in order, unless the client has just gone on. *)
let give_way connection () =
  match !connection with
  | Some c when is_empty (Weir_eio.Connection.tcb c) ->
      Weir_eio.Connection.close c;
      true
  | Some _ | None -> false

let abort host tcb =
  Weir_core.Tcp.abort (Weir_core.Stack.tcp (Weir_eio.Host.stack host)) tcb;
  Weir_eio.Host.flush host

(* A broken connection is the peer's business and ends here. *)
let answer t host tcb ~peer ~slot ~connection =
  Fun.protect ~finally:(fun () ->
      Admission.leave slot;
      if Admission.live t.admission = 0 then Eio.Condition.broadcast t.changed)
  @@ fun () ->
  Eio.Switch.run @@ fun sw ->
  let c = Weir_eio.Connection.make host ~sw tcb in
  connection := Some c;
  match
    Server.serve_connection ~on_idle:(Admission.idle slot) ?log:(logger t ~peer)
      ~shutdown_send:(fun () -> Weir_eio.Connection.shutdown c `Send)
      t.server (Weir_eio.Connection.flow c) t.handler
  with
  | () -> Weir_eio.Connection.close c
  | exception (Weir_flow.Flow.Error _ | Eio.Io (Eio.Net.E _, _)) -> Weir_eio.Connection.close c
  | exception Server.Timed_out ->
      abort host tcb;
      Weir_eio.Connection.close c
  | exception (Eio.Cancel.Cancelled _ as e) -> raise e
  | exception e ->
      (* A defect, but only this connection's. *)
      t.warn (Printf.sprintf "serving %s: %s" peer (Printexc.to_string e));
      Weir_eio.Connection.close c

(* While all slots are taken and none is idle, the next waits here, and others
   in the listener's backlog. *)
let admit t host tcb ~sw =
  let peer = Fmt.str "%a" Weir_wire.Ip4.pp tcb.Weir_core.Tcb.remote in
  let connection = ref None in
  let try_it () =
    match Admission.enter t.admission ~address:peer ~give_way:(give_way connection) with
    | Full -> None
    | Refused -> Some None
    | Admitted slot -> Some (Some slot)
  in
  match Eio.Condition.loop_no_mutex t.changed try_it with
  | Some slot -> Eio.Fiber.fork ~sw (fun () -> answer t host tcb ~peer ~slot ~connection)
  | None -> abort host tcb
  | exception e ->
      abort host tcb;
      raise e

let serve t host ~port =
  Eio.Switch.run @@ fun sw ->
  let listener = Weir_eio.Network.listen host ~sw ~port ~backlog:1024 in
  let rec accept () =
    admit t host (Weir_eio.Network.accept listener) ~sw;
    accept ()
  in
  Eio.Fiber.first accept (fun () -> Eio.Promise.await t.stopped);
  Weir_eio.Network.close_listener listener

let stop t ~timeout_ns =
  ignore (Eio.Promise.try_resolve t.stop ());
  Admission.close_idle t.admission;
  let until = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now t.clock)) + timeout_ns in
  Eio.Fiber.first
    (fun () -> Eio.Time.Mono.sleep_until t.clock (Mtime.of_uint64_ns (Int64.of_int until)))
    (fun () ->
      Eio.Condition.loop_no_mutex t.changed (fun () ->
          if Admission.live t.admission = 0 then Some () else None))
