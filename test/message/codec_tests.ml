open Weir_message
module Suite = Weir_test.Suite
open Streams
module Cp = Capnp_corpus.Payload_capnp
module T = Thrift_corpus.Payload_thrift
module D = Weir_established.Derived
module Note = Weir_established.Note_j

type sample = Sample : 'a Codec.t * 'a list -> sample

(* {1 Our own formats} *)

let person n =
  Sample_pb.Person.make
    ~name:(String.make (n mod 200) 'n')
    ~id:n ~email:"ada@example.org"
    ~phones:[ Sample_pb.Person.Phone_number.make ~number:(string_of_int n) ~type_:Mobile () ]
    ~scores:[ ("analysis", float n /. 3.) ]
    ~deltas:[ Int64.of_int (-n); 0x1_0000_0000L ]
    ()

let capnp_payload n : Cp.payload =
  let words i : Cp.words =
    { a = String.make (n mod 100) 'a'; b = ""; c = string_of_int i; d = "d" }
  in
  {
    first = n land 1 = 0;
    second = true;
    third = float n;
    fourth = Int64.of_int n;
    fifth = List.init (n mod 5) words;
    sixth = [ 1L; Int64.of_int (-n) ];
  }

let thrift_payload n : T.payload =
  let words i : T.words =
    { a = Some (String.make (n mod 100) 'a'); b = None; c = Some (string_of_int i); d = None }
  in
  {
    first = n land 1 = 0;
    second = true;
    third = float n;
    fourth = Int64.of_int n;
    fifth = List.init (n mod 5) words;
    sixth = [ 1L; Int64.of_int (-n) ];
  }

let few f = List.init 40 (fun i -> f (i * 37))
let thrift name protocol = Thrift.value ~name protocol (module T.Payload)
let capnp = Capnp.record ~name:"capnp" (module Cp.Payload)

let ours =
  [
    Sample (Codec.string, few (fun n -> String.make n 's'));
    Sample (Codec.unit, [ (); (); () ]);
    Sample (Protobuf.binary Sample_pb.Person.codec, few person);
    Sample (Protobuf.json Sample_pb.Person.codec, few person);
    Sample (capnp, few capnp_payload);
    Sample (thrift "compact" Compact, few thrift_payload);
    Sample (thrift "binary" Binary, few thrift_payload);
    Sample
      ( Codec.result (Protobuf.binary Sample_pb.Person.codec) Codec.string,
        [ Ok (person 1); Error "no"; Error "" ] );
    Sample (Codec.map ~name:"number" int_of_string string_of_int Codec.string, [ 1; -20; 300 ]);
  ]

(* {1 Those of others, from the pieces that they give} *)

let bin_prot =
  let c = D.bin_t in
  Codec.bigstring ~name:"bin_prot" ~size:c.writer.size ~write:c.writer.write ~read:c.reader.read

let json = Codec.text ~name:"json" Yojson.Safe.to_buffer Yojson.Safe.from_string
let derived = Codec.through ~name:"ppx_deriving_yojson" D.to_yojson D.of_yojson json
let atd = Codec.text ~name:"atdgen" Note.write_note Note.note_of_string

let note n : Weir_established.Note_t.note =
  {
    title = String.make n 't';
    pages = List.init (n mod 7) Fun.id;
    author = (if n = 0 then None else Some "B\"");
  }

let large : D.t = { (D.sample 3) with title = String.make 200_000 'x' }

let established =
  [
    Sample (bin_prot, large :: few D.sample);
    Sample (json, [ `Assoc [ ("a", `List [ `Int 1; `Null ]) ]; `String "\xc3\xa9" ]);
    Sample (derived, few D.sample);
    Sample (atd, few note);
  ]

let over_flow samples () =
  List.iter
    (fun (name, framing) ->
      List.iter
        (fun (Sample (codec, values)) ->
          let stream = written framing codec values in
          List.iter
            (fun sizes ->
              let got, why = received ~sizes framing codec stream in
              if got <> values then Alcotest.failf "%s over %s" codec.name name;
              Alcotest.check error codec.name End why)
            [ []; [ 1 ]; [ 5; 1000 ] ])
        samples)
    framings

(* What is cut off is a documented error, and costs the one message. *)
let cut samples () =
  List.iter
    (fun (Sample (codec, values)) ->
      let s = Codec.to_string codec (List.nth values (List.length values - 1)) in
      for n = 0 to Int.min (String.length s - 1) 300 do
        match Codec.of_string codec (String.sub s 0 n) with Ok _ | Error _ -> ()
      done;
      let sink = new sink in
      let w = Writer.create Varint sink in
      Writer.send w Codec.string (String.make 7 '\255');
      Writer.send w codec (List.hd values);
      let r = Reader.create Varint (chunked [] sink#contents) in
      (match Reader.receive r codec with
      | Error (Undecodable why) ->
          if not (String.starts_with ~prefix:codec.name why) then Alcotest.failf "unnamed: %s" why
      | Ok _ when codec.name = "string" -> ()
      | Ok _ -> Alcotest.failf "%s: nonsense was decoded" codec.name
      | Error e -> Alcotest.failf "%a" Error.pp e);
      match Reader.receive r codec with
      | Ok v when v = List.hd values -> ()
      | Ok _ -> Alcotest.failf "%s: another value" codec.name
      | Error e -> Alcotest.failf "%s: %a" codec.name Error.pp e)
    (List.filter (function Sample (c, _) -> c.name <> "number") samples)

(* One text 2,049 times: refused as the library itself does, with nothing of it made. *)
let two_gib () =
  let number = String.make 1_048_576 '5' in
  let phones = List.init 2_049 (fun _ -> Sample_pb.Person.Phone_number.make ~number ()) in
  let out = Output.create () in
  match (Protobuf.binary Sample_pb.Person.codec).encode out (Sample_pb.Person.make ~phones ()) with
  | () -> Alcotest.fail "a message of 2 GiB was made"
  | exception Invalid_argument _ -> Alcotest.(check int) "nothing" 0 (Output.length out)

(* A value encodes to what its own library's functions make. *)
let same_bytes () =
  let check name want got = Alcotest.(check string) name want got in
  check "protobuf"
    (Sample_pb.Person.encode (person 5))
    (Codec.to_string (Protobuf.binary Sample_pb.Person.codec) (person 5));
  check "json"
    (Sample_pb.Person.to_json (person 5))
    (Codec.to_string (Protobuf.json Sample_pb.Person.codec) (person 5));
  check "capnp" (Cp.Payload.encode (capnp_payload 5)) (Codec.to_string capnp (capnp_payload 5));
  check "thrift"
    (T.Payload.encode Compact (thrift_payload 5))
    (Codec.to_string (thrift "" Compact) (thrift_payload 5));
  check "atdgen" (Note.string_of_note (note 5)) (Codec.to_string atd (note 5));
  let s = D.sample 5 in
  let b = Bin_prot.Utils.bin_dump D.bin_t.writer s in
  check "bin_prot"
    (String.init (Bigarray.Array1.dim b) (Bigarray.Array1.get b))
    (Codec.to_string bin_prot s)

let left_over () =
  let check name = function Error _ -> () | Ok _ -> Alcotest.failf "%s: bytes were left" name in
  check "capnp"
    (Codec.of_string capnp (Codec.to_string capnp (capnp_payload 1) ^ String.make 8 '\000'));
  check "thrift"
    (Codec.of_string (thrift "" Compact)
       (Codec.to_string (thrift "" Compact) (thrift_payload 1) ^ "\000"));
  check "bin_prot" (Codec.of_string bin_prot (Codec.to_string bin_prot (D.sample 1) ^ "\000"));
  check "unit" (Codec.of_string Codec.unit "x");
  check "result" (Codec.of_string (Codec.result Codec.unit Codec.unit) "\002")

(* An encoder that encodes with the same codec on its way, and one that raises:
   scratch room is not shared. *)
let scratch () =
  let inner = Codec.text ~name:"inner" Buffer.add_string Fun.id in
  let write b s =
    Buffer.add_string b s;
    Buffer.add_string b (Codec.to_string inner "within");
    if s = "bad" then raise Exit
  in
  let outer = Codec.text ~name:"outer" write Fun.id in
  Alcotest.(check string) "nested" "around within" (Codec.to_string outer "around ");
  Alcotest.check_raises "raises" Exit (fun () -> ignore (Codec.to_string outer "bad"));
  Alcotest.(check string) "again" "around within" (Codec.to_string outer "around ")

(* Whatever the bytes: a value or an error. Ours also allocate no more than a
   multiple of them. *)
let mutated () =
  let rng = Random.State.make [| Suite.seed (); 4 |] in
  let mine = Array.of_list ours and others = Array.of_list established in
  for _ = 1 to Suite.iterations 10_000 do
    let is_ours = Random.State.int rng 3 > 0 in
    let samples = if is_ours then mine else others in
    let (Sample (codec, values)) = samples.(Random.State.int rng (Array.length samples)) in
    let value = List.nth values (Random.State.int rng (Int.min 8 (List.length values))) in
    let b = Bytes.of_string (Codec.to_string codec value ^ "?") in
    for _ = 0 to Random.State.int rng 5 do
      let byte = if Random.State.bool rng then 255 else Random.State.int rng 256 in
      Bytes.set_uint8 b (Random.State.int rng (Bytes.length b)) byte
    done;
    let len = Random.State.int rng (Bytes.length b + 1) in
    let view = Weir_flow.Slice.make b ~off:0 ~len in
    let _, w =
      words (fun () ->
          match Codec.read codec view with
          | Ok _ | Error _ -> ()
          | exception e -> Alcotest.failf "%s raised %s" codec.name (Printexc.to_string e))
    in
    if is_ours && codec.name <> "number" && w > 3_000. +. (40. *. float len) then
      Alcotest.failf "%s: %.0f words for %d bytes" codec.name w len
  done

let deep () =
  match Codec.of_string json (String.make 3_000_000 '[') with
  | Ok _ -> Alcotest.fail "not closed"
  | Error _ -> ()

(* {1 Cap'n Proto's own framing} *)

let capnp_tool args input =
  Suite.needs_program "capnp";
  let stdin = Filename.temp_file "weir" ".in" and stdout = Filename.temp_file "weir" ".out" in
  Fun.protect ~finally:(fun () -> List.iter Sys.remove [ stdin; stdout ]) @@ fun () ->
  Out_channel.with_open_bin stdin (fun oc -> output_string oc input);
  let schema = Filename.concat (Suite.project_root ()) "test/codec/capnp/schemas/payload.capnp" in
  let args = args @ [ "--no-standard-import"; schema; "Payload" ] in
  Alcotest.(check int) "capnp" 0 (Sys.command (Filename.quote_command "capnp" ~stdin ~stdout args));
  In_channel.with_open_bin stdout In_channel.input_all

let capnp_stream () =
  let values = few capnp_payload in
  let stream = written Capnp capnp values in
  let text = capnp_tool [ "decode" ] stream in
  let theirs = capnp_tool [ "encode" ] text in
  List.iter
    (fun (who, stream) ->
      let got, why = received ~sizes:[ 3; 100 ] Capnp capnp stream in
      Alcotest.check error who End why;
      if got <> values then Alcotest.failf "%s: other values" who)
    [ ("ours", stream); ("capnp's", theirs) ];
  for n = 1 to 100 do
    match received Capnp capnp (String.sub stream 0 n) with
    | _, Truncated { have; _ } when have > 0 -> ()
    | _, End ->
        Alcotest.(check int) "a boundary" (String.length (Cp.Payload.encode (capnp_payload 0))) n
    | _, why -> Alcotest.failf "%d bytes: %a" n Error.pp why
  done

let not_capnp () =
  let w = Writer.create Capnp (new sink) in
  match Writer.send w Codec.string "12345678" with
  | () -> Alcotest.fail "sent"
  | exception Invalid_argument _ -> ()

let tests =
  [
    ( "codecs",
      [
        Suite.case "ours over flows" (over_flow ours);
        Suite.case "others over flows" (over_flow established);
        Suite.case "ours, cut off" (cut ours);
        Suite.case "others, cut off" (cut established);
        Suite.case "a protobuf message of 2 GiB" two_gib;
        Suite.case "the same bytes" same_bytes;
        Suite.case "bytes that are left" left_over;
        Suite.case "scratch room" scratch;
        Suite.case "mutated values" mutated;
        Suite.case "nested too deep" deep;
        Suite.case "Cap'n Proto's streams, with capnp" capnp_stream;
        Suite.case "only Cap'n Proto frames itself" not_capnp;
      ] );
  ]
