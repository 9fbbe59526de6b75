(* IPv6, ICMPv6 and neighbour discovery: what the kernel sent, tables of wrong packets, random
   messages and mutated frames. *)

open Weir_wire
module Checksum = Weir_base.Checksum
module Suite = Weir_test.Suite

let file = "ipv6.pcap"
let ip s = Ip.of_ipaddr (Ipaddr.of_string_exn s)
let one = ip "fd00::1"
let two = ip "fd00::2"
let layers (f : Captures.frame) = Layers.of_frame f.bytes ~off:0 ~len:(Bytes.length f.bytes)

let pseudo (h : Ipv6.t) =
  Ip.pseudo_sum ~src:h.src ~dst:h.dst ~protocol:h.protocol ~length:h.data_length

(* Writes [t]'s headers over bytes that are all wrong; the data stay. *)
let emitted (f : Captures.frame) (h : Ipv6.t) (t : Layers.t) =
  let b = Bytes.copy f.bytes and off = Ethernet.length in
  Bytes.fill b off h.header_length '\xa5';
  Ipv6.emit h b ~off;
  let at = off + h.header_length in
  (match t.transport with
  | Icmpv6 (m, _) ->
      Bytes.fill b at Icmpv6.length '\xa5';
      Icmpv6.emit m ~pseudo:(pseudo h) b ~off:at
  | Nd m ->
      Bytes.fill b at h.data_length '\xa5';
      Alcotest.(check int) (f.name ^ ": length") h.data_length (Nd.length m);
      Nd.emit m ~pseudo:(pseudo h) b ~off:at
  | _ -> ());
  b

let both_ways () =
  let emitted_some = ref 0 in
  List.iter
    (fun (f : Captures.frame) ->
      let t = layers f in
      match (t.network, t.wrong) with
      | Ipv6 h, None ->
          if h.header_length = Ipv6.length h then (
            incr emitted_some;
            Alcotest.(check string)
              f.name (Bytes.to_string f.bytes)
              (Bytes.to_string (emitted f h t)))
      | _, Some (Malformed { what = "unknown option"; _ })
        when String.ends_with ~suffix:" 58" f.name ->
          ()
      | _, Some e -> Alcotest.failf "%s: %a" f.name Error.pp e
      | _ -> Alcotest.failf "%s is no IPv6" f.name)
    (Captures.frames file);
  if !emitted_some < 60 then Alcotest.failf "only %d frames were emitted" !emitted_some

let truncated () =
  List.iter
    (fun (f : Captures.frame) ->
      let len = Bytes.length f.bytes - Ethernet.length in
      for n = 0 to len - 1 do
        match Ipv6.decode (Bytes.sub f.bytes Ethernet.length n) ~off:0 ~len:n with
        | Error (Truncated { need; have }) when have = n && need > n -> ()
        | Error e -> Alcotest.failf "%s, %d bytes: %a" f.name n Error.pp e
        | Ok _ -> Alcotest.failf "%s: %d of %d bytes decoded" f.name n len
      done)
    (Captures.frames file)

(* -- wrong packets ------------------------------------------------------- *)

(* A packet whose fixed header says that [next] follows: these bytes, then 8 of UDP. *)
let packet ?(udp = true) ?(version = 6) next hex =
  let rest = Hex.bytes hex in
  let tail = if udp then Hex.bytes "00 01 00 02 00 08 00 00" else Bytes.empty in
  let payload = Bytes.cat rest tail in
  let n = Bytes.length payload in
  let b = Bytes.create (40 + n) in
  Ipv6.write b ~off:0 ~src:one ~dst:two ~protocol:next ~hop_limit:64 ~data_length:n;
  Bytes.blit payload 0 b 40 n;
  Bytes.set_uint8 b 0 (version lsl 4);
  b

let repeat n s = String.concat " " (List.init n (fun _ -> s))
let skipped = "11 00 1e 04 00 00 00 00"

(* A header with another next header. *)
let with_next next hex = next ^ String.sub hex 2 (String.length hex - 2) ^ " "

(* A fragment header before UDP; bytes in hexadecimal. *)
let fragment ~offset ~more = Printf.sprintf "11 00 %04x 00 00 00 07" (offset lor Bool.to_int more)

let good =
  [
    ("plain", packet 17 "", 40);
    ("hop-by-hop options, unknown but to be skipped", packet 0 skipped, 48);
    ("destination options", packet 60 skipped, 48);
    ("hop-by-hop, then destination options", packet 0 (with_next "3c" skipped ^ skipped), 56);
    ("padding of 6", packet 60 "11 00 01 04 00 00 00 00", 48);
    ("padding bytes", packet 60 "11 00 00 00 00 00 00 00", 48);
    ("a routing header, no segments left", packet 43 "11 00 00 00 00 00 00 00", 48);
    ("a whole packet in one fragment", packet 44 (fragment ~offset:0 ~more:false), 48);
    ("a first fragment", packet 44 (fragment ~offset:0 ~more:true), 48);
    ("a later fragment", packet 44 (fragment ~offset:1_448 ~more:false), 48);
    ("8 headers", packet 60 (repeat 7 (with_next "3c" skipped) ^ skipped), 104);
    ("an unknown protocol", packet ~udp:false 200 "", 40);
    ("no payload", packet ~udp:false 59 "", 40);
  ]

let accepted () =
  List.iter
    (fun (what, b, header) ->
      match Ipv6.decode b ~off:0 ~len:(Bytes.length b) with
      | Ok h -> Alcotest.(check int) what header h.header_length
      | Error e -> Alcotest.failf "%s: %a" what Error.pp e)
    good

(* What is wrong, and what the sender is told: code and pointer, -1 for nothing. *)
let bad =
  [
    ("version 4", packet ~version:4 17 "", (-1, 0));
    ("hop-by-hop behind another", packet 60 (with_next "00" skipped ^ skipped), (1, 40));
    ("option type 01, dropped", packet 60 "11 00 5e 04 00 00 00 00", (-1, 0));
    ("option type 10, reported", packet 60 "11 00 9e 04 00 00 00 00", (2, 42));
    ("option type 11, reported", packet 60 "11 00 de 04 00 00 00 00", (2, 42));
    ("an option beyond its header", packet 60 "11 00 1e 05 00 00 00 00", (0, 42));
    ("an option's length beyond its header", packet 60 "11 00 01 03 00 00 00 1e", (0, 47));
    ("padding of 8", packet 60 "11 01 01 08 00 00 00 00 00 00 00 00 1e 02 00 00", (-1, 0));
    ("9 options", packet 60 ("11 02 " ^ repeat 9 "1e 00" ^ " 01 02 00 00"), (-1, 0));
    ("a routing header with segments left", packet 43 "11 00 00 01 00 00 00 00", (0, 42));
    ("another routing header with segments left", packet 43 "11 00 04 01 00 00 00 00", (0, 42));
    ("9 headers", packet 60 (repeat 8 (with_next "3c" skipped) ^ skipped), (-1, 0));
    ( "two fragment headers",
      packet 44 (with_next "2c" (fragment ~offset:0 ~more:false) ^ skipped),
      (1, 40) );
    ("an empty fragment", packet ~udp:false 44 (fragment ~offset:8 ~more:false), (-1, 0));
    ("a fragment of 9 bytes", packet 44 (fragment ~offset:8 ~more:true ^ "00"), (0, 4));
    ("a fragment beyond the end", packet 44 (fragment ~offset:65_528 ~more:false), (0, 42));
    ( "a first fragment without UDP",
      packet ~udp:false 44 (with_next "3c" (fragment ~offset:0 ~more:true) ^ skipped),
      (3, 0) );
    ( "a first fragment cut in an option",
      packet ~udp:false 44
        (with_next "3c" (fragment ~offset:0 ~more:true) ^ "11 01 1e 0c 00 00 00 00"),
      (3, 0) );
  ]

let refused () =
  List.iter
    (fun (what, b, want) ->
      match Ipv6.read (Packet.create ()) b ~off:0 ~len:(Bytes.length b) with
      | Ok () -> Alcotest.failf "%s is accepted" what
      | Error { report; _ } ->
          let code, pointer = match report with Some r -> (r.code, r.pointer) | None -> (-1, 0) in
          Alcotest.(check (pair int int)) what want (code, pointer))
    bad

(* Options that ask for it are reported for a group, too; the others are not. *)
let to_groups () =
  let report kind =
    let b = packet 60 (Printf.sprintf "11 00 %02x 04 00 00 00 00" kind) in
    match Ipv6.read (Packet.create ()) b ~off:0 ~len:(Bytes.length b) with
    | Error { report = Some r; _ } -> r.to_group
    | _ -> Alcotest.fail "not reported"
  in
  Alcotest.(check (pair bool bool)) "10, 11" (true, false) (report 0x9e, report 0xde)

(* -- neighbour discovery ------------------------------------------------- *)

let sent m =
  let n = Nd.length m in
  let b = Bytes.make (n + 8) '\xa5' in
  let pseudo = Ip.pseudo_sum ~src:one ~dst:two ~protocol:58 ~length:n in
  Nd.emit m ~pseudo b ~off:4;
  (b, n, pseudo)

let random_nd =
  let open QCheck2.Gen in
  let mac = map Mac.of_int (Weir_test.Suite.bits 48) in
  let u32 = Weir_test.Suite.bits 32 and u16 = int_bound 0xffff in
  let address =
    map (fun s -> Ip.get (Bytes.of_string ("\xfd" ^ s)) 0 ~length:16) (string_size (pure 15))
  in
  let prefix =
    let+ a = address
    and+ length = int_bound 128
    and+ on_link = bool
    and+ autonomous = bool
    and+ valid = u32
    and+ preferred = u32 in
    {
      Nd.prefix = Ip.network a ~prefix_length:length;
      length;
      on_link;
      autonomous;
      valid;
      preferred;
    }
  in
  let preference = oneof_list Nd.[ Low; Medium; High ] in
  let route =
    let+ a = address and+ bits = int_bound 128 and+ preference = preference and+ lifetime = u32 in
    { Nd.network = Ip.network a ~prefix_length:bits; bits; preference; lifetime }
  in
  let few g = list_size (int_bound 3) g in
  let advertisement =
    let+ hop_limit = int_bound 255
    and+ managed = bool
    and+ other = bool
    and+ preference = preference
    and+ lifetime = u16
    and+ reachable = u32
    and+ retransmit = u32
    and+ router_mac = option mac
    and+ mtu = u32
    and+ prefixes = few prefix
    and+ routes = few route
    and+ servers = few (pair u32 (list_size (int_range 1 3) address))
    and+ domains =
      few (pair u32 (list_size (int_range 1 3) (oneof_list [ "a"; "lab.example"; "x_1.y-2" ])))
    in
    Nd.Router_advertisement
      {
        hop_limit;
        managed;
        other;
        preference;
        lifetime;
        reachable;
        retransmit;
        router_mac;
        mtu;
        prefixes;
        routes;
        servers;
        domains;
      }
  in
  oneof
    [
      map (fun source_mac -> Nd.Router_solicitation { source_mac }) (option mac);
      advertisement;
      (let+ target = address
       and+ source_mac = option mac
       and+ nonce = oneof [ pure ""; string_size (pure 6) ] in
       Nd.Neighbour_solicitation { target; source_mac; nonce });
      (let+ target = address
       and+ target_mac = option mac
       and+ router = bool
       and+ solicited = bool
       and+ override = bool in
       Nd.Neighbour_advertisement { target; target_mac; router; solicited; override });
      (let+ target = address and+ destination = address and+ target_mac = option mac in
       Nd.Redirect { target; destination; target_mac });
    ]

let nd_round_trip =
  QCheck2.Test.make ~count:(Suite.iterations 2_000) ~name:"messages both ways"
    ~print:(Fmt.to_to_string Nd.pp) random_nd (fun m ->
      let b, n, pseudo = sent m in
      Nd.decode b ~off:4 ~len:n = Ok m
      && Result.is_ok (Icmpv6.decode ~pseudo b ~off:4 ~len:n)
      && Bytes.sub_string b 0 4 = "\xa5\xa5\xa5\xa5"
      && Bytes.sub_string b (n + 4) 4 = "\xa5\xa5\xa5\xa5")

let nd_refused () =
  let solicitation = "87 00 00 00 00 00 00 00 fd 00 " ^ repeat 13 "00" ^ " 01 " in
  let decode hex =
    let b = Hex.bytes hex in
    Nd.decode b ~off:0 ~len:(Bytes.length b)
  in
  Alcotest.(check bool) "none" true (Result.is_ok (decode solicitation));
  Alcotest.(check bool)
    "an unknown option is skipped" true
    (decode (solicitation ^ "fe 01 00 00 00 00 00 00") = decode solicitation);
  List.iter
    (fun (what, hex) ->
      match decode hex with Error _ -> () | Ok m -> Alcotest.failf "%s: %a" what Nd.pp m)
    [
      ("code 1", "87 01" ^ String.sub solicitation 5 (String.length solicitation - 5));
      ("a group", "87 00 00 00 00 00 00 00 ff 02 " ^ repeat 14 "00");
      ("an option of length 0", solicitation ^ "01 00 00 00 00 00 00 00");
      ("an option beyond the end", solicitation ^ "01 02 00 00 00 00 00 00");
      ("half an option", solicitation ^ "01 01 00 00");
      ("too many options", solicitation ^ repeat 65 "fe 01 00 00 00 00 00 00");
      ("short", "87 00 00 00 00 00 00 00 fd 00");
      ("another type", "80 00 00 00 00 00 00 00");
    ]

let printed () =
  let line m = Fmt.str "%a" Nd.pp m in
  let a =
    {
      Nd.hop_limit = 64;
      managed = false;
      other = false;
      preference = Medium;
      lifetime = 1_800;
      reachable = 0;
      retransmit = 0;
      router_mac = None;
      mtu = 1_400;
      prefixes =
        [
          {
            prefix = ip "2001:db8::";
            length = 64;
            on_link = true;
            autonomous = true;
            valid = 600;
            preferred = 300;
          };
        ];
      routes = [ { network = ip "fd05::"; bits = 48; preference = High; lifetime = 60 } ];
      servers = [ (60, [ ip "fd00::53" ]) ];
      domains = [ (60, [ "lab.example" ]) ];
    }
  in
  Alcotest.(check string)
    "advertisement"
    "ICMPv6 router advertisement, lifetime 1800 s mtu 1400 prefix 2001:db8::/64 on link autonomous \
     valid 600 s route fd05::/48 dns fd00::53"
    (line (Router_advertisement a));
  Alcotest.(check string)
    "redirect" "ICMPv6 redirect fd00::1 to fd00::2"
    (line (Redirect { target = two; destination = one; target_mac = None }))

(* -- mutated frames ------------------------------------------------------ *)

let fix_checksum b len =
  match Ipv6.decode b ~off:Ethernet.length ~len:(len - Ethernet.length) with
  | Ok h when h.protocol = Ipv6.protocol_icmp && h.data_length >= 8 ->
      let off = Ethernet.length + h.header_length in
      Icmpv6.set_checksum b ~off ~len:h.data_length ~pseudo:(pseudo h)
  | _ -> ()

let mutated () =
  let state = Random.State.make [| 0xf6 |] in
  let int n = Random.State.int state n in
  let corpus = Array.of_list (Captures.frames file) in
  let read = ref 0 and n = Suite.iterations 50_000 in
  for _ = 1 to n do
    let b = Bytes.copy corpus.(int (Array.length corpus)).bytes in
    let len = Bytes.length b in
    for _ = 0 to int 4 do
      Bytes.set_uint8 b (14 + int (Int.min 80 (len - 14))) (int 256)
    done;
    if int 4 > 0 then Bytes.set_uint8 b 14 0x60;
    if Random.State.bool state then fix_checksum b len;
    let t = Layers.of_frame b ~off:0 ~len in
    if t.wrong = None then incr read;
    let line = Fmt.str "%a" Dump.pp t in
    if line = "" || String.contains line '\n' then Alcotest.failf "printed %S" line
  done;
  if !read * 10 < n then Alcotest.failf "only %d of %d frames could be read" !read n

(* As the kernel writes it before a report of its groups. *)
let router_alert () =
  let f = List.hd (Captures.frames file) in
  let b = Bytes.make 8 '\xa5' in
  Ipv6.emit_router_alert b ~off:0 ~protocol:Ipv6.protocol_icmp;
  Alcotest.(check string) "hop-by-hop header" (Bytes.sub_string f.bytes 54 8) (Bytes.to_string b)

let cases =
  [
    Suite.case "captures both ways" both_ways;
    Suite.case "captures printed" (Capture_tests.dump file);
    Suite.case "every packet at every length" truncated;
    Suite.case "extension headers" accepted;
    Suite.case "wrong packets, and what is reported" refused;
    Suite.case "reports about groups" to_groups;
    Suite.case "router alert" router_alert;
    Suite.qcheck nd_round_trip;
    Suite.case "wrong neighbour discovery" nd_refused;
    Suite.case "neighbour discovery printed" printed;
    Suite.case "mutated frames" mutated;
  ]
