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

(* An idle connection closes in order, unless the client has just gone on. *)
let give_way c () =
  Weir_eio.Connection.unread c = 0
  && begin
    Weir_eio.Connection.close c;
    true
  end

(* A broken connection is the peer's business and ends here. *)
let answer t c ~peer ~slot =
  Fun.protect ~finally:(fun () ->
      Admission.leave slot;
      if Admission.live t.admission = 0 then Eio.Condition.broadcast t.changed)
  @@ fun () ->
  match
    Server.serve_connection ~on_idle:(Admission.idle slot) ?log:(logger t ~peer)
      ~shutdown_send:(fun () -> Weir_eio.Connection.shutdown c `Send)
      t.server (Weir_eio.Connection.flow c) t.handler
  with
  | () -> Weir_eio.Connection.close c
  | exception (Weir_flow.Flow.Error _ | Eio.Io _) -> Weir_eio.Connection.close c
  | exception Server.Timed_out -> Weir_eio.Connection.abort c
  | exception (Eio.Cancel.Cancelled _ as e) ->
      Weir_eio.Connection.close c;
      raise e
  | exception e ->
      (* A defect, but only this connection's. *)
      t.warn (Printf.sprintf "serving %s: %s" peer (Printexc.to_string e));
      Weir_eio.Connection.close c

(* While all slots are taken and none is idle, the next waits here, and others
   in the listener's backlog. *)
let admit t c ~sw =
  let peer =
    match Weir_eio.Connection.remote_address c with
    | `Tcp (ip, _) -> Fmt.str "%a" Eio.Net.Ipaddr.pp ip
    | `Unix path -> path
  in
  let try_it () =
    match Admission.enter t.admission ~address:peer ~give_way:(give_way c) with
    | Full -> None
    | Refused -> Some None
    | Admitted slot -> Some (Some slot)
  in
  match Eio.Condition.loop_no_mutex t.changed try_it with
  | Some slot -> Eio.Fiber.fork ~sw (fun () -> answer t c ~peer ~slot)
  | None -> Weir_eio.Connection.abort c

let serve t host ~port =
  Eio.Switch.run @@ fun sw ->
  let listener = Weir_eio.Network.listen host ~sw ~port ~backlog:1024 in
  let rec accept () =
    admit t (Weir_eio.Network.accept listener ~sw) ~sw;
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
