(* Standard input carries the request of `capnp compile`, the current directory takes the files. *)

let rec make_folder d =
  if d <> "." && d <> "/" && not (Sys.file_exists d) then (
    make_folder (Filename.dirname d);
    Sys.mkdir d 0o777)

let () =
  set_binary_mode_in stdin true;
  let fail why =
    Printf.eprintf "capnpc-weir: %s\n" why;
    exit 1
  in
  match
    if Array.length Sys.argv > 1 then
      fail "it is run by the compiler: capnp compile -oweir FILE.capnp";
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
