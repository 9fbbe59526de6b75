module P = Weir_protobuf_types.Plugin_pb
module File = Weir_protobuf_types.Descriptor_pb.File_descriptor_proto
module Request = P.Code_generator_request
module Response = P.Code_generator_response

let ok why = function
  | Ok v -> v
  | Error e -> failwith (why ^ ": " ^ Weir_protobuf.Error.to_string e)

let read paths =
  let one path = ok path (Request.decode (In_channel.with_open_bin path In_channel.input_all)) in
  let requests = List.map one paths in
  let once seen (f : File.t) =
    if List.exists (fun (g : File.t) -> g.name = f.name) seen then seen else f :: seen
  in
  let files = List.concat_map (fun (r : Request.t) -> r.proto_file) requests in
  Request.make ~proto_file:(List.rev (List.fold_left once [] files)) ()

let generate ?parameter (request : Request.t) names =
  let schema name =
    let gives (f : File.t) =
      match f.name with
      | Some path when Filename.(remove_extension (basename path)) ^ "_pb" = name -> f.name
      | _ -> None
    in
    match List.find_map gives request.proto_file with
    | Some path -> path
    | None -> failwith ("no schema gives " ^ name)
  in
  let request = { request with parameter; file_to_generate = List.map schema names } in
  let response =
    ok "response" (Response.decode (Weir_protoc.Plugin.answer (Request.encode request)))
  in
  Option.iter failwith response.error;
  List.map (fun (f : Response.File.t) -> (Option.get f.name, Option.get f.content)) response.file
