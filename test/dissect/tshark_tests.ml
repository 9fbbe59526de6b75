(* A second opinion: tshark's relative numbers, streams, choices by filters that
   mean the same, and bytes of streams. *)

open Weir_wire
open Weir_dissect
open Packets
module Suite = Weir_test.Suite

let temporary suffix = Filename.temp_file "weir" suffix

(* Lines of what [arguments] print for the file. *)
let tshark file arguments =
  let out = temporary ".out" in
  let command = Printf.sprintf "tshark -n -r %s %s >%s 2>%s.err" file arguments out out in
  let status = Sys.command command in
  let text f = In_channel.with_open_bin f In_channel.input_all in
  let said = text out and told = text (out ^ ".err") in
  List.iter Sys.remove [ out; out ^ ".err" ];
  if status <> 0 then Alcotest.failf "%s: %s" command told;
  List.filter (( <> ) "") (String.split_on_char '\n' said)

(* A connection begun before the capture, one whose endpoints are used again,
   segments out of order and lost, a wrap of the numbers. *)
let made =
  lazy
    (let base = Tcp.base in
     let syn = { base with syn = true } in
     let other t ~data = tcp ~dst:"10.0.0.3" ~data { t with Tcp.src_port = 7; dst_port = 9 } in
     let high = 0xffff_fff0 in
     let after n = (high + n) land 0xffff_ffff in
     let frames =
       [
         other { base with seq = 500; ack = 900 } ~data:"begun before";
         from_client { syn with seq = high; mss = 1460 };
         from_server { syn with seq = 5_000; ack = after 1; mss = 1460 };
         from_client { base with seq = after 1; ack = 5_001 };
         from_client
           { base with seq = after 1; ack = 5_001; psh = true }
           ~data:"GET / over the wrap";
         from_client { base with seq = after 24; ack = 5_001 } ~data:"later";
         from_server
           { base with seq = 5_001; ack = after 20; sacks = [ (after 24, after 29) ] }
           ~data:"reply";
         from_client { base with seq = after 20; ack = 5_006 } ~data:"hole";
         from_server { base with seq = 5_006; ack = after 29; fin = true };
         from_client { base with seq = after 29; ack = 5_007; fin = true };
         from_client { syn with seq = 77 };
         from_server { base with seq = 0; ack = 78; rst = true };
         other { base with seq = 512; ack = 900 } ~data:"goes on";
       ]
     in
     frames)

let write file frames =
  Out_channel.with_open_bin file (fun out ->
      output_string out (Pcap.header ~snaplen:65_535);
      let header = Bytes.create Pcap.record_header_length in
      List.iteri
        (fun i frame ->
          let n = Bytes.length frame in
          Pcap.record_header ~time:(i * 1_000_000) ~captured:n ~original:n header ~off:0;
          output_bytes out header;
          output_bytes out frame)
        frames)

let frames_of file =
  let b = Bytes.unsafe_of_string (load file) in
  let add frames (p : Pcap.packet) = Bytes.sub b p.off p.captured :: frames in
  List.rev (Result.get_ok (Pcap.fold add [] b))

(* One file of all, as tshark takes long to start. *)
let with_all f () =
  Suite.needs_program "tshark";
  let file = temporary ".pcap" in
  write file (Lazy.force made @ List.concat_map frames_of files);
  f file (In_channel.with_open_bin file In_channel.input_all);
  Sys.remove file

let number_names =
  [ "tcp.stream"; "tcp.seq"; "tcp.ack"; "tcp.options.sack_le"; "tcp.options.sack_re" ]

let value : Fields.value -> string = function Number n -> string_of_int n | _ -> assert false

let numbers file capture =
  let fields = List.map (fun name -> Option.get (Fields.find name)) number_names in
  let ours (d : Dissection.t) =
    match d.shown.transport with
    | Tcp tcp ->
        let of_field (f : Fields.t) =
          (* Without the ACK flag tshark prints 0. *)
          if f.name = "tcp.ack" && tcp.ack < 0 then "0"
          else String.concat "," (List.map value (f.get d))
        in
        String.concat "|" (List.map of_field fields)
    | _ -> ""
  in
  let wanted = String.concat " " (List.map (fun name -> "-e " ^ name) number_names) in
  let theirs = tshark file ("-Y 'tcp && !icmp && !icmpv6' -T fields -E 'separator=|' " ^ wanted) in
  let ours = List.filter (( <> ) "") (of_capture ours capture) in
  Alcotest.(check (list string)) "numbers" theirs ours

(* Ours, and tshark's that means the same. *)
let filters =
  [
    ("port 80 and tcp.rst", "(tcp.port == 80 || udp.port == 80) && tcp.flags.reset == 1");
    ("tcp.syn and not tcp.flags.ack", "tcp.flags.syn == 1 && tcp.flags.ack == 0");
    ("tcp.len > 0 and tcp.seq == 1", "tcp.len > 0 && tcp.seq == 1");
    ("tcp.stream == 1", "tcp.stream == 1");
    ("src host 10.0.0.2", "ip.src == 10.0.0.2 || arp.src.proto_ipv4 == 10.0.0.2");
    ("dst net 10.0.0.0/30 and ip", "ip.dst == 10.0.0.0/30");
    ("ip.ttl < 64 or ip.df", "ip.ttl < 64 || ip.flags.df == 1");
    ("icmp.type == echo-request", "icmp.type == 8");
    ("icmp.type == unreachable and icmp.code == 3", "icmp.type == 3 && icmp.code == 3");
    ("arp.opcode == request", "arp.opcode == 1");
    ("udp and frame.len >= 100", "udp && frame.len >= 100");
    ("tcp.mss", "tcp.options.mss_val");
    ("tcp.window_size_value < 500", "tcp.window_size_value < 500");
    ("not (arp or icmp)", "!(arp || icmp)");
    ("eth.addr == ff:ff:ff:ff:ff:ff", "eth.addr == ff:ff:ff:ff:ff:ff");
    ("ip6 and udp.port == 7", "ipv6 && udp.port == 7");
    ("ipv6.src == fd00::1 and ipv6.hlim == 1", "ipv6.src == fd00::1 && ipv6.hlim == 1");
    ("ipv6.frag_offset > 0", "ipv6.fraghdr.offset > 0");
    ("icmpv6.type == neighbour-solicitation", "icmpv6.type == 135");
    ( "icmpv6.target == fd00::2",
      "icmpv6.nd.ns.target_address == fd00::2 || icmpv6.nd.na.target_address == fd00::2" );
    ("icmp6 and icmpv6.code == 1", "icmpv6 && icmpv6.code == 1");
    ( "net fd00::/126 and tcp.syn",
      "(ipv6.src == fd00::/126 || ipv6.dst == fd00::/126) && tcp.flags.syn == 1" );
    ("dhcp.kind == 3", "dhcp.option.dhcp == 3");
    ( "dhcp.your == 10.0.0.63 and dhcp.mac == 02:00:00:00:00:01",
      "dhcp.ip.your == 10.0.0.63 && dhcp.hw.mac_addr == 02:00:00:00:00:01" );
    ("dhcp.id == 0xa36a2042", "dhcp.id == 0xa36a2042");
    ("dhcp.client == 0.0.0.0", "dhcp.ip.client == 0.0.0.0");
    ("frame.number > 5 and frame.number <= 9", "frame.number > 5 && frame.number <= 9");
  ]

(* tshark's fields are also those of a packet in an error's quote, and of what is
   in a first fragment. *)
let is_other (d : Dissection.t) =
  match d.decoded.transport with
  | Icmp (_, Some _) | Icmpv6 (_, Some _) | Fragment -> true
  | _ -> false

let options = "-o ip.defragment:FALSE -o tcp.desegment_tcp_streams:FALSE"

let choices file capture =
  let others = of_capture (fun d -> if is_other d then d.number else 0) capture in
  let apart n = not (List.mem n others) in
  List.iter
    (fun (ours, theirs) ->
      let filter = Result.get_ok (Filter.parse ours) in
      let chosen (d : Dissection.t) = if Filter.matches filter d then [ d.number ] else [] in
      let ours_chosen = List.concat (of_capture chosen capture) in
      let arguments = Printf.sprintf "%s -Y '%s' -T fields -e frame.number" options theirs in
      let theirs_chosen = List.map int_of_string (tshark file arguments) in
      if ours_chosen = [] then Alcotest.failf "%s chooses nothing" ours;
      let keep =
        if String.starts_with ~prefix:"icmp.type == unr" ours then Fun.const true else apart
      in
      Alcotest.(check (list int))
        ours (List.filter keep theirs_chosen) (List.filter keep ours_chosen))
    filters

(* [follow,tcp,raw] prints a line of hexadecimal for each piece, the second
   node's behind a tab. *)
let their_bytes file number =
  let is_hex c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  let lines = tshark file (Printf.sprintf "-q -z follow,tcp,raw,%d" number) in
  let data = List.filter (fun l -> l <> "" && String.for_all is_hex (String.trim l)) lines in
  let second, first = List.partition (fun l -> l.[0] = '\t') data in
  let join lines = String.concat "" (List.map String.trim lines) in
  (join first, join second)

let our_bytes capture number =
  let hex s =
    String.concat ""
      (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq s)))
  in
  let client = Buffer.create 100 and server = Buffer.create 100 in
  let give (p : Stream_bytes.piece) =
    match p.what with
    | Data s -> Buffer.add_string (if p.from_client then client else server) (hex s)
    | Missing n -> Alcotest.failf "%d bytes are missing" n
  in
  let stream = Stream_bytes.create give in
  let add (d : Dissection.t) =
    match d.stream with
    | Some s when s.stream.number = number -> Stream_bytes.add stream d
    | _ -> ()
  in
  ignore (of_capture add capture : unit list);
  Stream_bytes.finish stream;
  (Buffer.contents client, Buffer.contents server)

let bytes file capture =
  let stream (d : Dissection.t) =
    Option.fold ~none:(-1) ~some:(fun (s : Conversations.seen) -> s.stream.number) d.stream
  in
  let last = List.fold_left max (-1) (of_capture stream capture) in
  if last < 5 then Alcotest.failf "only %d streams" (last + 1);
  for number = 0 to last do
    Alcotest.(check (pair string string))
      (Printf.sprintf "stream %d" number)
      (their_bytes file number) (our_bytes capture number)
  done

let cases =
  [
    Suite.native "tshark" (Suite.case "relative numbers" (with_all numbers));
    Suite.native "tshark" (Suite.case "filters" (with_all choices));
    Suite.native "tshark" (Suite.case "bytes of streams" (with_all bytes));
  ]
