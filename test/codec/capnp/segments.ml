(* Messages of many segments, and the far pointers between them. *)

open Weir_capnp
module Suite = Weir_test.Suite
open Samples

let many_segments () =
  List.iter
    (fun segment_words ->
      let b = Builder.create ~segment_words () in
      K.Kinds.write b kinds;
      let s = Builder.to_string b in
      let m = Message.of_string s in
      if segment_words < 20 && Message.segments m < 3 then Alcotest.fail "one segment";
      Alcotest.(check bool) "read back" true (ok (K.Kinds.decode s) = kinds);
      Alcotest.(check bool)
        "read in place" true
        (K.Kinds.of_reader (Builder.message b) (K.Kinds.root (Builder.message b)) = kinds);
      Alcotest.(check string)
        "canonical"
        (Canonical.of_message (Message.of_string (K.Kinds.encode kinds)))
        (Canonical.of_message m);
      let parts =
        List.init (Message.segments m) (fun i ->
            let off, len = Message.segment m i in
            Bytes.sub m.buf off len)
      in
      let m = Message.of_segments parts in
      Alcotest.(check bool) "segments apart" true (K.Kinds.of_reader m (K.Kinds.root m) = kinds);
      Alcotest.(check string)
        "the tool reads it"
        (Tool.decode "kinds" "Kinds" (K.Kinds.encode kinds))
        (Tool.decode "kinds" "Kinds" s))
    [ 1; 2; 5; 16; 40; 100 ]

let double_far () =
  let s =
    frame
      [
        words [ far ~double:true ~off:1 ~segment:1 ];
        words [ 0L; far ~double:false ~off:1 ~segment:2; 0x0000_0000_0000_0000L ];
        words [ 0L; point_words ];
      ]
  in
  let with_tag tag =
    let b = Bytes.of_string s in
    (* table 2 words (3 segments), segment 0 one word, then segment 1: its third word *)
    Bytes.set_int64_le b (8 * (2 + 1 + 2)) tag;
    Bytes.to_string b
  in
  let s = with_tag 0x0000_0001_0000_0000L in
  Alcotest.(check bool) "point" true (ok (S.Point.decode s) = point 1 2);
  Alcotest.(check string) "the tool agrees" "(x = 1, y = 2)\n" (Tool.decode "shapes" "Point" s);
  let list = with_tag 0x0000_0001_0000_0001L in
  match S.Point.decode list with Ok _ -> Alcotest.fail "a list tag" | Error _ -> ()

(* A far pointer to a null is an empty struct, in canonical form too; it is no list. *)
let far_to_null () =
  let far ~double = far ~double ~off:0 ~segment:1 in
  let tree = 0x0004_0000_0000_0000L in
  List.iter
    (fun (what, parts) ->
      let s = frame parts in
      let theirs = Tool.convert "binary:canonical" "kinds" "Tree" s in
      let m = Message.of_string s in
      Alcotest.(check string) what theirs (Canonical.of_message m);
      let m = Message.of_segment (Bytes.of_string theirs) ~off:0 ~len:(String.length theirs) in
      Alcotest.(check bool) (what ^ ", checked") true (Canonical.check m))
    [
      ("root", [ words [ far ~double:false ]; words [ 0L ] ]);
      ("amid nulls", [ words [ tree; 0L; far ~double:false; 0L; 0L ]; words [ 0L ] ]);
      ("last", [ words [ tree; 0L; 0L; 0L; far ~double:false ]; words [ 0L ] ]);
      ("double", [ words [ tree; 0L; far ~double:true; 0L; 0L ]; words [ far ~double:false; 0L ] ]);
    ];
  let list = frame [ words [ tree; 0L; 0L; 0L; far ~double:false ]; words [ 0L ] ] in
  match K.Tree.decode list with Ok _ -> Alcotest.fail "a list" | Error _ -> ()

let bad_far () =
  let bad name parts = malformed name (fun () -> S.Point.root (Message.of_string (frame parts))) in
  bad "no such segment" [ words [ far ~double:false ~off:0 ~segment:1 ] ];
  bad "outside" [ words [ far ~double:false ~off:1 ~segment:0 ] ];
  bad "far to far"
    [ words [ far ~double:false ~off:1 ~segment:0; far ~double:false ~off:0 ~segment:0 ] ];
  bad "itself" [ words [ far ~double:false ~off:0 ~segment:0 ] ];
  bad "a pad cut off"
    [ words [ far ~double:true ~off:1 ~segment:0; far ~double:false ~off:0 ~segment:0 ] ];
  bad "across segments" [ words [ 0x0000_0001_0000_0000L ]; words [ point_words ] ];
  bad "no segment at all" [ words [] ]

let cases =
  [
    Suite.case "many" many_segments;
    Suite.case "double far pointers" double_far;
    Suite.case "far pointers to null" far_to_null;
    Suite.case "bad far pointers" bad_far;
  ]
