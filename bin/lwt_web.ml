open Lwt.Syntax
open Weir_http
module Connection = Weir_lwt.Connection
module Network = Weir_lwt.Network
module Server = Weir_http_lwt.Server

type t = {
  clock : Weir_lwt.Clock.t;
  server : Server.t;
  handler : Handler.t;
  log : (string -> unit) option;
  warn : string -> unit;
  admission : Admission.t;
  changed : unit Lwt_condition.t;  (** a slot may be free, or the last connection closed *)
  stopped : bool ref;
  mutable listener : Network.listener option;
}

let failure (head : Request.head) e =
  Printf.sprintf "answering %s: %s" head.target (Printexc.to_string e)

let create ~clock ?(admission = Admission.create ()) ?log ?(warn = ignore) handler =
  let timer : Weir_http_lwt.Time_limits.timer =
    { now = clock.Weir_lwt.Clock.now; sleep = Weir_lwt.Clock.sleep clock }
  in
  let stopped = ref false and changed = Lwt_condition.create () in
  let server =
    Server.create ~timer ~now:Unix.gettimeofday
      ~stop:(fun () -> !stopped)
      ~report:(fun head e -> warn (failure head e))
      ()
  in
  Admission.on_room admission (Lwt_condition.broadcast changed);
  { clock; server; handler; log; warn; admission; changed; stopped; listener = None }

let transport c : Weir_http_lwt.Transport.t =
  {
    read = (fun b ~off ~len -> Weir_lwt.get (Connection.read c b ~off ~len));
    write = (fun b ~off ~len -> Weir_lwt.get (Connection.write c b ~off ~len));
    write_by = Some (fun ~want f -> Weir_lwt.get (Connection.write_by c ~want f));
    shutdown_send =
      (fun () ->
        Connection.shutdown c `Send;
        Lwt.return_unit);
  }

let logger t ~peer =
  Option.map
    (fun print entry -> print (Access_log.line ~peer ~time:(Unix.gettimeofday ()) entry))
    t.log

(* A broken connection is not reported. A bug is, and ends only this
   connection. *)
let ended t c ~peer = function
  | Weir_lwt.Error.Error _ -> ()
  | Weir_http_lwt.Time_limits.Timed_out -> Connection.abort c
  | e -> t.warn (Printf.sprintf "serving %s: %s" peer (Printexc.to_string e))

let answer t c ~peer ~slot =
  Connection.set_nodelay c true;
  let serve () =
    Server.serve_direct ~on_idle:(Admission.idle slot) ?log:(logger t ~peer) t.server (transport c)
      t.handler
  in
  let caught () = Lwt.catch serve (fun e -> Lwt.return (ended t c ~peer e)) in
  Lwt.finalize caught (fun () ->
      Admission.leave slot;
      if Admission.live t.admission = 0 then Lwt_condition.broadcast t.changed ();
      Connection.close c)

let is_empty c = Weir_core.Tcp.unread (Connection.tcb c) (fun _ _ len -> len) = 0

(* An idle connection closes in order, unless bytes have just arrived. *)
let give_way c () =
  is_empty c
  && begin
    ignore (Connection.close c : unit Lwt.t);
    true
  end

(* While all slots are taken and none is idle, the next connection waits here,
   others in the listener's backlog. *)
let rec admit t c =
  let peer = Ipaddr.to_string (fst (Connection.remote c)) in
  if !(t.stopped) then Connection.close c
  else
    match Admission.enter t.admission ~address:peer ~give_way:(give_way c) with
    | Admitted slot ->
        Lwt.async (fun () -> answer t c ~peer ~slot);
        Lwt.return_unit
    | Refused ->
        Connection.abort c;
        Lwt.return_unit
    | Full -> Lwt.bind (Lwt_condition.wait t.changed) (fun () -> admit t c)

let rec accept t l =
  Lwt.bind (Network.accept l) (function
    | Ok c -> Lwt.bind (admit t c) (fun () -> accept t l)
    | Error _ -> Lwt.return_unit)

let serve t host ~port =
  match Network.listen host ~port ~backlog:1024 with
  | Error e -> Fail.failed "cannot listen on port %d: %s" port (Fmt.str "%a" Weir_lwt.Error.pp e)
  | Ok l ->
      t.listener <- Some l;
      accept t l

let rec nobody_left t =
  if Admission.live t.admission = 0 then Lwt.return_unit
  else Lwt.bind (Lwt_condition.wait t.changed) (fun () -> nobody_left t)

let stop t ~timeout_ns =
  t.stopped := true;
  Lwt_condition.broadcast t.changed ();
  let* () = match t.listener with Some l -> Network.close_listener l | None -> Lwt.return_unit in
  Admission.close_idle t.admission;
  Lwt.pick [ nobody_left t; Weir_lwt.Clock.sleep t.clock timeout_ns ]
