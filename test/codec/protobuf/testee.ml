module P = Conformance_pb
module Request = P.Conformance_request
module Response = P.Conformance_response
open Weir_protobuf

type codec = Codec : 'a Codec.t -> codec

(* The same with arrays and slices. *)
let arrays = function
  | "protobuf_test_messages.proto2.TestAllTypesProto2" ->
      Some (Codec Weir_test_arrays.Test_messages_proto2_pb.Test_all_types_proto2.codec)
  | "protobuf_test_messages.proto3.TestAllTypesProto3" ->
      Some (Codec Weir_test_arrays.Test_messages_proto3_pb.Test_all_types_proto3.codec)
  | _ -> None

let usual = function
  | "protobuf_test_messages.proto2.TestAllTypesProto2" ->
      Some (Codec Test_messages_proto2_pb.Test_all_types_proto2.codec)
  | "protobuf_test_messages.proto3.TestAllTypesProto3" ->
      Some (Codec Test_messages_proto3_pb.Test_all_types_proto3.codec)
  | "protobuf_test_messages.editions.proto2.TestAllTypesProto2" ->
      Some (Codec Test_messages_proto2_editions_pb.Test_all_types_proto2.codec)
  | "protobuf_test_messages.editions.proto3.TestAllTypesProto3" ->
      Some (Codec Test_messages_proto3_editions_pb.Test_all_types_proto3.codec)
  | "protobuf_test_messages.editions.TestAllTypesEdition2023" ->
      Some (Codec Test_messages_edition2023_pb.Test_all_types_edition2023.codec)
  | "conformance.FailureSet" -> Some (Codec P.Failure_set.codec)
  | _ -> None

(* An Any may hold any of the runner's messages. *)
let types =
  List.fold_left Registry.union Registry.empty
    [
      Test_messages_proto2_pb.types;
      Test_messages_proto3_pb.types;
      Test_messages_proto2_editions_pb.types;
      Test_messages_proto3_editions_pb.types;
      Test_messages_edition2023_pb.types;
    ]

let answer (type a) (request : Request.t) (c : a Codec.t) : Response.result =
  let ignore_unknown = request.test_category = Json_ignore_unknown_parsing_test in
  let parsed =
    match request.payload with
    | Some (Protobuf_payload s) -> Some (Codec.decode c s)
    | Some (Json_payload s) -> Some (Json.decode ~types ~ignore_unknown c s)
    | Some (Text_payload s) -> Some (Text.decode ~types c s)
    | Some (Jspb_payload _) | None -> None
  in
  match (parsed, request.requested_output_format) with
  | None, _ -> Skipped "no such input format"
  | Some (Error e), _ -> Parse_error (Error.to_string e)
  | Some (Ok m), Protobuf -> Protobuf_payload (Codec.encode c m)
  | Some (Ok m), Json -> (
      match Json.encode ~types c m with
      | s -> Json_payload s
      | exception Error.Error e -> Serialize_error (Error.to_string e))
  | Some (Ok m), Text_format ->
      Text_payload (Text.encode ~types ~unknown:request.print_unknown_fields c m)
  | Some (Ok _), (Jspb | Unspecified | Unrecognized _) -> Skipped "no such output format"

let respond codec s =
  let result : Response.result =
    match Request.decode s with
    | Error e -> Runtime_error (Error.to_string e)
    | Ok request -> (
        match codec request.message_type with
        | None -> Skipped ("unknown message type " ^ request.message_type)
        | Some (Codec c) -> ( try answer request c with e -> Runtime_error (Printexc.to_string e)))
  in
  Response.encode (Response.make ~result ())

let rec serve codec =
  match In_channel.really_input_string stdin 4 with
  | None -> ()
  | Some head -> (
      match In_channel.really_input_string stdin (Int32.to_int (String.get_int32_le head 0)) with
      | None -> ()
      | Some request ->
          let response = respond codec request in
          let length = Bytes.create 4 in
          Bytes.set_int32_le length 0 (Int32.of_int (String.length response));
          print_bytes length;
          print_string response;
          flush stdout;
          serve codec)

let main codec =
  set_binary_mode_in stdin true;
  set_binary_mode_out stdout true;
  serve codec
