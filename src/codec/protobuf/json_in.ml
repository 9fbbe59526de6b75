open Json_cursor
module L = Json_lexer

type t = Json_cursor.t

let make = Json_cursor.make
let finish = Json_cursor.finish
let first = Json_members.first
let next = Json_members.next
let index = Json_members.index
let seen = Json_members.seen
let first_of_many = Json_members.first_of_many
let next_of_many = Json_members.next_of_many

external get : string -> int -> char = "%string_unsafe_get"
external get32 : string -> int -> int32 = "%caml_string_get32u"

(* Numbers *)

let[@inline] is_digit c = c >= '0' && c <= '9'
let not_short = L.not_plain

(* One to seven digits and a comma or bracket in a few steps. *)
let[@inline never] short_integer r =
  let p = r.pos in
  if p + 8 > r.limit then L.plain_integer r
  else
    let w = Words.word r.s p in
    let m = Words.not_digits w in
    let n = Words.lowest m in
    let behind = get r.s (p + n) in
    if (behind = ',' || behind = ']' || behind = '}') && n > 0 && (n = 1 || get r.s p <> '0') then (
      r.pos <- p + n;
      Words.digits w n)
    else L.plain_integer r

let whole r kind = Json_values.wide_number r kind
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

let[@inline] wide r v =
  if not (Decode.is_small v) then spend r 3;
  Decode.boxed v

let[@inline never] int64 r =
  let v = short_integer r in
  if v <> not_short then wide r v else whole r Int64

let[@inline never] uint64 r =
  let v = short_integer r in
  if v >= 0 then wide r v else if v = not_short then whole r Uint64 else does_not_fit r

let[@inline never] bool r =
  let p = r.pos in
  if p + 4 <= r.limit && get32 r.s p = get32 "true" 0 then (
    r.pos <- p + 4;
    true)
  else L.bool r

let[@inline] double r =
  let from = r.pos in
  let x = L.plain_double r in
  if r.pos = from then Json_values.float_value r
  else (
    spend r 2;
    x)

let[@inline never] float r =
  let x = double r in
  let y = Int32.float_of_bits (Int32.bits_of_float x) in
  spend r 2;
  if Float.is_finite x && not (Float.is_finite y) then
    Error.fail r.pos "number is too large for single precision";
  y

(* Strings *)

let[@inline never] string r =
  let from = r.pos + 1 in
  if at r (from - 1) <> '"' then fail r r.pos "expected '\"'";
  let stop = Utf8.text r.s from r.limit in
  if stop >= 0 && at r stop = '"' then (
    r.pos <- stop + 1;
    if stop > from then spend r (((stop - from) lsr 3) + 2);
    Words.sub r.s from (stop - from))
  else L.string r

let[@inline never] bytes r = Json_values.bytes_value r

(* Enums *)

(* [not_short] if it is no name, or one that is to be left out. *)
let enum_name r e =
  let v = Json_values.named_value r e in
  if v <> not_short then v
  else try Int64.to_int (Json_values.enum_name r e) with Json_values.Left_out -> not_short

let enum_number r e =
  let c = at r r.pos in
  if is_digit c || c = '-' then int32 r else enum_name r e

let[@inline never] enum r e of_int absent =
  let v = enum_number r e in
  if v = not_short then absent else of_int v

let[@inline never] enum_option r e of_int absent =
  let v = enum_number r e in
  if v = not_short then absent else Some (of_int v)

(* Lists and maps. Null fails as an element, unless its type takes it. *)

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

(* In order as they come: to turn a list would take its memory twice. Four elements are charged and
   linked to those before at once. *)
let[@tail_mod_cons] rec elements r one =
  let a = one r in
  if not (more r ']') then (
    spend r 3;
    [ a ])
  else
    let b = one r in
    if not (more r ']') then (
      spend r 6;
      [ a; b ])
    else
      let c = one r in
      if not (more r ']') then (
        spend r 9;
        [ a; b; c ])
      else
        let d = one r in
        spend r 12;
        if more r ']' then a :: b :: c :: d :: elements r one else [ a; b; c; d ]

let[@inline never] list r one = if opens r '[' ']' then elements r one else []

(* What an array takes by itself, at most: one outside of the heap. *)
let array = 20

let[@inline never] numbers r one =
  let l = list r one in
  spend r (array + List.length l);
  l

let[@inline never] slice r one =
  spend r 4;
  Slice.of_string (one r)

let[@tail_mod_cons] rec enum_elements r e of_int =
  let v = enum_number r e in
  spend r 4;
  if v = not_short then if more r ']' then enum_elements r e of_int else []
  else
    let v = of_int v in
    if more r ']' then v :: enum_elements r e of_int else [ v ]

let[@inline never] enums r e of_int = if opens r '[' ']' then enum_elements r e of_int else []

let key r key_of =
  let text = string r in
  let p = space r r.pos in
  if at r p <> ':' then fail r p "expected ':'";
  r.pos <- p + 1;
  let k = key_of r text in
  (* An error within the value shows the key, made once more. *)
  spend r (String.length text lsr 3);
  r.pos <- space r (p + 1);
  k

(* In a list, and looked up. *)
let pair = 14

let rec members r key_of value acc =
  let k = key r key_of in
  let acc = (k, value r) :: acc in
  spend r pair;
  if more r '}' then members r key_of value acc else Decode.last_wins [] acc

let[@inline never] map r key_of value = if opens r '{' '}' then members r key_of value [] else []

let rec enum_members r key_of e of_int acc =
  let k = key r key_of in
  let v = enum_number r e in
  let acc = if v = not_short then acc else (k, of_int v) :: acc in
  spend r pair;
  if more r '}' then enum_members r key_of e of_int acc else Decode.last_wins [] acc

let[@inline never] enum_map r key_of e of_int =
  if opens r '{' '}' then enum_members r key_of e of_int [] else []

let rec enum_entries_from r key_of e acc =
  let k = key r key_of in
  let v = enum_number r e in
  let acc = if v = not_short then acc else (k, v) :: acc in
  spend r (2 * pair);
  if more r '}' then enum_entries_from r key_of e acc else acc

let enum_entries r key_of e = if opens r '{' '}' then enum_entries_from r key_of e [] else []

let with_extensions r f =
  let before = r.extensions in
  let own = { bytes = Buffer.create 16; numbers = ref [] } in
  r.extensions <- Some own;
  f ();
  r.extensions <- before;
  Buffer.contents own.bytes

let string_key _ k = k

let short_key r kind text =
  let v = L.plain_key text in
  if v <> not_short && Wire_buffer.fits kind v then v
  else Int64.to_int (Json_values.number_key r kind text)

let int32_key r text = short_key r Int32 text
let uint32_key r text = short_key r Uint32 text
let int64_key r text = Json_values.number_key r Int64 text
let uint64_key r text = Json_values.number_key r Uint64 text

let bool_key r text =
  match text with
  | "true" -> true
  | "false" -> false
  | _ -> Error.fail r.pos "map key is not a bool"

let enter r words =
  spend r words;
  r.depth <- Decode.deeper r.depth r.pos

let leave r = r.depth <- r.depth + 1
let value_field r = Json_parse.value_number (at r r.pos) - 1

let[@inline never] by_descriptor r m =
  spend r 40;
  let b = Buffer.create 16 in
  let depth = Decode.deeper r.depth r.pos in
  Json_parse.message r m ~depth b;
  let s = Buffer.contents b in
  r.memory <- Unfolding.count m s 0 (String.length s) ~memory:r.memory ~at:r.pos;
  s
