module P = Weir_protobuf_types.Plugin_pb
module Request = P.Code_generator_request
module Response = P.Code_generator_response

let well_known = "google/protobuf/"

(* --weir_opt=Mpath/file.proto=Some.Module,local: where other files' modules
   are; [local] says that Google's files too are beside the generated ones. *)
let module_of parameter =
  let options = String.split_on_char ',' (Option.value parameter ~default:"") in
  let mapped =
    List.filter_map
      (fun o ->
        match String.index_opt o '=' with
        | Some i when String.length o > 1 && o.[0] = 'M' ->
            Some (String.sub o 1 (i - 1), String.sub o (i + 1) (String.length o - i - 1))
        | _ -> None)
      options
  in
  List.iter
    (fun o ->
      if o <> "" && o <> "local" && not (String.contains o '=' && o.[0] = 'M') then
        failwith (o ^ ": unknown option (Mfile.proto=Module and local are known)"))
    options;
  let local = List.mem "local" options in
  let shipped =
    [
      "any"; "api"; "descriptor"; "duration"; "empty"; "field_mask"; "source_context"; "struct";
      "timestamp"; "type"; "wrappers"; "compiler/plugin";
    ] [@ocamlformat "disable"]
  in
  fun path ->
    match List.assoc_opt path mapped with
    | Some m -> m
    | None ->
        let is_shipped =
          List.exists (fun n -> String.equal path (well_known ^ n ^ ".proto")) shipped
        in
        let m = Names.file_module path in
        if is_shipped && not local then "Weir_protobuf_types." ^ m else m

let generate (request : Request.t) =
  let schema = Schema.load request.proto_file in
  let module_of = module_of request.parameter in
  let one path =
    let place = { Ocaml.schema; here = path; module_of; others = Hashtbl.create 4; wide = false } in
    let file = Schema.file schema path in
    let name = String.uncapitalize_ascii (Names.file_module path) in
    let output ext content = Response.File.make ~name:(name ^ ext) ~content () in
    [ output ".ml" (Implementation.file place file); output ".mli" (Interface.file place file) ]
  in
  let names = List.map Names.file_module request.file_to_generate in
  List.iter
    (fun n ->
      if List.length (List.filter (String.equal n) names) > 1 then
        failwith (n ^ ": two files would make this module; run protoc once for each"))
    names;
  List.concat_map one request.file_to_generate

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
