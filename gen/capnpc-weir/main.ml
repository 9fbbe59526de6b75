(* Standard input carries the request of `capnp compile`, the current directory takes the files. *)

let rec make_folder d =
  if d <> "." && d <> "/" && not (Sys.file_exists d) then (
    make_folder (Filename.dirname d);
    Sys.mkdir d 0o777)

let usage =
  "capnpc-weir is run by the compiler, which tells it on standard input what to generate:\n\
   capnp compile -oweir FILE.capnp"

let () =
  set_binary_mode_in stdin true;
  let fail ?(status = 1) why =
    Printf.eprintf "capnpc-weir: %s\n" why;
    exit status
  in
  (match Sys.argv with
  | [| _ |] -> ()
  | [| _; "--help" |] ->
      print_endline usage;
      exit 0
  | _ -> fail ~status:2 "takes no arguments; --help says how it is run");
  match
    let m = Weir_capnp.Message.of_string (In_channel.input_all stdin) in
    Weir_capnp.Message.set_traversal m max_int;
    Capnpc_weir.Plugin.generate (Capnpc_weir.Load.request m)
  with
  | files ->
      List.iter
        (fun (name, text) ->
          make_folder (Filename.dirname name);
          Out_channel.with_open_bin name (fun oc -> output_string oc text))
        files
  | exception Weir_capnp.Message.Error e ->
      fail (Format.asprintf "%a" Weir_capnp.Message.pp_error e)
  | exception (Failure why | Sys_error why) -> fail why
