type kind =
  | Double
  | Float
  | Int32
  | Int64
  | Uint32
  | Uint64
  | Sint32
  | Sint64
  | Fixed32
  | Fixed64
  | Sfixed32
  | Sfixed64
  | Bool
  | String
  | Bytes
  | Raw_string
  | Enum of enum
  | Message of message
  | Delimited of message

and label = Implicit | Explicit | Required | Repeated | Packed

and field = {
  number : int;
  name : string;
  json_name : string;
  kind : kind;
  label : label;
  oneof : string;
  form : form;
}

and form = Usual | Array | Slice | Boxed of int
and enum = { enum_name : string; values : (string * int) list; closed : bool }

and message = {
  full_name : string;
  mutable fields : field list;
  map_entry : bool;
  message_set : bool;
  reserved : string list;
  extensible : (int * int) list;
  mutable sliced : bool;
  mutable unfolding : unfolding;
}

and unfolding = ..

type unfolding += Unmeasured | Unbounded
type extension = { extendee : string; extension_name : string; field : field }

let endless = " endless"
let is_endless m = match m.reserved with [ name ] -> String.equal name endless | _ -> false
let rec find p = function [] -> None | f :: rest -> if p f then Some f else find p rest
let by_number m number = find (fun (f : field) -> f.number = number) m.fields
let by_name m name = find (fun (f : field) -> String.equal f.name name) m.fields

let is_repeated f =
  match f.label with Repeated | Packed -> true | Implicit | Explicit | Required -> false

let is_map f = is_repeated f && match f.kind with Message m -> m.map_entry | _ -> false

let scalar_name = function
  | Double -> "double"
  | Float -> "float"
  | Int32 -> "int32"
  | Int64 -> "int64"
  | Uint32 -> "uint32"
  | Uint64 -> "uint64"
  | Sint32 -> "sint32"
  | Sint64 -> "sint64"
  | Fixed32 -> "fixed32"
  | Fixed64 -> "fixed64"
  | Sfixed32 -> "sfixed32"
  | Sfixed64 -> "sfixed64"
  | Bool -> "bool"
  | String | Raw_string -> "string"
  | Bytes -> "bytes"
  | Enum _ | Message _ | Delimited _ -> invalid_arg "Descriptor.scalar_name"

let wire_type = function
  | Double | Fixed64 | Sfixed64 -> 1
  | Float | Fixed32 | Sfixed32 -> 5
  | Int32 | Int64 | Uint32 | Uint64 | Sint32 | Sint64 | Bool | Enum _ -> 0
  | String | Bytes | Raw_string | Message _ -> 2
  | Delimited _ -> 3

let packable k = match wire_type k with 0 | 1 | 5 -> true | _ -> false

let is_array f =
  match f.form with
  | Array -> true
  | Slice -> is_repeated f && packable f.kind
  | Usual | Boxed _ -> false

(* Allocates nothing, as paths are looked for in long messages too. *)
let rec numbered n = function
  | [] -> raise_notrace Not_found
  | (f : field) :: rest -> if f.number = n then f else numbered n rest

(* Replays the decoder's steps, to name the fields that it was in when it
   failed: so that the decoder itself need not keep track. *)
let path_to m s position =
  (* An error at the very end of a message has the position behind it: then
     whether its fields can be skipped tells which side is meant. *)
  let rec sound m pos limit depth =
    pos >= limit
    ||
    let tag = Decode.varint s pos limit in
    let after = pos + Decode.width tag and tag = Decode.value tag in
    let next = Decode.skip s tag after limit depth in
    contents_sound m tag after next depth && sound m next limit depth
  and contents_sound m tag after next depth =
    match numbered (tag lsr 3) m.fields with
    | { kind = Message sub; _ } when tag land 7 = 2 && depth > 0 ->
        sound sub (after + Decode.width (Decode.varint s after next)) next (depth - 1)
    | _ | (exception Not_found) -> true
  in
  let blames m tag after next depth =
    match contents_sound m tag after next depth with
    | sound -> not sound
    | exception Error.Error _ -> true
  in
  let rec within m pos limit depth acc =
    match Decode.varint s pos limit with
    | exception Error.Error _ -> acc
    | _ when pos >= limit -> acc
    | tag -> (
        let after = pos + Decode.width tag and tag = Decode.value tag in
        match numbered (tag lsr 3) m.fields with
        | exception Not_found -> onward m tag after limit depth acc
        | f -> into m f tag after limit depth acc)
  and onward m tag after limit depth acc =
    match Decode.skip s tag after limit depth with
    | exception Error.Error _ -> acc
    | next -> if position < next then acc else within m next limit depth acc
  and into m f tag after limit depth acc =
    match Decode.skip s tag after limit depth with
    | next when position > next -> within m next limit depth acc
    | next when position = next && not (blames m tag after next depth) ->
        within m next limit depth acc
    | next -> inside f tag after next depth acc
    | exception Error.Error _ -> inside f tag after limit depth acc
  and inside f tag after limit depth acc =
    let acc = f.name :: acc in
    match (f.kind, tag land 7) with
    | Message sub, 2 when depth > 0 -> (
        match Decode.varint s after limit with
        | exception Error.Error _ -> acc
        | r ->
            let from = after + Decode.width r in
            if position < from then acc
            else within sub from (min limit (from + Decode.value r)) (depth - 1) acc)
    | Delimited sub, 3 when depth > 0 -> within sub after limit (depth - 1) acc
    | _ -> acc
  in
  List.rev (within m 0 (String.length s) 100 [])
