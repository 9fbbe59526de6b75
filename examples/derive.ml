(* Protocol buffers from OCaml types: bytes, JSON, errors that say where, and a
   .proto file for those who speak other languages. *)

type colour = Red [@key 1] | Green [@key 2]

and shape =
  | Circle of float [@key 1]
  | Polygon of (float * float) list [@key 2]
  | Text of { content : string; [@key 1] size : int [@key 2] [@default 12] } [@key 3]

and drawing = {
  name : string; [@key 1]
  fill : colour option; [@key 2] [@bare]
  shapes : shape list; [@key 3]
}
[@@deriving protobuf { proto = true }]

let sign =
  { name = "sign"; fill = Some Red; shapes = [ Circle 2.5; Text { content = "STOP"; size = 12 } ] }

let show = function
  | Ok drawing -> Printf.printf "%s, of %d shapes\n" drawing.name (List.length drawing.shapes)
  | Error e -> print_endline (Weir_protobuf.Error.to_string e)

let () =
  let bytes = drawing_to_protobuf sign in
  Printf.printf "%d bytes\n" (String.length bytes);
  show (drawing_from_protobuf bytes);
  show (drawing_from_protobuf (String.sub bytes 0 20));
  print_endline (Weir_protobuf.Json.encode drawing_protobuf sign);
  print_string drawing_proto
