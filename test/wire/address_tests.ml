open Weir_wire
module Checksum = Weir_base.Checksum
module Suite = Weir_test.Suite

let ip s = Ip4.of_ipaddr (Ipaddr.V4.of_string_exn s)
let mac s = Mac.of_macaddr (Macaddr.of_string_exn s)

let ipv4 () =
  List.iter
    (fun s ->
      let b = Bytes.make 6 '!' in
      Ip4.set b 1 (ip s);
      Alcotest.(check string) "printed" s (Fmt.str "%a" Ip4.pp (Ip4.get b 1));
      Alcotest.(check string) "user's" s (Ipaddr.V4.to_string (Ip4.to_ipaddr (ip s)));
      Alcotest.(check string)
        "octets"
        (Ipaddr.V4.to_octets (Ip4.to_ipaddr (ip s)))
        (Bytes.sub_string b 1 4);
      Alcotest.(check bool)
        "equal" true
        (Ip4.equal (ip s) (Ip4.of_int ((ip s :> int) + (1 lsl 32)))))
    [ "0.0.0.0"; "1.2.3.4"; "127.255.255.255"; "128.0.0.1"; "255.255.255.255" ];
  let kinds s = (Ip4.is_multicast (ip s), Ip4.is_loopback (ip s)) in
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
  Alcotest.(check bool) "any" true (Ip4.equal Ip4.any (ip "0.0.0.0"));
  Alcotest.(check bool) "broadcast" true (Ip4.equal Ip4.broadcast (ip "255.255.255.255"))

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
      quad (int_bound 0xffff_ffff) (int_bound 0xffff_ffff) (int_bound 255) (int_bound 0xffff))
    (fun (src, dst, protocol, length) ->
      let src = Ip4.of_int src and dst = Ip4.of_int dst in
      let b = Bytes.make 12 '\000' in
      Ip4.set b 0 src;
      Ip4.set b 4 dst;
      Bytes.set_uint8 b 9 protocol;
      Bytes.set_uint16_be b 10 length;
      Ip4.pseudo_sum ~src ~dst ~protocol ~length = Checksum.sum b ~off:0 ~len:12)

let cases = [ Suite.case "IPv4" ipv4; Suite.case "Ethernet" ethernet; Suite.qcheck pseudo ]
