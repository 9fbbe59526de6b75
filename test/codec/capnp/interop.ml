(* Our bytes and the capnp tool's, of every value of the corpus. *)

open Weir_capnp
module Suite = Weir_test.Suite
open Samples

let text_there_and_back () =
  List.iter
    (fun (file, ty, bytes, same) ->
      let text = Tool.decode file ty bytes in
      let back = Tool.encode file ty text in
      if not (same back) then Alcotest.failf "%s: %s" ty text)
    values

let packed_there_and_back () =
  List.iter
    (fun (file, ty, bytes, same) ->
      let packed = Packed.pack bytes in
      (* The tool lays the message out anew before it packs. *)
      let theirs = Tool.convert "binary:binary" file ty bytes in
      Alcotest.(check string)
        "as the tool packs"
        (Tool.convert "binary:packed" file ty bytes)
        (Packed.pack theirs);
      let text = Tool.decode ~flags:[ "--packed" ] file ty packed in
      let back = Tool.encode ~flags:[ "--packed" ] file ty text in
      if not (same (Packed.unpack back)) then Alcotest.failf "%s: %s" ty text)
    values

let canonical () =
  List.iter
    (fun (file, ty, bytes, same) ->
      let ours = Canonical.of_message (Message.of_string bytes) in
      let theirs = Tool.convert "binary:canonical" file ty bytes in
      Alcotest.(check string) (ty ^ " as the tool has it") theirs ours;
      let m = Message.of_segment (Bytes.of_string ours) ~off:0 ~len:(String.length ours) in
      Alcotest.(check bool) "checked" true (Canonical.check m);
      let b = Bytes.make 8 '\000' in
      Bytes.set_int32_le b 4 (Int32.of_int (String.length ours / 8));
      Alcotest.(check bool) "the same value" true (same (Bytes.to_string b ^ ours)))
    values

let expected_text () =
  let shown (file, ty, bytes, _) = Tool.decode file ty bytes in
  Suite.expected ~file:"test/codec/capnp/values.expected"
    (String.concat "\n" (List.map shown values))

let cases =
  [
    Suite.case "text there and back" text_there_and_back;
    Suite.case "packed, byte for byte" packed_there_and_back;
    Suite.case "canonical, byte for byte" canonical;
    Suite.case "as text" expected_text;
  ]
