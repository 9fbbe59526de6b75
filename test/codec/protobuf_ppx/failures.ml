open Shapes
open Weir_test
module C = Weir_protobuf.Codec

let fails codec bytes said () =
  match C.decode codec (Tables.of_hex bytes) with
  | Ok _ -> Alcotest.fail "was read"
  | Error e -> Alcotest.(check string) "said" said (Weir_protobuf.Error.to_string e)

let too_large codec value () =
  match C.encode codec value with
  | _ -> Alcotest.fail "was written"
  | exception Invalid_argument _ -> ()

let case = Suite.case

let decoding =
  [
    case "nothing" (fails s_protobuf "" "byte 0: required field Shapes.s._ is missing");
    case "unknown only"
      (fails s_protobuf "15 0000c03f" "byte 5: required field Shapes.s._ is missing");
    case "another wire type"
      (fails s_protobuf "0d 0000c03f" "byte 0, in _: field _ does not have wire type 5");
    case "field missing"
      (fails r1_protobuf "0801" "byte 2: required field Shapes.r1.r1b is missing");
    case "tuple's field missing"
      (fails r3_protobuf "0a00" "byte 2: required field Shapes.r3._r3a._0 is missing");
    case "the other field missing"
      (fails r3_protobuf "0a05 0d00000000" "byte 7: required field Shapes.r3._r3a._1 is missing");
    case "message missing" (fails r2_protobuf "" "byte 0: required field Shapes.r2.r2a is missing");
    case "truncated"
      (fails r2_protobuf "0a05 08ac02 1203" "byte 6, in r2a.r1b: length beyond the end");
    case "another's payload"
      (fails v1_protobuf "0803 2a0a 0a03666f6f 1203626172"
         "byte 14: Shapes.v1 has no constructor 3 with this payload");
    case "two payloads"
      (fails v1_protobuf "0803 202a 2a0a 0a03666f6f 1203626172"
         "byte 4, in V1D: payloads of two constructors");
    case "payload of a constant"
      (fails v1_protobuf "0801 202a" "byte 4: Shapes.v1 has no constructor 1 with this payload");
    case "no tag" (fails v1_protobuf "202a" "byte 2: Shapes.v1 without its tag");
    case "unknown tag"
      (fails v1_protobuf "0809" "byte 2: Shapes.v1 has no constructor 9 with this payload");
    case "unknown bare"
      (fails r4_protobuf "0807" "byte 1, in r4a: Shapes.v2 has no constructor 7 with this payload");
    case "int of 64 bits"
      (fails i1_protobuf "08ffffffffffffffff7f" "byte 1, in _: number does not fit its type");
    case "int of 64 bits, fixed"
      (fails i4_protobuf "09 ffffffffffffff7f" "byte 1, in _: number does not fit its type");
    case "int32 of 33 bits"
      (fails l1_protobuf "08ffffffff0f" "byte 1, in _: number does not fit its type");
    case "int32 of 64 bits, fixed"
      (fails l4_protobuf "09 0000000001000000" "byte 1, in _: number does not fit its type");
    case "too deep" (fun () ->
        let rec nest n = if n = 0 then More.Unit else More.Sum [ nest (n - 1) ] in
        let s = C.encode More.expression_protobuf (nest 101) in
        match C.decode More.expression_protobuf s with
        | Ok _ -> Alcotest.fail "was read"
        | Error e ->
            Alcotest.(check string) "said" "nested too deeply" e.reason;
            Alcotest.(check bool)
              "as deep as asked" true
              (C.decode ~max_depth:101 More.expression_protobuf s = Ok (nest 101)));
  ]

let encoding =
  [
    case "bits32 of an int" (too_large i3_protobuf 0x80000000);
    case "bits32 of an int64" (too_large q3_protobuf 0x80000000L);
  ]

let groups = [ ("errors in decoding", decoding); ("errors in encoding", encoding) ]
