open Cmdliner

(* Standard input carries the request of `capnp compile`, the current directory takes the files. *)

let rec make_folder d =
  if d <> "." && d <> "/" && not (Sys.file_exists d) then (
    make_folder (Filename.dirname d);
    Sys.mkdir d 0o777)

let fail why =
  Printf.eprintf "capnpc-weir: %s\n" why;
  1

let write (name, text) =
  make_folder (Filename.dirname name);
  Out_channel.with_open_bin name (fun oc -> output_string oc text)

let run () =
  set_binary_mode_in stdin true;
  match
    let m = Weir_capnp.Message.of_string (In_channel.input_all stdin) in
    Weir_capnp.Message.set_traversal m max_int;
    List.iter write (Capnpc_weir.Plugin.generate (Capnpc_weir.Load.request m))
  with
  | () -> 0
  | exception Weir_capnp.Message.Error e ->
      fail (Format.asprintf "%a" Weir_capnp.Message.pp_error e)
  | exception (Failure why | Sys_error why) -> fail why

let cmd =
  let man =
    [
      `S Manpage.s_description;
      `P
        "capnp runs this plugin and tells it on standard input what to generate. The files go into \
         the current folder. The modules call the library weir-capnp.";
      `S Manpage.s_examples;
      `Pre "capnp compile -oweir phones.capnp";
    ]
  in
  Cmd.v
    (Cmd.info "capnpc-weir" ~exits:Weir_arguments.exits ~version:Weir_arguments.version ~man
       ~doc:"generates OCaml from .capnp files, as a plugin of capnp")
    Term.(const run $ const ())

let () = exit (Weir_arguments.evaluate cmd)
