open Weir_wire
module Suite = Weir_test.Suite

let check = Alcotest.(check string)
let malformed at what = Error.Malformed { at; what }

let fixed ?(flags = "02") words =
  Printf.sprintf "00 01 00 02 00 00 00 03 00 00 00 04 %x0 %s 10 00 00 00 00 00" words flags

(* A SYN with these options. *)
let with_options options =
  let words = 5 + (Bytes.length (Hex.bytes options) / 4) in
  fixed words ^ " " ^ options

let decode = Tcp.decode ~pseudo:(-1)

let decoded name hex =
  let b = Hex.bytes hex in
  Hex.ok name (decode b ~off:0 ~len:(Bytes.length b))

let show t = Fmt.str "%a" Tcp.pp t

(* Options as other systems lay them out, what they say, and their canonical form. *)
let foreign =
  [
    ( "macOS",
      "02 04 05 b4 01 03 03 06 01 01 08 0a 00 00 00 07 00 00 00 00 04 02 00 00",
      "<mss 1460,sackOK,TS 7 0,ws 6>",
      "02 04 05 b4 04 02 08 0a 00 00 00 07 00 00 00 00 01 03 03 06" );
    ( "Windows",
      "02 04 05 b4 01 03 03 08 01 01 04 02",
      "<mss 1460,sackOK,ws 8>",
      "02 04 05 b4 01 01 04 02 01 03 03 08" );
    ( "no padding",
      "04 02 03 03 0e 02 04 ff ff 00 00 00",
      "<mss 65535,sackOK,ws 14>",
      "02 04 ff ff 01 01 04 02 01 03 03 0e" );
    ("shift above 14", "03 03 0f 00", "<ws 14>", "01 03 03 0e");
    ("shift of 255", "01 03 03 ff", "<ws 14>", "01 03 03 0e");
    ("TCP fast open", "22 0a 01 02 03 04 05 06 07 08 01 01", "", "");
    ("unknown between", "fd 04 f9 89 02 04 02 00 fe 02 01 01", "<mss 512>", "02 04 02 00");
    ("end, then what must not be read", "00 02 04 00", "", "");
    ("a lone end", "01 01 01 00", "", "");
    ("the later of two", "02 04 00 01 02 04 00 02", "<mss 2>", "02 04 00 02");
    ( "TS not aligned",
      "08 0a 00 00 00 01 ff ff ff ff 00 00",
      "<TS 1 4294967295>",
      "01 01 08 0a 00 00 00 01 ff ff ff ff" );
    ( "TS after NOPs, with more",
      "01 01 08 0a 00 00 00 01 00 00 00 02 02 04 00 09",
      "<mss 9,TS 1 2>",
      "02 04 00 09 01 01 08 0a 00 00 00 01 00 00 00 02" );
    ( "SACK in front",
      "05 0a 00 00 00 01 00 00 00 02 01 01",
      "<sack 1:2>",
      "01 01 05 0a 00 00 00 01 00 00 00 02" );
  ]

let layouts () =
  List.iter
    (fun (name, options, says, canonical) ->
      let t = decoded name (with_options options) in
      let want = if says = "" then "" else says ^ " " in
      check name ("TCP 1 > 2 S seq=3 win=4096 " ^ want ^ "len 0") (show t);
      Alcotest.(check int) "header" (20 + Bytes.length (Hex.bytes options)) t.header_length;
      let b = Bytes.make 60 '\xa5' in
      Tcp.emit t ~pseudo:0 ~data_sum:(-1) b ~off:0;
      let length = 20 + Bytes.length (Hex.bytes canonical) in
      Alcotest.(check int) "length" length (Tcp.length t);
      check "canonical"
        (Bytes.to_string (Hex.bytes canonical))
        (Bytes.sub_string b 20 (length - 20));
      Alcotest.(check bool)
        "again" true
        (decode b ~off:0 ~len:length = Ok { t with header_length = length }))
    foreign

let refused () =
  let fails name hex want = Hex.fails name decode hex want in
  let option name options at what = fails name (with_options options) (malformed at what) in
  fails "source port" ("00 00" ^ String.sub (fixed 5) 5 54) (malformed 0 "source port 0");
  fails "destination port"
    ("00 01 00 00" ^ String.sub (fixed 5) 11 48)
    (malformed 2 "destination port 0");
  fails "header length" (fixed 4) (malformed 12 "header length below 20");
  fails "header longer than the bytes" (fixed 6) (Truncated { need = 24; have = 20 });
  option "length 0" "01 01 02 00" 22 "option length below 2";
  option "length 1" "fd 01 00 00" 20 "option length below 2";
  option "no length" "01 01 01 02" 23 "option length below 2";
  option "unknown overruns" "01 fd 04 00" 21 "option ends beyond the header";
  option "MSS overruns" "01 01 02 04" 22 "option ends beyond the header";
  option "TS overruns" "08 0a 00 00 00 00 00 00" 20 "option ends beyond the header";
  option "255" "fd ff 00 00" 20 "option ends beyond the header";
  option "MSS of 3" "02 03 00 00" 20 "option of the wrong length";
  option "shift of 2" "03 02 00 00" 20 "option of the wrong length";
  option "SACK-permitted of 3" "04 03 00 00" 20 "option of the wrong length";
  option "TS of 9" "08 09 00 00 00 00 00 00 00 00 00 00" 20 "option of the wrong length";
  option "SACK of none" "05 02 00 00" 20 "option of the wrong length";
  option "SACK of one and a half" "05 0e 00 00 00 00 00 00 00 00 00 00 00 00 00 00" 20
    "option of the wrong length";
  option "TS of 9 where 10 are usual" "01 01 08 09 00 00 00 00 00 00 00 00" 22
    "option of the wrong length";
  Hex.fails "checksum" (Tcp.decode ~pseudo:0) (fixed 5) Bad_checksum;
  option "SACK of half" "05 06 00 00 00 00 00 00" 20 "option of the wrong length"

let flags () =
  let flags_of hex = Fmt.str "%a" Tcp.pp_flags (decoded hex (fixed ~flags:hex 5)) in
  List.iter
    (fun (hex, want) -> check hex want (flags_of hex))
    [
      ("00", "none");
      ("01", "F");
      ("02", "S");
      ("04", "R");
      ("08", "P");
      ("10", ".");
      ("20", "U");
      ("40", "E");
      ("80", "W");
      ("12", "S.");
      ("11", "F.");
      ("14", "R.");
      ("18", "P.");
      ("19", "FP.");
      ("c2", "SEW");
      ("ff", "FSRP.UEW");
    ];
  for bits = 0 to 255 do
    let hex = fixed ~flags:(Printf.sprintf "%02x" bits) 5 in
    let t = decoded hex hex in
    Alcotest.(check int) "ack" (if bits land 16 <> 0 then 4 else -1) t.ack;
    Alcotest.(check int) "urgent" (if bits land 32 <> 0 then 0 else -1) t.urgent;
    let b = Bytes.create 20 in
    Tcp.emit t ~pseudo:0 ~data_sum:(-1) b ~off:0;
    Alcotest.(check int) "same flags" bits (Bytes.get_uint8 b 13)
  done

(* Reserved bits, and numbers that no flag makes valid, are not kept. *)
let ignored () =
  let t = decoded "noise" "00 01 00 02 00 00 00 03 00 00 00 04 5f 02 10 00 00 00 00 09" in
  check "shown" "TCP 1 > 2 S seq=3 win=4096 len 0" (show t);
  let b = Bytes.create 20 in
  Tcp.emit t ~pseudo:0 ~data_sum:(-1) b ~off:0;
  Alcotest.(check bytes)
    "cleared"
    (Hex.bytes "00 01 00 02 00 00 00 03 00 00 00 00 50 02 10 00 00 00 00 00")
    b

let sacks_that_do_not_fit () =
  let sacks = [ (1, 2); (3, 4); (5, 6); (7, 8); (9, 10) ] in
  let length t = Tcp.length t - 20 in
  let t = { Tcp.base with src_port = 1; dst_port = 1; sacks } in
  Alcotest.(check int) "four alone" 36 (length t);
  let timed = { t with ts_val = 0 } in
  Alcotest.(check int) "three with timestamps" 40 (length timed);
  let syn = { timed with mss = 1; window_scale = 1; sack_permitted = true } in
  Alcotest.(check int) "two in a SYN" 40 (length syn);
  List.iter
    (fun (t, left) ->
      let b = Bytes.make 70 '\xa5' in
      Tcp.emit t ~pseudo:0 ~data_sum:(-1) b ~off:0;
      Alcotest.(check int) "margin" 0xa5 (Bytes.get_uint8 b (Tcp.length t));
      let got = Hex.ok "own" (decode b ~off:0 ~len:(Tcp.length t)) in
      Alcotest.(check (list (pair int int))) "the first ones" left got.sacks)
    [
      (t, [ (1, 2); (3, 4); (5, 6); (7, 8) ]);
      (timed, [ (1, 2); (3, 4); (5, 6) ]);
      (syn, [ (1, 2); (3, 4) ]);
    ]

(* The sum that a link will finish: its field holds the pseudo header's. *)
let left_to_the_link () =
  let t = { Tcp.base with src_port = 1; dst_port = 2; data_length = 100 } in
  let b = Bytes.create 20 in
  Tcp.emit t ~pseudo:0x1234 ~data_sum:(-1) b ~off:0;
  Alcotest.(check int) "field" 0x1234 (Bytes.get_uint16_be b 16)

(* The packet path must not allocate but for what it returns. *)
let allocation () =
  let t =
    { Tcp.base with src_port = 1; dst_port = 2; ack = 0xffff_ffff; seq = 0xffff_fffe; ts_val = 5 }
  in
  let b = Bytes.make 1_500 'x' in
  let data_sum = Weir_base.Checksum.sum b ~off:32 ~len:1_448 in
  Tcp.emit t ~pseudo:77 ~data_sum b ~off:0;
  let words f =
    f ();
    let before = Gc.minor_words () in
    for _ = 1 to 1_000 do
      f ()
    done;
    int_of_float (Gc.minor_words () -. before) / 1_000
  in
  let most what limit f =
    let n = words f in
    if n > limit then Alcotest.failf "%s allocates %d words" what n
  in
  let whole = Sys.opaque_identity in
  let into = Tcp.create () in
  most "read" 0 (fun () -> ignore (whole (Tcp.read into ~pseudo:77 b ~off:0 ~len:1_480)));
  (match Tcp.decode ~pseudo:77 b ~off:0 ~len:1_480 with
  | Ok got -> Alcotest.(check int) "timestamp" 5 got.ts_val
  | Error e -> Alcotest.failf "%a" Error.pp e);
  most "emit" 0 (fun () -> Tcp.emit t ~pseudo:77 ~data_sum b ~off:0);
  Ipv4.emit { Ipv4.base with data_length = 1_400 } b ~off:0;
  let p = Packet.create () in
  most "IPv4 read" 0 (fun () -> ignore (whole (Ipv4.read p b ~off:0 ~len:1_500)));
  most "Ethernet decode" 6 (fun () -> ignore (whole (Ethernet.decode b ~off:0 ~len:1_500)))

let cases =
  [
    Suite.case "options of other systems" layouts;
    Suite.case "refused" refused;
    Suite.case "flags" flags;
    Suite.case "reserved bits and unused numbers" ignored;
    Suite.case "SACK blocks beyond the header" sacks_that_do_not_fit;
    Suite.case "checksum left to the link" left_to_the_link;
    Suite.case "words allocated" allocation;
  ]
