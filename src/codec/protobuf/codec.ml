type 'a t = {
  descriptor : Descriptor.message;
  types : Registry.t;
  default : 'a;
  size : 'a -> int;
  write : Bytes.t -> int -> 'a -> int;
  read : 'a -> string -> int -> int -> int -> 'a;
  to_json : Json_out.t -> 'a -> unit;
  of_json : Json_in.t -> 'a;
}

let max_depth = Decode.max_depth

let located c s (e : Error.t) =
  if e.path = [] then { e with path = Descriptor.path_to c.descriptor s e.position } else e

let relocated c s pos limit (e : Error.t) =
  let whole = if pos = 0 && limit = String.length s then s else String.sub s pos (limit - pos) in
  located c whole { e with position = e.position - pos }

let[@inline] limit_of s pos len =
  let limit = match len with Some n -> pos + n | None -> String.length s in
  if pos < 0 || limit < pos || limit > String.length s then invalid_arg "Weir_protobuf: range";
  limit

let[@inline] read ?memory c s pos limit depth =
  let depth = Budget.depth depth in
  if limit - pos <= Unfolding.short && memory = None then c.read c.default s pos limit depth
  else
    Unfolding.read ?memory c.descriptor s pos limit depth (fun depth ->
        c.read c.default s pos limit depth)

let[@inline never] decode_exn ?max_depth:(depth = max_depth) ?memory ?(pos = 0) ?len c s =
  let limit = limit_of s pos len in
  try read ?memory c s pos limit depth
  with Error.Error e -> raise (Error.Error (relocated c s pos limit e))

let[@inline never] decode ?max_depth:(depth = max_depth) ?memory ?(pos = 0) ?len c s =
  let limit = limit_of s pos len in
  match read ?memory c s pos limit depth with
  | m -> Ok m
  | exception Error.Error e -> Error (relocated c s pos limit e)

let decode_bytes ?max_depth ?memory c b ~pos ~len =
  decode ?max_depth ?memory ~pos ~len c (Bytes.unsafe_to_string b)

let[@inline never] encode c m =
  let n = c.size m in
  if n = 0 then ""
  else if n > Encode.largest then Encode.too_large ()
  else
    let b = Bytes.create n in
    let start = c.write b n m in
    assert (start = 0);
    Bytes.unsafe_to_string b

let encode_into c m b ~pos =
  let n = c.size m in
  if n > Encode.largest then Encode.too_large ();
  if pos < 0 || pos > Bytes.length b - n then invalid_arg "Weir_protobuf.encode_into: too short";
  let start = c.write b (pos + n) m in
  assert (start = pos);
  pos + n

let merge c a b =
  let s = encode c b in
  c.read a s 0 (String.length s) max_int
