(* generate REQUEST PARAMETER FILE...: writes FILEs as protoc-gen-weir makes them of a request that
   protoc made, with another parameter. *)

module P = Weir_protobuf_types.Plugin_pb
module Response = P.Code_generator_response

let () =
  let input = In_channel.with_open_bin Sys.argv.(1) In_channel.input_all in
  let request = Result.get_ok (P.Code_generator_request.decode input) in
  let request = { request with parameter = Some Sys.argv.(2) } in
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
