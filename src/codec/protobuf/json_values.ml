module L = Json_lexer
open Json_cursor

(* A value that is to be left out: an enum's name that is not known. *)
exception Left_out

(* What is made on the way is charged, roughly and high, beside texts, which the lexer charges: [made]
   of a value is a boxed number or two. *)
let made = 6
let of_value = 12
let of_slow_number = 60
let of_key = 16

(* Quoted or not, a number's text; [check] reads it as JSON would. *)
let number_text t =
  if Char.equal (L.peek t) '"' then (
    let at = L.position t in
    let s = L.string t in
    let inner = L.of_string s in
    let text = match L.number inner with n -> n | exception Error.Error _ -> "" in
    if s = "" || String.length text <> String.length s then Error.fail at "expected a number";
    spend t of_slow_number;
    text)
  else L.number t

(* The whole of a map's key, which stands before [position]. *)
let key_digits position text =
  match L.number (L.of_string text) with
  | digits when String.length digits = String.length text -> digits
  | _ | (exception Error.Error _) -> Error.fail position "map key is not a number"

let integer t (k : Descriptor.kind) text =
  spend t (of_slow_number + (2 * L.text_words (String.length text)));
  let v = if Wire_buffer.is_unsigned k then Numbers.unsigned text else Numbers.integer text in
  match v with
  | Some v when Wire_buffer.in_range k v -> v
  | Some _ | None -> L.fail t ("number " ^ Error.excerpt text ^ " does not fit its field")

(* One of at most 20 digits and in range is read without its text. *)
let wide_number t k =
  let from = t.pos in
  let v = L.wide_integer t ~unsigned:(Wire_buffer.is_unsigned k) in
  if t.pos > from && Wire_buffer.in_range k v then v
  else (
    t.pos <- from;
    integer t k (number_text t))

let whole_number t k =
  ignore (L.peek t);
  let from = t.pos in
  let v = L.plain_integer t in
  if v <> L.not_plain && Wire_buffer.fits k v then Int64.of_int v
  else (
    t.pos <- from;
    wide_number t k)

let begins_plainly text = text <> "" && (L.is_digit text.[0] || Char.equal text.[0] '-')

(* A key's digits are read as a number's would be. *)
let number_key t k text =
  let v = L.plain_key text in
  if v <> L.not_plain && Wire_buffer.fits k v then (
    spend t 3;
    Int64.of_int v)
  else
    let c = L.of_string text in
    spend t of_key;
    let v = L.wide_integer c ~unsigned:(Wire_buffer.is_unsigned k) in
    if begins_plainly text && c.pos = c.limit && Wire_buffer.in_range k v then v
    else integer t k (key_digits t.pos text)

let real t text =
  spend t of_value;
  let x = float_of_string text in
  if Float.is_finite x then x else L.fail t ("number " ^ Error.excerpt text ^ " is too large")

let float_value t =
  if Char.equal (L.peek t) '"' then (
    let at = L.position t in
    match L.string t with
    | "NaN" -> nan
    | "Infinity" -> infinity
    | "-Infinity" -> neg_infinity
    | _ ->
        L.seek t at;
        real t (number_text t))
  else
    let from = t.pos in
    let x = L.plain_double t in
    if t.pos > from then x else real t (L.number t)

let rec value_named s from n = function
  | [] -> L.not_plain
  | (name, v) :: rest ->
      if String.length name = n && Words.same s from name 0 n then v else value_named s from n rest

let named_value t (e : Descriptor.enum) =
  let from = t.pos + 1 in
  let stop = if at t (from - 1) = '"' then Utf8.plain t.s from t.limit else t.limit in
  let v = if at t stop = '"' then value_named t.s from (stop - from) e.values else L.not_plain in
  if v <> L.not_plain then t.pos <- stop + 1;
  v

let enum_name t (e : Descriptor.enum) =
  match L.peek t with
  | '"' -> (
      let name = L.string t in
      spend t made;
      match List.assoc_opt name e.values with
      | Some n -> Int64.of_int n
      | None ->
          if t.ignore_unknown then raise_notrace Left_out
          else L.fail t (Printf.sprintf "%s has no value %s" e.enum_name (Error.excerpt name)))
  | 'n' when String.equal e.enum_name "google.protobuf.NullValue" && L.null t ->
      spend t of_value;
      0L
  | _ -> whole_number t Int32

let bytes_value t =
  let s = L.string t in
  spend t (2 + L.text_words (String.length s));
  match Base64.decode s with Some bytes -> bytes | None -> L.fail t "bytes are not base64"
