type action = Read_idle | Read_head | Read_body | Write | Handle | Refuse | Fill | Close
type body = Empty | String of string | Sized of int | Unsized

type phase =
  | Head  (** between requests, or within a head *)
  | Handling  (** a request is with its handler *)
  | Refusing  (** an error is to be answered *)
  | Streaming  (** the response's body is being made *)
  | Copying  (** the response's body is a string sent from where it is *)
  | Draining  (** the response is complete, the request's body is not *)
  | Closing  (** nothing more is read; the bytes to send are the last *)

type t = {
  limits : Limits.t;
  date : unit -> string;
  stop : unit -> bool;
  gather : int;
  input : Input.t;
  output : Output.t;
  parser : Request_parser.t;
  decoder : Body.t;
  mutable phase : phase;
  mutable head : Request.head;
  mutable number : int;
  mutable error : Error.t;
  mutable ended : bool;  (** the client sends no more *)
  mutable keep_alive : bool;
  mutable owes_continue : bool;
  mutable drained : int;
  (* The current response. *)
  mutable status : int;
  mutable body_sent : int;
  mutable cut : bool;  (** given up after some of it was sent *)
  mutable from : int;  (** where the response begins in the output; -1 once some of it was sent *)
  mutable left : int;  (** bytes of the body to come, or [chunked] or [until_close] *)
  mutable filled : bool;  (** some of the body waits to be sent *)
  mutable text : string;  (** the body, while Copying *)
  mutable text_at : int;
}

let chunked = -1
let until_close = -2

let no_head : Request.head =
  { meth = `GET; target = ""; version = `HTTP_1_1; headers = Http.Header.init () }

let create ?(gather = 16_384) ~limits ~buffers ~date ~stop () =
  {
    limits;
    date;
    stop;
    gather;
    input = Input.create buffers;
    output = Output.create buffers;
    parser = Request_parser.create limits;
    decoder = Body.create limits;
    phase = Head;
    head = no_head;
    number = 0;
    error = Error.none;
    ended = false;
    keep_alive = true;
    owes_continue = false;
    drained = 0;
    status = 0;
    body_sent = 0;
    cut = false;
    from = -1;
    left = 0;
    filled = false;
    text = "";
    text_at = 0;
  }

let head t = t.head
let request_number t = t.number
let is_current t number = t.number = number && (t.phase = Handling || t.phase = Streaming)
let has_body t = not (Body.is_over t.decoder)
let error t = t.error
let status t = t.status
let body_sent t = t.body_sent
let logged_head t = if t.head == no_head then None else Some t.head
let refusing t = t.phase = Refusing
let wants_body t = t.phase = Streaming
let responding t = t.phase = Streaming || t.phase = Copying
let cut t = t.cut || responding t

(* {1 From request to request} *)

let start_head t =
  t.phase <- Head;
  Request_parser.start t.parser t.input

let give_up t error =
  if t.phase = Head then t.head <- no_head;
  t.error <- error;
  t.keep_alive <- false;
  t.owes_continue <- false;
  t.phase <- Refusing

let head_complete t =
  let head = Request_parser.head t.parser in
  t.head <- head;
  t.number <- t.number + 1;
  t.keep_alive <- Request_parser.keep_alive t.parser;
  Body.start t.decoder (Request_parser.framing t.parser) ~message:(Request_parser.message t.parser);
  (* If bytes of the body are here, the client does not wait for 100. *)
  t.owes_continue <- Request_parser.expects_continue t.parser && Input.length t.input = 0;
  t.drained <- 0;
  t.phase <- Handling;
  match head.meth with
  | `CONNECT -> give_up t { at = 0; status = 501; reason = "this server is not a proxy" }
  | _ -> ()

(* Whether the rest of the request's body can be read and dropped (RFC 9112
   §9.3). A client that got no 100 Continue may or may not send it. *)
let body_allows_more t =
  Body.is_over t.decoder
  || (not t.owes_continue) && (not t.ended)
     && Body.error t.decoder == Error.none
     && Body.left t.decoder <= t.limits.drain_bytes

(* Called when the last byte of the response is in the output or sent. *)
let response_complete t =
  t.text <- "";
  if not (t.keep_alive && body_allows_more t) then t.phase <- Closing
  else if Body.is_over t.decoder then start_head t
  else t.phase <- Draining

let early_end t : Error.t =
  {
    at = t.input.position + Input.length t.input - Request_parser.message t.parser;
    status = 400;
    reason = "the connection ended within the head of a request";
  }

let rec next t =
  match t.phase with
  | Handling -> Handle
  | Refusing -> Refuse
  | Copying -> Write
  | Streaming ->
      let waiting = Output.length t.output in
      if waiting > 0 && (t.filled || waiting >= t.gather) then Write else Fill
  | Closing -> if Output.length t.output > 0 then Write else Close
  | Draining -> drain t
  | Head ->
      let waiting = Output.length t.output in
      if waiting > 0 && waiting >= t.gather then Write else next_head t

and next_head t =
  match Request_parser.step t.parser t.input with
  | Head ->
      head_complete t;
      next t
  | Failed ->
      give_up t (Request_parser.error t.parser);
      next t
  | More when Output.length t.output > 0 -> Write
  | More when not (Request_parser.idle t.parser) ->
      if t.ended then (
        give_up t (early_end t);
        next t)
      else Read_head
  | More ->
      if t.ended || t.stop () then (
        t.phase <- Closing;
        next t)
      else (
        Input.rest t.input;
        Output.rest t.output;
        Read_idle)

and drain t =
  let n = Body.skip t.decoder t.input in
  t.drained <- t.drained + max 0 n;
  if n = Body.ended then start_head t
  else if n = Body.failed || t.drained > t.limits.drain_bytes || (n = Body.more && t.ended) then
    t.phase <- Closing;
  if t.phase <> Draining || n > 0 then next t
  else if Output.length t.output > 0 then Write
  else Read_body

let refuse t error =
  if t.phase = Head && Request_parser.idle t.parser then t.phase <- Closing else give_up t error

(* {1 Receiving} *)

let read_space t =
  Input.make_room t.input ~large:(t.phase <> Head);
  Input.room t.input

let read_bytes t = t.input.data
let read_at t = t.input.stop
let received t n = if n > 0 then Input.added t.input n else t.ended <- true
let unread t = not t.ended

(* {1 Sending} *)

let slice = 65_536

let write_length t =
  match Output.length t.output with
  | 0 when t.phase = Copying -> min slice (String.length t.text - t.text_at)
  | n -> n

let from_text t = t.phase = Copying && Output.length t.output = 0

(* The driver only reads these bytes. *)
let write_bytes t = if from_text t then Bytes.unsafe_of_string t.text else Output.data t.output
let write_at t = if from_text t then t.text_at else Output.start t.output
let write_text t = if from_text t then Some t.text else None

let written t =
  t.from <- -1;
  t.filled <- false;
  if from_text t then (
    let n = write_length t in
    t.text_at <- t.text_at + n;
    t.body_sent <- t.text_at;
    if t.text_at = String.length t.text then response_complete t)
  else Output.sent t.output

(* {1 Responding} *)

let asks_close headers =
  match Http.Header.get headers "connection" with
  | Some value -> Chars.list_mem value ~token:"close"
  | None -> false

let framing_of body ~status ~head_only ~old : Head_writer.framing =
  if Status.bodiless status then Nothing
  else
    match body with
    | Empty when head_only -> Nothing
    | Empty -> Length 0
    | String s -> Length (String.length s)
    | Sized n -> Length n
    | Unsized -> if old then Nothing else Chunked

(* Longer strings are sent from where they are. *)
let copied = 16_384

let start_body t body ~old =
  match body with
  | Empty -> response_complete t
  | String s when String.length s <= copied ->
      Output.string t.output s;
      t.body_sent <- String.length s;
      response_complete t
  | String s ->
      t.text <- s;
      t.text_at <- 0;
      t.phase <- Copying
  | Sized 0 -> response_complete t
  | Sized n ->
      t.left <- n;
      t.phase <- Streaming
  | Unsized ->
      t.left <- (if old then until_close else chunked);
      t.phase <- Streaming

let is_1_0 : Http.Version.t -> bool = function `HTTP_1_0 -> true | _ -> false

let respond t ~status ~headers body =
  let head_only = Request_parser.is_head_request t.parser and old = is_1_0 t.head.version in
  let body = if status = 205 then Empty else body in
  let to_close = match body with Unsized -> old && not head_only | _ -> false in
  (* A streamed body may still read the request's, so decide later. *)
  let streamed = match body with Sized _ | Unsized -> not head_only | Empty | String _ -> false in
  let keep =
    t.keep_alive && (not to_close)
    && (streamed || body_allows_more t)
    && (not (asks_close headers))
    && not (t.stop ())
  in
  let connection = if not keep then "close" else if old then "keep-alive" else "" in
  let from = Output.length t.output in
  let possible = match body with Sized n -> n >= 0 | Empty | String _ | Unsized -> true in
  possible && status >= 200 && status <= 999
  && Head_writer.response t.output ~status ~headers ~date:(t.date ()) ~connection
       ~framing:(framing_of body ~status ~head_only ~old)
  && begin
    t.keep_alive <- keep;
    t.status <- status;
    t.body_sent <- 0;
    t.cut <- false;
    t.from <- from;
    t.filled <- false;
    start_body t ~old (if head_only || Status.bodiless status then Empty else body);
    true
  end

(* {1 Request bodies} *)

let read_body t b ~off ~len =
  match Body.read t.decoder t.input b ~off ~len with
  | n when n = Body.more && t.ended ->
      Body.end_of_input t.decoder t.input;
      t.error <- Body.error t.decoder;
      Body.failed
  | n when n = Body.more ->
      if t.owes_continue && t.phase = Handling then (
        t.owes_continue <- false;
        Output.string t.output "HTTP/1.1 100 Continue\r\n\r\n");
      Body.more
  | n ->
      if n = Body.failed then t.error <- Body.error t.decoder;
      n

let body_credit t = Body.credit t.decoder t.input
let body_took t n = Body.took t.decoder t.input n

(* {1 Bodies made while they are sent} *)

let fill_space t =
  let want = if t.left > 0 then min t.left slice else slice in
  Output.lend t.output ~want ~chunked:(t.left = chunked)

let fill_bytes t = Output.data t.output
let fill_at t = Output.lent_at t.output
let sends_directly t = if t.phase = Streaming && Output.length t.output = 0 then t.left else 0

let made t n =
  t.left <- t.left - n;
  if t.left = 0 then response_complete t

let sent_directly t n =
  if n < 1 || n > sends_directly t then invalid_arg "Connection.sent_directly";
  t.body_sent <- t.body_sent + n;
  made t n

let cut_off t =
  t.cut <- true;
  t.keep_alive <- false;
  t.phase <- Closing

let fill_failed t error =
  Output.filled t.output 0 ~chunked:false;
  if t.from >= 0 then (
    Output.truncate t.output t.from;
    give_up t error)
  else cut_off t

let filled t n =
  Output.filled t.output n ~chunked:(t.left = chunked);
  t.body_sent <- t.body_sent + n;
  if n > 0 then (
    t.filled <- true;
    if t.left > 0 then made t n)
  else if t.left > 0 then
    fill_failed t { at = 0; status = 500; reason = "the body is shorter than was said" }
  else (
    if t.left = chunked then Output.string t.output "0\r\n\r\n";
    response_complete t)

let scrap t = t.input.data

let release t =
  Input.release t.input;
  Output.release t.output;
  t.phase <- Closing
