open Cmdliner

let write folder (name, text) =
  Out_channel.with_open_bin (Filename.concat folder name) (fun oc -> output_string oc text)

let run folder folders recursive files =
  try
    List.iter
      (fun file -> List.iter (write folder) (Weir_thrift_gen.Compiler.run ~folders ~recursive file))
      files;
    0
  with Weir_thrift_gen.Program.Failed why | Sys_error why ->
    prerr_endline ("weir-thrift: " ^ why);
    1

let folder =
  Arg.(
    value & opt string "."
    & info [ "o"; "output" ] ~docv:"FOLDER" ~doc:"The folder that the modules go into.")

let folders =
  Arg.(
    value & opt_all string []
    & info [ "I"; "include" ] ~docv:"FOLDER"
        ~doc:
          "Where included files are looked for, after the folder of the file that includes them. \
           May be given several times.")

let recursive =
  Arg.(value & flag & info [ "r"; "recursive" ] ~doc:"Make the modules of included files too.")

let files = Arg.(non_empty & pos_all string [] & info [] ~docv:"FILE.thrift")

let cmd =
  let man =
    [
      `S Manpage.s_description;
      `P
        "For each file it makes $(i,FILE)_thrift.ml and its interface. The modules call the \
         library weir-thrift.";
      `S Manpage.s_examples;
      `Pre "weir-thrift -o src shared/tutorial.thrift";
    ]
  in
  Cmd.v
    (Cmd.info "weir-thrift" ~exits:Weir_arguments.exits ~version:Weir_arguments.version ~man
       ~doc:"generates OCaml from Thrift IDL")
    Term.(const run $ folder $ folders $ recursive $ files)

let () = exit (Weir_arguments.evaluate cmd)
