(* ppx_weir_protobuf weir-protobuf *)
type point = { x : int; [@key 1] y : int [@key 2] } [@@deriving protobuf]

let () =
  let p = { x = 1; y = 2 } in
  assert (point_from_protobuf (point_to_protobuf p) = Ok p)
