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

(* A message is written at once, from the end of bytes that the domain keeps, and then copied. Where
   they are not enough its writer tells by how much, and it is written again. Of messages without
   others within, only short ones: counting these is soon done, and the copy would cost more. *)

type kept = {
  mutable bytes : Bytes.t;
  mutable last : int;  (** the size of that message's last one *)
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
let most_flat = 2048

let is_nested (f : Descriptor.field) =
  match f.kind with Message _ | Delimited _ -> true | _ -> false

let[@inline never] note_message kept (d : Descriptor.message) =
  kept.message <- d;
  kept.last <- 0;
  kept.nests <- List.exists is_nested d.fields

let[@inline never] sized c m n =
  if n > Encode.largest then Encode.too_large ();
  let b = Bytes.create n in
  if c.write b n m <> 0 then Encode.changed ();
  Bytes.unsafe_to_string b

let[@inline never] larger kept c m n =
  let s = sized c m n in
  if kept.nests && n <= most_kept && n > Bytes.length kept.bytes then
    kept.bytes <- Bytes.create (n + (n / 4));
  s

(* Who encodes meanwhile, a signal's handler or another thread, finds no bytes. *)
let[@inline never] encode c m =
  let kept = Domain.DLS.get kept_key in
  if kept.message != c.descriptor then note_message kept c.descriptor;
  let b = kept.bytes in
  let n = if kept.nests then Bytes.length b else Int.min most_flat (Bytes.length b) in
  if kept.last > n then begin
    let n = Encode.size c.write m in
    kept.last <- n;
    larger kept c m n
  end
  else begin
    kept.bytes <- Bytes.empty;
    match c.write b n m with
    | start ->
        kept.bytes <- b;
        let size = n - start in
        kept.last <- size;
        if start >= 0 then Bytes.sub_string b start size else larger kept c m size
    | exception e ->
        kept.bytes <- b;
        raise e
  end

let encode_into c m b ~pos =
  let n = c.size m in
  if n > Encode.largest then Encode.too_large ();
  if pos < 0 || pos > Bytes.length b - n then invalid_arg "Weir_protobuf.encode_into: too short";
  if c.write b (pos + n) m <> pos then Encode.changed ();
  pos + n

let merge c a b =
  let s = encode c b in
  c.read a s 0 (String.length s) max_int
