module Suite = Weir_test.Suite

let schemas () = Filename.concat (Suite.project_root ()) "test/codec/capnp/schemas"

(* [run args input] is what `capnp` prints, given [input]. *)
let run ?(dir = schemas ()) args input =
  Suite.needs_program "capnp";
  let stdin = Filename.temp_file "weir" ".in" and stdout = Filename.temp_file "weir" ".out" in
  let stderr = Filename.temp_file "weir" ".err" in
  let read f = In_channel.with_open_bin f In_channel.input_all in
  Out_channel.with_open_bin stdin (fun oc -> output_string oc input);
  let command = Filename.quote_command "capnp" ~stdin ~stdout ~stderr args in
  let status = Sys.command (Printf.sprintf "cd %s && %s" (Filename.quote dir) command) in
  let out = read stdout and err = read stderr in
  List.iter Sys.remove [ stdin; stdout; stderr ];
  if status <> 0 then Alcotest.failf "capnp %s: %s" (String.concat " " args) err;
  out

let import = "--no-standard-import"
let decode ?(flags = []) file ty s = run ([ "decode"; import ] @ flags @ [ file ^ ".capnp"; ty ]) s
let encode ?(flags = []) file ty s = run ([ "encode"; import ] @ flags @ [ file ^ ".capnp"; ty ]) s
let convert kinds file ty s = run [ "convert"; import; kinds; file ^ ".capnp"; ty ] s

let request ~dir files =
  run ~dir ([ "compile"; import; "-o-" ] @ List.map (fun f -> f ^ ".capnp") files) ""
