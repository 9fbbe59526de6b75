module Suite = Weir_test.Suite

let folder () = Filename.concat (Suite.project_root ()) "test/codec/thrift"

let run command args input =
  let stdin = Filename.temp_file "weir" ".in" and stdout = Filename.temp_file "weir" ".out" in
  let stderr = Filename.temp_file "weir" ".err" in
  let read f = In_channel.with_open_bin f In_channel.input_all in
  Out_channel.with_open_bin stdin (fun oc -> output_string oc input);
  let status = Sys.command (Filename.quote_command command ~stdin ~stdout ~stderr args) in
  let out = read stdout and err = read stderr in
  List.iter Sys.remove [ stdin; stdout; stderr ];
  if status <> 0 then Alcotest.failf "%s %s: %s" command (String.concat " " args) err;
  out

(* The reference compiler's Python, made once. *)
let generated =
  lazy
    (let d = Filename.temp_file "weir" ".py" in
     Sys.remove d;
     Sys.mkdir d 0o700;
     at_exit (fun () -> ignore (Sys.command (Filename.quote_command "rm" [ "-r"; d ])));
     List.iter
       (fun f ->
         let file = Filename.concat (folder ()) ("idl/" ^ f ^ ".thrift") in
         ignore (run "thrift" [ "-r"; "--gen"; "py"; "-out"; d; file ] ""))
       [ "kinds"; "odd"; "payload"; "accepted" ];
     d)

let python protocol args input =
  List.iter Suite.needs_program [ "thrift"; "python3" ];
  if Sys.command "python3 -c 'import thrift' 2>/dev/null" <> 0 then
    Suite.skip "Apache Thrift's Python library is not installed";
  let protocol = match protocol with Weir_thrift.Kind.Binary -> "binary" | Compact -> "compact" in
  run "python3"
    (Filename.concat (folder ()) "peer.py" :: Lazy.force generated :: protocol :: args)
    input
