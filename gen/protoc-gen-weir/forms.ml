module Desc = Weir_protobuf.Descriptor
open Model

type t = {
  all_arrays : bool;
  sliced_arrays : bool;
  arrays : string list;
  all_bytes : bool;
  all_strings : bool;
  slices : string list;
}

let none =
  {
    all_arrays = false;
    sliced_arrays = false;
    arrays = [];
    all_bytes = false;
    all_strings = false;
    slices = [];
  }

let known = "repeated=array, repeated=slice, array=NAME, bytes=slice, string=slice, slice=NAME"

let after prefix o =
  let n = String.length prefix in
  if String.starts_with ~prefix o && String.length o > n then
    Some (String.sub o n (String.length o - n))
  else None

let option t o =
  match (o, after "array=" o, after "slice=" o) with
  | "repeated=array", _, _ -> Some { t with all_arrays = true }
  | "repeated=slice", _, _ -> Some { t with all_arrays = true; sliced_arrays = true }
  | "bytes=slice", _, _ -> Some { t with all_bytes = true }
  | "string=slice", _, _ -> Some { t with all_strings = true }
  | _, Some name, _ -> Some { t with arrays = name :: t.arrays }
  | _, _, Some name -> Some { t with slices = name :: t.slices }
  | _ -> None

(* It, or what it is in. *)
let named names full =
  List.exists (fun n -> full = n || String.starts_with ~prefix:(n ^ ".") full) names

let is_slice t full (k : Desc.kind) =
  match k with
  | Bytes -> t.all_bytes || named t.slices full
  | String | Raw_string -> t.all_strings || named t.slices full
  | Double | Float | Fixed32 | Sfixed32 | Fixed64 | Sfixed64 ->
      t.sliced_arrays || named t.slices full
  | _ -> false

let is_array t full k = t.all_arrays || named t.arrays full || is_slice t full k

let field t full f =
  match (f.shape, f.kind) with
  | (Repeated | Packed), Scalar k when Desc.packable k && is_array t full k ->
      {
        f with
        shape = (if f.shape = Packed then Packed_array else Repeated_array);
        kind = (if is_slice t full k then Slice k else f.kind);
      }
  | Map _, _ -> f
  | _, Scalar k when (not (Desc.packable k)) && is_slice t full k -> { f with kind = Slice k }
  | _ -> f
