let () = print_endline (Shapes.b_to_protobuf true |> String.escaped)
