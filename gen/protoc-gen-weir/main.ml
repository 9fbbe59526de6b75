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
      `I ("$(b,json=fast)", "makes JSON functions for each message, in place of tables.");
      `I
        ( "$(b,unknown=hidden), $(b,unknown=drop)",
          "puts fields that the schema does not have out of sight, or leaves them out." );
      `I
        ( "$(b,repeated=array), $(b,array=)$(i,NAME)",
          "makes arrays of repeated numbers: of all, or of a field's, a message's or a package's."
        );
      `I
        ( "$(b,bytes=slice), $(b,string=slice), $(b,slice=)$(i,NAME)",
          "makes bytes and strings slices of what was decoded." );
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
