(* generate REQUEST PARAMETER FILE...: writes FILEs as protoc-gen-weir makes them of a request that
   protoc made, and of a schema of small messages, with another parameter. *)

module P = Weir_protobuf_types.Plugin_pb
module D = Weir_protobuf_types.Descriptor_pb
module Response = P.Code_generator_response

(* Records of floats only, and of nothing, are not what others are. *)
let plain =
  let double name number =
    D.Field_descriptor_proto.make ~name ~number ~type_:Double ~label:Optional ()
  in
  let message name field = D.Descriptor_proto.make ~name ~field () in
  let point = message "Point" [ double "x" 1; double "y" 2 ] and empty = message "Empty" [] in
  D.File_descriptor_proto.make ~name:"plain.proto" ~package:"weir.plain" ~syntax:"proto3"
    ~message_type:[ point; empty ] ()

let () =
  let input = In_channel.with_open_bin Sys.argv.(1) In_channel.input_all in
  let request = Result.get_ok (P.Code_generator_request.decode input) in
  let request =
    {
      request with
      parameter = Some Sys.argv.(2);
      proto_file = request.proto_file @ [ plain ];
      file_to_generate = request.file_to_generate @ [ "plain.proto" ];
    }
  in
  let response =
    Result.get_ok
      (Response.decode (Weir_protoc.Plugin.answer (P.Code_generator_request.encode request)))
  in
  Option.iter failwith response.error;
  let content file =
    let is (f : Response.File.t) = f.name = Some (Filename.basename file) in
    Option.get (List.find is response.file).content
  in
  for i = 3 to Array.length Sys.argv - 1 do
    let file = Sys.argv.(i) in
    Out_channel.with_open_bin file (fun o -> output_string o (content file))
  done
