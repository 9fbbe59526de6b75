type step = More | Field | End | Failed
type state = Line_start | Name | Before_value | Value | Value_lf | End_lf | Broken

(* Within an element the bytes stay in the input and [scan] says how many of
   them were looked at; what precedes the element has been consumed. *)
type t = {
  limits : Limits.t;
  mutable state : state;
  mutable scan : int;
  mutable count : int;
  mutable message : int;  (** stream position of the message *)
  mutable bound : int;  (** stream position that this section must not reach *)
  mutable name : string;
  mutable value : string;
  mutable error : Error.t;
}

let create limits =
  {
    limits;
    state = Line_start;
    scan = 0;
    count = 0;
    message = 0;
    bound = 0;
    name = "";
    value = "";
    error = Error.none;
  }

let start t (input : Input.t) ~message =
  t.state <- Line_start;
  t.scan <- 0;
  t.count <- 0;
  t.message <- message;
  t.bound <- input.position + t.limits.header_bytes;
  t.error <- Error.none

let name t = t.name
let value t = t.value
let error t = t.error

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

let wrong_in_name = function
  | ' ' | '\t' -> "white space before the colon of a header field"
  | '\r' | '\n' -> "a header line without a colon"
  | ':' -> "a header field without a name"
  | _ -> "a byte that no header field name has"

let wrong_in_value = function
  | '\n' -> "a line ended by LF without CR"
  | _ -> "a control character in a header field value"

let rec trimmed b ~from stop =
  if stop > from && Chars.mem Chars.blank (Bytes.get b (stop - 1)) then trimmed b ~from (stop - 1)
  else stop

let value_of (input : Input.t) ~cr =
  let from = input.start in
  Bytes.sub_string input.data from (trimmed input.data ~from cr - from)

let rec step t (input : Input.t) =
  let b = input.data and start = input.start in
  let bound = start + t.bound - input.position in
  let stop = if input.stop < bound then input.stop else bound in
  let i = start + t.scan in
  if i >= stop then
    if t.state = Broken then Failed
    else if i >= bound then fail t input ~index:i 431 "the header section is too long"
    else More
  else
    let c = Bytes.get b i in
    match t.state with
    | Line_start -> line_start t input i c
    | Name ->
        let j = Chars.skip Chars.token b i stop in
        if j = stop then go_on t input Name ~scan:(j - start)
        else if Bytes.get b j = ':' && j > start then (
          t.name <- Names.field b ~off:start ~len:(j - start);
          consume t input (j + 1 - start) Before_value;
          step t input)
        else fail t input ~index:j 400 (wrong_in_name (Bytes.get b j))
    | Before_value ->
        let j = Chars.skip Chars.blank b i stop in
        consume t input (j - start) (if j = stop then Before_value else Value);
        step t input
    | Value ->
        let j = Chars.skip Chars.field_value b i stop in
        if j = stop then go_on t input Value ~scan:(j - start)
        else if Bytes.get b j = '\r' then go_on t input Value_lf ~scan:(j + 1 - start)
        else fail t input ~index:j 400 (wrong_in_value (Bytes.get b j))
    | Value_lf when c = '\n' ->
        t.value <- value_of input ~cr:(i - 1);
        t.count <- t.count + 1;
        consume t input (i + 1 - start) Line_start;
        Field
    | End_lf when c = '\n' ->
        consume t input 2 Line_start;
        End
    | Value_lf | End_lf -> fail t input ~index:i 400 "CR without LF"
    | Broken -> Failed

and go_on t input state ~scan =
  enter t state ~scan;
  step t input

and line_start t input i c =
  match c with
  | '\r' -> go_on t input End_lf ~scan:1
  | '\n' -> fail t input ~index:i 400 "a line ended by LF without CR"
  | ' ' | '\t' -> fail t input ~index:i 400 "a folded header line, or white space before a name"
  | _ when t.count = t.limits.header_count -> fail t input ~index:i 431 "too many header fields"
  | _ -> go_on t input Name ~scan:0
