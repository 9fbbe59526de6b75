type framing = Length of int | Chunked | Until_close

let empty = Length 0

type state = Line | Data | Data_cr | Data_lf | Trailers | Over | Broken

type t = {
  limits : Limits.t;
  fields : Fields.t;
  mutable framing : framing;
  mutable state : state;
  mutable line : Chunk_line.state;
  mutable line_bytes : int;
  mutable digits : int;
  mutable extensions : int;  (** bytes of extensions so far *)
  mutable left : int;  (** bytes to come of the body or of this chunk *)
  mutable received : int;
  mutable message : int;
  mutable error : Error.t;
}

let create limits =
  {
    limits;
    fields = Fields.create limits;
    framing = empty;
    state = Over;
    line = Chunk_line.start;
    line_bytes = 0;
    digits = 0;
    extensions = 0;
    left = 0;
    received = 0;
    message = 0;
    error = Error.none;
  }

let start_line t =
  t.state <- Line;
  t.line <- Chunk_line.start;
  t.line_bytes <- 0;
  t.digits <- 0;
  t.left <- 0

let start t framing ~message =
  t.framing <- framing;
  t.message <- message;
  t.received <- 0;
  t.extensions <- 0;
  t.error <- Error.none;
  match framing with
  | Length n ->
      t.left <- n;
      t.state <- (if n = 0 then Over else Data)
  | Until_close ->
      t.left <- max_int;
      t.state <- Data
  | Chunked -> start_line t

let ended = 0
let more = -1
let failed = -2
let error t = t.error
let is_over t = t.state = Over
let received t = t.received

let left t =
  match t.framing with
  | Length _ -> t.left
  | _ when t.state = Over -> 0
  | Chunked | Until_close -> -1

let fail t (input : Input.t) status reason =
  t.state <- Broken;
  t.error <- { at = input.position - t.message; status; reason }

let end_of_input t input =
  match (t.state, t.framing) with
  | (Over | Broken), _ -> ()
  | Data, Until_close -> t.state <- Over
  | _ -> fail t input 400 "the connection ended within the body"

(* The size is complete: what follows is data, or trailers after size 0. *)
let line_complete t input =
  if t.left > t.limits.body_bytes - t.received then fail t input 413 "the body is too long"
  else if t.left > 0 then t.state <- Data
  else (
    t.state <- Trailers;
    Fields.start t.fields input ~message:t.message)

let line_byte t input c =
  let state = Chunk_line.next t.line c in
  t.line <- state;
  t.line_bytes <- t.line_bytes + 1;
  if Chunk_line.in_size state then (
    t.digits <- t.digits + 1;
    if t.digits <= 15 then t.left <- (t.left * 16) + Chars.hex c)
  else if Chunk_line.in_extension state then t.extensions <- t.extensions + 1;
  match Chunk_line.verdict state with
  | Bad -> fail t input 400 "a malformed chunk size or extension"
  | _ when t.digits > 15 -> fail t input 400 "a chunk size of more than 15 digits"
  | _ when t.line_bytes > t.limits.chunk_line || t.extensions > t.limits.chunk_extensions ->
      fail t input 400 "too much chunk extension"
  | Going -> Input.drop input 1
  | Complete ->
      Input.drop input 1;
      line_complete t input

let expect t input c wanted state =
  if c = wanted then (
    Input.drop input 1;
    if state = Line then start_line t else t.state <- state)
  else fail t input 400 "a chunk longer or shorter than its size"

let rec trailers t input =
  match Fields.step t.fields input with
  | Field -> trailers t input
  | End -> t.state <- Over
  | More -> ()
  | Failed ->
      t.state <- Broken;
      t.error <- Fields.error t.fields

(* Consumes framing until data, the end, a failure or the end of the input. *)
let rec advance t (input : Input.t) =
  match t.state with
  | Data | Over | Broken -> ()
  | Trailers -> trailers t input
  | (Line | Data_cr | Data_lf) when Input.length input = 0 -> ()
  | Line ->
      line_byte t input (Bytes.get input.data input.start);
      advance t input
  | Data_cr ->
      expect t input (Bytes.get input.data input.start) '\r' Data_lf;
      advance t input
  | Data_lf ->
      expect t input (Bytes.get input.data input.start) '\n' Line;
      advance t input

let data_taken t input n =
  t.received <- t.received + n;
  match t.framing with
  | Until_close -> if t.received > t.limits.body_bytes then fail t input 413 "the body is too long"
  | Length _ | Chunked ->
      t.left <- t.left - n;
      if t.left = 0 then t.state <- (if t.framing = Chunked then Data_cr else Over)

let without_data t =
  match t.state with
  | Over -> ended
  | Broken -> failed
  | Line | Data | Data_cr | Data_lf | Trailers -> more

let rec read_from t (input : Input.t) b ~off ~len ~got =
  advance t input;
  let n = if t.state = Data then min (len - got) (min t.left (Input.length input)) else 0 in
  if n = 0 then if got > 0 then got else without_data t
  else (
    Bytes.blit input.data input.start b (off + got) n;
    Input.drop input n;
    data_taken t input n;
    if got + n = len then len else read_from t input b ~off ~len ~got:(got + n))

let read t input b ~off ~len =
  if len <= 0 || off < 0 || len > Bytes.length b - off then invalid_arg "Body.read";
  read_from t input b ~off ~len ~got:0

let skip t input =
  advance t input;
  let n = if t.state = Data then min t.left (Input.length input) else 0 in
  if n = 0 then without_data t
  else (
    Input.drop input n;
    data_taken t input n;
    n)

let credit t input =
  advance t input;
  if t.state = Data && Input.length input = 0 then t.left else 0

let took t input n =
  if n < 0 || n > credit t input then invalid_arg "Body.took";
  Input.passed input n;
  data_taken t input n
