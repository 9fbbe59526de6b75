include Number_arrays

(* The numbers of packed_stubs.c. *)
type varint = Int32 | Uint32 | Sint32 | Bool | Int64 | Sint64

external number : varint -> int = "%identity"

external count_varints : string -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_protobuf_count_varints_byte" "weir_protobuf_count_varints"
[@@noalloc]

external read_varints :
  string ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  'a ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) = "weir_protobuf_read_varints_byte" "weir_protobuf_read_varints"
[@@noalloc]

external size_varints :
  'a -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_protobuf_size_varints_byte" "weir_protobuf_size_varints"
[@@noalloc]

external write_varints :
  Bytes.t ->
  (int[@untagged]) ->
  'a ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) = "weir_protobuf_write_varints_byte" "weir_protobuf_write_varints"
[@@noalloc]

external read_doubles :
  string -> (int[@untagged]) -> floatarray -> (int[@untagged]) -> (int[@untagged]) -> unit
  = "weir_protobuf_read_doubles_byte" "weir_protobuf_read_doubles"
[@@noalloc]

external write_doubles :
  Bytes.t -> (int[@untagged]) -> floatarray -> (int[@untagged]) -> (int[@untagged]) -> unit
  = "weir_protobuf_write_doubles_byte" "weir_protobuf_write_doubles"
[@@noalloc]

(* The representations. *)
type 'a form = {
  create : int -> 'a;
  length : 'a -> int;
  blit : 'a -> 'a -> int -> int -> unit;  (** from the source's first, to a position, so many *)
}

external ints_of_bools : bool array -> int array = "%identity"

let int_form =
  {
    create = (fun n -> Array.make n 0);
    length = Array.length;
    blit = (fun a b at n -> Array.blit a 0 b at n);
  }

let bool_form =
  {
    create = (fun n -> Array.make n false);
    length = Array.length;
    blit = (fun a b at n -> Array.blit a 0 b at n);
  }

let float_form =
  {
    create = Float.Array.create;
    length = Float.Array.length;
    blit = (fun a b at n -> Float.Array.blit a 0 b at n);
  }

(* What is created here is written to before anybody else has it. *)
let fresh_bytes a = Bytes.unsafe_of_string (Slice.base a)

let slice_form width =
  {
    create = (fun n -> Slice.of_string (Bytes.unsafe_to_string (Bytes.create (width * n))));
    length = (fun a -> Slice.length a / width);
    blit = (fun a b at n -> Slice.blit a 0 (fresh_bytes b) (width * at) (width * n));
  }

let form32 = slice_form 4
let form64 = slice_form 8
let no_ints : int array = [||]
let no_bools : bool array = [||]
let no_floats = Float.Array.create 0
let no_float64s = Slice.empty
let no_float32s = Slice.empty
let no_int32s = Slice.empty
let no_int64s = Slice.empty
let length = Array.length
let floats_length = Float.Array.length
let ints_of_list : int list -> int array = Array.of_list
let ints_to_list : int array -> int list = Array.to_list
let bools_of_list : bool list -> bool array = Array.of_list
let bools_to_list : bool array -> bool list = Array.to_list
let floats_of_list = Float.Array.of_list
let floats_to_list = Float.Array.to_list

let[@inline] of_list width set l =
  let a = Bytes.create (width * List.length l) in
  List.iteri (fun i x -> set a (width * i) x) l;
  Slice.of_string (Bytes.unsafe_to_string a)

let float64s_of_list l = of_list 8 (fun a p x -> Bytes.set_int64_le a p (Int64.bits_of_float x)) l
let float64s_to_list a = List.init (float64s_length a) (Float64s.get a)
let float32s_of_list l = of_list 4 (fun a p x -> Bytes.set_int32_le a p (Int32.bits_of_float x)) l
let float32s_to_list a = List.init (float32s_length a) (Float32s.get a)
let int32s_of_list l = of_list 4 (fun a p x -> Bytes.set_int32_le a p (Int32.of_int x)) l
let int32s_to_list a = List.init (int32s_length a) (fun i -> Int32.to_int (Int32s.get a i))

let uint32s_to_list a =
  List.init (int32s_length a) (fun i -> Int32.to_int (Int32s.get a i) land 0xffffffff)

let int64s_of_list l = of_list 8 Bytes.set_int64_le l
let int64s_to_list a = List.init (int64s_length a) (Int64s.get a)

(* Reading *)

type 'a growing = { mutable held : 'a; mutable count : int }

let ints () = { held = no_ints; count = 0 }
let bools () = { held = no_bools; count = 0 }
let floats () = { held = no_floats; count = 0 }
let float64s () = { held = no_float64s; count = 0 }
let float32s () = { held = no_float32s; count = 0 }
let int32s () = { held = no_int32s; count = 0 }
let int64s () = { held = no_int64s; count = 0 }

(* The first block is the array, as there is mostly one. What is a part of the input is full, so that
   it is copied before anything is added. *)
let grow form g more =
  let room = form.length g.held in
  if g.count > room - more then (
    let larger = form.create (if g.count = 0 then more else Int.max (2 * room) (g.count + more)) in
    if g.count > 0 then form.blit g.held larger 0 g.count;
    g.held <- larger)

(* A first block takes no more than its bytes may, but for the few of the array itself. *)
let block g s from len limit depth =
  let stop = Decode.stop s from len limit in
  Budget.charge_block depth (if g.count = 0 then Int.min len 8 else g.count + len) from;
  stop

let[@inline never] one form g = grow form g (if g.count = 0 then 4 else 1)

let add_int g v =
  if g.count = Array.length g.held then one int_form g;
  g.held.(g.count) <- v;
  g.count <- g.count + 1

let add_bool g v =
  if g.count = Array.length g.held then one bool_form g;
  g.held.(g.count) <- v;
  g.count <- g.count + 1

let add_float g v =
  if g.count = Float.Array.length g.held then one float_form g;
  Float.Array.set g.held g.count v;
  g.count <- g.count + 1

let[@inline] add_bits32 g v =
  if 4 * g.count = Slice.length g.held then one form32 g;
  Bytes.set_int32_le (fresh_bytes g.held) (4 * g.count) v;
  g.count <- g.count + 1

let[@inline] add_bits64 g v =
  if 8 * g.count = Slice.length g.held then one form64 g;
  Bytes.set_int64_le (fresh_bytes g.held) (8 * g.count) v;
  g.count <- g.count + 1

let add_float32 g v = add_bits32 g (Int32.bits_of_float v)
let add_int32 g v = add_bits32 g (Int32.of_int v)
let add_float64 g v = add_bits64 g (Int64.bits_of_float v)
let add_int64 g v = add_bits64 g v

(* C is not interrupted, and other domains may wait for this one: so much at once. *)
let at_once = 1 lsl 16

let rec count s first stop n =
  if stop - first <= at_once then n + count_varints s first stop
  else count s (first + at_once) stop (n + count_varints s first (first + at_once))

(* Words are eight bytes of a string, or an OCaml array's elements. *)
let rec fill kind s first stop words at n =
  if n > 0 then
    let now = Int.min n at_once in
    let next = read_varints s first stop words (8 * at) now (number kind) in
    if next < 0 then Error.fail (-1 - next) "number longer than ten bytes"
    else fill kind s next stop words (at + now) (n - now)

(* So few numbers, or bytes of them, are sooner written or read than C is called. *)
let few = 8
let few_bytes = 32

(* All [z]: of constants the compiler would copy a block by a call. *)
let[@inline never] few_ints n (z : int) =
  match n with
  | 1 -> [| z |]
  | 2 -> [| z; z |]
  | 3 -> [| z; z; z |]
  | 4 -> [| z; z; z; z |]
  | 5 -> [| z; z; z; z; z |]
  | 6 -> [| z; z; z; z; z; z |]
  | 7 -> [| z; z; z; z; z; z; z |]
  | 8 -> [| z; z; z; z; z; z; z; z |]
  | _ -> Array.make n z

(* As {!Decode.varint}. The block's last byte ends a number, so one stands behind each that does not. *)
let[@inline] number_at s p stop =
  let b = Decode.byte s p in
  if b < 128 then (b lsl 4) lor 1
  else
    let next = Decode.byte s (p + 1) in
    if next < 128 then ((b land 127 lor (next lsl 7)) lsl 4) lor 2
    else (Decode.long s p stop :> int)

let[@inline] meaning kind v =
  match kind with Int32 -> Decode.signed v | Uint32 -> Decode.unsigned v | _ -> Decode.zigzag v

(* [i] came before. The array is made behind the last. *)
let rec few_from kind s p stop i =
  if p >= stop then few_ints i 0
  else
    let r = number_at s p stop in
    let a = few_from kind s (p + (r land 15)) stop (i + 1) in
    Array.unsafe_set a i (meaning kind (r lsr 4));
    a

let[@inline] is_few g s first stop =
  stop - first <= few_bytes && stop > first && g.count = 0 && Decode.byte s (stop - 1) < 128

(* Any string up to [stop] that ends with a byte below 128 is whole numbers. *)
let[@inline] varints form words kind g s first stop =
  if stop > first then (
    if Char.code s.[stop - 1] >= 128 then Error.fail (stop - 1) "truncated";
    let n = count s first stop 0 in
    grow form g n;
    fill kind s first stop (words g.held) g.count n;
    g.count <- g.count + n)

let whole width first stop =
  if (stop - first) land (width - 1) <> 0 then Error.fail stop "truncated"

let rec fill_doubles s first a at n =
  if n > 0 then (
    let now = Int.min n at_once in
    read_doubles s first a at now;
    fill_doubles s (first + (now * 8)) a (at + now) (n - now))

let[@inline never] packed_double g s first stop =
  whole 8 first stop;
  let n = (stop - first) / 8 in
  grow float_form g n;
  fill_doubles s first g.held g.count n;
  g.count <- g.count + n

let rec copy s first b at n =
  if n > 0 then (
    let now = Int.min n (8 * at_once) in
    Encode.blit s first b at now;
    copy s (first + now) b (at + now) (n - now))

let copied s first n =
  let b = Bytes.create n in
  copy s first b 0 n;
  Slice.of_string (Bytes.unsafe_to_string b)

let[@inline] fixeds form width block g s first stop =
  whole width first stop;
  let n = (stop - first) / width in
  if g.count = 0 then (if n > 0 then g.held <- block s first (stop - first))
  else (
    grow form g n;
    copy s first (fresh_bytes g.held) (width * g.count) (stop - first));
  g.count <- g.count + n

let[@inline never] ints_block kind g s first stop =
  if is_few g s first stop then (
    let a = few_from kind s first stop 0 in
    g.held <- a;
    g.count <- Array.length a)
  else varints int_form Fun.id kind g s first stop

let[@inline never] longs_block kind g s first stop = varints form64 fresh_bytes kind g s first stop
let packed_int32 g s first stop = ints_block Int32 g s first stop
let packed_uint32 g s first stop = ints_block Uint32 g s first stop
let packed_sint32 g s first stop = ints_block Sint32 g s first stop
let packed_bool g s first stop = varints bool_form Fun.id Bool g s first stop
let packed_int64 g s first stop = longs_block Int64 g s first stop
let packed_sint64 g s first stop = longs_block Sint64 g s first stop
let[@inline never] packed_fixed32 g s first stop = fixeds form32 4 copied g s first stop
let[@inline never] packed_fixed64 g s first stop = fixeds form64 8 copied g s first stop
let packed_float g s first stop = packed_fixed32 g s first stop
let[@inline never] sliced_fixed32 g s first stop = fixeds form32 4 Slice.part g s first stop
let[@inline never] sliced_fixed64 g s first stop = fixeds form64 8 Slice.part g s first stop
let sliced_float g s first stop = sliced_fixed32 g s first stop
let sliced_double g s first stop = sliced_fixed64 g s first stop

let[@inline never] joined form before g =
  let old = form.length before in
  if old = 0 && g.count = form.length g.held then g.held
  else
    let all = form.create (old + g.count) in
    if old > 0 then form.blit before all 0 old;
    form.blit g.held all old g.count;
    all

let[@inline] all form before g = if g.count = 0 then before else joined form before g
let all_ints before g = all int_form before g
let all_bools before g = all bool_form before g
let all_floats before g = all float_form before g
let all_float64s before g = all form64 before g
let all_float32s before g = all form32 before g
let all_int32s before g = all form32 before g
let all_int64s before g = all form64 before g

(* Writing *)

(* Of [n] words from number [i] on, which is at byte [at]. *)
let rec size kind words at i n sum =
  if n = 0 then sum
  else
    let now = Int.min n at_once in
    let size_now = size_varints words at now (number kind) in
    if size_now < 0 then
      let name = match kind with Int32 -> "int32" | Uint32 -> "uint32" | _ -> "sint32" in
      invalid_arg
        (Printf.sprintf "protobuf: number %d of the array does not fit %s" (i - 1 - size_now) name)
    else size kind words (at + (8 * now)) (i + now) (n - now) (sum + size_now)

let[@inline never] size_ints kind one a =
  let n = Array.length a in
  if n > few then size kind a 0 0 n 0
  else
    let sum = ref 0 in
    for i = 0 to n - 1 do
      sum := !sum + one (Array.unsafe_get a i)
    done;
    !sum

let size_longs kind a = size kind (Slice.base a) (Slice.first a) 0 (int64s_length a) 0
let size_int32 a = size_ints Int32 Encode.size_int32 a
let size_uint32 a = size_ints Uint32 Encode.size_uint32 a
let size_sint32 a = size_ints Sint32 Encode.size_sint32 a
let size_int64 a = size_longs Int64 a
let size_sint64 a = size_longs Sint64 a

(* The last first. Where they do not fit they are counted; an array may have changed since. *)
let rec write kind b stop words at n =
  if n = 0 then stop
  else if stop <= 0 then stop - size kind words at 0 n 0
  else
    let now = Int.min n at_once in
    let start = write_varints b stop words (at + (8 * (n - now))) now (number kind) in
    if start >= 0 then write kind b start words at (n - now)
    else
      let start = stop - size kind words at 0 n 0 in
      if start >= 0 then Encode.changed () else start

let[@inline never] write_ints kind one b stop a =
  let n = Array.length a in
  if n > few then write kind b stop a 0 n
  else
    let stop = ref stop in
    for i = n - 1 downto 0 do
      stop := one b !stop (Array.unsafe_get a i)
    done;
    !stop

let write_int32 b stop a = write_ints Int32 Encode.int32 b stop a
let write_uint32 b stop a = write_ints Uint32 Encode.uint32 b stop a
let write_sint32 b stop a = write_ints Sint32 Encode.sint32 b stop a
let write_bool b stop a = write Bool b stop (ints_of_bools a) 0 (Array.length a)
let write_longs kind b stop a = write kind b stop (Slice.base a) (Slice.first a) (int64s_length a)
let write_int64 b stop a = write_longs Int64 b stop a
let write_sint64 b stop a = write_longs Sint64 b stop a

let rec doubles_from b first a at n =
  if n > 0 then (
    let now = Int.min n at_once in
    write_doubles b first a at now;
    doubles_from b (first + (now * 8)) a (at + now) (n - now))

let write_double b stop a =
  let n = Float.Array.length a in
  let start = stop - (8 * n) in
  if start < 0 then Encode.no_room (8 * n) else doubles_from b start a 0 n;
  start

let[@inline never] write_fixeds b stop a =
  let n = Slice.length a in
  let start = stop - n in
  if start < 0 then Encode.no_room n else copy (Slice.base a) (Slice.first a) b start n;
  start

let write_fixed32 = write_fixeds
let write_fixed64 = write_fixeds
let write_float = write_fixeds
let write_float64 = write_fixeds
