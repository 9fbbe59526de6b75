module P = Weir_protobuf
module D = P.Descriptor

type ('m, 'a) t = {
  field : D.field;
  decode : string -> int -> int -> 'a;
  encode : Output.t -> 'a -> unit;  (** without tag *)
}

let descriptor f = f.field

let decode f s from until =
  if from < 0 || until < from || until > String.length s then invalid_arg "Field.decode";
  f.decode s from until

let find c name fits =
  let d = P.Codec.descriptor c in
  match D.by_name d name with
  | Some f when D.is_repeated f && (not (D.is_map f)) && fits f.kind -> f
  | _ ->
      invalid_arg
        (Printf.sprintf "Field: %s has no repeated field %s of this type" d.full_name name)

let put_message c ~delimited out v =
  let c = P.Codec.Unsafe.parts c in
  let len = c.size v in
  if len > P.Unsafe.Encode.largest then P.Unsafe.Encode.too_large ();
  if not delimited then Output.add_varint out len;
  let at = Output.reserve out len in
  if c.write (Output.bytes out) (at + len) v <> at then P.Unsafe.Encode.changed ()

let message c name element =
  let of_element = P.Codec.descriptor element in
  let fits = function
    | D.Message m | Delimited m -> m.full_name = of_element.full_name
    | _ -> false
  in
  let field = find c name fits in
  let max_depth = P.Codec.max_depth - 1 in
  (* Decodes a copy: a reader reuses [s], and decoded strings may be slices of it. *)
  let decode s from until =
    let shifted (e : P.Error.t) = P.Error.Error { e with position = e.position + from } in
    let len = until - from in
    try
      if of_element.sliced then P.Codec.decode_exn ~max_depth element (String.sub s from len)
      else P.Codec.decode_exn ~max_depth ~pos:from ~len element s
    with P.Error.Error e -> raise (shifted e)
  in
  let delimited = match field.kind with Delimited _ -> true | _ -> false in
  { field; decode; encode = put_message element ~delimited }

let text c name =
  let field = find c name (function D.String | Bytes | Raw_string -> true | _ -> false) in
  let checked = field.kind = String in
  let decode s from until =
    if checked then P.Unsafe.Decode.text s from (until - from)
    else P.Unsafe.Decode.bytes s from (until - from)
  in
  let encode out s =
    if checked && not (P.Unsafe.Utf8.valid s 0 (String.length s)) then
      invalid_arg "Field: a string is not UTF-8";
    Output.add_varint out (String.length s);
    Output.add_string out s
  in
  { field; decode; encode }

(* {1 Numbers} *)

let put write out v =
  let b = Buffer.create 10 in
  write b v;
  Output.add_string out (Buffer.contents b)

let put_integer (kind : D.kind) out v =
  if not (P.Unsafe.Wire_buffer.in_range kind v) then invalid_arg "Field: a number does not fit";
  put (fun b -> P.Unsafe.Wire_buffer.integer b kind) out v

let slice read s first last = read { P.Unsafe.Walk.source = s; first; last }

let number read encode (field : D.field) =
  { field; decode = slice read; encode = encode field.kind }

let bool c name =
  find c name (fun k -> k = Bool)
  |> number P.Unsafe.Walk.bool (fun k out v -> put_integer k out (if v then 1L else 0L))

let int c name =
  let reader : D.kind -> _ = function
    | Int32 | Enum _ -> Some P.Unsafe.Walk.int32
    | Uint32 -> Some P.Unsafe.Walk.uint32
    | Sint32 -> Some P.Unsafe.Walk.sint32
    | Fixed32 -> Some P.Unsafe.Walk.fixed32
    | Sfixed32 -> Some P.Unsafe.Walk.sfixed32
    | _ -> None
  in
  let field = find c name (fun k -> Option.is_some (reader k)) in
  number (Option.get (reader field.kind)) (fun k out v -> put_integer k out (Int64.of_int v)) field

let int64 c name =
  let reader : D.kind -> _ = function
    | Int64 | Uint64 -> Some P.Unsafe.Walk.int64
    | Sint64 -> Some P.Unsafe.Walk.sint64
    | Fixed64 | Sfixed64 -> Some P.Unsafe.Walk.fixed64
    | _ -> None
  in
  let field = find c name (fun k -> Option.is_some (reader k)) in
  number (Option.get (reader field.kind)) put_integer field

let float c name =
  let field = find c name (function D.Float | Double -> true | _ -> false) in
  if field.kind = Float then
    let write b v = P.Unsafe.Wire_buffer.fixed32 b (Int32.bits_of_float v) in
    number P.Unsafe.Walk.float (fun _ -> put write) field
  else
    let write b v = P.Unsafe.Wire_buffer.fixed64 b (Int64.bits_of_float v) in
    number P.Unsafe.Walk.double (fun _ -> put write) field

let encode { field; encode; _ } out v =
  let tag wire = (field.number lsl 3) lor wire in
  let wire = D.wire_type field.kind in
  Output.add_varint out (tag wire);
  encode out v;
  if wire = 3 then Output.add_varint out (tag 4)
