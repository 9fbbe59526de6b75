open Weir_wire
open Weir_dissect
open Packets
module Suite = Weir_test.Suite

let parse s =
  match Filter.parse s with
  | Ok filter -> filter
  | Error e -> Alcotest.failf "%S: %a" s Filter.pp_error e

let arp =
  let b = Bytes.create 42 in
  Ethernet.emit { dst = Mac.broadcast; src = mac 1; ethertype = Ethernet.ethertype_arp } b ~off:0;
  let sender_ip = ip "10.0.0.1" and target_ip = ip "10.0.0.2" in
  Arp.emit
    { operation = Request; sender_mac = mac 1; sender_ip; target_mac = mac 0; target_ip }
    b ~off:14;
  b

let udp =
  let b = Bytes.make 12 'x' in
  let pseudo = Ip.pseudo_sum ~src:(ip "10.0.0.1") ~dst:(ip "192.168.7.9") ~protocol:17 ~length:12 in
  Udp.emit { src_port = 5353; dst_port = 53; data_length = 4; checksummed = true } ~pseudo b ~off:0;
  frame ~dst:"192.168.7.9" 17 b

let echo =
  let b = Bytes.make 12 'x' in
  Icmpv4.emit (Echo_request { identifier = 3; sequence = 9; data_length = 4 }) b ~off:0;
  frame 1 b

let unknown = Bytes.make 60 '\255'
let broken = Bytes.sub (from_client Tcp.base) 0 40

(* Numbered from 1. *)
let frames =
  [
    arp;
    from_client { Tcp.base with syn = true; seq = 1000; mss = 1460; window = 500 };
    from_server
      {
        Tcp.base with
        syn = true;
        seq = 7000;
        ack = 1001;
        sacks = [ (1005, 1006); (1010, 1011) ];
        user_timeout = Tcp.user_timeout_of_seconds 60_000;
      };
    from_client { Tcp.base with seq = 1001; ack = 7001 } ~data:"hello";
    from_server { Tcp.base with seq = 7001; ack = 1006; rst = true };
    udp;
    echo;
    unknown;
    broken;
  ]

let chosen ?(absolute = false) s =
  let filter = parse s and conversations = Conversations.create () in
  List.mapi (fun i b -> dissect ~absolute ~number:(i + 1) conversations b) frames
  |> List.filter (Filter.matches filter)
  |> List.map (fun (d : Dissection.t) -> d.number)

let all = List.init (List.length frames) (fun i -> i + 1)
let tcp_frames = [ 2; 3; 4; 5 ]

let choices =
  [
    ("", all);
    ("tcp.user_timeout == 60000", [ 3 ]);
    ("port 80 and tcp.rst", [ 5 ]);
    ("port 80", tcp_frames);
    ("src port 80", [ 3; 5 ]);
    ("dst port 80", [ 2; 4 ]);
    ("port 53-80", [ 2; 3; 4; 5; 6 ]);
    ("udp port 53", [ 6 ]);
    ("tcp port 53", []);
    ("not tcp port 80", [ 1; 6; 7; 8; 9 ]);
    ("tcp", [ 2; 3; 4; 5; 9 ]);
    ("ip", [ 2; 3; 4; 5; 6; 7; 9 ]);
    ("arp", [ 1 ]);
    ("icmp or arp", [ 1; 7 ]);
    ("fragment", []);
    ("host 10.0.0.2", [ 1; 2; 3; 4; 5; 7; 9 ]);
    ("10.0.0.2", [ 1; 2; 3; 4; 5; 7; 9 ]);
    ("src host 10.0.0.2", [ 3; 5 ]);
    ("src 10.0.0.2", [ 3; 5 ]);
    ("net 192.168.0.0/16", [ 6 ]);
    ("dst net 192.168.0.0/16 and udp", [ 6 ]);
    ("src net 192.168.0.0/16", []);
    ("net 0.0.0.0/0", [ 1; 2; 3; 4; 5; 6; 7; 9 ]);
    ("host ::1", []);
    ("ip.src == 10.0.0.0/8 and udp", [ 6 ]);
    ("ip.addr != 10.0.0.2", [ 6 ]);
    ("arp.opcode == request", [ 1 ]);
    ("eth.dst == ff:ff:ff:ff:ff:ff", [ 1; 8 ]);
    ("eth.type == 0x0806", [ 1 ]);
    ("icmp.type == 8", [ 7 ]);
    ("icmp.type == echo-request && icmp.seq == 9", [ 7 ]);
    ("tcp.syn", [ 2; 3 ]);
    ("tcp.syn and not tcp.ack", [ 2 ]);
    ("tcp.flags.syn == 1 && tcp.flags.ack == 0", [ 2 ]);
    ("tcp.flags.reset", [ 5 ]);
    ("tcp.syn != 1", [ 4; 5 ]);
    ("tcp.mss", [ 2 ]);
    ("tcp.mss > 1000", [ 2 ]);
    ("tcp.mss >= 1461", []);
    ("tcp.seq = 1", [ 4; 5 ]);
    ("tcp.seq_raw == 1001", [ 4 ]);
    ("tcp.ack_raw > 7000", [ 4 ]);
    ("tcp.len > 0", [ 4 ]);
    ("tcp.len <= 0", [ 2; 3; 5 ]);
    ("tcp.len < 5", [ 2; 3; 5 ]);
    ("tcp.sack_le == 10", [ 3 ]);
    ("tcp.sack_re == 10", []);
    ("tcp.port == 1000", tcp_frames);
    ("tcp.port != 1000", []);
    ("tcp.stream == 0", tcp_frames);
    ("udp.length == 12", [ 6 ]);
    ("frame.number < 3", [ 1; 2 ]);
    ("frame.error", [ 9 ]);
    ("not (tcp or udp) and !arp", [ 7; 8 ]);
    ("arp or tcp and tcp.rst", [ 1; 5 ]);
    ("(arp or tcp) and tcp.rst", [ 5 ]);
    ("arp || icmp || udp", [ 1; 6; 7 ]);
    ("not not arp", [ 1 ]);
    ("PORT 80 AND TCP.RST", [ 5 ]);
    ("tcp.len>0&&tcp.seq==1", [ 4 ]);
    ("  arp  ", [ 1 ]);
  ]

let choose () =
  List.iter (fun (s, want) -> Alcotest.(check (list int)) s want (chosen s)) choices;
  Alcotest.(check (list int)) "absolute" [ 4 ] (chosen ~absolute:true "tcp.seq == 1001");
  Alcotest.(check (list int)) "absolute" [] (chosen ~absolute:true "tcp.seq == 1")

(* The byte that is told, and a part of what is wanted. *)
let mistakes =
  [
    ("port", 4, "a port");
    ("port http", 5, "a port");
    ("port 65536", 5, "a port");
    ("port 80-79", 5, "a port");
    ("host 10.0.0", 5, "an IP address");
    ("net 10.0.0.0", 4, "a network");
    ("net 10.0.0.0/33", 4, "a network");
    ("src", 3, "host, net, port");
    ("src tcp", 4, "host, net, port");
    ("tcp.rstx", 0, "a field");
    ("port 80 and", 11, "a field");
    ("port 80 tcp.rst", 8, "and, or");
    ("port 80 or 443", 11, "a field");
    ("(tcp", 4, ")");
    ("tcp)", 3, "and, or");
    ("()", 1, "a field");
    ("not", 3, "a field");
    ("tcp.seq ==", 10, "a number");
    ("tcp.seq == x", 11, "a number");
    ("tcp.seq == -1", 11, "a number");
    ("tcp.seq == 99999999999999999999", 11, "a number");
    ("tcp.seq == 0x", 11, "a number");
    ("tcp.seq === 1", 10, "a number");
    ("tcp.syn == 2", 11, "0 or 1");
    ("tcp.syn > 0", 8, "no order");
    ("ip.src < 10.0.0.1", 7, "no order");
    ("ip.src == 10.0.0.256", 10, "an IP address");
    ("eth.src == 1:2", 11, "a MAC");
    ("icmp.type == ping", 13, "echo-request");
    ("frame.time == 1", 11, "cannot be compared");
    ("= 3", 0, "a field");
    ("tcp & udp", 4, "and, or");
    (String.make 500 '(' ^ "tcp", 101, "100 nested");
    (String.concat " " (List.init 500 (fun _ -> "not")) ^ " tcp", 404, "100 nested");
    ("caf\xc3\xa9", 0, "a field");
    ("tcp and \027[2J", 9, "a field");
  ]

let has part s =
  let n = String.length part in
  let rec from i = i + n <= String.length s && (String.sub s i n = part || from (i + 1)) in
  from 0

let told () =
  List.iter
    (fun (s, at, wanted) ->
      match Filter.parse s with
      | Ok _ -> Alcotest.failf "%S is taken" s
      | Error e ->
          let line = Fmt.str "%a" Filter.pp_error e in
          Alcotest.(check int) s at e.at;
          if not (has wanted e.wanted) then Alcotest.failf "%S: %s" s line;
          if String.length line > 400 || String.exists (fun c -> c < ' ' || c > '~') line then
            Alcotest.failf "%S: printed %S" s line)
    mistakes

(* Each field alone and compared, over every captured packet. *)
let fields () =
  let compared (f : Fields.t) =
    match f.kind with
    | Numbers names -> "0" :: List.map fst names |> List.map (fun v -> f.name ^ " >= " ^ v)
    | Flags -> [ f.name ^ " == 1" ]
    | Addresses -> [ f.name ^ " == 0.0.0.0/0" ]
    | Macs -> [ f.name ^ " == ff:ff:ff:ff:ff:ff" ]
    | Texts -> []
  in
  let conversations = Conversations.create () in
  let made_up =
    List.mapi (fun i b -> dissect ~absolute:false ~number:(i + 1) conversations b) frames
  in
  let packets = List.concat_map (fun f -> of_capture Fun.id (load f)) files @ made_up in
  List.iter
    (fun (f : Fields.t) ->
      let alone = List.filter (Filter.matches (parse f.name)) packets in
      if alone = [] && f.name <> "frame.error" then Alcotest.failf "%s is in no packet" f.name;
      List.iter
        (fun s -> List.iter (fun d -> ignore (Filter.matches (parse s) d : bool)) packets)
        (compared f))
    Fields.all

let words =
  [
    "tcp"; "and"; "or"; "not"; "("; ")"; "!"; "=="; "!="; "<"; "port"; "80"; "host"; "10.0.0.1";
    "src"; "dst"; "net"; "10.0.0.0/8"; "tcp.seq"; "tcp.rst"; "ip.src"; "1"; "&&"; "||"; "icmp.type";
    "echo-reply"; "frame.time"; "\255"; "";
  ]
[@@ocamlformat "disable"]

let any_words =
  QCheck2.Test.make ~name:"any words are taken or told" ~count:(Suite.iterations 20_000)
    QCheck2.Gen.(list_size (int_bound 12) (oneof_list words))
    (fun words ->
      let s = String.concat " " words in
      match Filter.parse s with
      | Ok filter ->
          let conversations = Conversations.create () in
          List.iter
            (fun b -> ignore (Filter.matches filter (dissect conversations b) : bool))
            frames;
          true
      | Error e -> e.at >= 0 && e.at <= String.length s)

let cases =
  [
    Suite.case "packets are chosen" choose;
    Suite.case "mistakes are told with their place" told;
    Suite.native Suite.since_1970 (Suite.case "every field" fields);
    Suite.qcheck any_words;
  ]
