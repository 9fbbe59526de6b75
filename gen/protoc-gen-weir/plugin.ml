module P = Weir_protobuf_types.Plugin_pb
module Request = P.Code_generator_request
module Response = P.Code_generator_response

let generate (request : Request.t) =
  let paths = Paths.of_parameter request.parameter in
  let schema = Schema.load (Paths.forms paths) request.proto_file in
  let files = request.file_to_generate in
  let one path =
    let module_of = Paths.module_of paths schema ~here:path in
    let place =
      {
        Ocaml.schema;
        here = path;
        module_of;
        others = Hashtbl.create 4;
        fast_json = Paths.fast_json paths;
        unknown = Paths.unknown paths;
        keeps = true;
        wide = false;
        cycle = (fun _ -> false);
      }
    in
    let file = Schema.file schema path in
    let name = Paths.output paths schema path in
    let output ext content = Response.File.make ~name:(name ^ ext) ~content () in
    [ output ".ml" (Implementation.file place file); output ".mli" (Interface.file place file) ]
  in
  Paths.check paths schema files;
  match Paths.dune paths with
  | Some folder ->
      let content = Paths.rule paths schema ~folder files in
      [ Response.File.make ~name:"protos.inc" ~content () ]
  | None -> List.concat_map one files

let answer bytes =
  let response =
    match Request.decode bytes with
    | Error e -> Response.make ~error:("request: " ^ Weir_protobuf.Error.to_string e) ()
    | Ok request -> (
        (* Bits 1 and 2: optional fields of proto3, editions. *)
        let answer = Response.make ~supported_features:3L ~minimum_edition:998 in
        let answer = answer ~maximum_edition:1001 in
        match generate request with
        | file -> answer ~file ()
        | exception Failure error -> answer ~error ())
  in
  Response.encode response

let main () =
  set_binary_mode_in stdin true;
  set_binary_mode_out stdout true;
  print_string (answer (In_channel.input_all stdin))
