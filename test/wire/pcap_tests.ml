open Weir_wire
module Suite = Weir_test.Suite

type record = { time : int; data : string; original : int }

let write records =
  let out = Buffer.create 100 in
  Buffer.add_string out (Pcap.header ~snaplen:65_535);
  let header = Bytes.make (Pcap.record_header_length + 2) '!' in
  List.iter
    (fun { time; data; original } ->
      Pcap.record_header ~time ~captured:(String.length data) ~original header ~off:1;
      Buffer.add_subbytes out header 1 Pcap.record_header_length;
      Buffer.add_string out data)
    records;
  Alcotest.(check string)
    "margins" "!!"
    (Printf.sprintf "%c%c" (Bytes.get header 0) (Bytes.get header 17));
  Buffer.to_bytes out

let read file =
  Pcap.fold
    (fun records (p : Pcap.packet) ->
      let data = Bytes.sub_string file p.off p.captured in
      ({ time = p.time; data; original = p.original }, p.link_type) :: records)
    [] file
  |> Result.map List.rev

let record =
  let open QCheck2.Gen in
  let+ seconds = oneof [ int_bound 10; pure 0xffff_ffff; Weir_test.Suite.bits 32 ]
  and+ ns = oneof [ pure 0; pure 999_999_999; int_bound 999_999_999 ]
  and+ data = string_size (int_bound 200)
  and+ more = int_bound 2_000 in
  { time = (seconds * 1_000_000_000) + ns; data; original = String.length data + more }

let same =
  QCheck2.Test.make ~name:"what was written is read" ~count:500
    QCheck2.Gen.(list_size (int_bound 20) record)
    (fun records -> read (write records) = Ok (List.map (fun r -> (r, Pcap.ethernet)) records))

(* The header as the format's description has it. *)
let header () =
  Alcotest.(check bytes)
    "header"
    (Hex.bytes "4d 3c b2 a1 02 00 04 00 00 00 00 00 00 00 00 00 00 01 00 00 01 00 00 00")
    (Bytes.of_string (Pcap.header ~snaplen:256));
  Alcotest.(check bytes)
    "record"
    (Hex.bytes "02 00 00 00 03 00 00 00 01 00 00 00 05 00 00 00 aa")
    (Bytes.sub (write [ { time = 2_000_000_003; data = "\xaa"; original = 5 } ]) 24 17)

let one = [ ({ time = 1_000_000_002; data = "ab"; original = 4 }, 1) ]
let one_us = [ ({ time = 1_000_002_000; data = "ab"; original = 4 }, 1) ]

let variants () =
  let little = "02 00 04 00 00 00 00 00 00 00 00 00 ff ff 00 00 01 00 00 00"
  and big = "00 02 00 04 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 01" in
  let little_one = " 01 00 00 00 02 00 00 00 02 00 00 00 04 00 00 00 61 62"
  and big_one = " 00 00 00 01 00 00 00 02 00 00 00 02 00 00 00 04 61 62" in
  let check name hex want =
    if read (Hex.bytes hex) <> Ok want then Alcotest.failf "%s: read otherwise" name
  in
  check "ns, little" ("4d 3c b2 a1 " ^ little ^ little_one) one;
  check "ns, big" ("a1 b2 3c 4d " ^ big ^ big_one) one;
  check "us, little" ("d4 c3 b2 a1 " ^ little ^ little_one) one_us;
  check "us, big" ("a1 b2 c3 d4 " ^ big ^ big_one) one_us;
  check "no packet" ("a1 b2 c3 d4 " ^ big) [];
  (* Link type 101 with a frame check sequence of 4 bytes. *)
  let raw = "00 02 00 04 00 00 00 00 00 00 00 00 00 00 ff ff 44 00 00 65" in
  check "link type" ("a1 b2 3c 4d " ^ raw ^ big_one) [ (fst (List.hd one), 101) ]

(* The same frames as Wireshark's editcap writes them. *)
let other_writers () =
  let read file = Hex.ok file (read (Captures.load file)) in
  let eight = List.filteri (fun i _ -> i < 8) (read "icmp.pcap") in
  let cut_us (r, link) = ({ r with time = r.time / 1_000 * 1_000 }, link) in
  if read "icmp.pcapng" <> eight then Alcotest.fail "pcapng differs";
  if read "icmp-us.pcap" <> List.map cut_us eight then Alcotest.fail "microseconds differ"

let fails name file at =
  match read file with
  | Ok _ -> Alcotest.failf "%s: read" name
  | Error (Error.Malformed m) -> Alcotest.(check int) name at m.at
  | Error e -> Alcotest.failf "%s: %a" name Error.pp e

let refused () =
  fails "empty" Bytes.empty 0;
  fails "3 bytes" (Bytes.of_string "\xa1\xb2\x3c") 0;
  fails "something else" (Bytes.make 100 'x') 0;
  let file = write [ { time = 1; data = "12345"; original = 5 } ] in
  let version = Bytes.copy file in
  Bytes.set_uint16_le version 4 3;
  fails "version" version 4;
  let endless = Bytes.copy file in
  Bytes.set_int32_le endless 32 0xffff_ffffl;
  fails "length" endless 24

(* Cut anywhere, a file gives its whole packets and then says where it ends. *)
let cuts name file ~ends =
  let length = Bytes.length file in
  for len = 0 to length - 1 do
    let cut = Bytes.sub file 0 len in
    let rec drain r n =
      match Pcap.next r with
      | Ok None -> n
      | Ok (Some (p : Pcap.packet)) ->
          if p.off + p.captured > len then Alcotest.failf "%s: packet outside" name;
          drain r (n + 1)
      | Error (Malformed { at; _ }) when at >= 0 && at <= len && not (List.mem len ends) -> n
      | Error e -> Alcotest.failf "%s cut to %d: %a" name len Error.pp e
    in
    match Pcap.reader cut with
    | Ok r -> ignore (drain r 0)
    | Error (Malformed { at = 0; _ }) -> ()
    | Error e -> Alcotest.failf "%s cut to %d: %a" name len Error.pp e
  done

let truncated () =
  let record data = { time = 1; data; original = 9 } in
  let file = write [ record "123"; record ""; record "45" ] in
  cuts "pcap" file ~ends:[ 24; 43; 59 ];
  List.iter
    (fun (len, packets) ->
      match read (Bytes.sub file 0 len) with
      | Ok records -> Alcotest.(check int) "packets" packets (List.length records)
      | Error e -> Alcotest.failf "%a" Error.pp e)
    [ (24, 0); (43, 1); (59, 2) ];
  cuts "pcapng" (Captures.load "icmp.pcapng") ~ends:[]

(* Mutated files: an answer, within the file, after no more packets than fit. *)
let mutated name file_name () =
  let whole = Captures.load file_name in
  let state = Random.State.make [| 4711 |] in
  let length = Bytes.length whole in
  for _ = 1 to Suite.iterations 20_000 do
    let b = Bytes.copy whole in
    for _ = 0 to Random.State.int state 4 do
      let at = Random.State.int state length in
      let special = [| 0; 1; 0x7f; 0x80; 0xff |] in
      Bytes.set_uint8 b at
        (if Random.State.bool state then special.(Random.State.int state 5)
         else Random.State.int state 256)
    done;
    match
      Pcap.fold
        (fun n (p : Pcap.packet) ->
          if p.off < 0 || p.captured < 0 || p.off + p.captured > length then
            Alcotest.failf "%s: packet outside" name;
          if p.time < 0 then Alcotest.failf "%s: time %d" name p.time;
          n + 1)
        0 b
    with
    | Ok n -> if n > length / 12 then Alcotest.failf "%s: %d packets" name n
    | Error (Malformed { at; _ }) when at >= 0 && at <= length -> ()
    | Error e -> Alcotest.failf "%s: %a" name Error.pp e
  done

let cases =
  [
    Suite.case "bytes written" header;
    Suite.native Suite.since_1970 (Suite.qcheck same);
    Suite.case "both resolutions and byte orders" variants;
    Suite.native Suite.since_1970 (Suite.case "files by other writers" other_writers);
    Suite.case "refused" refused;
    Suite.native Suite.since_1970 (Suite.case "cut anywhere" truncated);
    Suite.native Suite.since_1970 (Suite.case "mutated pcap" (mutated "pcap" "icmp-us.pcap"));
    Suite.native Suite.since_1970 (Suite.case "mutated pcapng" (mutated "pcapng" "icmp.pcapng"));
  ]
