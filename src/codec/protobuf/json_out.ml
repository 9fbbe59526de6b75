type t = { mutable b : Bytes.t; mutable pos : int; mutable types : Registry.t }

(* At most 256 words until more is needed: more goes to the major heap. *)
let fresh () = { b = Bytes.create 1900; pos = 0; types = Registry.empty }
let spare : t option ref Domain.DLS.key = Domain.DLS.new_key (fun () -> ref None)
let keep_at_most = 65536

let with_writer types f =
  let slot = Domain.DLS.get spare in
  let w = match !slot with Some w -> w | None -> fresh () in
  slot := None;
  w.pos <- 0;
  w.types <- types;
  f w;
  let s = Bytes.sub_string w.b 0 w.pos in
  if Bytes.length w.b <= keep_at_most then slot := Some w;
  s

let grow w n =
  let b = Bytes.create (max (w.pos + n) (2 * Bytes.length w.b)) in
  Bytes.blit w.b 0 b 0 w.pos;
  w.b <- b

let[@inline] reserve w n = if Bytes.length w.b - w.pos < n then grow w n

let[@inline] char w c =
  reserve w 1;
  Bytes.unsafe_set w.b w.pos c;
  w.pos <- w.pos + 1

let substring w s from n =
  reserve w n;
  Bytes.unsafe_blit_string s from w.b w.pos n;
  w.pos <- w.pos + n

let raw w s = substring w s 0 (String.length s)
let key = raw
let mark w = w.pos

let close w start =
  if w.pos = start then raw w "{}"
  else (
    Bytes.set w.b start '{';
    char w '}')

let rec digits_of b last v =
  Bytes.unsafe_set b last (Char.unsafe_chr (48 + (v mod 10)));
  if v >= 10 then digits_of b (last - 1) (v / 10)

let rec width v n = if v < 10 then n else width (v / 10) (n + 1)

let int w v =
  if v < 0 then raw w (string_of_int v)
  else
    let n = width v 1 in
    reserve w n;
    digits_of w.b (w.pos + n - 1) v;
    w.pos <- w.pos + n

let quoted w put v =
  char w '"';
  put w v;
  char w '"'

let plain_int64 w v = raw w (Int64.to_string v)
let plain_uint64 w v = raw w (Printf.sprintf "%Lu" v)
let plain_bool w v = raw w (if v then "true" else "false")
let int64 w v = quoted w plain_int64 v
let uint64 w v = quoted w plain_uint64 v
let bool = plain_bool
let int_key w v = quoted w int v
let int64_key = int64
let uint64_key = uint64
let bool_key w v = quoted w plain_bool v

let real w show x =
  if Float.is_finite x then raw w (show x)
  else if Float.is_nan x then raw w "\"NaN\""
  else raw w (if x > 0. then "\"Infinity\"" else "\"-Infinity\"")

let float w x = real w Numbers.float x
let double w x = real w Numbers.double x

let rec pieces w s from n =
  let stop = Utf8.plain s from n in
  substring w s from (stop - from);
  if stop < n then (
    raw w (Json_print.escape s.[stop]);
    pieces w s (stop + 1) n)

let string w s =
  char w '"';
  pieces w s 0 (String.length s);
  char w '"'

let bytes w s =
  let b = Buffer.create (4 * ((String.length s / 3) + 1)) in
  Base64.add b s 0 (String.length s);
  quoted w raw (Buffer.contents b)

let rec name_of n = function
  | [] -> None
  | (name, m) :: rest -> if Int.equal n m then Some name else name_of n rest

let enum w (e : Descriptor.enum) n =
  if String.equal e.enum_name "google.protobuf.NullValue" then raw w "null"
  else match name_of n e.values with Some name -> quoted w raw name | None -> int w n

let rec rest_of w put = function
  | [] -> ()
  | x :: rest ->
      char w ',';
      put w x;
      rest_of w put rest

let list w put l =
  char w '[';
  (match l with
  | [] -> ()
  | x :: rest ->
      put w x;
      rest_of w put rest);
  char w ']'

let map w key value l =
  let start = mark w in
  List.iter
    (fun (k, v) ->
      char w ',';
      key w k;
      char w ':';
      value w v)
    l;
  close w start

let by_descriptor w m s = raw w (Json_print.any_message w.types m s)
