module K = Json_keys
module L = Json_lexer

(* [pos] is read and stored once a value; within one, positions are local. *)
type t = {
  s : string;
  limit : int;
  mutable pos : int;
  mutable depth : int;
  types : Registry.t;
  ignore_unknown : bool;
}

external get : string -> int -> char = "%string_unsafe_get"
external get32 : string -> int -> int32 = "%caml_string_get32u"
external get64 : string -> int -> int64 = "%caml_string_get64u"

let[@inline] at r p = if p < r.limit then get r.s p else '\000'

let rec space_from r p =
  match at r p with ' ' | '\t' | '\n' | '\r' -> space_from r (p + 1) | _ -> p

(* Where white space from [p] on ends. *)
let[@inline] space r p = if at r p > ' ' then p else space_from r p

let make types ~ignore_unknown s =
  let limit = String.length s in
  let r = { s; limit; pos = 0; depth = Decode.max_depth + 1; types; ignore_unknown } in
  r.pos <- space r 0;
  r

let fail r p reason = Error.fail p (if p >= r.limit then "unexpected end" else reason)
let finish r = if space r r.pos < r.limit then Error.fail r.pos "more behind the end"

(* What is rare is left to the lexer. *)
let with_lexer r f =
  let l = L.at r.s r.pos in
  let v = f l in
  r.pos <- L.position l;
  v

(* Names. The one behind the last is tried first, then its neighbours. *)

let[@inline] is_zero (w : int64) = w = 0L

(* The piece's words behind the comma, compared with what is from [p] on. *)
let[@inline] begins slots i w =
  let o = i * K.slot_size in
  is_zero (Int64.logand (Int64.logxor w (get64 slots (o + 1))) (get64 slots (o + 16)))

let[@inline never] rest_is r (k : K.t) i p n =
  p - 1 + n <= r.limit && Words.same r.s (p + 7) (Array.unsafe_get k.pieces i) 8 (n - 8)

let[@inline] is_named r (k : K.t) i w p =
  begins k.slots i w
  &&
  let n = Array.unsafe_get k.lengths i in
  n <= 9
  || n <= 16
     && p - 1 + n <= r.limit
     && is_zero (Int64.logxor (get64 r.s (p + n - 9)) (get64 k.slots ((i * K.slot_size) + n - 8)))
  || (n > 16 && rest_is r k i p n)

(* The index of the member whose quoted name and colon are at [p]; -1 if it is
   spelt otherwise, or none of a few tried. *)
let[@inline never] near r (k : K.t) p guess =
  if p + 8 > r.limit then -1
  else
    let w = get64 r.s p in
    let i = ref guess and left = ref (if k.count < 8 then k.count else 8) in
    while !left > 0 && not (is_named r k !i w p) do
      decr left;
      i := if !i + 1 >= k.count then 0 else !i + 1
    done;
    if !left > 0 then !i else -1

let[@inline never] by_name r (k : K.t) p =
  r.pos <- p;
  with_lexer r (fun l ->
      let name = L.string l in
      L.expect l ':';
      let i = K.find k name in
      if i < 0 then
        if r.ignore_unknown then L.skip l ~depth:r.depth
        else L.fail l (Printf.sprintf "%s has no field %s" k.message.full_name name);
      i)

let[@inline never] null r = with_lexer r (fun l -> if not (L.null l) then L.fail l "expected null")

let[@inline] leave r p =
  r.pos <- p + 1;
  r.depth <- r.depth + 1;
  -1

let rec member r (k : K.t) p guess =
  let i = near r k p guess in
  let i =
    if i >= 0 then (
      r.pos <- space r (p - 1 + Array.unsafe_get k.lengths i);
      i)
    else
      let i = by_name r k p in
      r.pos <- space r r.pos;
      i
  in
  if i < 0 then after r k guess
  else if at r r.pos = 'n' && not k.takes_null.(i) then (
    null r;
    after r k (i + 1))
  else i

and after r k guess =
  let p = space r r.pos in
  match at r p with
  | ',' -> member r k (space r (p + 1)) (if guess >= k.count then 0 else guess)
  | '}' -> leave r p
  | _ -> fail r p "expected ',' or '}'"

let enter r k =
  let p = r.pos in
  r.depth <- Decode.deeper r.depth p;
  if at r p <> '{' then fail r p "expected '{'";
  let p = space r (p + 1) in
  if at r p = '}' then leave r p else member r k p 0

let twice r = Error.fail r.pos "field given twice"
let index_mask = (1 lsl K.index_bits) - 1
let[@inline] index state = state land index_mask

(* The state with a member added to it, once its value is next. *)
let[@inline] add r (k : K.t) state i =
  let mark = Array.unsafe_get k.marks i in
  let seen = state land lnot index_mask in
  if mark land seen <> 0 then twice r else mark lor seen

(* The usual: no white space, the name expected, a value that is not null. *)
let[@inline] expected r (k : K.t) before i =
  let p = r.pos + 1 in
  i < k.count
  && p + 8 <= r.limit
  && get r.s (p - 1) = before
  && is_named r k i (get64 r.s p) p
  &&
  let q = p - 1 + Array.unsafe_get k.lengths i in
  let c = at r q in
  c > ' ' && c <> 'n'
  &&
  (r.pos <- q;
   true)

let[@inline never] other_first r k =
  let i = enter r k in
  if i < 0 then i else add r k 0 i

let[@inline never] first r (k : K.t) =
  if r.depth > 0 && expected r k '{' 0 then (
    r.depth <- r.depth - 1;
    add r k 0 0)
  else other_first r k

let[@inline never] other_next r k state guess =
  let i = after r k guess in
  if i < 0 then i else add r k state i

let[@inline never] next r (k : K.t) state =
  let i = (state land index_mask) + 1 in
  if expected r k ',' i then add r k state i else other_next r k state i

let[@inline never] seen (k : K.t) = Bytes.make k.count '\000'

let note r (k : K.t) seen i =
  if i >= 0 then (
    let place = k.places.(i) in
    if Bytes.get seen place <> '\000' then twice r;
    Bytes.set seen place '\001');
  i

let[@inline never] first_of_many r k seen = note r k seen (enter r k)
let[@inline never] next_of_many r k seen i = note r k seen (after r k (i + 1))

(* Numbers *)

let[@inline] is_digit c = c >= '0' && c <= '9'
let[@inline] goes_on c = match c with '0' .. '9' | '.' | 'e' | 'E' -> true | _ -> false
let not_short = min_int

(* A whole number of at most 18 digits, plainly written, quoted or not. *)
let[@inline never] short_integer r =
  let s = r.s and limit = r.limit and from = r.pos in
  let quoted = at r from = '"' in
  let from = if quoted then from + 1 else from in
  let negative = from < limit && get s from = '-' in
  let first = if negative then from + 1 else from in
  let p = ref first and v = ref 0 in
  while !p < limit && is_digit (get s !p) do
    v := (!v * 10) + Char.code (get s !p) - 48;
    incr p
  done;
  let p = !p in
  let n = p - first in
  let end_ = at r p in
  if n = 0 || n > 18 || (n > 1 && get s first = '0') || if quoted then end_ <> '"' else goes_on end_
  then not_short
  else (
    r.pos <- (if quoted then p + 1 else p);
    if negative then - !v else !v)

let whole r kind = with_lexer r (fun l -> Json_parse.integer l kind (Json_parse.number_text l))
let does_not_fit r = Error.fail r.pos "number does not fit its field"

let[@inline never] int32 r =
  let v = short_integer r in
  if v >= -0x80000000 && v <= 0x7fffffff then v
  else if v = not_short then Int64.to_int (whole r Int32)
  else does_not_fit r

let[@inline never] uint32 r =
  let v = short_integer r in
  if v >= 0 && v <= 0xffffffff then v
  else if v = not_short then Int64.to_int (whole r Uint32)
  else does_not_fit r

let[@inline never] int64 r =
  let v = short_integer r in
  if v <> not_short then Int64.of_int v else whole r Int64

let[@inline never] uint64 r =
  let v = short_integer r in
  if v >= 0 then Int64.of_int v else if v = not_short then whole r Uint64 else does_not_fit r

let[@inline never] bool r =
  let p = r.pos in
  if p + 4 <= r.limit && get32 r.s p = get32 "true" 0 then (
    r.pos <- p + 4;
    true)
  else with_lexer r L.bool

let powers = Array.init 19 (fun i -> 10. ** float_of_int i)
let limit_of_exact = 1 lsl 53

(* Digits below 2^53 over an exact power of ten: one division rounds right. *)
let[@inline never] double r =
  let s = r.s and limit = r.limit and from = r.pos in
  let negative = at r from = '-' in
  let first = if negative then from + 1 else from in
  let p = ref first and v = ref 0 in
  while !p < limit && is_digit (get s !p) do
    v := (!v * 10) + Char.code (get s !p) - 48;
    incr p
  done;
  let point = !p in
  let n = point - first in
  let fraction = at r point = '.' in
  if fraction then (
    incr p;
    while !p < limit && is_digit (get s !p) do
      v := (!v * 10) + Char.code (get s !p) - 48;
      incr p
    done);
  let p = !p in
  let places = if fraction then p - point - 1 else 0 in
  if
    n = 0
    || n + places > 18
    || !v > limit_of_exact
    || (n > 1 && get s first = '0')
    || (fraction && places = 0)
    || goes_on (at r p)
  then with_lexer r Json_parse.float_value
  else (
    r.pos <- p;
    let x = float_of_int !v in
    let x = if fraction then x /. Array.unsafe_get powers places else x in
    if negative then -.x else x)

let[@inline never] float r =
  match Numbers.single (double r) with
  | Some x -> x
  | None -> Error.fail r.pos "number is too large for single precision"

(* Strings *)

let[@inline never] string r =
  let from = r.pos + 1 in
  if at r (from - 1) <> '"' then fail r r.pos "expected '\"'";
  let stop = Utf8.text r.s from r.limit in
  if stop >= 0 && at r stop = '"' then (
    r.pos <- stop + 1;
    Words.sub r.s from (stop - from))
  else with_lexer r L.string

let[@inline never] bytes r = with_lexer r Json_parse.bytes_value

(* Enums *)

let rec value_named s from n = function
  | [] -> not_short
  | (name, v) :: rest ->
      if String.length name = n && Words.same s from name 0 n then v else value_named s from n rest

(* [not_short] if the name is to be left out. *)
let enum_number r (e : Descriptor.enum) =
  let from = r.pos + 1 in
  let stop = if at r (from - 1) = '"' then Utf8.plain r.s from r.limit else r.limit in
  let v = if at r stop = '"' then value_named r.s from (stop - from) e.values else not_short in
  if v <> not_short then (
    r.pos <- stop + 1;
    v)
  else
    let slow l = Int64.to_int (Json_parse.enum_name l ~ignore_unknown:r.ignore_unknown e) in
    with_lexer r (fun l -> try slow l with Json_parse.Left_out -> not_short)

let[@inline never] enum r e of_int absent =
  let v = enum_number r e in
  if v = not_short then absent else of_int v

let[@inline never] enum_option r e of_int absent =
  let v = enum_number r e in
  if v = not_short then absent else Some (of_int v)

(* Lists and maps. Null fails as an element, unless its type takes it. *)

let[@inline] in_order newest_first =
  match newest_first with [] | [ _ ] -> newest_first | _ -> List.rev newest_first

(* Behind a value: whether another follows, its position then being set. *)
let[@inline] more r close =
  let p = space r r.pos in
  let c = at r p in
  if c = ',' then (
    r.pos <- space r (p + 1);
    true)
  else if c = close then (
    r.pos <- p + 1;
    false)
  else fail r p (Printf.sprintf "expected ',' or '%c'" close)

(* Whether there is any element behind the opening bracket. *)
let opens r opening close =
  let p = r.pos in
  if at r p <> opening then fail r p (Printf.sprintf "expected '%c'" opening);
  let p = space r (p + 1) in
  let empty = at r p = close in
  r.pos <- (if empty then p + 1 else p);
  not empty

let rec elements r one acc =
  let acc = one r :: acc in
  if more r ']' then elements r one acc else in_order acc

let[@inline never] list r one = if opens r '[' ']' then elements r one [] else []

let rec enum_elements r e of_int acc =
  let v = enum_number r e in
  let acc = if v = not_short then acc else of_int v :: acc in
  if more r ']' then enum_elements r e of_int acc else in_order acc

let[@inline never] enums r e of_int = if opens r '[' ']' then enum_elements r e of_int [] else []

let key r key_of =
  let k = key_of r (string r) in
  let p = space r r.pos in
  if at r p <> ':' then fail r p "expected ':'";
  r.pos <- space r (p + 1);
  k

let rec members r key_of value acc =
  let k = key r key_of in
  let acc = (k, value r) :: acc in
  if more r '}' then members r key_of value acc else Decode.last_wins [] acc

let[@inline never] map r key_of value = if opens r '{' '}' then members r key_of value [] else []

let rec enum_members r key_of e of_int acc =
  let k = key r key_of in
  let v = enum_number r e in
  let acc = if v = not_short then acc else (k, of_int v) :: acc in
  if more r '}' then enum_members r key_of e of_int acc else Decode.last_wins [] acc

let[@inline never] enum_map r key_of e of_int =
  if opens r '{' '}' then enum_members r key_of e of_int [] else []

let string_key _ k = k

(* A key's digits are read as a number's would be. *)
let number_key r kind text =
  let inner = L.of_string text in
  let digits = L.number inner in
  if String.length digits <> String.length text then Error.fail r.pos "map key is not a number";
  Json_parse.integer inner kind digits

let int32_key r text = Int64.to_int (number_key r Int32 text)
let uint32_key r text = Int64.to_int (number_key r Uint32 text)
let int64_key r text = number_key r Int64 text
let uint64_key r text = number_key r Uint64 text

let bool_key r text =
  match text with
  | "true" -> true
  | "false" -> false
  | _ -> Error.fail r.pos "map key is not a bool"

let[@inline never] by_descriptor r m =
  let b = Buffer.create 64 in
  let depth = Decode.deeper r.depth r.pos in
  with_lexer r (fun l -> Json_parse.message r.types ~ignore_unknown:r.ignore_unknown l m ~depth b);
  Buffer.contents b
