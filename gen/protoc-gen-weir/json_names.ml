module P = Weir_protobuf_types.Descriptor_pb

let default = Weir_protobuf.Unsafe.Layout.json_name
let text o = Option.value o ~default:""

let of_field (f : P.Field_descriptor_proto.t) =
  match f.json_name with Some n -> n | None -> default (text f.name)

let check ~file ~legacy (m : P.Descriptor_proto.t) =
  let seen = Hashtbl.create 16 in
  let field (f : P.Field_descriptor_proto.t) =
    let name = text f.name and json = of_field f in
    let chosen = json <> default name in
    match Hashtbl.find_opt seen json with
    | Some (other, other_chosen) when chosen || other_chosen || not legacy ->
        failwith
          (Printf.sprintf
             "%s: message %s: fields %s and %s have the same JSON name %s; set another by json_name"
             file (text m.name) other name json)
    | Some _ -> ()
    | None -> Hashtbl.add seen json (name, chosen)
  in
  List.iter field m.field
