(* Files of framed messages, read one after the other. *)

open Weir_message
module Flow = Weir_flow.Flow
module Suite = Weir_test.Suite
module Person = Sample_pb.Person

let sequences () =
  let codec = Protobuf.binary Person.codec in
  let persons = List.init 100 (fun id -> Person.make ~id ~name:(String.make id 'n') ()) in
  let sink = new Streams.sink in
  Writer.send_all (Writer.create Varint sink) codec (List.to_seq persons);
  let read ?limit s =
    Reader.sequence (Reader.create ?limit Varint (Streams.chunked [ 13 ] s)) codec
  in
  let results = List.of_seq (read sink#contents) in
  Alcotest.(check bool) "all" true (results = List.map Result.ok persons);
  let outcome s =
    List.of_seq (read ~limit:100 s)
    |> List.map (function
      | Ok (p : Person.t) -> string_of_int p.id
      | Error (Error.Undecodable _) -> "undecodable"
      | Error e -> Error.to_string e)
  in
  Alcotest.(check (list string))
    "an error ends it, but for one message's"
    [ "1"; "undecodable"; "2"; "the stream ended inside a frame, after 1 of at least 3 bytes" ]
    (outcome "\002\016\001\001\016\002\016\002\002");
  Alcotest.(check (list string))
    "too long"
    [ "1"; "a frame of 101 bytes is longer than the limit" ]
    (outcome "\002\016\001\101");
  (* What is not asked for is not read. *)
  let flow = Streams.chunked [ 3 ] "\002\016\001\002\016\002" in
  match (Reader.sequence (Reader.create Varint flow) codec) () with
  | Seq.Cons (Ok p, _) ->
      Alcotest.(check int) "the first" 1 p.id;
      Alcotest.(check string) "left" "\002\016\002" (Flow.read_all flow ~max:10)
  | _ -> Alcotest.fail "no first"

let tests = [ ("sequences", [ Suite.case "sequences of frames" sequences ]) ]
