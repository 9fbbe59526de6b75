type step = More | Head | Failed
type state = Blank | Blank_lf | Method | Target | Version | Line_lf | Header | Complete | Broken

(* As in Fields: [scan] bytes of the first element of the input were looked at,
   and all bytes before that element were consumed. *)
type t = {
  limits : Limits.t;
  fields : Fields.t;
  mutable state : state;
  mutable scan : int;
  mutable blanks : int;
  mutable message : int;
  mutable bound : int;  (** stream position that the request line must not reach *)
  mutable meth : Http.Method.t;
  mutable target : string;
  mutable version : Http.Version.t;
  mutable headers : (string * string) list;  (** in reverse order *)
  mutable hosts : int;
  framing : Framing.t;
  mutable expects : bool;
  mutable error : Error.t;
}

let create limits =
  {
    limits;
    fields = Fields.create limits;
    state = Blank;
    scan = 0;
    blanks = 0;
    message = 0;
    bound = max_int;
    meth = `GET;
    target = "";
    version = `HTTP_1_1;
    headers = [];
    hosts = 0;
    framing = Framing.create ();
    expects = false;
    error = Error.none;
  }

let start t (input : Input.t) =
  t.state <- Blank;
  t.scan <- 0;
  t.blanks <- 0;
  t.message <- input.position;
  t.bound <- max_int;
  t.meth <- `GET;
  t.target <- "";
  t.version <- `HTTP_1_1;
  t.headers <- [];
  t.hosts <- 0;
  Framing.reset t.framing;
  t.expects <- false;
  t.error <- Error.none

let idle t = t.state = Blank || t.state = Blank_lf
let error t = t.error
let message t = t.message
let is_head_request t = match t.meth with `HEAD -> true | _ -> false

let fail t (input : Input.t) ~index status reason =
  t.state <- Broken;
  t.error <- { at = input.position + index - input.start - t.message; status; reason };
  Failed

let enter t state ~scan =
  t.state <- state;
  t.scan <- scan

let consume t input n state =
  Input.drop input n;
  enter t state ~scan:0

(* {1 The request line} *)

let max_blanks = 4

(* The longest method in use is UPDATEREDIRECTREF. *)
let max_method = 24

(* RFC 9112 §3.2: origin-form, absolute-form, authority-form, asterisk-form. *)
let target_valid (meth : Http.Method.t) s =
  let absolute prefix =
    let n = String.length prefix and len = String.length s in
    len > n
    && Chars.equal_caseless (String.sub s 0 n) prefix
    &&
    let rec stop i = if i = len || s.[i] = '/' || s.[i] = '?' then i else stop (i + 1) in
    let stop = stop n in
    stop > n && s.[n] <> ':' && Authority.valid s ~off:n ~len:(stop - n)
  in
  match meth with
  | `CONNECT -> String.contains s ':' && Authority.valid s ~off:0 ~len:(String.length s)
  | _ -> s.[0] = '/' || (s = "*" && meth = `OPTIONS) || absolute "http://" || absolute "https://"

let target_end t input ~stop =
  let start = input.Input.start in
  let b = input.Input.data in
  if stop = start then fail t input ~index:stop 400 "an empty request target"
  else (
    t.target <-
      (if stop - start = 1 && Bytes.get b start = '/' then "/"
       else Bytes.sub_string b start (stop - start));
    if target_valid t.meth t.target then (
      consume t input (stop + 1 - start) Version;
      More)
    else fail t input ~index:start 400 "a request target of no known form")

(* [k] is the index of [c] in "HTTP/1.1\r". *)
let version_byte k c =
  match k with 5 | 7 -> Chars.mem Chars.digit c | 8 -> c = '\r' | _ -> c = String.get "HTTP/x.x" k

let version_end t (input : Input.t) =
  let digit k = Bytes.get input.data (input.start + k) in
  if digit 5 <> '1' then fail t input ~index:(input.start + 5) 505 "only HTTP/1.x is spoken here"
  else (
    t.version <- (if digit 7 = '0' then `HTTP_1_0 else `HTTP_1_1);
    consume t input 9 Line_lf;
    More)

let too_long t input i =
  match t.state with
  | Method -> fail t input ~index:i 501 "the method is too long"
  | _ -> fail t input ~index:i 414 "the request line is too long"

(* {1 Header fields that matter here} *)

let judge t (input : Input.t) (verdict : Framing.verdict) =
  match verdict with
  | Fine -> More
  | Wrong { status; reason } -> fail t input ~index:input.start status reason

let note_host t (input : Input.t) value =
  t.hosts <- t.hosts + 1;
  if t.hosts > 1 then fail t input ~index:input.start 400 "more than one Host"
  else if Authority.valid value ~off:0 ~len:(String.length value) then More
  else fail t input ~index:input.start 400 "a Host that is not a host"

let note_expectation t (input : Input.t) value =
  if Chars.equal_caseless value "100-continue" then (
    t.expects <- true;
    More)
  else fail t input ~index:input.start 417 "an expectation other than 100-continue"

let is_1_1 : Http.Version.t -> bool = function `HTTP_1_1 -> true | _ -> false

let note t input name value =
  t.headers <- (name, value) :: t.headers;
  match String.length name with
  | 4 when Chars.equal_caseless name "host" -> note_host t input value
  | 6 when Chars.equal_caseless name "expect" -> note_expectation t input value
  | _ -> judge t input (Framing.note t.framing name value)

let finish t (input : Input.t) =
  let index = input.start in
  if t.hosts = 0 && is_1_1 t.version then fail t input ~index 400 "no Host"
  else
    match Framing.check t.framing ~version:t.version with
    | Wrong { status; reason } -> fail t input ~index status reason
    | Fine when Framing.content_length t.framing > t.limits.body_bytes ->
        fail t input ~index 413 "the body is too long"
    | Fine ->
        t.state <- Complete;
        Head

(* {1 The machine} *)

let rec header t input =
  match Fields.step t.fields input with
  | More -> More
  | Field -> (
      match note t input (Fields.name t.fields) (Fields.value t.fields) with
      | More -> header t input
      | (Head | Failed) as step -> step)
  | End -> finish t input
  | Failed ->
      t.state <- Broken;
      t.error <- Fields.error t.fields;
      Failed

let rec step t (input : Input.t) =
  match t.state with
  | Header -> header t input
  | Complete -> Head
  | Broken -> Failed
  | Blank | Blank_lf | Method | Target | Version | Line_lf -> line t input

and line t input =
  let b = input.data and start = input.start in
  let bound = if t.bound = max_int then max_int else start + t.bound - input.position in
  let stop = if input.stop < bound then input.stop else bound in
  let i = start + t.scan in
  if i >= stop then if i >= bound then too_long t input i else More
  else
    let c = Bytes.get b i in
    match t.state with
    | Blank when c = '\r' ->
        consume t input 1 Blank_lf;
        step t input
    | Blank ->
        t.bound <- input.position + t.limits.request_line + 2;
        enter t Method ~scan:0;
        step t input
    | Blank_lf when c = '\n' && t.blanks < max_blanks ->
        t.blanks <- t.blanks + 1;
        consume t input 1 Blank;
        step t input
    | Method -> method_bytes t input ~i ~stop
    | Target ->
        let j = Chars.skip Chars.target b i stop in
        t.scan <- j - start;
        if j = stop then step t input
        else if Bytes.get b j = ' ' then after t input (target_end t input ~stop:j)
        else fail t input ~index:j 400 "a byte that no request target has, or no version"
    | Version when not (version_byte t.scan c) ->
        fail t input ~index:i 400 "a malformed HTTP version"
    | Version when t.scan = 8 -> after t input (version_end t input)
    | Version ->
        t.scan <- t.scan + 1;
        step t input
    | Line_lf when c = '\n' ->
        consume t input 1 Header;
        Fields.start t.fields input ~message:t.message;
        step t input
    | _ -> fail t input ~index:i 400 "CR without LF"

and method_bytes t input ~i ~stop =
  let start = input.start in
  let stop' = min stop (start + max_method + 1) in
  let j = Chars.skip Chars.token input.data i stop' in
  t.scan <- j - start;
  if j - start > max_method then too_long t input j
  else if j = stop' then step t input
  else if Bytes.get input.data j = ' ' && j > start then (
    t.meth <- Names.meth input.data ~off:start ~len:(j - start);
    consume t input (j + 1 - start) Target;
    step t input)
  else fail t input ~index:j 400 "a byte that no method has"

and after t input = function More -> step t input | (Head | Failed) as result -> result

(* {1 The result} *)

let head t : Request.head =
  {
    meth = t.meth;
    target = t.target;
    version = t.version;
    headers = Http.Header.of_list_rev t.headers;
  }

let framing t =
  if Framing.chunked t.framing then Body.Chunked
  else
    let n = Framing.content_length t.framing in
    if n > 0 then Body.Length n else Body.empty

let keep_alive t = Framing.keep_alive t.framing ~version:t.version
let expects_continue t = t.expects && is_1_1 t.version && framing t != Body.empty
