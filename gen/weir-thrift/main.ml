let usage =
  "weir-thrift [-o FOLDER] [-I FOLDER]... [-r] FILE.thrift...\n\
   Makes FILE_thrift.ml and .mli for each file, and with -r for those that it includes.\n\
   Example: weir-thrift -o src shared/tutorial.thrift"

let () =
  let out = ref "." and folders = ref [] and recursive = ref false and files = ref [] in
  let options =
    [
      ("-o", Arg.Set_string out, "FOLDER  where the files go (the current folder)");
      ( "-I",
        Arg.String (fun d -> folders := !folders @ [ d ]),
        "FOLDER  where included files are looked for, after the file's own" );
      ("-r", Arg.Set recursive, "  the included files too");
    ]
  in
  Arg.parse options (fun f -> files := f :: !files) usage;
  if !files = [] then (
    prerr_endline "weir-thrift: no file given; --help shows how";
    exit 2);
  try
    List.iter
      (fun path ->
        List.iter
          (fun (name, text) ->
            Out_channel.with_open_bin (Filename.concat !out name) (fun oc -> output_string oc text))
          (Weir_thrift_gen.Compiler.run ~folders:!folders ~recursive:!recursive path))
      (List.rev !files)
  with Weir_thrift_gen.Program.Failed why | Sys_error why ->
    prerr_endline ("weir-thrift: " ^ why);
    exit 1
