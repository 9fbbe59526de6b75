module K = Json_keys

type t = { mutable b : Bytes.t; mutable pos : int; mutable types : Registry.t }

external get64 : string -> int -> int64 = "%caml_string_get64u"
external set64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external set16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"
external get16 : string -> int -> int = "%caml_string_get16u"

(* At most 256 words until more is needed: more goes to the major heap. *)
let fresh () = { b = Bytes.create 1900; pos = 0; types = Registry.empty }
let keep_at_most = 65536

(* The writer of the last text, for the next. Who writes meanwhile, or after a text that failed, has
   one of its own and leaves it here. *)
type spare = { mutable writer : t; mutable free : bool }

let spare () = { writer = fresh (); free = true }
let spare_first = spare ()
let spare_key = Domain.DLS.new_key spare
let[@inline] spare () = if Domain.is_main_domain () then spare_first else Domain.DLS.get spare_key

let with_writer types f =
  let spare = spare () in
  let w = if spare.free then spare.writer else fresh () in
  spare.free <- false;
  w.pos <- 0;
  if w.types != types then w.types <- types;
  f w;
  let s = Words.sub (Bytes.unsafe_to_string w.b) 0 w.pos in
  if Bytes.length w.b > keep_at_most then w.b <- (fresh ()).b;
  if spare.writer != w then spare.writer <- w;
  spare.free <- true;
  s

(* There is always room for one word more than was asked for. *)
let slack = 16

let[@inline never] grow w n =
  let b = Bytes.create (max (w.pos + n + slack) (2 * Bytes.length w.b)) in
  Bytes.blit w.b 0 b 0 w.pos;
  w.b <- b

let[@inline] reserve w n = if Bytes.length w.b - w.pos < n + slack then grow w n
let[@inline] set w p c = Bytes.unsafe_set w.b p c

let[@inline] char w c =
  reserve w 1;
  set w w.pos c;
  w.pos <- w.pos + 1

let raw w s =
  let n = String.length s in
  reserve w n;
  Words.copy s 0 w.b w.pos n;
  w.pos <- w.pos + n

let[@inline] put_key w (k : K.t) i =
  let n = Array.unsafe_get k.lengths i in
  if n > 16 then raw w (Array.unsafe_get k.pieces i)
  else (
    reserve w 16;
    let b = w.b and p = w.pos and o = i * K.slot_size in
    set64 b p (get64 k.slots o);
    set64 b (p + 8) (get64 k.slots (o + 8));
    w.pos <- p + n)

let[@inline never] key w k i = put_key w k i
let mark w = w.pos

let[@inline never] close w start =
  if w.pos = start then raw w "{}"
  else (
    Bytes.set w.b start '{';
    char w '}')

(* Numbers *)

let pairs = String.init 200 (fun i -> Char.chr (48 + if i land 1 = 0 then i / 20 else i / 2 mod 10))

(* Two digits a step, from the last. *)
let rec digits_of b stop v =
  if v >= 100 then (
    let rest = v / 100 in
    set16 b (stop - 2) (get16 pairs (2 * (v - (rest * 100))));
    digits_of b (stop - 2) rest)
  else if v >= 10 then set16 b (stop - 2) (get16 pairs (2 * v))
  else Bytes.unsafe_set b (stop - 1) (Char.unsafe_chr (48 + v))

let rec width_from v n = if v < 10 then n else width_from (v / 10) (n + 1)

let[@inline] width v =
  if v < 100 then if v < 10 then 1 else 2
  else if v < 10_000 then if v < 1000 then 3 else 4
  else if v < 1_000_000 then if v < 100_000 then 5 else 6
  else width_from (v / 1_000_000) 7

(* A whole number that is not negative, of at most 19 digits. *)
let natural w v =
  reserve w 19;
  let stop = w.pos + width v in
  digits_of w.b stop v;
  w.pos <- stop

let int w v =
  if v >= 0 then natural w v
  else if v = min_int then raw w (string_of_int v)
  else (
    char w '-';
    natural w (-v))

let out_of_range kind v = invalid_arg (Printf.sprintf "protobuf: %d does not fit %s" v kind)

let[@inline never] int32 w v =
  if v < -0x80000000 || v > 0x7fffffff then out_of_range "int32" v;
  int w v

let[@inline never] uint32 w v =
  if v < 0 || v > 0xffffffff then out_of_range "uint32" v;
  natural w v

let quoted w put v =
  char w '"';
  put w v;
  char w '"'

let fits v = Int64.equal (Int64.of_int (Int64.to_int v)) v
let bare_int64 w v = if fits v then int w (Int64.to_int v) else raw w (Int64.to_string v)

let bare_uint64 w v =
  if fits v && Int64.compare v 0L >= 0 then natural w (Int64.to_int v)
  else raw w (Printf.sprintf "%Lu" v)

let[@inline never] bool w v = raw w (if v then "true" else "false")
let[@inline never] int64 w v = quoted w bare_int64 v
let[@inline never] uint64 w v = quoted w bare_uint64 v
let[@inline never] int32_key w v = quoted w int32 v
let[@inline never] uint32_key w v = quoted w uint32 v
let int64_key = int64
let uint64_key = uint64
let[@inline never] bool_key w v = quoted w bool v

let real w show x =
  if Float.is_finite x then raw w (show x)
  else if Float.is_nan x then raw w "\"NaN\""
  else raw w (if x > 0. then "\"Infinity\"" else "\"-Infinity\"")

let[@inline never] float w x = real w Numbers.float x

(* Six digits behind a point, without the zeros at their end. *)
let fraction w v =
  reserve w 7;
  let b = w.b and p = w.pos in
  Bytes.unsafe_set b p '.';
  let high = v / 10_000 in
  let low = v - (high * 10_000) in
  let middle = low / 100 in
  set16 b (p + 1) (get16 pairs (2 * high));
  set16 b (p + 3) (get16 pairs (2 * middle));
  set16 b (p + 5) (get16 pairs (2 * (low - (middle * 100))));
  let last = ref (p + 6) in
  while Bytes.unsafe_get b !last = '0' do
    decr last
  done;
  w.pos <- !last + 1

(* Most numbers that people send have at most six places. If [a] times a
   million, rounded, is below 10^15 and gives [a] back when divided, then its
   digits are the only ones so few that read back as [a]. *)
let[@inline never] double w x =
  let a = Float.abs x in
  let n = if a < 1e9 then int_of_float ((a *. 1e6) +. 0.5) else -1 in
  if n >= 0 && float_of_int n /. 1e6 = a && (n > 0 || Int64.equal (Int64.bits_of_float x) 0L) then (
    if Int64.compare (Int64.bits_of_float x) 0L < 0 then char w '-';
    let whole = n / 1_000_000 in
    natural w whole;
    let rest = n - (whole * 1_000_000) in
    if rest > 0 then fraction w rest)
  else real w Numbers.double x

(* Strings *)

(* Copies the first bytes of a string, at least 16 of them, as far as they are
   ordinary ASCII; it may write up to their number. *)
external copy_ordinary :
  string -> (int[@untagged]) -> Bytes.t -> (int[@untagged]) -> (int[@untagged])
  = "weir_protobuf_json_copy_byte" "weir_protobuf_json_copy"
[@@noalloc]

exception Not_utf8

let rec pieces w s from n =
  let stop = Utf8.text s from n in
  if stop < 0 then raise_notrace Not_utf8;
  reserve w (stop - from);
  Words.copy s from w.b w.pos (stop - from);
  w.pos <- w.pos + stop - from;
  if stop < n then (
    raw w (Json_print.escape s.[stop]);
    pieces w s (stop + 1) n)

let[@inline never] string w s =
  let n = String.length s in
  reserve w (n + 2);
  let p = w.pos + 1 in
  set w (p - 1) '"';
  let done_ = if n >= 16 then copy_ordinary s n w.b p else 0 in
  w.pos <- p + done_;
  if done_ < n then pieces w s done_ n;
  char w '"'

let[@inline never] bytes w s =
  let b = Buffer.create (4 * ((String.length s / 3) + 1)) in
  Base64.add b s 0 (String.length s);
  quoted w raw (Buffer.contents b)

let rec name_of n = function
  | [] -> None
  | (name, m) :: rest -> if Int.equal n m then Some name else name_of n rest

let[@inline never] enum w (e : Descriptor.enum) n =
  if String.equal e.enum_name "google.protobuf.NullValue" then raw w "null"
  else match name_of n e.values with Some name -> quoted w raw name | None -> int32 w n

(* Members. Generated code is to stay small: it calls these. *)

let[@inline never] int32_member w k i v =
  if v <> 0 then (
    put_key w k i;
    int32 w v)

let[@inline never] uint32_member w k i v =
  if v <> 0 then (
    put_key w k i;
    uint32 w v)

let[@inline never] int64_member w k i v =
  if not (Int64.equal v 0L) then (
    put_key w k i;
    int64 w v)

let[@inline never] uint64_member w k i v =
  if not (Int64.equal v 0L) then (
    put_key w k i;
    uint64 w v)

let[@inline never] bool_member w k i v =
  if v then (
    put_key w k i;
    raw w "true")

let[@inline never] float_member w k i v =
  if not (Encode.is_zero v) then (
    put_key w k i;
    float w v)

let[@inline never] double_member w k i v =
  if not (Encode.is_zero v) then (
    put_key w k i;
    double w v)

let[@inline never] string_member w k i v =
  if String.length v > 0 then (
    put_key w k i;
    string w v)

let[@inline never] bytes_member w k i v =
  if String.length v > 0 then (
    put_key w k i;
    bytes w v)

let[@inline never] enum_member w k i e n =
  if n <> 0 then (
    put_key w k i;
    enum w e n)

let[@inline never] option_member w k i put = function
  | None -> ()
  | Some v ->
      put_key w k i;
      put w v

let rec rest_of w put = function
  | [] -> char w ']'
  | x :: rest ->
      char w ',';
      put w x;
      rest_of w put rest

let[@inline never] list_member w k i put = function
  | [] -> ()
  | x :: rest ->
      put_key w k i;
      char w '[';
      put w x;
      rest_of w put rest

let rec pairs_of w key value = function
  | [] -> ()
  | (k, v) :: rest ->
      char w ',';
      key w k;
      char w ':';
      value w v;
      pairs_of w key value rest

let[@inline never] map_member w k i name_of value_of = function
  | [] -> ()
  | l ->
      put_key w k i;
      let start = mark w in
      pairs_of w name_of value_of l;
      close w start

let[@inline never] by_descriptor w m s = raw w (Json_print.any_message w.types m s)
