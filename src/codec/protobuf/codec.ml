module Unsafe = struct
  type 'a parts = {
    descriptor : Descriptor.message;
    types : Registry.t;
    default : 'a;
    size : 'a -> int;
    write : Bytes.t -> int -> 'a -> int;
    read : 'a -> string -> int -> int -> int -> 'a;
    to_json : Json_out.t -> 'a -> unit;
    of_json : Json_in.t -> 'a;
  }

  external parts : 'a parts -> 'a parts = "%identity"
  external make : 'a parts -> 'a parts = "%identity"
end

open Unsafe

type 'a t = 'a parts

let descriptor (c : _ t) = c.descriptor
let types (c : _ t) = c.types
let default (c : _ t) = c.default
let size (c : _ t) m = c.size m
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

(* What a derived type's defaults compute is its user's. *)
let[@inline never] read_long ?memory c s pos limit depth =
  let read () =
    Unfolding.read ?memory c.descriptor s pos limit depth (fun depth ->
        c.read c.default s pos limit depth)
  in
  if limit - pos < Building.large || Unfolding.is_derived c.descriptor then read ()
  else Building.run read

let[@inline] read max_depth ?memory c s pos limit =
  let depth = match max_depth with None -> Decode.max_depth | Some n -> Budget.depth n in
  if memory = None && Unfolding.harmless c.descriptor (limit - pos) then
    c.read c.default s pos limit depth
  else read_long ?memory c s pos limit depth

let[@inline never] decode_exn ?max_depth ?memory ?(pos = 0) ?len c s =
  let limit = limit_of s pos len in
  try read max_depth ?memory c s pos limit
  with Error.Error e -> raise (Error.Error (relocated c s pos limit e))

let[@inline never] decode_part max_depth memory pos len c s =
  let pos = Option.value pos ~default:0 in
  let limit = limit_of s pos len in
  match read max_depth ?memory c s pos limit with
  | m -> Ok m
  | exception Error.Error e -> Error (relocated c s pos limit e)

let[@inline never] decode_whole c s =
  let limit = String.length s in
  match
    if Unfolding.harmless c.descriptor limit then c.read c.default s 0 limit Decode.max_depth
    else read_long c s 0 limit Decode.max_depth
  with
  | m -> Ok m
  | exception Error.Error e -> Error (located c s e)

(* Without options, expanded where it is called: a call of [decode_whole]. *)
let[@inline] decode ?max_depth ?memory ?pos ?len c s =
  if max_depth == None && memory == None && pos == None && len == None then decode_whole c s
  else decode_part max_depth memory pos len c s

(* The bytes are the caller's to change. *)
let decode_bytes ?max_depth ?memory c b ~pos ~len =
  if c.descriptor.sliced then decode ?max_depth ?memory c (Bytes.sub_string b pos len)
  else decode ?max_depth ?memory ~pos ~len c (Bytes.unsafe_to_string b)

(* A message is written at once, from the end of bytes that the domain keeps, and then copied. Where
   they are not enough its writer tells by how much, and it is written again. A larger one is then
   written to bytes of the last one's size, as going through many small messages or strings twice
   takes longer than the copy; these bytes are kept until the collector comes. If most of it is in
   long blocks it is counted first: that is soon done. *)

type kept = {
  mutable bytes : Bytes.t;
  mutable taken : bool;  (** something is being written to them *)
  mutable start : int;  (** where that begins, once it is; below 0 where they are not enough *)
  mutable message : Descriptor.message;
  mutable scattered : bool;  (** that one may hold much in small parts *)
  mutable last : int;  (** the size of its last one *)
  mutable coarse : bool;  (** mostly of long blocks *)
  large : Bytes.t Weak.t;  (** for large messages: one or none *)
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

let fresh () =
  {
    bytes = Bytes.create 4096;
    taken = false;
    start = 0;
    message = none;
    scattered = false;
    last = 0;
    coarse = true;
    large = Weak.create 1;
  }

(* That of the first domain is at hand. *)
let kept_first = fresh ()
let kept_key = Domain.DLS.new_key fresh
let[@inline] kept () = if Domain.is_main_domain () then kept_first else Domain.DLS.get kept_key
let most_kept = 1 lsl 20
let most_flat = 2048

let is_scattered (f : Descriptor.field) =
  match f.kind with
  | Message _ | Delimited _ -> true
  | Double | Float | Fixed32 | Fixed64 | Sfixed32 | Sfixed64 | Bytes -> false
  | _ -> Descriptor.is_repeated f

let[@inline never] note_message kept (d : Descriptor.message) =
  kept.message <- d;
  kept.last <- 0;
  kept.scattered <- List.exists is_scattered d.fields;
  kept.coarse <- not kept.scattered

let sized c m n =
  let b = Bytes.create n in
  if c.write b n m <> 0 then Encode.changed ();
  Bytes.unsafe_to_string b

(* What was written before [room]; [bulk] was counted before. *)
let[@inline never] large kept c m b room start bulk =
  let n = room - start in
  if n > Encode.largest then Encode.too_large ();
  kept.last <- n;
  if start >= 0 then Decode.bytes (Bytes.unsafe_to_string b) start n
  else begin
    kept.coarse <- 2 * (!Encode.bulk - bulk) > n;
    let s = sized c m n in
    if (not kept.coarse) && n <= most_kept && n > Bytes.length kept.bytes then
      kept.bytes <- Bytes.create (n + (n / 4));
    s
  end

let[@inline never] written kept c m b room =
  let bulk = !Encode.bulk in
  large kept c m b room (c.write b room m) bulk

(* Who encodes meanwhile finds none. *)
let[@inline never] written_large kept c m =
  let least = kept.last + (kept.last / 16) in
  let b =
    match Weak.get kept.large 0 with
    | Some b when Bytes.length b >= least -> b
    | _ -> Bytes.create least
  in
  Weak.set kept.large 0 None;
  let s = written kept c m b (Bytes.length b) in
  Weak.set kept.large 0 (Some b);
  s

(* Who encodes meanwhile, a signal's handler or another thread, finds no bytes. *)
let[@inline never] encode c m =
  let kept = kept () in
  if kept.message != c.descriptor then note_message kept c.descriptor;
  let b = if kept.taken then Bytes.empty else kept.bytes in
  let room = if kept.scattered then Bytes.length b else Int.min most_flat (Bytes.length b) in
  if kept.last > room || kept.taken then
    if kept.coarse || kept.taken then written kept c m Bytes.empty 0 else written_large kept c m
  else begin
    (* Nothing between the look at [taken] and this lets another thread run. *)
    kept.taken <- true;
    let bulk = !Encode.bulk in
    match
      let start = c.write b room m in
      kept.start <- start;
      if start >= 0 then Decode.bytes (Bytes.unsafe_to_string b) start (room - start) else ""
    with
    | s ->
        kept.taken <- false;
        let start = kept.start in
        if start < 0 then large kept c m b room start bulk
        else begin
          kept.last <- room - start;
          s
        end
    | exception e ->
        kept.taken <- false;
        raise e
  end

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

let encode_before c m b ~stop =
  if stop < 0 || stop > Bytes.length b then invalid_arg "Weir_protobuf.encode_before: range";
  let start = c.write b stop m in
  if start < 0 then invalid_arg "Weir_protobuf.encode_before: too short";
  if stop - start > Encode.largest then Encode.too_large ();
  start

let merge c a b =
  let s = encode c b in
  c.read a s 0 (String.length s) max_int
