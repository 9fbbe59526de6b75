module Machine = Weir_http.Connection
module Body = Weir_http.Body
module Error = Weir_http.Error
module Limits = Weir_http.Limits
module Response = Weir_http.Response
module Time = Weir_base.Time
module Handler = Weir_http_lwt.Handler
module Transport = Weir_http_lwt.Transport

type t = {
  limits : Limits.t;
  timeouts : Weir_http.Server.timeouts;
  time_limits : Http_bound_limits.t option;
  date : unit -> string;
  stop : unit -> bool;
  gather : int option;
  buffers : Weir_http.Buffers.t;
  report : Weir_http.Request.head -> exn -> unit;
  page : Error.t -> Response.t;
}

let create ?(limits = Limits.default) ?(timeouts = Weir_http.Server.default_timeouts) ?timer ?now
    ?(stop = fun () -> false) ?gather ?(report = fun _ _ -> ()) ?(page = Response.of_error) () =
  {
    limits;
    timeouts;
    time_limits = Option.map Http_bound_limits.create timer;
    date = (match now with Some now -> Weir_http.Date.cached now | None -> fun () -> "");
    stop;
    gather;
    buffers = Weir_http.Buffers.create ();
    report;
    page;
  }

type session = {
  server : t;
  transport : Transport.t;
  machine : Machine.t;
  watch : Http_bound_limits.watch option;
  on_idle : bool -> unit;
  log : Weir_http.Access_log.entry -> unit;
  handler : Handler.t;
  mutable stream : Handler.stream option;
  mutable unlogged : bool;  (** a response was begun and not yet logged *)
  mutable broken : bool;  (** the transport failed during a handler's read *)
}

(* A promise that is resolved already needs no limit. *)
let wait s ns p =
  match s.watch with
  | Some w when ns <> Time.never && Lwt.is_sleeping p -> Http_bound_limits.within w ns p
  | _ -> p

(* [true] unless the time limit passed. *)
let timely s ns p =
  Lwt.try_bind
    (fun () -> wait s ns p)
    (fun () -> Lwt.return_true)
    (function Http_bound_limits.Timed_out -> Lwt.return_false | e -> Lwt.fail e)

let receive s =
  let m = s.machine in
  let len = Machine.read_space m in
  Lwt.map (Machine.received m)
    (s.transport.read (Machine.read_bytes m) ~off:(Machine.read_at m) ~len)

let rec receive_head s =
  Lwt.bind (receive s) (fun () ->
      match Machine.next s.machine with Read_head -> receive_head s | _ -> Lwt.return_unit)

let send s =
  let m = s.machine in
  Lwt.map
    (fun () -> Machine.written m)
    (s.transport.write (Machine.write_bytes m) ~off:(Machine.write_at m)
       ~len:(Machine.write_length m))

(* -- request bodies ------------------------------------------------------ *)

(* From this size on, bytes are read directly into the caller's buffer. *)
let direct = 4_096

(* A failure of the transport ends the connection; it is not a failure of the handler. *)
let wait_within_handler s ns p =
  Lwt.catch
    (fun () -> wait s ns p)
    (fun e ->
      (match e with Http_bound_limits.Timed_out -> () | _ -> s.broken <- true);
      Lwt.fail e)

let rec read_body s b ~off ~len =
  let m = s.machine in
  let n = Machine.read_body m b ~off ~len in
  if n = Body.failed then Lwt.fail (Error.Failed (Machine.error m))
  else if n <> Body.more then Lwt.return n
  else
    let told =
      if Machine.write_length m = 0 then Lwt.return_unit
      else wait_within_handler s s.server.timeouts.write (send s)
    in
    Lwt.bind told (fun () -> receive_body s b ~off ~len)

and receive_body s b ~off ~len =
  let m = s.machine in
  let direct_len = Int.min len (Machine.body_credit m) in
  if direct_len < direct then
    Lwt.bind
      (wait_within_handler s s.server.timeouts.body (receive s))
      (fun () -> read_body s b ~off ~len)
  else
    let read = s.transport.read b ~off ~len:direct_len in
    Lwt.bind (wait_within_handler s s.server.timeouts.body read) (fun n ->
        if n = 0 then (
          Machine.received m 0;
          read_body s b ~off ~len)
        else (
          Machine.body_took m n;
          Lwt.return n))

let body_of s =
  if not (Machine.has_body s.machine) then fun _ ~off:_ ~len:_ -> Lwt.return 0
  else
    let number = Machine.request_number s.machine in
    fun b ~off ~len ->
      if not (Machine.is_current s.machine number) then
        Lwt.fail (Invalid_argument "a request's body was read after its response")
      else if len = 0 then Lwt.return 0
      else read_body s b ~off ~len

(* -- responses ----------------------------------------------------------- *)

let report s e = s.server.report (Machine.head s.machine) e

(* A failure of the log does not affect the response. *)
let note s =
  let m = s.machine in
  s.unlogged <- false;
  let request = Machine.logged_head m and status = Machine.status m in
  let body_bytes = Machine.body_sent m and cut = Machine.cut m in
  try s.log { request; status; body_bytes; cut } with e -> report s e

let close_stream s =
  match s.stream with
  | None -> ()
  | Some { close; _ } ->
      s.stream <- None;
      close ()

(* A response that was dropped before its first byte is replaced, and its replacement logged. *)
let advanced s =
  if not (Machine.wants_body s.machine) then close_stream s;
  if not (Machine.responding s.machine || Machine.refusing s.machine) then note s

let shape : Handler.body -> Machine.body = function
  | Empty -> Empty
  | String text -> String text
  | Stream { length = Some n; _ } -> Sized n
  | Stream { length = None; _ } -> Unsized

let answer s (r : Handler.response) =
  let m = s.machine in
  (match r.body with Stream stream -> s.stream <- Some stream | Empty | String _ -> ());
  let status = Http.Status.to_int r.status in
  if not (Machine.respond m ~status ~headers:r.headers (shape r.body)) then (
    report s (Invalid_argument "a response with an impossible status, length or header field");
    let sent = Machine.respond m ~status:500 ~headers:(Http.Header.init ()) Empty in
    assert sent);
  s.unlogged <- true;
  advanced s

let timed_out : Error.t = { at = 0; status = 408; reason = "the request took too long to come" }
let failed : Error.t = { at = 0; status = 500; reason = "the server failed" }
let page s e = Handler.of_response (s.server.page e)

let closing (r : Handler.response) =
  { r with headers = Http.Header.add r.headers "Connection" "close" }

let is_canceled = function Lwt.Canceled -> true | _ -> false

let handler_failed s = function
  | e when s.broken || is_canceled e -> Lwt.fail e
  | Error.Failed e -> Lwt.return (answer s (page s e))
  | Http_bound_limits.Timed_out -> Lwt.return (answer s (closing (page s timed_out)))
  | e ->
      report s e;
      Lwt.return (answer s (page s failed))

let handle s =
  let request : Handler.request = { head = Machine.head s.machine; read_body = body_of s } in
  Lwt.try_bind
    (fun () -> s.handler request)
    (fun response -> Lwt.return (answer s response))
    (handler_failed s)

let fill_failed s = function
  | e when s.broken || is_canceled e -> Lwt.fail e
  | e ->
      Machine.fill_failed s.machine (match e with Error.Failed e -> e | _ -> failed);
      report s e;
      Lwt.return_unit

let make_body s (stream : Handler.stream) =
  let m = s.machine in
  let len = Machine.fill_space m in
  Lwt.try_bind
    (fun () -> stream.read (Machine.fill_bytes m) ~off:(Machine.fill_at m) ~len)
    (fun n ->
      if n >= 0 && n <= len then Machine.filled m n
      else (
        report s (Invalid_argument "a response's stream gave more than it was asked for");
        Machine.fill_failed m failed);
      Lwt.return_unit)
    (fill_failed s)

let fill s =
  let made = match s.stream with Some stream -> make_body s stream | None -> assert false in
  Lwt.map (fun () -> if not (Machine.wants_body s.machine) then advanced s) made

(* -- the loop ------------------------------------------------------------ *)

(* [true] if the machine has ended, [false] if a time limit passed. *)
let rec run s =
  let limit = s.server.timeouts in
  match Machine.next s.machine with
  | Read_idle ->
      s.on_idle true;
      (* Before its first request a client has the time limit of a request head, not of an idle
         connection. *)
      let fresh = Machine.request_number s.machine = 0 in
      Lwt.bind
        (timely s (if fresh then limit.head else limit.idle) (receive s))
        (fun came ->
          s.on_idle false;
          if came then run s else Lwt.return_false)
  | Read_head ->
      Lwt.bind
        (timely s limit.head (receive_head s))
        (fun came ->
          if not came then Machine.refuse s.machine timed_out;
          run s)
  | Read_body -> go_on s (timely s limit.body (receive s))
  | Write ->
      (* It is rejected after the limit: the connection cannot be closed in order if the client
         reads nothing. *)
      Lwt.bind
        (wait s limit.write (send s))
        (fun () ->
          if s.unlogged then advanced s;
          run s)
  | Handle -> Lwt.bind (handle s) (fun () -> run s)
  | Refuse ->
      answer s (page s (Machine.error s.machine));
      run s
  | Fill -> Lwt.bind (fill s) (fun () -> run s)
  | Close -> Lwt.return_true

and go_on s done_ = Lwt.bind done_ (fun ok -> if ok then run s else Lwt.return_false)

let linger s =
  let scrap = Bytes.create 4_096 in
  let rec drain left =
    if left <= 0 then Lwt.return_unit
    else
      Lwt.bind
        (s.transport.read scrap ~off:0 ~len:(Bytes.length scrap))
        (fun n -> if n = 0 then Lwt.return_unit else drain (left - n))
  in
  Lwt.bind (s.transport.shutdown_send ()) (fun () ->
      Lwt.map
        (fun (_ : bool) -> ())
        (timely s s.server.timeouts.linger (drain s.server.limits.drain_bytes)))

let serve_connection ?(on_idle = ignore) ?(log = ignore) server transport handler =
  let { limits; buffers; date; stop; gather; _ } = server in
  let machine = Machine.create ?gather ~limits ~buffers ~date ~stop () in
  let watch = Option.map Http_bound_limits.watch server.time_limits in
  let s =
    {
      server;
      transport;
      machine;
      watch;
      on_idle;
      log;
      handler;
      stream = None;
      unlogged = false;
      broken = false;
    }
  in
  Lwt.finalize
    (fun () ->
      Lwt.bind (run s) (fun complete ->
          if complete && Machine.unread machine then linger s else Lwt.return_unit))
    (fun () ->
      Option.iter Http_bound_limits.forget watch;
      close_stream s;
      (try if s.unlogged then note s with _ -> ());
      Machine.release machine;
      Lwt.return_unit)
