(* One value between two positions, none if a closed enum does not have it;
   [merge] reads a message into another. *)
type 'a value = {
  wire : int;
  read : string -> int -> int -> 'a option;
  merge : ('a -> string -> int -> int -> int -> 'a) option;
  size : 'a -> int;
  write : Bytes.t -> int -> 'a -> int;
}

type ('m, 'v, 'got) t = {
  descriptor : Descriptor.extension;
  unknown : 'm -> string;
  with_unknown : 'm -> string -> 'm;
  decode : string -> 'v;
  encode : 'v -> string;
  got : string -> 'got;
}

let descriptor x = x.descriptor
let get_exn x m = x.decode (x.unknown m)
let found decode s = match decode s with v -> Ok v | exception Error.Error e -> Error e
let find x m = found x.decode (x.unknown m)
let get x m = x.got (x.unknown m)

(* [each f acc s] folds over the fields of [s]: number, wire type, contents
   (of a group, between its tags), and the whole field. *)
let each f acc s =
  let limit = String.length s in
  let rec go acc pos =
    if pos >= limit then acc
    else
      let tag = Decode.varint s pos limit in
      let from = pos + Decode.width tag and tag = Decode.value tag in
      let stop = Decode.skip s tag from limit Codec.max_depth in
      let first, last =
        match tag land 7 with
        | 2 -> (from + Decode.width (Decode.varint s from limit), stop)
        | 3 -> (from, Decode.group_end s (tag lsr 3) from limit Codec.max_depth)
        | _ -> (from, stop)
      in
      go (f acc ~number:(tag lsr 3) ~wire:(tag land 7) ~first ~last ~pos ~stop) stop
  in
  go acc 0

let without number s =
  let b = Buffer.create (String.length s) in
  each
    (fun () ~number:n ~wire:_ ~first:_ ~last:_ ~pos ~stop ->
      if n <> number then Buffer.add_substring b s pos (stop - pos))
    () s;
  Buffer.contents b

let set x m v = x.with_unknown m (without x.descriptor.field.number (x.unknown m) ^ x.encode v)

let encode_one number v x =
  let tag = (number lsl 3) lor v.wire in
  let prefix = Encode.size_varint tag in
  match v.wire with
  | 2 ->
      let n = v.size x in
      Encode.to_string
        (prefix + Encode.size_block n)
        (fun b stop -> Encode.varint b (Encode.varint b (v.write b stop x) n) tag)
  | 3 ->
      Encode.to_string
        (prefix + v.size x + prefix)
        (fun b stop -> Encode.varint b (v.write b (Encode.varint b stop (tag + 1)) x) tag)
  | _ -> Encode.to_string (prefix + v.size x) (fun b stop -> Encode.varint b (v.write b stop x) tag)

let value_stop v s pos limit =
  match v.wire with
  | 0 -> pos + Decode.varint_width s pos limit
  | 1 ->
      Decode.need 8 pos limit;
      pos + 8
  | _ ->
      Decode.need 4 pos limit;
      pos + 4

let decode_list number v s =
  let rec block acc pos limit =
    if pos >= limit then acc
    else
      let stop = value_stop v s pos limit in
      block (Option.fold ~none:acc ~some:(fun x -> x :: acc) (v.read s pos stop)) stop limit
  in
  List.rev
    (each
       (fun acc ~number:n ~wire ~first ~last ~pos:_ ~stop:_ ->
         if n <> number then acc
         else if wire = v.wire then
           match v.read s first last with Some x -> x :: acc | None -> acc
         else if wire = 2 && v.wire <> 3 then block acc first last
         else acc)
       [] s)

(* Of a message, all occurrences are merged; what a generated reader notes, so
   that it need not read each into the one before, is noted here too. *)
let decode_last number v s =
  let step (last, more) ~number:n ~wire ~first:from ~last:stop ~pos:_ ~stop:_ =
    if n <> number || wire <> v.wire then (last, more)
    else
      match (v.merge, last) with
      | Some _, Some _ -> (last, Decode.again more s from stop Codec.max_depth)
      | _ -> ( match v.read s from stop with Some _ as x -> (x, more) | None -> (last, more))
  in
  let last, more = each step (None, Decode.nothing) s in
  match v.merge with
  | Some merge -> Decode.merged_option merge last s more (Codec.max_depth + 1)
  | None -> last

let optional (descriptor : Descriptor.extension) ~unknown ~with_unknown v =
  let number = descriptor.field.number in
  let encode = function None -> "" | Some x -> encode_one number v x in
  let decode = decode_last number v in
  { descriptor; unknown; with_unknown; decode; encode; got = found decode }

(* What was decoded holds whole fields. Only who writes other bytes there himself is not told. *)
let plain descriptor ~default ~unknown ~with_unknown v =
  let x = optional descriptor ~unknown ~with_unknown v in
  let got s = match x.got s with Ok (Some v) -> v | Ok None | Error _ -> default in
  { x with got }

let repeated (descriptor : Descriptor.extension) ~unknown ~with_unknown v =
  let number = descriptor.field.number in
  let encode l = String.concat "" (List.map (encode_one number v) l) in
  let decode = decode_list number v in
  { descriptor; unknown; with_unknown; decode; encode; got = found decode }

let packed (descriptor : Descriptor.extension) ~unknown ~with_unknown v =
  let number = descriptor.field.number in
  let tag = (number lsl 3) lor 2 in
  let encode l =
    if l = [] then ""
    else
      let n = Encode.sum v.size l in
      Encode.to_string
        (Encode.size_varint tag + Encode.size_block n)
        (fun b stop -> Encode.varint b (Encode.varint b (Encode.all v.write b stop l) n) tag)
  in
  let decode = decode_list number v in
  { descriptor; unknown; with_unknown; decode; encode; got = found decode }

(* A set's items as plain fields of their numbers; the rest as it is. *)
let of_items s =
  let b = Buffer.create (String.length s) in
  each
    (fun () ~number ~wire ~first ~last ~pos ~stop ->
      let part k w =
        each
          (fun acc ~number ~wire ~first ~last ~pos:_ ~stop:_ ->
            if number = k && wire = w then Some (first, last) else acc)
          None
          (String.sub s first (last - first))
      in
      match if number = 1 && wire = 3 then (part 2 0, part 3 2) else (None, None) with
      | Some (id, id_stop), Some (from, until) ->
          let id = Decode.int32 (Decode.varint s (first + id) (first + id_stop)) in
          Wire_buffer.tag b id 2;
          Wire_buffer.block b (String.sub s (first + from) (until - from))
      | _ -> Buffer.add_substring b s pos (stop - pos))
    () s;
  Buffer.contents b

let to_items s =
  let b = Buffer.create (2 * String.length s) in
  each
    (fun () ~number ~wire ~first ~last ~pos ~stop ->
      if wire = 2 then Wire_buffer.set_item b number (String.sub s first (last - first))
      else Buffer.add_substring b s pos (stop - pos))
    () s;
  Buffer.contents b

let in_set descriptor ~unknown ~with_unknown v =
  optional descriptor
    ~unknown:(fun m -> of_items (unknown m))
    ~with_unknown:(fun m s -> with_unknown m (to_items s))
    v

let varint of_read size write =
  {
    wire = 0;
    read = (fun s pos limit -> Some (of_read (Decode.varint s pos limit)));
    merge = None;
    size;
    write;
  }

let wide of_bytes size write =
  {
    wire = 0;
    read = (fun s pos limit -> Some (of_bytes s pos (Decode.varint_width s pos limit)));
    merge = None;
    size;
    write;
  }

let fixed wire of_bytes write =
  {
    wire;
    read = (fun s pos _ -> Some (of_bytes s pos));
    merge = None;
    size = (fun _ -> if wire = 1 then 8 else 4);
    write;
  }

let block of_bytes write =
  {
    wire = 2;
    read = (fun s pos limit -> Some (of_bytes s pos (limit - pos)));
    merge = None;
    size = String.length;
    write;
  }

let int32 = varint (fun r -> Decode.int32 r) Encode.size_int32 Encode.int32
let uint32 = varint (fun r -> Decode.uint32 r) Encode.size_uint32 Encode.varint
let sint32 = varint (fun r -> Decode.sint32 r) Encode.size_sint32 Encode.sint32
let bool = varint (fun r -> Decode.bool r) (fun _ -> 1) Encode.bool
let int64 = wide Decode.int64 Encode.size_int64 Encode.int64
let uint64 = int64
let sint64 = wide Decode.sint64 Encode.size_sint64 Encode.sint64
let fixed32 = fixed 5 (fun s p -> Decode.fixed32 s p) Encode.fixed32
let sfixed32 = fixed 5 (fun s p -> Decode.sfixed32 s p) Encode.sfixed32
let float = fixed 5 (fun s p -> Decode.float s p) Encode.float
let fixed64 = fixed 1 (fun s p -> Decode.fixed64 s p) Encode.fixed64
let sfixed64 = fixed64
let double = fixed 1 (fun s p -> Decode.double s p) Encode.double
let string = block Decode.text Encode.checked
let bytes = block Decode.bytes Encode.raw
let raw_string = bytes

let closed_enum of_int_opt to_int =
  {
    wire = 0;
    read = (fun s pos limit -> of_int_opt (Decode.int32 (Decode.varint s pos limit)));
    merge = None;
    size = (fun x -> Encode.size_int32 (to_int x));
    write = (fun b stop x -> Encode.int32 b stop (to_int x));
  }

let enum of_int to_int = closed_enum (fun n -> Some (of_int n)) to_int

let nested wire (c : 'a Codec.t) =
  let c = Codec.Unsafe.parts c in
  let read s pos limit = Some (c.read c.default s pos limit Codec.max_depth) in
  { wire; read; merge = Some c.read; size = c.size; write = c.write }

let message c = nested 2 c
let delimited c = nested 3 c
