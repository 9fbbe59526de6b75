type t = {
  mutable content_length : int;
  mutable chunked : bool;
  mutable close : bool;
  mutable keep : bool;
}

type verdict = Fine | Wrong of { status : int; reason : string }

let create () = { content_length = -1; chunked = false; close = false; keep = false }

let reset t =
  t.content_length <- -1;
  t.chunked <- false;
  t.close <- false;
  t.keep <- false

let bad reason = Wrong { status = 400; reason }

let note_length t value =
  if t.content_length >= 0 then bad "more than one Content-Length"
  else
    match Chars.decimal value with
    | -1 -> bad "a Content-Length that is not a number"
    | n ->
        t.content_length <- n;
        Fine

(* RFC 9112 §6.1, §6.3: an unknown coding before chunked is 501. If chunked is not
   last or occurs twice, the length cannot be known: 400. *)
let other_coding value =
  match String.rindex_opt value ',' with
  | Some i ->
      let last = Chars.trim (String.sub value (i + 1) (String.length value - i - 1)) in
      let before = String.sub value 0 i in
      if Chars.equal_caseless last "chunked" && not (Chars.list_mem before ~token:"chunked") then
        Wrong { status = 501; reason = "a transfer coding other than chunked" }
      else bad "a Transfer-Encoding that does not end in one chunked"
  | None -> bad "a Transfer-Encoding that is not chunked"

let note_coding t value =
  if t.chunked then bad "more than one Transfer-Encoding"
  else if Chars.equal_caseless value "chunked" then (
    t.chunked <- true;
    Fine)
  else other_coding value

let note t name value =
  match String.length name with
  | 14 when Chars.equal_caseless name "content-length" -> note_length t value
  | 17 when Chars.equal_caseless name "transfer-encoding" -> note_coding t value
  | 10 when Chars.equal_caseless name "connection" ->
      if Chars.list_mem value ~token:"close" then t.close <- true;
      if Chars.list_mem value ~token:"keep-alive" then t.keep <- true;
      Fine
  | _ -> Fine

let is_1_0 : Http.Version.t -> bool = function `HTTP_1_0 -> true | _ -> false

let check t ~version =
  if t.chunked && is_1_0 version then bad "Transfer-Encoding in HTTP/1.0"
  else if t.chunked && t.content_length >= 0 then bad "both Transfer-Encoding and Content-Length"
  else Fine

let content_length t = t.content_length
let chunked t = t.chunked
let keep_alive t ~version = (not t.close) && ((not (is_1_0 version)) || t.keep)
