open Weir_wire
module Suite = Weir_test.Suite

(* Blocks are built in either byte order from their words and bytes. *)
let u16 ~big n =
  let b = Bytes.create 2 in
  if big then Bytes.set_uint16_be b 0 n else Bytes.set_uint16_le b 0 n;
  Bytes.to_string b

let u32 ~big n =
  let b = Bytes.create 4 in
  let n = Int32.of_int n in
  if big then Bytes.set_int32_be b 0 n else Bytes.set_int32_le b 0 n;
  Bytes.to_string b

let u64 ~big n =
  let high = u32 ~big (Int64.to_int (Int64.shift_right_logical n 32))
  and low = u32 ~big (Int64.to_int (Int64.logand n 0xffff_ffffL)) in
  if big then high ^ low else low ^ high

let padded s = s ^ String.make (-String.length s land 3) '\000'

let block ~big kind body =
  let size = u32 ~big (12 + String.length body) in
  u32 ~big kind ^ size ^ body ^ size

let option ~big code value = u16 ~big code ^ u16 ~big (String.length value) ^ padded value

let section ~big =
  block ~big 0x0a0d0d0a
    (u32 ~big 0x1a2b3c4d ^ u16 ~big 1 ^ u16 ~big 0 ^ u64 ~big (-1L) ^ option ~big 4 "a test"
   ^ option ~big 0 "")

let interface ?(link = 1) ?(snaplen = 0) ~big options =
  block ~big 1 (u16 ~big link ^ u16 ~big 0 ^ u32 ~big snaplen ^ options)

let enhanced ?(id = 0) ?(options = "") ~big ticks ~original data =
  let high = Int64.to_int (Int64.shift_right_logical ticks 32)
  and low = Int64.to_int (Int64.logand ticks 0xffff_ffffL) in
  block ~big 6
    (u32 ~big id ^ u32 ~big high ^ u32 ~big low
    ^ u32 ~big (String.length data)
    ^ u32 ~big original ^ padded data ^ options)

let simple ~big ~original data = block ~big 3 (u32 ~big original ^ padded data)
let resolution ~big n = option ~big 9 (String.make 1 (Char.chr n))
let offset ~big seconds = option ~big 14 (u64 ~big seconds)

type packet = { time : int; data : string; original : int; link : int }

let read file =
  Pcap.fold
    (fun packets (p : Pcap.packet) ->
      let data = Bytes.sub_string file p.off p.captured in
      { time = p.time; data; original = p.original; link = p.link_type } :: packets)
    [] file
  |> Result.map List.rev

let reads name blocks want =
  match read (Bytes.of_string (String.concat "" blocks)) with
  | Error e -> Alcotest.failf "%s: %a" name Error.pp e
  | Ok got -> if got <> want then Alcotest.failf "%s: read otherwise" name

let both f =
  f ~big:false;
  f ~big:true

let blocks ~big =
  let p time data = { time; data; original = 9; link = 1 } in
  reads "packets among other blocks"
    [
      section ~big;
      block ~big 5 "statistics12";
      interface ~big (option ~big 2 "eth0" ^ option ~big 0 "");
      enhanced ~big 1_000_001L ~original:9 "abc" ~options:(option ~big 1 "a comment");
      block ~big 0x0bad_f00d "";
      simple ~big ~original:4 "wxyz";
      enhanced ~big 2_000_000L ~original:9 "";
    ]
    [ p 1_000_001_000 "abc"; { (p 0 "wxyz") with original = 4 }; p 2_000_000_000 "" ];
  reads "simple packets are cut to the first interface's length"
    [ section ~big; interface ~big ~snaplen:5 ""; simple ~big ~original:100 "abcde" ]
    [ { time = 0; data = "abcde"; original = 100; link = 1 } ];
  reads "a section without packets" [ section ~big ] []

let reads_time ~big name options ticks want =
  reads name
    [ section ~big; interface ~big options; enhanced ~big ticks ~original:0 "" ]
    [ { time = want; data = ""; original = 0; link = 1 } ]

let since_1970 ~big =
  let at name digits ticks want =
    reads_time ~big name (resolution ~big digits) ticks (Int64.to_int want)
  in
  at "ns" 9 1_700_000_000_123_456_789L 1_700_000_000_123_456_789L;
  (* What NTP counts, in a year when the highest bit is set. *)
  at "2^-32 s" 0xa0 0xc0000001_40000000L 3_221_225_473_250_000_000L

let times ~big =
  let at = reads_time ~big in
  at "us by default" "" 1_234_567L 1_234_567_000;
  at "s" (resolution ~big 0) 7L 7_000_000_000;
  at "ms" (resolution ~big 3) 7L 7_000_000;
  at "ps" (resolution ~big 12) 1_234_567_891_234L 1_234_567_891;
  at "10^-19 s" (resolution ~big 19) (-1L) 1_844_674_407;
  at "2^-10 s" (resolution ~big 0x8a) 1_536L 1_500_000_000;
  at "2^-20 s" (resolution ~big 0x94) 0x180000L 1_500_000_000;
  at "2^-63 s" (resolution ~big 0xbf) (-1L) 1_999_999_999;
  at "offset" (offset ~big 1_000L) 5L 1_000_000_005_000;
  at "offset back" (offset ~big (-5L) ^ resolution ~big 3) 5_250L 250_000_000;
  at "an option behind the end is none" (option ~big 0 "" ^ resolution ~big 0) 7L 7_000

let sections () =
  let file ~big data =
    [
      section ~big;
      interface ~big ~link:(if big then 101 else 1) (resolution ~big 3);
      enhanced ~big 1L ~original:2 data;
    ]
  in
  let p data link = { time = 1_000_000; data; original = 2; link } in
  reads "both byte orders in one file"
    (file ~big:true "be" @ file ~big:false "le" @ file ~big:true "be")
    [ p "be" 101; p "le" 1; p "be" 101 ];
  let big = false in
  reads "the packet's own interface"
    [
      section ~big;
      interface ~big "";
      interface ~big ~link:276 (resolution ~big 3);
      enhanced ~big ~id:1 1L ~original:2 "xy";
    ]
    [ p "xy" 276 ]

let fails name blocks at =
  match read (Bytes.of_string (String.concat "" blocks)) with
  | Ok _ -> Alcotest.failf "%s: read" name
  | Error (Error.Malformed m) -> Alcotest.(check int) name at m.at
  | Error e -> Alcotest.failf "%s: %a" name Error.pp e

let refused ~big =
  let section = section ~big in
  let start = String.length section in
  let patched s at n =
    String.sub s 0 at ^ u32 ~big n ^ String.sub s (at + 4) (String.length s - at - 4)
  in
  let packet = enhanced ~big 1L ~original:3 "abc" in
  let described = [ section; interface ~big "" ] in
  let body = start + 20 in
  fails "byte order mark" [ patched section 8 0x11223344 ] 8;
  fails "version" [ patched section 12 (if big then 0x0002_0000 else 2) ] 12;
  let many n = String.concat "" (List.init n (fun _ -> interface ~big "")) in
  fails "too many interfaces" [ section; many 65_537 ] (start + (20 * 65_536) + 8);
  fails "packet without interface" [ section; packet ] (start + 8);
  fails "interface of the section before" (described @ [ section; packet ]) (body + start + 8);
  fails "simple packet without interface" [ section; simple ~big ~original:0 "" ] (start + 8);
  fails "interface 1 of 1" (described @ [ patched packet 8 1 ]) (body + 8);
  fails "packet longer than its block" (described @ [ patched packet 20 5 ]) (body + 8);
  fails "packet of 4 GB" (described @ [ patched packet 20 0xffff_ffff ]) (body + 8);
  fails "simple packet longer than its block"
    (described @ [ patched (simple ~big ~original:4 "abcd") 8 5 ])
    (body + 8);
  fails "block of 8" [ section; u32 ~big 6 ^ u32 ~big 8 ^ u32 ~big 8 ] (start + 4);
  fails "block of 0" [ section; u32 ~big 6 ^ u32 ~big 0 ^ u32 ~big 0 ] (start + 4);
  fails "block of 13" (described @ [ patched packet 4 13 ]) (body + 4);
  fails "block beyond the file" (described @ [ patched packet 4 40 ]) body;
  fails "lengths differ" (described @ [ patched packet 32 40 ]) (body + 32);
  fails "short packet block" (described @ [ block ~big 6 (String.make 16 'x') ]) (body + 8);
  fails "short simple block" (described @ [ block ~big 3 "" ]) (body + 8);
  fails "short interface" [ section; block ~big 1 "1234" ] (start + 8);
  fails "option beyond its block"
    [ section; interface ~big (u16 ~big 2 ^ u16 ~big 5 ^ "abcd") ]
    (start + 16);
  fails "resolution of two bytes" [ section; interface ~big (option ~big 9 "ab") ] (start + 16);
  fails "10^-20 s" [ section; interface ~big (resolution ~big 20) ] (start + 16);
  fails "2^-64 s" [ section; interface ~big (resolution ~big 0xc0) ] (start + 16);
  fails "before 1970" [ section; interface ~big (offset ~big (-1L)); packet ] (start + 32 + 12);
  fails "after 2106"
    [ section; interface ~big (resolution ~big 0); enhanced ~big 0x1_0000_0000L ~original:0 "" ]
    (start + 28 + 12)

let cases =
  [
    Suite.case "blocks" (fun () -> both blocks);
    Suite.case "resolutions and offsets of time" (fun () -> both times);
    Suite.native Suite.since_1970 (Suite.case "times since 1970" (fun () -> both since_1970));
    Suite.case "sections and interfaces" sections;
    Suite.case "refused" (fun () -> both refused);
  ]
