open Weir_wire
module Checksum = Weir_base.Checksum
module Suite = Weir_test.Suite

let ip s = Ip.of_v4 (Ipaddr.V4.of_string_exn s)
let mac s = Mac.of_macaddr (Macaddr.of_string_exn s)

let ipv4 () =
  List.iter
    (fun s ->
      let b = Bytes.make 6 '!' in
      Ip.set b 1 (ip s);
      Alcotest.(check string) "printed" s (Fmt.str "%a" Ip.pp (Ip.get b 1 ~length:4));
      Alcotest.(check string) "user's" s (Ipaddr.V4.to_string (Ip.to_v4 (ip s)));
      Alcotest.(check string)
        "octets"
        (Ipaddr.V4.to_octets (Ip.to_v4 (ip s)))
        (Bytes.sub_string b 1 4);
      Alcotest.(check bool) "equal" true (Ip.equal (ip s) (Ip.of_int (Ip.key (ip s) + (1 lsl 32)))))
    [ "0.0.0.0"; "1.2.3.4"; "127.255.255.255"; "128.0.0.1"; "255.255.255.255" ];
  let kinds s = (Ip.is_multicast (ip s), Ip.is_loopback (ip s)) in
  List.iter
    (fun (s, want) -> Alcotest.(check (pair bool bool)) s want (kinds s))
    [
      ("223.255.255.255", (false, false));
      ("224.0.0.1", (true, false));
      ("239.255.255.255", (true, false));
      ("240.0.0.0", (false, false));
      ("127.0.0.1", (false, true));
      ("128.0.0.0", (false, false));
    ];
  Alcotest.(check bool) "any" true (Ip.equal Ip.any (ip "0.0.0.0"));
  Alcotest.(check bool) "broadcast" true (Ip.equal Ip.broadcast (ip "255.255.255.255"))

let ethernet () =
  List.iter
    (fun s ->
      let b = Bytes.make 8 '!' in
      Mac.set b 1 (mac s);
      Alcotest.(check string) "printed" s (Fmt.str "%a" Mac.pp (Mac.get b 1));
      Alcotest.(check string) "user's" s (Macaddr.to_string (Mac.to_macaddr (mac s)));
      Alcotest.(check string)
        "octets"
        (Macaddr.to_octets (Mac.to_macaddr (mac s)))
        (Bytes.sub_string b 1 6);
      Alcotest.(check string) "margins" "!!" (Printf.sprintf "%c%c" (Bytes.get b 0) (Bytes.get b 7)))
    [ "00:00:00:00:00:00"; "01:23:45:67:89:ab"; "fe:dc:ba:98:76:54"; "ff:ff:ff:ff:ff:ff" ];
  Alcotest.(check bool) "group" true (Mac.is_group (mac "01:00:5e:00:00:01"));
  Alcotest.(check bool) "group" true (Mac.is_group Mac.broadcast);
  Alcotest.(check bool) "not group" false (Mac.is_group (mac "fe:ff:ff:ff:ff:ff"));
  Alcotest.(check bool) "cut to 48 bits" true (Mac.equal Mac.broadcast (Mac.of_int (-1)))

(* The pseudo header written out as RFC 9293 §3.1 draws it. *)
let pseudo =
  QCheck2.Test.make ~name:"pseudo_sum is the pseudo header's sum" ~count:2_000
    QCheck2.Gen.(
      quad (Weir_test.Suite.bits 32) (Weir_test.Suite.bits 32) (int_bound 255) (int_bound 0xffff))
    (fun (src, dst, protocol, length) ->
      let src = Ip.of_int src and dst = Ip.of_int dst in
      let b = Bytes.make 12 '\000' in
      Ip.set b 0 src;
      Ip.set b 4 dst;
      Bytes.set_uint8 b 9 protocol;
      Bytes.set_uint16_be b 10 length;
      Ip.pseudo_sum ~src ~dst ~protocol ~length = Checksum.sum b ~off:0 ~len:12)

(* Both families, against Ipaddr; what is asked in flight is asked of copies at
   odd offsets. *)
let in_flight =
  let open QCheck2.Gen in
  let v4 = string_size ~gen:char (return 4) and v6 = string_size ~gen:char (return 16) in
  let near s =
    map2
      (fun i c -> String.mapi (fun j x -> if j = i then c else x) s)
      (int_bound (String.length s - 1))
      char
  in
  let pair =
    oneof [ v4; v6 ] >>= fun a -> map (fun b -> (a, b)) (oneof [ return a; near a; v4; v6 ])
  in
  let address s = Ip.of_ipaddr (Ipaddr.of_octets_exn s) in
  QCheck2.Test.make ~name:"addresses at rest and in flight" ~count:5_000
    (triple pair (int_bound 128) (int_bound 0xffff))
    (fun ((a, b), bits, port) ->
      let x = address a and y = address b in
      let buffer = Bytes.of_string ("?" ^ b ^ "?") in
      let length = String.length b in
      let bits = Int.min bits (Ip.bits x) in
      let bit t i = Char.code (t : Ip.t :> string).[i / 8] land (0x80 lsr (i land 7)) <> 0 in
      let low = Ip.network x ~prefix_length:bits and high = Ip.last x ~prefix_length:bits in
      let same = String.equal a b in
      Ip.equal x y = same
      && Ip.is_at x buffer 1 ~length = same
      && Ip.compare x y = 0 = same
      && Ip.equal (Ip.get buffer 1 ~length) y
      && (Ip.key x = Ip.key y || not same)
      && Ip.hash_at 7 buffer 1 ~length ~port = Ip.hash 7 y ~port
      && Ip.hash 7 x ~port = Ip.hash 7 y ~port = same
      && Ip.is_any_at buffer 1 ~length = Ip.is_any y
      && Ip.is_multicast_at buffer 1 ~length = Ipaddr.is_multicast (Ip.to_ipaddr y)
      && Ip.is_loopback_at buffer 1 ~length = Ip.is_loopback y
      && Ip.shares_prefix x y ~bits
         = (String.length a = length
           && List.for_all (fun i -> bit x i = bit y i) (List.init bits Fun.id))
      && List.for_all
           (fun i ->
             if i < bits then bit low i = bit x i && bit high i = bit x i
             else bit high i && not (bit low i))
           (List.init (Ip.bits x) Fun.id))

let ipv6 () =
  let ip s = Ip.of_ipaddr (Ipaddr.of_string_exn s) in
  let kinds s = (Ip.is_multicast (ip s), Ip.is_loopback (ip s), Ip.is_any (ip s)) in
  List.iter
    (fun (s, want) -> Alcotest.(check (triple bool bool bool)) s want (kinds s))
    [
      ("::", (false, false, true));
      ("::1", (false, true, false));
      ("::2", (false, false, false));
      ("1::1", (false, false, false));
      ("ff02::1", (true, false, false));
      ("fe80::1", (false, false, false));
    ];
  Alcotest.(check string) "printed" "2001:db8::1" (Fmt.str "%a" Ip.pp (ip "2001:db8::1"));
  let mac s = Fmt.str "%a" Mac.pp (Ip.group_mac (ip s)) in
  Alcotest.(check string) "IPv6 group" "33:33:ff:12:34:56" (mac "ff02::1:ff12:3456");
  Alcotest.(check string) "IPv4 group" "01:00:5e:7f:00:01" (mac "239.255.0.1");
  Alcotest.check_raises "no IPv4" (Invalid_argument "Ip.to_v4: an IPv6 address") (fun () ->
      ignore (Ip.to_v4 (ip "::1")))

(* A packet of either family is known by its addresses in place. *)
let packets =
  let open QCheck2.Gen in
  let pair n = pair (string_size ~gen:char (return n)) (string_size ~gen:char (return n)) in
  QCheck2.Test.make ~name:"a packet's addresses" ~count:2_000
    (QCheck2.Gen.pair (oneof [ pair 4; pair 16 ]) (int_bound 0xffff))
    (fun ((a, b), port) ->
      let source = Ip.of_ipaddr (Ipaddr.of_octets_exn a) in
      let destination = Ip.of_ipaddr (Ipaddr.of_octets_exn b) in
      let p = Packet.between ~source ~destination in
      let same = String.equal a b in
      let between ~remote ~local =
        Packet.is_between p ~remote ~remote_key:(Ip.key remote) ~local ~local_key:(Ip.key local)
      in
      Packet.is_from p source && Packet.is_to p destination
      && Packet.is_from p destination = same
      && between ~remote:source ~local:destination
      && between ~remote:destination ~local:source = same
      && Ip.equal (Packet.source p) source
      && Ip.equal (Packet.destination p) destination
      && Packet.hash_source 3 p ~port = Ip.hash 3 source ~port
      && Packet.hash_destination 3 p ~port = Ip.hash 3 destination ~port
      && Packet.pseudo_sum { p with protocol = 6; payload_length = port }
         = Ip.pseudo_sum ~src:source ~dst:destination ~protocol:6 ~length:port)

let groups () =
  let ip s = Ip.of_ipaddr (Ipaddr.of_string_exn s) in
  let is what want got = Alcotest.(check string) what want (Fmt.str "%a" Ip.pp got) in
  is "solicited node" "ff02::1:ff12:3456" (Ip.solicited_node (ip "fe80::1:2:ab12:3456"));
  is "all nodes" "ff02::1" Ip.all_nodes;
  is "all routers" "ff02::2" Ip.all_routers;
  List.iter
    (fun (a, want) -> Alcotest.(check bool) a want (Ip.is_link_local (ip a)))
    [
      ("fe80::1", true);
      ("febf:ffff::", true);
      ("fec0::", false);
      ("fd00::1", false);
      ("169.254.3.4", true);
      ("169.253.0.1", false);
    ]

let cases =
  [
    Suite.case "groups and link-local addresses" groups;
    Suite.case "IPv4" ipv4;
    Suite.case "Ethernet" ethernet;
    Suite.qcheck pseudo;
    Suite.qcheck in_flight;
    Suite.case "IPv6" ipv6;
    Suite.qcheck packets;
  ]
