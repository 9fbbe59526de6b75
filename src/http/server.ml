module Flow = Weir_flow.Flow
module Time = Weir_base.Time

exception Timed_out

type timer = { with_timeout : 'a. int -> (unit -> 'a) -> 'a }
type timeouts = { idle : int; head : int; body : int; write : int; linger : int }

let default_timeouts =
  { idle = Time.s 60; head = Time.s 10; body = Time.s 30; write = Time.s 30; linger = Time.s 2 }

type t = {
  limits : Limits.t;
  timeouts : timeouts;
  timer : timer;
  date : unit -> string;
  stop : unit -> bool;
  gather : int option;
  buffers : Buffers.t;
  log : (Access_log.entry -> unit) option;
  report : Request.head -> exn -> unit;
  page : Error.t -> Response.t;
}

let create ?(limits = Limits.default) ?(timeouts = default_timeouts)
    ?(timer = { with_timeout = (fun _ f -> f ()) }) ?now ?(stop = fun () -> false) ?gather ?log
    ?(report = fun _ _ -> ()) ?(page = Response.of_error) () =
  let date = match now with Some now -> Date.cached now | None -> fun () -> "" in
  { limits; timeouts; timer; date; stop; gather; buffers = Buffers.create (); log; report; page }

(* One connection. The closures are made once, so that a wait allocates none. *)
type session = {
  server : t;
  timer : timer;
  flow : Flow.flow;
  machine : Connection.t;
  on_idle : bool -> unit;
  log : (Access_log.entry -> unit) option;
  handler : Handler.t;
  buffered : Flow.buffered option;
  mutable stream : Response.stream option;
  mutable ready : bool;  (** [stream] may be read into the flow's own buffer *)
  mutable unlogged : bool;  (** the current response is not in the log yet *)
  mutable broken : bool;  (** the flow raised while a handler read from it *)
  mutable receive : unit -> unit;
  mutable receive_head : unit -> unit;
  mutable send : unit -> unit;
}

let wait s ns f = if ns = Time.never then f () else s.timer.with_timeout ns f
let timely s ns f = match wait s ns f with () -> true | exception Timed_out -> false

let receive s =
  let m = s.machine in
  let len = Connection.read_space m in
  Connection.received m
    (Flow.read_into s.flow (Connection.read_bytes m) ~off:(Connection.read_at m) ~len)

(* One limit for the whole head, so that a client cannot extend it by sending
   byte by byte. *)
let rec receive_head s =
  receive s;
  match Connection.next s.machine with Read_head -> receive_head s | _ -> ()

let send s =
  let m = s.machine in
  let off = Connection.write_at m and len = Connection.write_length m in
  (match Connection.write_text m with
  | Some text -> s.flow#write_string text ~off ~len
  | None -> Flow.write s.flow (Connection.write_bytes m) ~off ~len);
  Connection.written m

(* {1 Request bodies} *)

(* From this size on, bytes are received directly into the reader's buffer. *)
let direct = 4_096

(* An exception of the flow ends the connection; it is no failure of the handler. *)
let wait_within_handler s ns f =
  try wait s ns f with
  | Timed_out -> raise Timed_out
  | e ->
      s.broken <- true;
      raise e

let rec read_body s b ~off ~len =
  let m = s.machine in
  let n = Connection.read_body m b ~off ~len in
  if n = Body.failed then raise (Error.Failed (Connection.error m))
  else if n <> Body.more then n
  else (
    if Connection.write_length m > 0 then wait_within_handler s s.server.timeouts.write s.send;
    let len' = min len (Connection.body_credit m) in
    if len' < direct then (
      wait_within_handler s s.server.timeouts.body s.receive;
      read_body s b ~off ~len)
    else
      let receive () = Flow.read_into s.flow b ~off ~len:len' in
      match wait_within_handler s s.server.timeouts.body receive with
      | 0 ->
          Connection.received m 0;
          read_body s b ~off ~len
      | n ->
          Connection.body_took m n;
          n)

let body_of s =
  if not (Connection.has_body s.machine) then Request.no_body
  else
    let number = Connection.request_number s.machine in
    object
      inherit Flow.reader

      method read_into b ~off ~len =
        if not (Connection.is_current s.machine number) then
          invalid_arg "a request's body was read after its response";
        if len = 0 then 0 else read_body s b ~off ~len
    end

(* {1 Responses} *)

let report s e = s.server.report (Connection.head s.machine) e

(* A failing log does not end the connection. *)
let note s =
  s.unlogged <- false;
  match s.log with
  | None -> ()
  | Some log -> (
      let m = s.machine in
      let request = Connection.logged_head m and status = Connection.status m in
      let body_bytes = Connection.body_sent m and cut = Connection.cut m in
      try log { request; status; body_bytes; cut } with e -> report s e)

let close_stream s =
  match s.stream with
  | None -> ()
  | Some { close; _ } ->
      s.stream <- None;
      close ()

(* A response given up before its first byte is replaced by an error page, which
   is logged instead. *)
let advanced s =
  if not (Connection.wants_body s.machine) then close_stream s;
  if not (Connection.responding s.machine || Connection.refusing s.machine) then note s

let shape : Response.body -> Connection.body = function
  | Empty -> Empty
  | String text -> String text
  | Stream { length = Some n; _ } | Ready { length = Some n; _ } -> Sized n
  | Stream { length = None; _ } | Ready { length = None; _ } -> Unsized

let answer s (r : Response.t) =
  let m = s.machine in
  (match r.body with
  | Stream stream | Ready stream -> s.stream <- Some stream
  | Empty | String _ -> ());
  s.ready <- (match r.body with Ready _ -> true | Empty | String _ | Stream _ -> false);
  if
    not
      (Connection.respond m ~status:(Http.Status.to_int r.status) ~headers:r.headers (shape r.body))
  then (
    report s (Invalid_argument "a response with an impossible status, length or header field");
    let sent = Connection.respond m ~status:500 ~headers:(Http.Header.init ()) Empty in
    assert sent);
  s.unlogged <- true;
  advanced s

let timed_out : Error.t = { at = 0; status = 408; reason = "the request took too long to come" }
let failed : Error.t = { at = 0; status = 500; reason = "the server failed" }
let closing (r : Response.t) = { r with headers = Http.Header.add r.headers "Connection" "close" }

let handle s =
  let request : Request.t = { head = Connection.head s.machine; body = body_of s } in
  match s.handler request with
  | response -> answer s response
  | exception e when s.broken -> raise e
  | exception Error.Failed e -> answer s (s.server.page e)
  | exception Timed_out -> answer s (closing (s.server.page timed_out))
  | exception e ->
      report s e;
      answer s (s.server.page failed)

let make_body s (stream : Response.stream) =
  let m = s.machine in
  let len = Connection.fill_space m in
  match stream.read (Connection.fill_bytes m) ~off:(Connection.fill_at m) ~len with
  | n when n >= 0 && n <= len -> Connection.filled m n
  | _ ->
      report s (Invalid_argument "a response's stream gave more than it was asked for");
      Connection.fill_failed m failed
  | exception e when s.broken -> raise e
  | exception e ->
      Connection.fill_failed m (match e with Error.Failed e -> e | _ -> failed);
      report s e

exception Not_made of int

(* As [make_body], but the bytes go to the flow's own buffer. *)
let send_body s (stream : Response.stream) (flow : Flow.buffered) ~want =
  let m = s.machine and failure = ref None in
  let put b off len =
    match stream.read b ~off ~len with
    | n when n > 0 && n <= len -> n
    | n -> raise_notrace (Not_made n)
    | exception e ->
        failure := Some e;
        raise_notrace (Not_made 0)
  in
  match wait s s.server.timeouts.write (fun () -> flow#write_by ~want put) with
  | n -> Connection.sent_directly m n
  | exception Not_made n ->
      if n <> 0 then
        failure := Some (Invalid_argument "a response's stream gave more than it was asked for");
      Connection.cut_off m;
      Option.iter (report s) !failure

let fill s =
  let m = s.machine in
  (match (s.stream, s.buffered) with
  | Some stream, Some flow when s.ready && Connection.sends_directly m > 0 ->
      send_body s stream flow ~want:(Connection.sends_directly m)
  | Some stream, _ -> make_body s stream
  | None, _ -> assert false);
  if not (Connection.wants_body s.machine) then advanced s

(* {1 The loop} *)

let rec run s =
  let limit = s.server.timeouts in
  match Connection.next s.machine with
  | Read_idle ->
      s.on_idle true;
      (* Before the first byte of a connection the shorter limit holds. *)
      let fresh = Connection.request_number s.machine = 0 in
      let came = timely s (if fresh then limit.head else limit.idle) s.receive in
      s.on_idle false;
      came && run s
  | Read_head ->
      if not (timely s limit.head s.receive_head) then Connection.refuse s.machine timed_out;
      run s
  | Read_body -> timely s limit.body s.receive && run s
  | Write ->
      (* After the limit this raises: a client that reads nothing allows no orderly
         end. *)
      wait s limit.write s.send;
      if s.unlogged then advanced s;
      run s
  | Handle ->
      handle s;
      run s
  | Refuse ->
      answer s (s.server.page (Connection.error s.machine));
      run s
  | Fill ->
      fill s;
      run s
  | Close -> true

let linger s shutdown_send =
  let scrap = Connection.scrap s.machine in
  let rec go left =
    if left > 0 then
      match Flow.read_into s.flow scrap ~off:0 ~len:(Bytes.length scrap) with
      | 0 -> ()
      | n -> go (left - n)
  in
  shutdown_send ();
  ignore (timely s s.server.timeouts.linger (fun () -> go s.server.limits.drain_bytes))

let serve_connection ?(on_idle = ignore) ?log ?timer ?shutdown_send server flow handler =
  let { limits; buffers; date; stop; gather; _ } = server in
  let machine = Connection.create ?gather ~limits ~buffers ~date ~stop () in
  let flow = (flow :> Flow.flow) and log = match log with Some _ -> log | None -> server.log in
  let timer = Option.value timer ~default:server.timer in
  Flow.send_at_once flow;
  let s =
    {
      server; timer; flow; machine; on_idle; log; handler;
      buffered = Flow.cast flow Flow.Buffered; stream = None; ready = false; unlogged = false; broken = false; receive = ignore; receive_head = ignore; send = ignore;
    } [@ocamlformat "disable"]
  in
  s.receive <- (fun () -> receive s);
  s.receive_head <- (fun () -> receive_head s);
  s.send <- (fun () -> send s);
  Fun.protect ~finally:(fun () ->
      close_stream s;
      (try if s.unlogged then note s with _ -> ());
      Connection.release machine)
  @@ fun () ->
  let complete = run s in
  match shutdown_send with
  | Some shutdown_send when complete && Connection.unread machine -> linger s shutdown_send
  | _ -> ()
