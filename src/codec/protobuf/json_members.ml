open Json_cursor
module K = Json_keys
module L = Json_lexer

external get : string -> int -> char = "%string_unsafe_get"
external get64 : string -> int -> int64 = "%caml_string_get64u"

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

let extension r (k : K.t) name =
  match r.extensions with
  | Some { bytes; numbers } -> Json_parse.member r k.message numbers ~depth:r.depth bytes name
  | None -> L.fail r ("extension " ^ Error.excerpt name ^ " where none is read")

let[@inline never] by_name r (k : K.t) p =
  r.pos <- p;
  let name = L.string r in
  L.expect r ':';
  let i = K.find k name in
  if i < 0 then
    if k.message.extensible <> [] && String.starts_with ~prefix:"[" name then extension r k name
    else if r.ignore_unknown then L.skip r ~depth:r.depth
    else L.fail r (Printf.sprintf "%s has no field %s" k.message.full_name (Error.excerpt name));
  i

let[@inline never] null r = if not (L.null r) then L.fail r "expected null"

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

(* A message's record, and what remembers it. *)
let[@inline] made r (k : K.t) = spend r (k.count + 5)

let enter r k =
  let p = r.pos in
  made r k;
  r.depth <- (if r.depth > 0 then r.depth - 1 else Decode.deeper r.depth p);
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
    made r k;
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
