open Weir_test

let run what program arguments =
  let out = Filename.temp_file "weir" "said" in
  let command = Filename.quote_command program ~stdout:out ~stderr:out arguments in
  let status = Sys.command command in
  let said = In_channel.with_open_bin out In_channel.input_all in
  Sys.remove out;
  if status <> 0 then
    Alcotest.failf "%s fails: %s" what (String.sub said 0 (Int.min 4000 (String.length said)))

let generate ?(options = []) ?(include_ = []) ~dir ~out protos =
  Suite.needs_program "protoc";
  Unix.putenv "WEIR_PROTOBUF_ROLE" "plugin";
  Fun.protect ~finally:(fun () -> Unix.putenv "WEIR_PROTOBUF_ROLE" "") @@ fun () ->
  run "protoc" "protoc"
    ([ "-I" ^ dir ]
    @ List.map (( ^ ) "-I") include_
    @ [
        "-I/usr/include";
        "--plugin=protoc-gen-weir=" ^ Sys.executable_name;
        "--weir_out=" ^ out;
        "--weir_opt=" ^ String.concat "," options;
      ]
    @ protos)

let objects room =
  [ "-I"; Filename.concat (Suite.project_root ()) ("_build/default/src/codec/protobuf/" ^ room) ]

let check ~dir modules =
  Suite.needs_program "ocamlfind";
  let compile what options ext =
    run what "ocamlfind"
      ([ "ocamlc"; "-c"; "-w"; "-a"; "-color"; "never"; "-I"; dir ]
      @ options
      @ objects ".weir_protobuf.objs/byte"
      @ objects "types/.weir_protobuf_types.objs/byte"
      @ List.map (fun m -> Filename.concat dir (m ^ ext)) modules)
  in
  compile "an interface" [] ".mli";
  compile "an implementation" [ "-stop-after"; "typing" ] ".ml"
