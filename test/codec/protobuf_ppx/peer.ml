open Weir_test
module C = Weir_protobuf.Codec
module P = Weir_protobuf.Proto_file

let write path s = Out_channel.with_open_bin path (fun c -> output_string c s)
let read path = In_channel.with_open_bin path In_channel.input_all

let in_folder f =
  let folder = Filename.temp_dir "weir-ppx" "" in
  Fun.protect
    ~finally:(fun () ->
      Array.iter (fun n -> Sys.remove (Filename.concat folder n)) (Sys.readdir folder);
      Sys.rmdir folder)
    (fun () -> f folder)

let protoc folder arguments ~input ~output =
  let at name = Filename.quote (Filename.concat folder name) in
  let command =
    Printf.sprintf "protoc --proto_path=%s %s %s < %s > %s 2> %s" (Filename.quote folder) arguments
      (at "t.proto") (at input) (at output) (at "errors")
  in
  if Sys.command command <> 0 then
    Alcotest.failf "%s\n%s\n%s" command
      (read (Filename.concat folder "errors"))
      (read (Filename.concat folder "t.proto"))

(* Bytes to text and back. protoc writes a uint32 of 32 bits shorter than the
   old library did, so that values are compared where bytes are not [exact]. *)
let there_and_back ~exact codec value =
  in_folder (fun folder ->
      let at = Filename.concat folder in
      let name = P.message_name codec in
      let bytes = C.encode codec value in
      write (at "t.proto") (P.print codec);
      write (at "bytes") bytes;
      protoc folder ("--decode=" ^ name) ~input:"bytes" ~output:"text";
      let text = read (at "text") in
      (* What protoc has no name for, it prints by number. *)
      String.split_on_char '\n' text
      |> List.iter (fun line ->
          match String.trim line with
          | "" -> ()
          | line when line.[0] >= '0' && line.[0] <= '9' ->
              Alcotest.failf "unknown to protoc: %s\n%s" line text
          | _ -> ());
      protoc folder ("--encode=" ^ name) ~input:"text" ~output:"again";
      let again = read (at "again") in
      if exact then Alcotest.(check string) "bytes" (Tables.hex bytes) (Tables.hex again);
      match C.decode codec again with
      | Ok w -> Alcotest.(check bool) "value" true (compare value w = 0)
      | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e))

let without_end =
  Suite.case "a description without end" (fun () ->
      match P.print More.user_protobuf with
      | _ -> Alcotest.fail "was printed"
      | exception Invalid_argument _ -> ())

let case (Subjects.Subject { name; codec; gen }) =
  Suite.case name (fun () ->
      Suite.needs_program "protoc";
      let state = Random.State.make [| Suite.seed () |] in
      for _ = 1 to 3 do
        let value = QCheck2.Gen.generate1 ~rand:state gen in
        there_and_back ~exact:(name <> "unsigned") codec value
      done)

let files () =
  [
    P.print More.settings_protobuf;
    P.print More.forest_protobuf;
    P.print More.expression_protobuf;
    P.print More.numbers_protobuf;
    P.print Shapes.v5_protobuf;
    P.print (Shapes.mylist_protobuf Shapes.i1_protobuf);
  ]
  |> String.concat "\n"

let text =
  Suite.case "derived .proto files" (fun () ->
      Alcotest.(check string) "by option" More.settings_proto (P.print More.settings_protobuf);
      Suite.expected ~file:"test/codec/protobuf_ppx/proto.expected" (files ()))

let groups =
  [
    ( "protoc",
      List.map case
        (List.filter
           (fun (Subjects.Subject s) -> not (List.mem s.name [ "user"; "a5" ]))
           Subjects.all) );
    ("proto", [ text; without_end ]);
  ]
