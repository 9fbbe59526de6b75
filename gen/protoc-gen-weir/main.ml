let usage =
  "protoc-gen-weir is run by protoc, which tells it on standard input what to generate:\n\
   protoc --plugin=protoc-gen-weir --weir_out=FOLDER FILE.proto\n\
   --weir_opt=repeated=array makes arrays of repeated numbers, bytes=slice slices of bytes;\n\
   paths=package puts the package before a module's name, paths=source_relative\n\
   the modules into the folders of the .proto files; Mother.proto=Some.Module says where\n\
   another file's module is."

let () =
  match Sys.argv with
  | [| _ |] -> Weir_protoc.Plugin.main ()
  | [| _; "--help" |] -> print_endline usage
  | _ ->
      prerr_endline "protoc-gen-weir: takes no arguments; --help says how it is run";
      exit 2
