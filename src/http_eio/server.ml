open Eio.Std
module Admission = Weir_http.Admission
module Session = Weir_http.Server

type t = {
  clock : Eio.Time.Mono.ty r;
  session : Session.t;
  time_limits : Time_limits.t;
  handler : Weir_http.Handler.t;
  admission : Admission.t;
  now : unit -> float;
  log : (string -> unit) option;
  warn : string -> unit;
  changed : Eio.Condition.t;  (** a slot may be free, or the last connection closed *)
  stopped : unit Promise.t;
  stop : unit Promise.u;
  cut : unit Promise.t;  (** the time for an orderly end is over *)
  set_cut : unit Promise.u;
  mutable starved_at : float;  (** the last warning that no file descriptor was left *)
}

exception Gave_way

let failure (head : Weir_http.Request.head) e =
  Printf.sprintf "answering %s: %s" head.target (Printexc.to_string e)

let create ~sw ~clock ?limits ?timeouts ?(admission = Admission.create ())
    ?(now = Unix.gettimeofday) ?page ?log ?(warn = traceln "%s") handler =
  let clock = (clock :> Eio.Time.Mono.ty r) in
  let stopped, stop = Promise.create () and cut, set_cut = Promise.create () in
  let changed = Eio.Condition.create () in
  let report head = function
    | Eio.Cancel.Cancelled _ as e -> raise e
    | e -> warn (failure head e)
  in
  let time_limits = Time_limits.create ~sw ~clock in
  let session =
    Session.create ?limits ?timeouts ?page ~now
      ~timer:(Time_limits.http_timer time_limits)
      ~stop:(fun () -> Promise.is_resolved stopped)
      ~report ()
  in
  Admission.on_room admission (fun () -> Eio.Condition.broadcast changed);
  {
    clock;
    session;
    time_limits;
    handler;
    admission;
    now;
    log;
    warn;
    changed;
    stopped;
    stop;
    cut;
    set_cut;
    starved_at = 0.;
  }

let logger t ~peer =
  Option.map
    (fun print entry -> print (Weir_http.Access_log.line ~peer ~time:(t.now ()) entry))
    t.log

(* A broken connection is no error of the server: it is not reported. *)
let answer t (c : Accepted.t) ~slot =
  Fun.protect ~finally:(fun () ->
      Admission.leave slot;
      if Admission.live t.admission = 0 then Eio.Condition.broadcast t.changed)
  @@ fun () ->
  let serve timer =
    Session.serve_connection ~on_idle:(Admission.idle slot) ?log:(logger t ~peer:c.peer) ?timer
      ~shutdown_send:c.shutdown_send t.session c.flow t.handler
  in
  match
    match c.interrupt with
    | None -> serve None
    | Some interrupt ->
        Time_limits.with_connection t.time_limits ~interrupt (fun timer -> serve (Some timer))
  with
  | () -> c.close ()
  | exception (Weir_flow.Flow.Error _ | Eio.Io _ | Eio.Cancel.Cancelled Gave_way) -> c.close ()
  | exception Session.Timed_out -> c.abort ()
  | exception (Eio.Cancel.Cancelled _ as e) ->
      c.close ();
      raise e
  | exception e ->
      (* A bug, but it ends only this connection. *)
      t.warn (Printf.sprintf "serving %s: %s" c.peer (Printexc.to_string e));
      c.close ()

(* While all slots are taken and none is idle, the next connection waits here,
   others in the listener's backlog. An idle connection waits in a read. To give
   way, that read is cancelled, unless bytes have just arrived. *)
let admit t (c : Accepted.t) ~sw =
  let context = ref None in
  let give_way () =
    match !context with
    | Some context when not (c.has_unread ()) ->
        Eio.Cancel.cancel context Gave_way;
        true
    | _ -> false
  in
  let try_it () =
    match Admission.enter t.admission ~address:c.peer ~give_way with
    | Full -> None
    | Refused -> Some None
    | Admitted slot -> Some (Some slot)
  in
  match Eio.Condition.loop_no_mutex t.changed try_it with
  | None -> c.abort ()
  | Some slot ->
      Fiber.fork_daemon ~sw (fun () ->
          Eio.Cancel.sub (fun own ->
              context := Some own;
              answer t c ~slot);
          `Stop_daemon)

let nobody_left t =
  Eio.Condition.loop_no_mutex t.changed (fun () ->
      if Admission.live t.admission = 0 then Some () else None)

(* Connections still open after the time limit end with the switch. *)
let accept_until_stopped t ~accept ~close =
  Switch.run ~name:"HTTP server" @@ fun sw ->
  let rec go () =
    admit t (accept ~sw) ~sw;
    go ()
  in
  Fiber.first go (fun () -> Promise.await t.stopped);
  close ();
  Fiber.first (fun () -> nobody_left t) (fun () -> Promise.await t.cut)

let run_on_host t listener =
  accept_until_stopped t
    ~accept:(fun ~sw -> Accepted.of_weir (Weir_eio.Network.accept listener ~sw))
    ~close:(fun () -> Weir_eio.Network.close_listener listener)

(* {1 Any socket} *)

let pause = 0.01
let between_warnings = 60.

let warn_of_starving t e =
  let now = t.now () in
  if Float.abs (now -. t.starved_at) > between_warnings then (
    t.starved_at <- now;
    t.warn (Fmt.str "cannot accept, and tries again: %a" Eio.Exn.pp e))

(* Without a free descriptor [accept] fails at once. The pause gives the last
   accepted connection time to send, before an idle one gives way. *)
let starve t e =
  warn_of_starving t e;
  Eio.Time.Mono.sleep t.clock pause;
  ignore (Admission.make_way t.admission : bool);
  Eio.Time.Mono.sleep t.clock pause

let rec accept t socket ~sw =
  match Eio.Net.accept ~sw socket with
  | connection, address -> Accepted.of_socket connection address
  | exception (Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (code, _, _)), _) as e) -> (
      match code with
      | EMFILE | ENFILE | ENOBUFS | ENOMEM ->
          starve t e;
          accept t socket ~sw
      (* Errors of the new connection, not of the socket: accept(2). The unknown
         ones are ENONET and EPROTO. *)
      | ENOPROTOOPT | EOPNOTSUPP | EHOSTDOWN | EHOSTUNREACH | ENETDOWN | ENETUNREACH | EUNKNOWNERR _
        ->
          accept t socket ~sw
      | _ -> raise e)
  | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> accept t socket ~sw

let run t socket =
  accept_until_stopped t ~accept:(accept t socket) ~close:(fun () -> Eio.Net.close socket)

let stop ?(timeout_ns = Weir_base.Time.s 5) t =
  ignore (Promise.try_resolve t.stop () : bool);
  Admission.close_idle t.admission;
  let seconds = float_of_int timeout_ns /. 1e9 in
  Fiber.first (fun () -> Eio.Time.Mono.sleep t.clock seconds) (fun () -> nobody_left t);
  ignore (Promise.try_resolve t.set_cut () : bool)
