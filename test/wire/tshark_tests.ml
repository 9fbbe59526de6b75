(* A second opinion: tshark decodes the recorded frames and random ones of ours,
   from a file that Pcap wrote, and must find the same values, right checksums
   and nothing malformed. *)

open Weir_wire
open Captures

let random_frame =
  let open QCheck2.Gen in
  let* ethernet = Round_trip_tests.ethernet and* ip = Round_trip_tests.ipv4 in
  let+ network =
    let packet protocol data_length transport =
      let ip =
        {
          ip with
          protocol;
          data_length;
          options = "";
          header_length = 20;
          more_fragments = false;
          fragment_offset = 0;
        }
      in
      Ipv4 (ip, transport)
    in
    oneof_weighted
      [
        (1, map (fun arp -> Arp arp) Round_trip_tests.arp);
        ( 5,
          map
            (fun (t : Tcp.t) -> packet Ipv4.protocol_tcp (t.header_length + t.data_length) (Tcp t))
            Round_trip_tests.tcp );
        ( 2,
          map
            (fun (t : Udp.t) -> packet Ipv4.protocol_udp (Udp.length + t.data_length) (Udp t))
            Round_trip_tests.udp );
        ( 1,
          let+ identifier = int_bound 0xffff
          and+ sequence = int_bound 0xffff
          and+ data_length = int_bound 100 in
          let icmp = Icmpv4.Echo_request { identifier; sequence; data_length } in
          packet Ipv4.protocol_icmp (Icmpv4.length + data_length) (Icmp icmp) );
      ]
  in
  let ethertype =
    match network with Arp _ -> Ethernet.ethertype_arp | _ -> Ethernet.ethertype_ipv4
  in
  { ethernet = { ethernet with ethertype }; network }

let frame_of i t =
  let data =
    match t.network with
    | Ipv4 (_, Tcp t) -> t.data_length
    | Ipv4 (_, Udp t) -> t.data_length
    | Ipv4 (_, Icmp t) -> Icmpv4.data_length t
    | Ipv4 (_, Data) | Arp _ | Unknown -> 0
  in
  let bytes = Bytes.init (headers t + data) (fun i -> Char.chr (i * 31 land 255)) in
  emit t bytes ~off:0;
  { name = Printf.sprintf "random frame %d" i; bytes }

let random_frames n =
  let rand = Random.State.make [| 7 |] in
  List.mapi frame_of (QCheck2.Gen.generate ~rand ~n random_frame)

let nanoseconds i = i * 1_001

let write file frames =
  Out_channel.with_open_bin file (fun out ->
      output_string out (Pcap.header ~snaplen:65_535);
      let header = Bytes.create Pcap.record_header_length in
      List.iteri
        (fun i { bytes; _ } ->
          let n = Bytes.length bytes in
          Pcap.record_header ~time:(nanoseconds i) ~captured:n ~original:n header ~off:0;
          output_bytes out header;
          output_bytes out bytes)
        frames)

(* Lists of tshark's name of a field and its value as tshark prints it. *)

let dec = string_of_int
let some n = if n < 0 then "" else dec n
let bool b = if b then "True" else "False"
let checksum_right = "1"
let checksum_none = "3"

let arp_fields (a : Arp.t) =
  [
    ("arp.opcode", match a.operation with Request -> "1" | Reply -> "2");
    ("arp.src.hw_mac", Fmt.str "%a" Mac.pp a.sender_mac);
    ("arp.src.proto_ipv4", Fmt.str "%a" Ip.pp a.sender_ip);
    ("arp.dst.hw_mac", Fmt.str "%a" Mac.pp a.target_mac);
    ("arp.dst.proto_ipv4", Fmt.str "%a" Ip.pp a.target_ip);
  ]

let ipv4_fields (ip : Ipv4.t) =
  [
    ("ip.src", Fmt.str "%a" Ip.pp ip.src);
    ("ip.dst", Fmt.str "%a" Ip.pp ip.dst);
    ("ip.hdr_len", dec ip.header_length);
    ("ip.len", dec (ip.header_length + ip.data_length));
    ("ip.id", Printf.sprintf "0x%04x" ip.identification);
    ("ip.ttl", dec ip.ttl);
    ("ip.proto", dec ip.protocol);
    ("ip.dsfield", Printf.sprintf "0x%02x" ip.dscp_ecn);
    ("ip.flags.df", bool ip.dont_fragment);
    ("ip.flags.mf", bool ip.more_fragments);
    ("ip.frag_offset", dec (ip.fragment_offset / 8));
    ("ip.checksum.status", checksum_right);
  ]

let icmp_fields icmp =
  let fields kind code more =
    [ ("icmp.type", dec kind); ("icmp.code", dec code); ("icmp.checksum.status", checksum_right) ]
    @ more
  in
  let echo kind id seq = fields kind 0 [ ("icmp.ident", dec id); ("icmp.seq", dec seq) ] in
  match icmp with
  | Icmpv4.Echo_request { identifier; sequence; _ } -> echo 8 identifier sequence
  | Echo_reply { identifier; sequence; _ } -> echo 0 identifier sequence
  | Destination_unreachable { code; _ } -> (
      match code with
      | Net -> fields 3 0 []
      | Host -> fields 3 1 []
      | Protocol -> fields 3 2 []
      | Port -> fields 3 3 []
      | Fragmentation_needed mtu -> fields 3 4 [ ("icmp.mtu", dec mtu) ]
      | Other_code code -> fields 3 code [])
  | Time_exceeded { reassembly; _ } -> fields 11 (Bool.to_int reassembly) []
  | Parameter_problem { code; _ } -> fields 12 code []
  | Other { kind; code; _ } -> fields kind code []

let udp_fields (u : Udp.t) =
  [
    ("udp.srcport", dec u.src_port);
    ("udp.dstport", dec u.dst_port);
    ("udp.length", dec (Udp.length + u.data_length));
    ("udp.checksum.status", if u.checksummed then checksum_right else checksum_none);
  ]

let tcp_fields (t : Tcp.t) =
  let edges f = String.concat "," (List.map (fun block -> dec (f block)) t.sacks) in
  [
    ("tcp.srcport", dec t.src_port);
    ("tcp.dstport", dec t.dst_port);
    ("tcp.seq_raw", dec t.seq);
    ("tcp.ack_raw", dec (max 0 t.ack));
    ("tcp.hdr_len", dec t.header_length);
    ("tcp.len", dec t.data_length);
    ("tcp.flags.syn", bool t.syn);
    ("tcp.flags.fin", bool t.fin);
    ("tcp.flags.reset", bool t.rst);
    ("tcp.flags.push", bool t.psh);
    ("tcp.flags.ack", bool (t.ack >= 0));
    ("tcp.flags.urg", bool (t.urgent >= 0));
    ("tcp.flags.ece", bool t.ece);
    ("tcp.flags.cwr", bool t.cwr);
    ("tcp.window_size_value", dec t.window);
    ("tcp.urgent_pointer", dec (max 0 t.urgent));
    ("tcp.options.mss_val", some t.mss);
    ("tcp.options.wscale.shift", some t.window_scale);
    ("tcp.options.sack_perm", if t.sack_permitted then "0402" else "");
    ("tcp.options.timestamp.tsval", some t.ts_val);
    ("tcp.options.timestamp.tsecr", if t.ts_val < 0 then "" else dec t.ts_ecr);
    ("tcp.options.sack_le", edges fst);
    ("tcp.options.sack_re", edges snd);
    ("tcp.checksum.status", checksum_right);
  ]

let fields i t =
  [
    ("frame.time_epoch", Fmt.str "%a" Weir_base.Time.pp (nanoseconds i));
    ("eth.dst", Fmt.str "%a" Mac.pp t.ethernet.dst);
    ("eth.src", Fmt.str "%a" Mac.pp t.ethernet.src);
    ("_ws.malformed", "");
  ]
  @
  match t.network with
  | Unknown -> []
  | Arp a -> arp_fields a
  | Ipv4 (ip, transport) -> (
      ipv4_fields ip
      @
      match transport with
      | Data -> []
      | Udp u -> udp_fields u
      | Icmp i -> icmp_fields i
      | Tcp t -> tcp_fields t)

let options =
  "-n --only-protocols eth,ethertype,arp,ip,icmp,udp,tcp,data -o ip.check_checksum:TRUE -o \
   tcp.check_checksum:TRUE -o udp.check_checksum:TRUE -o ip.defragment:FALSE -o \
   tcp.relative_sequence_numbers:FALSE -o tcp.desegment_tcp_streams:FALSE -T fields -E \
   separator='|'"

let run_tshark file names =
  let out = file ^ ".fields" in
  let wanted = String.concat " " (List.map (fun name -> "-e " ^ name) names) in
  let command = Printf.sprintf "tshark %s %s -r %s >%s 2>%s.err" options wanted file out out in
  if Sys.command command <> 0 then
    Alcotest.failf "%s: %s" command (In_channel.with_open_bin (out ^ ".err") In_channel.input_all);
  let lines = In_channel.with_open_bin out In_channel.input_lines in
  List.iter Sys.remove [ file; out; out ^ ".err" ];
  lines

(* An ICMP error's quote adds values of its own behind the packet's. *)
let agree name ~want ~got =
  let listed = String.starts_with ~prefix:"tcp.options.sack_" name in
  if listed || want = "" then want = got else want = List.hd (String.split_on_char ',' got)

let compared () =
  Suite.needs_program "tshark";
  let frames = Lazy.force all @ random_frames 500 in
  let file = Filename.temp_file "weir" ".pcap" in
  write file frames;
  let expected = List.mapi (fun i f -> fields i (Capture_tests.decoded f)) frames in
  let names = List.sort_uniq compare (List.concat_map (List.map fst) expected) in
  let lines = run_tshark file names in
  Alcotest.(check int) "frames" (List.length frames) (List.length lines);
  List.iteri
    (fun i (fields, line) ->
      let row = List.combine names (String.split_on_char '|' line) in
      List.iter
        (fun (name, want) ->
          let got = List.assoc name row in
          if not (agree name ~want ~got) then
            Alcotest.failf "%s: %s is %S to us, %S to tshark" (List.nth frames i).name name want got)
        fields)
    (List.combine expected lines)

let cases = [ Suite.native "tshark" (Suite.case "tshark sees the same" compared) ]
