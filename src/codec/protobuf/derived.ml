type 'a enum = { descriptor : Descriptor.enum; to_int : 'a -> int; of_int : int -> int -> 'a }

(* What is long is called, not expanded in every reader; what fails is made by
   a call and raised at its place, where the compiler sees the end of it. *)
let[@inline never] too_large p = Error.at p "number does not fit its type"

let[@inline] int_of_int64 p v =
  let n = Int64.to_int v in
  if Int64.equal (Int64.of_int n) v then n else raise (too_large p)

let[@inline never] int_long s from p = int_of_int64 from (Decode.int64 s from (p - from))

(* Up to eight bytes, all bits are in what was read. *)
let[@inline] int v s from p = if p - from <= 8 then v else int_long s from p
let[@inline never] zigzag_long s from p = int_of_int64 from (Decode.sint64 s from (p - from))

let[@inline] zigzag v s from p =
  if p - from <= 8 then (v lsr 1) lxor -(v land 1) else zigzag_long s from p

let[@inline] in_32 p v = if v >= -0x80000000 && v <= 0x7fffffff then v else raise (too_large p)
let[@inline] in_u32 p v = if v >= -0x80000000 && v <= 0xffffffff then v else raise (too_large p)

external get16_ne : string -> int -> int = "%caml_string_get16u"
external swap16 : int -> int = "%bswap16"

let[@inline] get16 s i = if Sys.big_endian then swap16 (get16_ne s i) else get16_ne s i

let rec number_start s first p =
  if p > first && Decode.byte s (p - 1) >= 128 then number_start s first (p - 1) else p

let one s p stop =
  let r = Decode.varint s p stop in
  int (Decode.value r) s p (Decode.behind p r)

(* From the end, so that the list is built in order; a byte that ends a number
   stands before the first one. *)
let rec ints s first stop acc =
  if stop <= first then acc
  else
    let last = get16 s (stop - 2) in
    if last land 0x80 = 0 then ints s first (stop - 1) ((last lsr 8) :: acc)
    else if Decode.byte s (stop - 3) < 128 then
      ints s first (stop - 2) ((((last lsr 8) lsl 7) lor (last land 127)) :: acc)
    else
      let p = number_start s first (stop - 1) in
      ints s first p (one s p stop :: acc)

let rec slow_ints s first stop acc =
  if stop <= first then acc
  else
    let p = number_start s first (stop - 1) in
    slow_ints s first p (one s p stop :: acc)

let[@inline never] packed_int s first stop =
  if stop > first && Decode.byte s (stop - 1) >= 128 then Error.fail (stop - 1) "truncated";
  if first > 0 && Decode.byte s (first - 1) < 128 then ints s first stop []
  else slow_ints s first stop []

(* The end of a number of at most eight bytes, or 0. *)
let rec number_stop s p last limit =
  if p >= limit || p > last then 0
  else if Decode.byte s p < 128 then p + 1
  else number_stop s (p + 1) last limit

external get64_ne : string -> int -> int64 = "%caml_string_get64u"
external swap64 : int64 -> int64 = "%bswap_int64"

let[@inline] get64 s i =
  Int64.to_int (if Sys.big_endian then swap64 (get64_ne s i) else get64_ne s i)

let[@inline] two_bytes w = w land 127 lor ((w lsr 1) land 0x3f80)

(* A tag and a number of one or two bytes are seen at once, and two such of two
   bytes. *)
let rec run s p limit tag at =
  if p <= limit - 8 then
    let w = get64 s p in
    if w land 0x8080ff8080ff = 0x8000008000 lor tag lor (tag lsl 24) then
      let v = two_bytes (w lsr 8) and v' = two_bytes (w lsr 32) in
      let rest = run s (p + 6) limit tag at in
      v :: v' :: rest
    else if w land 0x80ff = tag then
      let v = (w lsr 8) land 127 in
      let rest = run s (p + 2) limit tag at in
      v :: rest
    else if w land 0x8080ff = 0x8000 lor tag then
      let v = two_bytes (w lsr 8) in
      let rest = run s (p + 3) limit tag at in
      v :: rest
    else run_other s p limit tag at
  else run_other s p limit tag at

and run_other s p limit tag at =
  if p < limit - 2 && get16 s p land 0x80ff = 0x8000 lor tag && Decode.byte s (p + 2) < 128 then
    let v = Decode.byte s (p + 1) land 127 lor (Decode.byte s (p + 2) lsl 7) in
    let rest = run s (p + 3) limit tag at in
    v :: rest
  else
    let stop =
      if p < limit && Decode.byte s p = tag then number_stop s (p + 1) (p + 8) limit else 0
    in
    if stop = 0 then (
      at := p;
      [])
    else
      let v = one s (p + 1) stop in
      let rest = run s stop limit tag at in
      v :: rest

(* The stack is as deep as the list is long, so a run has an end. *)
let run_length = 1024

let[@inline] short_run s p limit tag at =
  run s p (if limit - p > run_length then p + run_length else limit) tag at

let rec last_cell = function _ :: (_ :: _ as l) -> last_cell l | l -> l

(* Nobody else has seen these cells: a long run is linked, not copied. *)
let rec link l s limit tag at =
  match short_run s !at limit tag at with
  | [] -> ()
  | more ->
      Obj.set_field (Obj.repr (last_cell l)) 1 (Obj.repr more);
      link more s limit tag at

let[@inline never] long_run s p limit tag at =
  let l = run s p (p + run_length) tag at in
  (match l with [] -> () | _ -> link l s limit tag at);
  l

let[@inline never] run_int s p limit tag at =
  if limit - p > run_length then long_run s p limit tag at else run s p limit tag at

let[@inline never] two_payloads p = Error.at p "payloads of two constructors"
let[@inline] only p seen key = if seen = 0 || seen = key then key else raise (two_payloads p)

let[@inline never] wrong_wire p field tag =
  Error.at p (Printf.sprintf "field %s does not have wire type %d" field (tag land 7))

let[@inline never] no_constructor p name key =
  Error.at p
    (if key = 0 then name ^ " without its tag"
     else Printf.sprintf "%s has no constructor %d with this payload" name key)

let[@inline never] missing p field = Error.at p ("required field " ^ field ^ " is missing")
let[@inline never] size_int_long v = if v < 0 then 10 else Encode.size_varint v
let[@inline] size_int v = if v land lnot 127 = 0 then 1 else size_int_long v

let rec sum_int_from acc = function
  | [] -> acc
  | x :: rest ->
      let size =
        if x land lnot 127 = 0 then 1 else if x land lnot 0x3fff = 0 then 2 else size_int_long x
      in
      sum_int_from (acc + size) rest

let sum_int l = sum_int_from 0 l

(* Doubling keeps 62 bits within an int. *)
let[@inline] halves v = v >= min_int / 2 && v <= max_int / 2
let[@inline] doubled v = (v lsl 1) lxor (v asr 62)

let[@inline never] size_zigzag v =
  if halves v then Encode.size_varint (doubled v) else Encode.size_sint64 (Int64.of_int v)

let[@inline never] put_zigzag b stop v =
  if halves v then Encode.varint b stop (doubled v) else Encode.sint64 b stop (Int64.of_int v)

external set16_ne : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"

let[@inline] set16 b i v = set16_ne b i (if Sys.big_endian then swap16 v else v)

let[@inline] put_16 b stop v =
  if stop >= 2 then set16 b (stop - 2) v;
  stop - 2

let[@inline never] put_some_text b stop tag s n =
  if n > 16 then Encode.bytes b stop tag s
  else
    let start = stop - n in
    if start >= 0 then ignore (Utf8_copy.short s 0 b start n);
    put_16 b start ((n lsl 8) lor tag)

let[@inline] put_text b stop tag s =
  let n = String.length s in
  if n = 0 then put_16 b stop tag else put_some_text b stop tag s n

let[@inline] put_block b stop start tag =
  let n = stop - start in
  if n < 128 then put_16 b start ((n lsl 8) lor tag) else Encode.block b stop start tag

let[@inline] put_tagged b stop tag x =
  if x land lnot 127 = 0 then put_16 b stop ((x lsl 8) lor tag)
  else if x land lnot 0x3fff = 0 then Encode.byte b (put_16 b stop (x + (x land 0x3f80) + 128)) tag
  else Encode.byte b (Encode.int b stop x) tag

(* From the last, two a step. *)
let rec put_ints b stop tag = function
  | [] -> stop
  | [ x ] -> put_tagged b stop tag x
  | x :: y :: rest ->
      let stop = put_tagged b (put_ints b stop tag rest) tag y in
      put_tagged b stop tag x

let rec add_ints sum = function
  | [] -> sum
  | x :: rest ->
      if x land lnot 127 = 0 then add_ints (sum + 2) rest
      else if x land lnot 0x3fff = 0 then add_ints (sum + 3) rest
      else add_long_int sum x rest

and add_long_int sum x rest = add_ints (sum + 1 + size_int_long x) rest

let[@inline never] narrow v =
  let n = Int64.to_int v in
  if n >= -0x80000000 && n <= 0x7fffffff && Int64.equal (Int64.of_int n) v then n
  else invalid_arg (Printf.sprintf "protobuf: %Ld does not fit 32 bits" v)

let[@inline] same_float x y = Int64.equal (Int64.bits_of_float x) (Int64.bits_of_float y)

let[@inline never] endless name : Descriptor.message =
  {
    full_name = name;
    fields = [];
    map_entry = false;
    message_set = false;
    reserved = [ Descriptor.endless ];
    extensible = [];
    sliced = false;
    unfolding = Descriptor.Unbounded;
  }

let[@inline never] applied name arguments =
  let part s = "_" ^ String.map (fun c -> if c = '.' then '_' else c) s in
  name ^ String.concat "" (List.map part arguments)

let[@inline never] to_json descriptor size write w m =
  Json_out.by_descriptor w descriptor (Encode.to_string (size m) (fun b stop -> write b stop m))

let[@inline never] of_json descriptor read r =
  let s = Json_in.by_descriptor r descriptor in
  read s 0 (String.length s) max_int

let[@inline never] merge size write read init s pos limit depth =
  let own = Encode.to_string (size init) (fun b stop -> write b stop init) in
  let s = own ^ String.sub s pos (limit - pos) in
  read s 0 (String.length s) depth

module Ops = struct
  external ( + ) : int -> int -> int = "%addint"
  external ( - ) : int -> int -> int = "%subint"
  external ( * ) : int -> int -> int = "%mulint"
  external ( < ) : int -> int -> bool = "%lessthan"
  external ( = ) : int -> int -> bool = "%equal"
  external ( land ) : int -> int -> int = "%andint"
  external ( lor ) : int -> int -> int = "%orint"
  external ( lsr ) : int -> int -> int = "%lsrint"
  external ( == ) : 'a -> 'a -> bool = "%eq"
  external ref : 'a -> 'a ref = "%makemutable"
  external ( ! ) : 'a ref -> 'a = "%field0"
  external ( := ) : 'a ref -> 'a -> unit = "%setfield0"
  external raise : exn -> 'a = "%raise"
  external not : bool -> bool = "%boolnot"
end

(* One required field, number 1: [one] reads it at a position and gives the
   width beside; these are not the fast path. *)
let single name kind default ~size ~put ~read : _ Codec.t =
  let field : Descriptor.field =
    { number = 1; name = "_"; json_name = ""; kind; label = Required; oneof = ""; form = Boxed 3 }
  in
  let descriptor : Descriptor.message =
    {
      full_name = name;
      fields = [ field ];
      map_entry = false;
      message_set = false;
      reserved = [];
      extensible = [];
      sliced = false;
      unfolding = Descriptor.Unmeasured;
    }
  in
  let tag = 8 lor Descriptor.wire_type kind in
  let rec fields s pos limit depth found =
    if pos >= limit then match found with Some v -> v | None -> raise (missing limit "_")
    else
      let t = Decode.tag s pos limit in
      let p = pos + Decode.width t in
      let t = Decode.value t in
      if t = tag then
        let v, next = read s p limit in
        fields s next limit depth (Some v)
      else if t lsr 3 = 1 then raise (wrong_wire pos "_" t)
      else fields s (Decode.skip s t p limit depth) limit depth found
  in
  let read s pos limit depth = fields s pos limit depth None in
  let size v = 1 + size v and write b stop v = Encode.byte b (put b stop v) tag in
  Codec.Unsafe.make
    {
      descriptor;
      types = Registry.empty;
      default;
      size;
      write;
      read =
        (fun init s pos limit depth ->
          if init == default then read s pos limit depth
          else merge size write read init s pos limit depth);
      to_json = (fun w v -> to_json descriptor size write w v);
      of_json = (fun r -> of_json descriptor read r);
    }

let varint of_number s from limit =
  let r = Decode.varint s from limit in
  let p = Decode.behind from r in
  (of_number (Decode.value r) s from p, p)

let fixed size of_bytes s p limit =
  Decode.need size p limit;
  (of_bytes s p, p + size)

let block of_string s p limit =
  let n = Decode.length s p limit in
  let from = p + Decode.width n in
  (of_string (Decode.bytes s from (Decode.value n)), from + Decode.value n)

let bool_protobuf =
  single "bool" Bool false
    ~size:(fun _ -> 1)
    ~put:(fun b stop v -> Encode.bool b stop v)
    ~read:(fun s p limit -> varint (fun v _ _ _ -> v <> 0) s p limit)

let int_protobuf =
  single "int" Int64 0
    ~size:(fun v -> size_int v)
    ~put:(fun b stop v -> Encode.int b stop v)
    ~read:(fun s p limit -> varint (fun v s from p -> int v s from p) s p limit)

let int32_protobuf =
  single "int32" Sfixed32 0l
    ~size:(fun _ -> 4)
    ~put:(fun b stop v -> Encode.sfixed32 b stop (Int32.to_int v))
    ~read:(fun s p limit -> fixed 4 (fun s p -> Int32.of_int (Decode.sfixed32 s p)) s p limit)

let int64_protobuf =
  single "int64" Sfixed64 0L
    ~size:(fun _ -> 8)
    ~put:(fun b stop v -> Encode.fixed64 b stop v)
    ~read:(fun s p limit -> fixed 8 (fun s p -> Decode.fixed64 s p) s p limit)

let float_protobuf =
  single "float" Double 0.
    ~size:(fun _ -> 8)
    ~put:(fun b stop v -> Encode.double b stop v)
    ~read:(fun s p limit -> fixed 8 (fun s p -> Decode.double s p) s p limit)

let string_protobuf =
  single "string" Raw_string ""
    ~size:(fun v -> Encode.size_text v)
    ~put:(fun b stop v -> Encode.text b stop v)
    ~read:(fun s p limit -> block Fun.id s p limit)

(* What was read is a copy of its own: nobody else holds it. *)
let bytes_protobuf =
  single "bytes" Bytes Bytes.empty
    ~size:(fun v -> Encode.size_text (Bytes.unsafe_to_string v))
    ~put:(fun b stop v -> Encode.text b stop (Bytes.unsafe_to_string v))
    ~read:(fun s p limit -> block Bytes.unsafe_of_string s p limit)

let first e =
  match e.descriptor.values with
  | (_, n) :: _ -> e.of_int 0 n
  | [] -> invalid_arg "Weir_protobuf.Unsafe.Derived.first: no values"
