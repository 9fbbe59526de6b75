(* doc/messages.md shows the parts of this file; the build compares them. *)

module Person_pb = Sample_pb
module Payload = Capnp_corpus.Payload_capnp.Payload
module Work = Thrift_corpus.Payload_thrift.Payload
module Derived = Weir_established.Derived
module Note_j = Weir_established.Note_j

let print_person (p : Person_pb.Person.t) = print_endline p.name

[@@@part "streams"]

open Weir_message

let people = Protobuf.binary Person_pb.Person.codec

let send flow =
  let writer = Writer.create Varint flow in
  fun person -> Writer.send writer people person

let receive flow = Reader.iter (Reader.create ~limit:65_536 Varint flow) people print_person

[@@@part "large"]

let entries = Field.message Person_pb.Address_book.codec "people" Person_pb.Person.codec

(* An address book of any length: one person at a time, and what else is in it. *)
let each_person flow =
  let book = Person_pb.Address_book.codec in
  let reader = Field_reader.create ~limit:65_536 book [ Each (entries, Fun.id) ] flow in
  Field_reader.iter reader print_person

let write_persons flow persons =
  let writer = Field_writer.create Person_pb.Address_book.codec flow in
  Seq.iter (Field_writer.add writer entries) persons

(* A file of delimited messages, as a sequence. *)
let read_file flow = Reader.sequence (Reader.create Varint flow) people
let write_file flow persons = Writer.send_all (Writer.create Varint flow) people persons

[@@@part "codecs"]

let binary = Protobuf.binary Person_pb.Person.codec
let text = Protobuf.json Person_pb.Person.codec
let payload = Capnp.record ~name:"payload" (module Payload)
let work = Thrift.value ~name:"work" Compact (module Work)
let note = Codec.text ~name:"atdgen" Note_j.write_note Note_j.note_of_string
let json = Codec.text ~name:"json" Yojson.Safe.to_buffer Yojson.Safe.from_string
let derived = Codec.through ~name:"derived" Derived.to_yojson Derived.of_yojson json

let of_bin_prot (t : _ Bin_prot.Type_class.t) =
  Codec.bigstring ~name:"bin_prot" ~size:t.writer.size ~write:t.writer.write ~read:t.reader.read

[@@@part "calls"]

open Weir_rpc
open Weir_rpc_eio

let find = Method.make "find" Codec.string (Codec.result people Codec.string)

let answer = function
  | "Ada" -> Ok (Person_pb.Person.make ~name:"Ada" ())
  | name -> Error ("who is " ^ name ^ "?")

(* Never returns. Each connection has its own [Server.serve]; [socket] may be of any [Eio.Net]. *)
let run ~clock socket =
  let server = Server.create ~clock [ Handler (find, answer) ] in
  let on_error e = Eio.traceln "%s" (Printexc.to_string e) in
  Eio.Net.run_server socket ~max_connections:1_000 ~on_error (fun flow _peer ->
      ignore (Server.serve server (Weir_eio.Flows.of_eio flow)))

let ask ~clock net address =
  Eio.Switch.run @@ fun sw ->
  let flow = Weir_eio.Flows.of_eio (Eio.Net.connect ~sw net address) in
  let client = Client.create ~sw ~clock flow in
  let found = Client.call client ~timeout_ns:2_000_000_000 find "Ada" in
  Client.close client;
  found

[@@@part "protobuf"]

module Directory = struct
  let find ({ prefix; _ } : Person_pb.Query.t) =
    if prefix = "" then Failure.fail (Application 1) "whom?";
    Person_pb.Address_book.make ()

  (* returns (stream Person) *)
  let watch ({ prefix; _ } : Person_pb.Query.t) send =
    List.iter (fun rest -> send (Person_pb.Person.make ~name:(prefix ^ rest) ())) [ "da"; "lan" ]
end

let server ~clock =
  Server.create ~clock
    (Weir_rpc.Protobuf.handlers (Person_pb.Directory.handlers (module Directory)))

let book client query = Client.call client (Weir_rpc.Protobuf.unary Person_pb.Directory.find) query

let watch client query =
  let method_ = Weir_rpc.Protobuf.download Person_pb.Directory.watch in
  Client.download client method_ query print_person

[@@@part "exchange"]

let chat = Method.Exchange (Method.make "chat" Codec.string Codec.string)

let rec answer_all receive send =
  match receive () with
  | None -> ()
  | Some line ->
      send (String.uppercase_ascii line);
      answer_all receive send

let chatting = Service.Exchange (chat, answer_all)

let shout client lines =
  Client.exchange client chat (fun { send; receive; _ } ->
      List.map (fun line -> if send line then receive () else None) lines)

[@@@part "thrift"]

module Calculator = Thrift_corpus.Kinds_thrift.Calculator

let five flow = Calculator.Client.add (Thrift.client Compact flow) ~left:2 ~right:3
let serve calculator flow = Thrift.serve Compact (Calculator.dispatch calculator) flow

[@@@part "end"]
