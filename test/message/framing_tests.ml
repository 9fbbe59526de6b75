open Weir_flow
open Weir_message
module Suite = Weir_test.Suite
open Streams

let strings = Alcotest.(list string)

let bytes () =
  let sent framing s = written framing Codec.string [ s ] in
  let check what want got = Alcotest.(check string) what want got in
  check "varint" "\003abc" (sent Varint "abc");
  check "length" "\000\000\000\003abc" (sent Length32 "abc");
  check "nothing" "\000" (sent Varint "");
  check "128" "\x80\x01" (String.sub (sent Varint (String.make 128 'x')) 0 2);
  check "300" "\xac\x02" (String.sub (sent Varint (String.make 300 'x')) 0 2);
  check "70,000" "\x00\x01\x11\x70" (String.sub (sent Length32 (String.make 70_000 'x')) 0 4)

let check what want got = Alcotest.(check (pair strings error)) what want got

(* A stream of two messages, cut everywhere, in chunks of every small size. *)
let cut (name, framing) =
  let one = String.init 200 Char.chr and two = "two" in
  let first = written framing Codec.string [ one ] in
  let stream = first ^ written framing Codec.string [ two ] in
  let header = String.length first - 200 in
  let expected n =
    let rest = n - String.length first in
    let truncated have want = Error.Truncated { have; want } in
    if n = 0 then ([], Error.End)
    else if rest < 0 then
      ( [],
        truncated n
          (if n < header then if framing = Varint then n + 1 else 4 else String.length first) )
    else if rest = 0 then ([ one ], Error.End)
    else if n = String.length stream then ([ one; two ], Error.End)
    else
      let small = if framing = Varint then 1 else 4 in
      ([ one ], truncated rest (if rest < small then 4 else small + 3))
  in
  List.iter
    (fun size ->
      for n = 0 to String.length stream do
        check
          (Printf.sprintf "%s, %d bytes by %d" name n size)
          (expected n)
          (received ~sizes:[ size ] framing Codec.string (String.sub stream 0 n))
      done)
    [ 1; 2; 3; 7; 1000 ]

let truncations () = List.iter cut framings

(* What no frame, or no frame of ours, begins with. *)
let refusals () =
  let why framing s = snd (received ~limit:1_000 framing Codec.string s) in
  let check what want got = Alcotest.check error what want got in
  check "varint: too long" (Too_long 1_001) (why Varint "\xe9\x07");
  check "varint: 2^35 - 1" (Too_long 0x7_ffff_ffff) (why Varint "\xff\xff\xff\xff\x7f");
  check "varint: 6 bytes" (Malformed "a length of more than 5 bytes")
    (why Varint "\x80\x80\x80\x80\x80\x00");
  check "varint: not the shortest, but a length" End (why Varint "\x81\x80\x00x");
  check "length: too long" (Too_long 1_001) (why Length32 "\x00\x00\x03\xe9");
  check "length: unsigned" (Too_long 0xffff_ffff) (why Length32 "\xff\xff\xff\xff");
  check "length: HTTP" (Too_long 0x47455420) (why Length32 "GET / HTTP/1.1\r\n");
  check "capnp: a table too long" (Malformed "more than 512 segments")
    (match why Capnp "\xff\xff\xff\xff\x00\x00\x00\x00" with
    | Malformed _ -> Malformed "more than 512 segments"
    | e -> e);
  check "capnp: too long" (Too_long 8_008) (why Capnp "\x00\x00\x00\x00\xe8\x03\x00\x00");
  check "capnp: a long table" (Too_long 2_048) (why Capnp "\xfe\x01\x00\x00\x00\x00\x00\x00")

let limits () =
  List.iter
    (fun (name, framing) ->
      let at_limit = String.make 1_000 'x' in
      check name ([ at_limit ], End)
        (received ~limit:1_000 framing Codec.string
           (written ~limit:1_000 framing Codec.string [ at_limit ]));
      let sink = new sink in
      let w = Writer.create ~limit:1_000 framing sink in
      let refuse f =
        match f () with
        | () -> Alcotest.fail "sent too long a message"
        | exception Flow.Error (Flow.Too_long 1_000, _) -> ()
      in
      refuse (fun () -> Writer.send w Codec.string (at_limit ^ "y"));
      refuse (fun () -> Writer.send_bytes w (Bytes.create 1_001) ~off:0 ~len:1_001);
      Alcotest.(check string) "nothing was sent" "" sink#contents;
      Writer.send w Codec.string "later";
      check "and then" ([ "later" ], End) (received framing Codec.string sink#contents))
    framings

(* The end stays the end. *)
let final () =
  let r = Reader.create ~limit:10 Varint (chunked [] "\001a\064\001b") in
  let next () = Result.map Slice.to_string (Reader.read r) in
  Alcotest.(check (list (result string error)))
    "one message, then always the same"
    [ Ok "a"; Error (Too_long 64); Error (Too_long 64) ]
    (List.init 3 (fun _ -> next ()))

(* A promise of a gigabyte costs what came of it. *)
let promises () =
  let promise = function
    | Framing.Varint -> "\x80\x80\x80\x80\x04"
    | Length32 -> "\x40\x00\x00\x00"
    | Capnp -> "\x00\x00\x00\x00\x00\x00\x00\x08"
  in
  List.iter
    (fun framing ->
      List.iter
        (fun came ->
          let s = promise framing ^ String.make came 'x' in
          let (_, why), words =
            words (fun () -> received ~limit:0x7fff_ffff ~sizes:[ 1_000 ] framing Codec.string s)
          in
          (match why with
          | Truncated { have; want } when have = String.length s && want > 1_000_000_000 -> ()
          | why -> Alcotest.failf "%a" Error.pp why);
          let most = float ((4 * came) + 100_000) /. 8. in
          if words > most then Alcotest.failf "%.0f words for %d bytes" words came)
        [ 0; 100; 1_000_000 ])
    [ Framing.Varint; Length32; Capnp ]

(* Room is used again: a long stream of small messages costs a view each. *)
let reuse () =
  let n = 10_000 in
  let stream = written Varint Codec.string (List.init n (fun i -> String.make (i mod 100) 'x')) in
  let r = Reader.create Varint (chunked [ 1_000 ] stream) in
  let rec count i =
    match Reader.read r with
    | Ok _ -> count (i + 1)
    | Error End -> i
    | Error e -> Alcotest.failf "%a" Error.pp e
  in
  let got, words = words (fun () -> count 0) in
  Alcotest.(check int) "all" n got;
  let each = words /. float n in
  if each > 20. then Alcotest.failf "%.1f words a message" each

(* What a large message needed is not kept by who waits for the next. *)
let given_back () =
  let large = 3_000_000 in
  let w = Writer.create Length32 Null.flow in
  Writer.send w Codec.string (String.make large 'x');
  let writer = Obj.reachable_words (Obj.repr w) in
  if writer > 20_000 then Alcotest.failf "the writer has %d words" writer;
  let stream = written Length32 Codec.string [ String.make large 'x'; "y" ] in
  let at = ref 0 and resting = ref 0 and incoming = Incoming.create Length32 in
  let source =
    object
      inherit Flow.reader

      method read_into b ~off ~len =
        if !at = large + 4 then resting := Obj.reachable_words (Obj.repr incoming);
        let stop = if !at < large + 4 then large + 4 else String.length stream in
        let n = Int.min len (stop - !at) in
        Bytes.blit_string stream !at b off n;
        at := !at + n;
        n
    end
  in
  let rec next () =
    match Incoming.next incoming with
    | Frame view -> view.len
    | Stop e -> Alcotest.failf "%a" Error.pp e
    | More ->
        let len = Incoming.space incoming in
        Incoming.received incoming
          (source#read_into (Incoming.bytes incoming) ~off:(Incoming.at incoming) ~len);
        next ()
  in
  Alcotest.(check int) "large" large (next ());
  Alcotest.(check int) "small" 1 (next ());
  if !resting > 20_000 then Alcotest.failf "the reader has %d words" !resting

let one_write () =
  List.iter
    (fun (_, framing) ->
      let sink = new sink in
      let w = Writer.create framing sink in
      Writer.send w Codec.string (String.make 100_000 'x');
      Alcotest.(check int) "a message" 1 sink#calls;
      Writer.send_bytes w (Bytes.make 10 'y') ~off:2 ~len:5;
      Alcotest.(check int) "one that is encoded already" 2 sink#calls;
      Alcotest.(check (pair strings error))
        "both"
        ([ String.make 100_000 'x'; "yyyyy" ], End)
        (received framing Codec.string sink#contents))
    framings

(* A write that failed may have sent a part: nothing more may follow. *)
let broken () =
  let bad : Flow.writer =
    object
      inherit Flow.writer
      method write _ ~off:_ ~len:_ = raise Exit
    end
  in
  let w = Writer.create Varint bad in
  Alcotest.check_raises "the flow's" Exit (fun () -> Writer.send w Codec.string "a");
  match Writer.send w Codec.string "b" with
  | () -> Alcotest.fail "sent"
  | exception Flow.Error (Flow.Closed, _) -> ()

let failing_codec () =
  let codec =
    {
      Codec.string with
      encode =
        (fun out s ->
          Output.add_string out s;
          if s = "bad" then raise Exit);
    }
  in
  let sink = new sink in
  let w = Writer.create Varint sink in
  Writer.send w codec "good";
  Alcotest.check_raises "the codec's" Exit (fun () -> Writer.send w codec "bad");
  Writer.send w codec "too";
  check "without it" ([ "good"; "too" ], End) (received Varint Codec.string sink#contents)

(* Another fiber's message would stand in the middle of this one. *)
let while_encoding () =
  let sink = new sink in
  let w = Writer.create Varint sink in
  let refused what f =
    match f () with () -> Alcotest.failf "%s: sent" what | exception Invalid_argument _ -> ()
  in
  let codec =
    {
      Codec.string with
      encode =
        (fun out s ->
          Output.add_string out s;
          refused "a message" (fun () -> Writer.send w Codec.string "other");
          refused "bytes" (fun () -> Writer.send_bytes w (Bytes.create 3) ~off:0 ~len:3);
          Output.add_string out s);
    }
  in
  Writer.send w codec "a";
  Writer.send w Codec.string "b";
  check "whole" ([ "aa"; "b" ], End) (received Varint Codec.string sink#contents)

exception Cancelled_by_test

(* What ends a cancelled fiber is not an undecodable message. *)
let cancelled_decoding () =
  Weir_flow.Flow.register_cancellation (fun e -> e = Cancelled_by_test);
  let raising e = { Codec.string with decode = (fun _ ~off:_ ~len:_ -> raise e) } in
  let read e = Codec.read (raising e) (Weir_flow.Slice.of_string "x") in
  Alcotest.(check (result string string)) "a failure" (Error "string: Stdlib.Exit") (read Exit);
  Alcotest.check_raises "passes" Cancelled_by_test (fun () -> ignore (read Cancelled_by_test));
  let text = Codec.text ~name:"t" (fun _ _ -> ()) (fun _ -> raise Cancelled_by_test) in
  Alcotest.check_raises "also here" Cancelled_by_test (fun () -> ignore (Codec.of_string text "x"))

(* {1 Any messages in any chunks} *)

let messages =
  let open QCheck2.Gen in
  let size = oneof_weighted [ (8, int_bound 300); (1, int_range 16_000 70_000) ] in
  list_size (int_bound 8) (map2 (fun n c -> String.make n c) size char)

let random (name, framing) =
  let open QCheck2.Gen in
  let sizes =
    list_size (int_range 1 6) (oneof_weighted [ (3, int_range 1 9); (1, int_range 10 20_000) ])
  in
  QCheck2.Test.make ~count:300 ~name:(name ^ ": any messages in any chunks") (pair messages sizes)
    (fun (messages, sizes) ->
      received ~sizes framing Codec.string (written framing Codec.string messages)
      = (messages, Error.End))

(* Bytes changed anywhere: only documented ends, and no more room than what came. *)
let mutated () =
  let rng = Random.State.make [| Suite.seed (); 3 |] in
  for _ = 1 to Suite.iterations 20_000 do
    let framing = [| Framing.Varint; Length32; Capnp |].(Random.State.int rng 3) in
    let payload _ =
      if framing = Capnp then
        let n = Random.State.int rng 30 in
        "\000\000\000\000"
        ^ String.init 4 (fun i -> if i = 0 then Char.chr n else '\000')
        ^ String.make (8 * n) 'c'
      else String.make (Random.State.int rng 200) 'm'
    in
    let stream = Bytes.of_string (written framing Codec.string (List.init 4 payload)) in
    for _ = 0 to Random.State.int rng 6 do
      Bytes.set_uint8 stream
        (Random.State.int rng (Bytes.length stream))
        (if Random.State.bool rng then Random.State.int rng 256 else 255)
    done;
    let s = Bytes.to_string stream in
    let sizes = [ 1 + Random.State.int rng 300 ] in
    let count, w =
      words (fun () ->
          let r = Reader.create ~limit:1_000_000_000 framing (chunked sizes s) in
          let rec go n =
            match Reader.read r with
            | Ok _ -> go (n + 1)
            | Error (End | Truncated _ | Too_long _ | Malformed _) -> n
            | Error (Undecodable _) -> Alcotest.fail "nothing was decoded"
          in
          go 0)
    in
    if count > String.length s then Alcotest.fail "more messages than bytes";
    if w > 4_096. +. (8. *. float (String.length s)) then
      Alcotest.failf "%.0f words for %d bytes: %S" w (String.length s) s
  done

(* Whatever a prefix promises, reading takes little more than what came. *)
let little () =
  let large = Incoming.default_limit in
  let bits n = String.init 4 (fun i -> Char.chr ((n lsr (8 * (3 - i))) land 255)) in
  List.iter
    (fun (what, framing, header) ->
      List.iter
        (fun came ->
          let s = header ^ String.make came 'x' in
          Weir_test.Words.check_small (Printf.sprintf "%s, %d bytes came" what came)
            ~bytes:(String.length s) (fun () -> received framing Codec.string s))
        [ 0; 10; 1_000; 100_000; 1_000_000 ])
    [
      ("varint", Framing.Varint, "\x80\x80\x80\x02");
      ("length", Length32, bits large);
      ("past the limit", Length32, bits 0x7fff_ffff);
      ("segments", Capnp, "\000\000\000\000\000\000\x07\000");
      ("many segments", Capnp, "\xff\x01\000\000" ^ String.make 2048 '\000');
    ]

let tests =
  [
    ( "framing",
      [
        Suite.case "the bytes" bytes;
        Suite.case "every truncation" truncations;
        Suite.case "what begins no frame" refusals;
        Suite.case "limits, both ways" limits;
        Suite.case "the end stays" final;
        Suite.case "a promised gigabyte" promises;
        Suite.case "any promise takes little" little;
        Suite.case "room is used again" reuse;
        Suite.case "large room is given back" given_back;
        Suite.case "one write a message" one_write;
        Suite.case "after a failed write" broken;
        Suite.case "after a failed encoding" failing_codec;
        Suite.case "while encoding" while_encoding;
        Suite.case "cancelled while decoding" cancelled_decoding;
        Suite.qcheck (random (List.nth framings 0));
        Suite.qcheck (random (List.nth framings 1));
        Suite.case "mutated streams" mutated;
      ] );
  ]
