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

(* The bytes are the caller's to change. *)
let decode_bytes ?max_depth ?memory c b ~pos ~len =
  if c.descriptor.sliced then decode ?max_depth ?memory c (Bytes.sub_string b pos len)
  else decode ?max_depth ?memory ~pos ~len c (Bytes.unsafe_to_string b)

(* Of messages within messages one of about the size of the last is written at once, from the end
   of bytes that the domain keeps, and then copied: sooner than it is gone through to learn its
   size. Of others the copy would cost more. *)

type kept = {
  mutable bytes : Bytes.t;
  mutable last : int;
  mutable message : Descriptor.message;
  mutable nests : bool;  (** that one *)
}

let none : Descriptor.message =
  {
    full_name = "";
    fields = [];
    map_entry = false;
    message_set = false;
    reserved = [];
    extensible = [];
    sliced = false;
    unfolding = Descriptor.Unmeasured;
  }

let kept_key =
  Domain.DLS.new_key (fun () ->
      { bytes = Bytes.create 4096; last = 0; message = none; nests = false })

let most_kept = 1 lsl 20

let is_nested (f : Descriptor.field) =
  match f.kind with Message _ | Delimited _ -> true | _ -> false

let[@inline never] note_message kept (d : Descriptor.message) =
  kept.message <- d;
  kept.nests <- List.exists is_nested d.fields

let[@inline] nests kept d =
  if kept.message != d then note_message kept d;
  kept.nests

let[@inline never] sized c m =
  let n = c.size m in
  if n = 0 then ""
  else if n > Encode.largest then Encode.too_large ()
  else
    let b = Bytes.create n in
    if c.write b n m <> 0 then Encode.changed ();
    Bytes.unsafe_to_string b

let noted kept s =
  let n = String.length s in
  kept.last <- n;
  if n <= most_kept && n > Bytes.length kept.bytes then kept.bytes <- Bytes.create (n + (n / 4));
  s

(* Who encodes meanwhile, a signal's handler or another thread, finds no bytes. *)
let[@inline never] encode c m =
  let kept = Domain.DLS.get kept_key in
  let b = kept.bytes in
  let n = Bytes.length b in
  if not (nests kept c.descriptor) then sized c m
  else if n = 0 || kept.last > n then noted kept (sized c m)
  else (
    kept.bytes <- Bytes.empty;
    match c.write b n m with
    | start ->
        kept.bytes <- b;
        if start = n then ""
        else (
          kept.last <- n - start;
          Bytes.sub_string b start (n - start))
    | exception e ->
        kept.bytes <- b;
        if e == Encode.changed_exn then noted kept (sized c m) else raise e)

let check_room b pos n =
  if pos < 0 || pos > Bytes.length b - n then invalid_arg "Weir_protobuf.encode_into: too short"

(* Writers go back to the first byte, and no further: what has one before it is written elsewhere. *)
let encode_into c m b ~pos =
  if pos = 0 then (
    let n = c.size m in
    if n > Encode.largest then Encode.too_large ();
    check_room b 0 n;
    if c.write b n m <> 0 then Encode.changed ();
    n)
  else
    let s = encode c m in
    let n = String.length s in
    check_room b pos n;
    Bytes.blit_string s 0 b pos n;
    pos + n

let merge c a b =
  let s = encode c b in
  c.read a s 0 (String.length s) max_int
