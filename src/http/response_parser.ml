type step = More | Head | Failed
type state = Version | Status | Reason | Line_lf | Header | Complete | Broken
type head = { version : Http.Version.t; status : int; reason : string; headers : Http.Header.t }

type t = {
  limits : Limits.t;
  fields : Fields.t;
  framing : Framing.t;
  mutable state : state;
  mutable scan : int;
  mutable message : int;
  mutable version : Http.Version.t;
  mutable status : int;
  mutable reason : string;
  mutable headers : (string * string) list;  (** in reverse order *)
  mutable error : Error.t;
}

let create limits =
  {
    limits;
    fields = Fields.create limits;
    framing = Framing.create ();
    state = Version;
    scan = 0;
    message = 0;
    version = `HTTP_1_1;
    status = 0;
    reason = "";
    headers = [];
    error = Error.none;
  }

let start t (input : Input.t) =
  t.state <- Version;
  t.scan <- 0;
  t.message <- input.position;
  t.status <- 0;
  t.reason <- "";
  t.headers <- [];
  Framing.reset t.framing;
  t.error <- Error.none

let error t = t.error
let message t = t.message

let fail t (input : Input.t) ~index reason =
  t.state <- Broken;
  t.error <- { at = input.position + index - input.start - t.message; status = 502; reason };
  Failed

let consume t input n state =
  Input.drop input n;
  t.state <- state;
  t.scan <- 0

(* [k] is the index of [c] in "HTTP/1.x ". *)
let version_byte k c = if k = 7 then Chars.mem Chars.digit c else c = String.get "HTTP/1.x " k

let version_end t (input : Input.t) =
  t.version <- (if Bytes.get input.data (input.start + 7) = '0' then `HTTP_1_0 else `HTTP_1_1);
  consume t input 9 Status

let status_end t (input : Input.t) ~blank =
  t.status <- Chars.decimal (Bytes.sub_string input.data input.start 3);
  consume t input (if blank then 4 else 3) Reason

let note t (input : Input.t) =
  let name = Fields.name t.fields and value = Fields.value t.fields in
  t.headers <- (name, value) :: t.headers;
  match Framing.note t.framing name value with
  | Fine -> More
  | Wrong { reason; _ } -> fail t input ~index:input.start reason

let finish t (input : Input.t) =
  match Framing.check t.framing ~version:t.version with
  | Wrong { reason; _ } -> fail t input ~index:input.start reason
  | Fine ->
      t.state <- Complete;
      Head

let rec header t input =
  match Fields.step t.fields input with
  | More -> More
  | Field -> ( match note t input with More -> header t input | (Head | Failed) as step -> step)
  | End -> finish t input
  | Failed ->
      t.state <- Broken;
      t.error <- { (Fields.error t.fields) with status = 502 };
      Failed

let rec step t (input : Input.t) =
  match t.state with
  | Header -> header t input
  | Complete -> Head
  | Broken -> Failed
  | Version | Status | Reason | Line_lf -> line t input

and line t input =
  let b = input.data and start = input.start in
  let i = start + t.scan in
  if i >= input.stop then More
  else
    let c = Bytes.get b i in
    let scanned () =
      t.scan <- t.scan + 1;
      step t input
    in
    match t.state with
    | Version when not (version_byte t.scan c) -> fail t input ~index:i "not an HTTP/1.x response"
    | Version when t.scan < 8 -> scanned ()
    | Version ->
        version_end t input;
        step t input
    | Status when t.scan < 3 ->
        if Chars.mem Chars.digit c && (t.scan > 0 || c > '0') then scanned ()
        else fail t input ~index:i "a malformed status"
    (* Many servers omit the blank before an empty reason phrase. *)
    | Status when c = ' ' || c = '\r' ->
        status_end t input ~blank:(c = ' ');
        step t input
    | Status -> fail t input ~index:i "a malformed status"
    | Reason -> reason t input i
    | Line_lf when c = '\n' ->
        consume t input 1 Header;
        Fields.start t.fields input ~message:t.message;
        step t input
    | _ -> fail t input ~index:i "CR without LF"

and reason t (input : Input.t) i =
  let start = input.start in
  let bound = start + t.limits.request_line + 1 in
  let j = Chars.skip Chars.field_value input.data i (min input.stop bound) in
  t.scan <- j - start;
  if j = bound then fail t input ~index:j "the status line is too long"
  else if j = input.stop then More
  else if Bytes.get input.data j = '\r' then (
    t.reason <- Bytes.sub_string input.data start (j - start);
    consume t input (j + 1 - start) Line_lf;
    step t input)
  else fail t input ~index:j "a control character in the reason phrase"

let head t =
  {
    version = t.version;
    status = t.status;
    reason = t.reason;
    headers = Http.Header.of_list_rev t.headers;
  }

let framing t ~request =
  if request = `HEAD || t.status < 200 || t.status = 204 || t.status = 304 then Body.empty
  else if Framing.chunked t.framing then Body.Chunked
  else
    match Framing.content_length t.framing with
    | -1 -> Body.Until_close
    | 0 -> Body.empty
    | n -> Body.Length n

let keep_alive t = Framing.keep_alive t.framing ~version:t.version
