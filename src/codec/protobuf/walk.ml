type slice = { source : string; first : int; last : int }
type found = { field : Descriptor.field; extension : string; values : slice list }
type unknown = { number : int; wire : int; value : slice }

let whole s = { source = s; first = 0; last = String.length s }
let contents v = String.sub v.source v.first (v.last - v.first)
let varint v = Decode.varint v.source v.first v.last
let int32 v = Decode.int32 (varint v)
let uint32 v = Decode.uint32 (varint v)
let sint32 v = Decode.sint32 (varint v)
let bool v = Decode.bool (varint v)
let int64 v = Decode.int64 v.source v.first (Decode.varint_width v.source v.first v.last)
let sint64 v = Decode.sint64 v.source v.first (Decode.varint_width v.source v.first v.last)
let fixed32 v = Decode.fixed32 v.source v.first
let sfixed32 v = Decode.sfixed32 v.source v.first
let fixed64 v = Decode.fixed64 v.source v.first
let float v = Decode.float v.source v.first
let double v = Decode.double v.source v.first

(* All fields of a slice, newest first, as unknowns. *)
let fields v ~depth =
  let s = v.source and limit = v.last in
  let rec go acc pos =
    if pos >= limit then acc
    else
      let tag = Decode.varint s pos limit in
      let from = pos + Decode.width tag and tag = Decode.value tag in
      let number = tag lsr 3 and wire = tag land 7 in
      let stop = Decode.skip s tag from limit depth in
      let first, last =
        match wire with
        | 2 -> (from + Decode.width (Decode.varint s from limit), stop)
        | 3 -> (from, Decode.group_end s number from limit depth)
        | _ -> (from, stop)
      in
      go ({ number; wire; value = { source = s; first; last } } :: acc) stop
  in
  go [] v.first

let unknown_fields v = List.rev (fields v ~depth:Decode.max_depth)

(* A block of packed numbers, cut up; newest first, onto [acc]. *)
let rec cut kind v acc =
  if v.first >= v.last then acc
  else
    let next =
      match Descriptor.wire_type kind with
      | 0 -> v.first + Decode.varint_width v.source v.first v.last
      | 1 ->
          Decode.need 8 v.first v.last;
          v.first + 8
      | _ ->
          Decode.need 4 v.first v.last;
          v.first + 4
    in
    cut kind { v with first = next } ({ v with last = next } :: acc)

let in_enum (kind : Descriptor.kind) v =
  match kind with
  | Enum { closed = true; values; _ } ->
      let n = int32 v in
      List.exists (fun (_, m) -> m = n) values
  | _ -> true

(* A field's values from one occurrence, or [None] if it is not of its type. *)
let values_of (f : Descriptor.field) u acc =
  if u.wire = Descriptor.wire_type f.kind then
    if in_enum f.kind u.value then Some (u.value :: acc) else None
  else if u.wire = 2 && Descriptor.packable f.kind && Descriptor.is_repeated f then
    Some (List.filter (in_enum f.kind) (cut f.kind u.value []) @ acc)
  else None

(* An item of a message set is group 1 of type id and message; it stands for
   an extension of that number. *)
let of_set_item ~depth u =
  if u.number <> 1 || u.wire <> 3 then u
  else
    let parts = fields u.value ~depth in
    let part number wire = List.find_opt (fun p -> p.number = number && p.wire = wire) parts in
    match (part 2 0, part 3 2) with
    | Some id, Some m -> { number = int32 id.value; wire = 2; value = m.value }
    | _ -> u

let zero_bytes v =
  let rec go i = i >= v.last || (v.source.[i] = '\000' && go (i + 1)) in
  go v.first

let is_default (f : Descriptor.field) v =
  f.label = Implicit
  &&
  match Descriptor.wire_type f.kind with
  | 0 -> Int64.equal (int64 v) 0L
  | 1 | 5 -> zero_bytes v
  | _ -> v.first = v.last

(* What decoding makes of a field's occurrences, given newest first. Each piece
   of a message must be one by itself: the next may not complete it. *)
let settle (f : Descriptor.field) newest_first ~depth =
  if Descriptor.is_repeated f then List.rev newest_first
  else
    match (f.kind, newest_first) with
    | (Message _ | Delimited _), _ :: _ :: _ ->
        (* Joined again at each level below: see [Decode.joining]. *)
        let size = List.fold_left (fun n v -> n + v.last - v.first) 0 newest_first in
        if size > Decode.largest_free && depth < Decode.max_depth - Decode.joining then
          raise (Decode.too_deep 0);
        List.iter (fun v -> ignore (fields v ~depth)) (List.rev newest_first);
        [ whole (String.concat "" (List.rev_map contents newest_first)) ]
    | _, last :: _ -> if is_default f last then [] else [ last ]
    | _, [] -> []

type slot = { f : Descriptor.field; name : string; mutable newest : slice list; mutable at : int }

let message types (m : Descriptor.message) v ~depth =
  let slots : (int, slot) Hashtbl.t = Hashtbl.create 16 in
  let lookup number =
    match Descriptor.by_number m number with
    | Some f -> Some (f, "")
    | None -> (
        match Registry.extension types ~extendee:m.full_name number with
        | Some x -> Some (x.field, x.extension_name)
        | None -> None)
  in
  let place i unknown u =
    let u = if m.message_set then of_set_item ~depth u else u in
    match lookup u.number with
    | None -> u :: unknown
    | Some (f, name) -> (
        let slot =
          match Hashtbl.find_opt slots u.number with
          | Some s -> s
          | None -> { f; name; newest = []; at = 0 }
        in
        match values_of f u slot.newest with
        | None -> u :: unknown
        | Some newest ->
            slot.newest <- newest;
            slot.at <- i;
            Hashtbl.replace slots u.number slot;
            unknown)
  in
  let in_order = List.rev (fields v ~depth) in
  let _, unknown =
    List.fold_left (fun (i, unknown) u -> (i + 1, place i unknown u)) (0, []) in_order
  in
  let all = Hashtbl.fold (fun _ s acc -> s :: acc) slots [] in
  (* Of a oneof only the case that came last is set. *)
  let beaten s =
    s.f.oneof <> "" && s.name = ""
    && List.exists (fun o -> o.name = "" && o.f.oneof = s.f.oneof && o.at > s.at) all
  in
  let found =
    List.filter_map
      (fun s ->
        match if beaten s then [] else settle s.f s.newest ~depth with
        | [] -> None
        | values -> Some { field = s.f; extension = s.name; values })
      all
  in
  let order a b =
    match Bool.compare (a.extension <> "") (b.extension <> "") with
    | 0 -> Int.compare a.field.number b.field.number
    | c -> c
  in
  (List.sort order found, List.rev unknown)
