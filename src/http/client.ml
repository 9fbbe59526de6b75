module Flow = Weir_flow.Flow

type t = {
  flow : Flow.flow;
  limits : Limits.t;
  buffers : Buffers.t;
  input : Input.t;
  output : Output.t;
  parser : Response_parser.t;
  decoder : Body.t;
  mutable number : int;
  mutable reusable : bool;
  mutable ended : bool;
}

type response = { head : Response_parser.head; length : int option; body : Flow.reader }

let default = { Limits.default with body_bytes = max_int }

let create ?(limits = default) flow =
  let buffers = Buffers.create ~most:2 ~keep:2 () in
  Flow.send_at_once flow;
  {
    flow :> Flow.flow;
    limits;
    buffers;
    input = Input.create buffers;
    output = Output.create buffers;
    parser = Response_parser.create limits;
    decoder = Body.create limits;
    number = 0;
    reusable = true;
    ended = false;
  }

let reusable t = t.reusable
let header r name = Http.Header.get r.head.headers name
let error reason : (_, Error.t) result = Error { at = 0; status = 502; reason }

(* {1 Receiving} *)

let receive t ~large =
  Input.make_room t.input ~large;
  match Flow.read_into t.flow t.input.data ~off:t.input.stop ~len:(Input.room t.input) with
  | 0 -> t.ended <- true
  | n -> Input.added t.input n

let direct = 4_096

let rec read_body t b ~off ~len =
  let n = Body.read t.decoder t.input b ~off ~len in
  if n = Body.failed then (
    t.reusable <- false;
    raise (Error.Failed { (Body.error t.decoder) with status = 502 }))
  else if n <> Body.more then n
  else if t.ended then (
    Body.end_of_input t.decoder t.input;
    read_body t b ~off ~len)
  else
    let len' = min len (Body.credit t.decoder t.input) in
    if len' < direct then (
      receive t ~large:true;
      read_body t b ~off ~len)
    else
      match Flow.read_into t.flow b ~off ~len:len' with
      | 0 ->
          t.ended <- true;
          read_body t b ~off ~len
      | n ->
          Body.took t.decoder t.input n;
          n

let body_reader t =
  let number = t.number in
  object
    inherit Flow.reader

    method read_into b ~off ~len =
      if t.number <> number then invalid_arg "a response's body was read after the next request";
      if len = 0 then 0 else read_body t b ~off ~len
  end

let response t ~request =
  let framing = Response_parser.framing t.parser ~request in
  Body.start t.decoder framing ~message:(Response_parser.message t.parser);
  if not (Response_parser.keep_alive t.parser) then t.reusable <- false;
  let length =
    match framing with
    | Length n -> Some n
    | Until_close ->
        t.reusable <- false;
        None
    | Chunked -> None
  in
  match framing with
  | Length n when n > t.limits.body_bytes ->
      t.reusable <- false;
      error "the response's body is too long"
  | _ -> Ok { head = Response_parser.head t.parser; length; body = body_reader t }

let max_interim = 16

let rec read_head t ~request ~interim =
  match Response_parser.step t.parser t.input with
  | More when t.ended ->
      t.reusable <- false;
      error "the server closed the connection before its response was complete"
  | More ->
      receive t ~large:false;
      read_head t ~request ~interim
  | Failed ->
      t.reusable <- false;
      Error (Response_parser.error t.parser)
  | Head -> (
      match (Response_parser.head t.parser).status with
      | 101 ->
          t.reusable <- false;
          error "the server switched protocols unasked"
      | status when status < 200 && interim < max_interim ->
          Response_parser.start t.parser t.input;
          read_head t ~request ~interim:(interim + 1)
      | status when status < 200 ->
          t.reusable <- false;
          error "too many interim responses"
      | _ -> response t ~request)

(* {1 Sending} *)

exception Not_written of exn * Printexc.raw_backtrace

let writing f = try f () with e -> raise (Not_written (e, Printexc.get_raw_backtrace ()))
let write t b ~off ~len = writing (fun () -> Flow.write t.flow b ~off ~len)
let write_string t s = writing (fun () -> Flow.write_string t.flow s)

let flush t =
  let len = Output.length t.output in
  if len > 0 then (
    write t (Output.data t.output) ~off:(Output.start t.output) ~len;
    Output.sent t.output)

let copied = 16_384

let rec send_stream t (stream : Response.stream) ~left =
  let chunked = stream.length = None in
  let space = Output.lend t.output ~want:(min left (Buffers.size t.buffers)) ~chunked in
  let n = stream.read (Output.data t.output) ~off:(Output.lent_at t.output) ~len:space in
  if n < 0 || n > space then invalid_arg "a request's stream gave more than it was asked for";
  Output.filled t.output n ~chunked;
  if n = 0 && chunked then Output.string t.output "0\r\n\r\n";
  flush t;
  if n = 0 then (if not chunked then failwith "a request's stream is shorter than was said")
  else if left > n then send_stream t stream ~left:(if chunked then left else left - n)

let send_body t : Response.body -> unit = function
  | Empty | Stream { length = Some 0; _ } | Ready { length = Some 0; _ } -> flush t
  | String s when String.length s <= copied ->
      Output.string t.output s;
      flush t
  | String s ->
      flush t;
      write_string t s
  | Stream stream | Ready stream ->
      send_stream t stream ~left:(Option.value stream.length ~default:max_int)

let framing_of (meth : Http.Method.t) : Response.body -> Head_writer.framing = function
  | Empty -> ( match meth with `POST | `PUT | `PATCH -> Length 0 | _ -> Nothing)
  | String s -> Length (String.length s)
  | Stream { length = Some n; _ } | Ready { length = Some n; _ } -> Length n
  | Stream { length = None; _ } | Ready { length = None; _ } -> Chunked

let send t ~meth ~(url : Url.t) ~headers ~body ~close =
  Head_writer.request t.output ~meth ~target:url.target ~host:(Url.authority url)
    ~headers:(Http.Header.of_list headers) ~framing:(framing_of meth body)
    ~connection:(if close then "close" else "")
  && (send_body t body; true) [@ocamlformat "disable"]

(* {1 A request} *)

(* The rest of the last body comes before the next response. *)
let drained t =
  let scrap = lazy (Bytes.create direct) in
  let rec go left =
    Body.is_over t.decoder
    || left > 0
       &&
       match read_body t (Lazy.force scrap) ~off:0 ~len:direct with
       | n -> go (left - n)
       | exception Error.Failed _ -> false
  in
  t.reusable && go t.limits.drain_bytes

(* A server may answer and close before it has read the body. Then the response
   counts, not the failed write. *)
let exchange t ~meth ~url ~headers ~body ~close =
  Response_parser.start t.parser t.input;
  match send t ~meth ~url ~headers ~body ~close with
  | true -> read_head t ~request:meth ~interim:0
  | false -> error "a method, target, host or header field that cannot be sent"
  | exception Not_written (e, bt) -> (
      t.reusable <- false;
      Output.release t.output;
      match read_head t ~request:meth ~interim:0 with
      | Ok response -> Ok response
      | Error _ | (exception _) -> Printexc.raise_with_backtrace e bt)
  | exception e ->
      t.reusable <- false;
      raise e

let request ?(headers = []) ?(body = Response.Empty) ?(close = false) t meth url =
  let finally () =
    match body with Stream { close; _ } | Ready { close; _ } -> close () | Empty | String _ -> ()
  in
  Fun.protect ~finally @@ fun () ->
  if not (drained t) then (
    t.reusable <- false;
    error "the connection cannot be used again")
  else (
    t.number <- t.number + 1;
    if close then t.reusable <- false;
    exchange t ~meth ~url ~headers ~body ~close)

let get ?headers t url = request ?headers t `GET url
let head ?headers t url = request ?headers t `HEAD url

let read_all ?(limit = 16_777_216) r =
  let chunk = Bytes.create 16_384 in
  let all = Buffer.create (min 65_536 (Option.value r.length ~default:1_024)) in
  let rec go () =
    match Flow.read_into r.body chunk ~off:0 ~len:(Bytes.length chunk) with
    | 0 -> Ok (Buffer.contents all)
    | n when Buffer.length all + n > limit -> error "the response's body is too long to be held"
    | n ->
        Buffer.add_subbytes all chunk 0 n;
        go ()
  in
  try go () with Error.Failed e -> Error e
