open Cmdliner

let cmd =
  let man =
    [
      `S Manpage.s_description;
      `P
        "protoc runs this plugin and tells it on standard input what to generate. The modules call \
         the library weir-protobuf.";
      `S "PARAMETERS";
      `P "protoc passes on what its $(b,--weir_opt) is given:";
      `I ("$(b,paths=package)", "puts the package before the name of each module.");
      `I
        ( "$(b,paths=source_relative)",
          "puts the modules into the folders that the .proto files have." );
      `I ("$(i,OTHER.proto)=$(i,Some.Module)", "says in which module the code for a file is.");
      `S Manpage.s_examples;
      `Pre "protoc --plugin=protoc-gen-weir --weir_out=src phones.proto";
    ]
  in
  Cmd.v
    (Cmd.info "protoc-gen-weir" ~exits:Weir_arguments.exits ~version:Weir_arguments.version ~man
       ~doc:"generates OCaml from .proto files, as a plugin of protoc")
    Term.(
      const (fun () ->
          Weir_protoc.Plugin.main ();
          0)
      $ const ())

let () = exit (Weir_arguments.evaluate cmd)
