(* Frames in and out of a host that has no address. *)

open Weir_base
open Weir_wire
open Weir_core
module Suite = Weir_test.Suite

let host () =
  let t =
    Stack.create
      {
        mac = Bench.mac;
        addresses = [];
        gateways = [];
        mtu = 1_500;
        secret = Stable_address.secret (Random.State.make [| 4 |]);
        config = Config.default;
      }
      ~random:(Random.State.make [| 3 |]) ~now:0
  in
  (t, Stack.start_dhcp t ~now:0 (Stack.interface t 0) Bench.quick)

(* Frames that the host sends, and the DHCP messages in them. *)
let frames ?(now = 0) t =
  let f = Frame.alloc (Frame.pool ~size:1_514 ()) in
  let rec go all =
    if Stack.transmit t ~now f < 0 then List.rev all
    else go (Layers.of_frame f.data ~off:f.off ~len:f.len :: all)
  in
  go []

let messages ?now t =
  List.filter_map
    (fun (l : Layers.t) ->
      match l.application with Some (Ok (Dhcpv4 m)) -> Some (l, m) | _ -> None)
    (frames ?now t)

let reply (m : Dhcpv4.t) kind : Dhcpv4.t =
  {
    Dhcpv4.base with
    reply = true;
    kind;
    xid = m.xid;
    chaddr = m.chaddr;
    yiaddr = Bench.address;
    options = Bench.standard;
  }

(* A frame to [dst] at [mac], with any UDP payload. *)
let frame ?(mac = Bench.mac) ?(dst = Bench.address) ?(port = 68) payload =
  let length = Udp.length + Bytes.length payload and src = Bench.server in
  let at = Ethernet.length + Ipv4.shortest in
  let f = Frame.alloc (Frame.pool ~size:1_514 ()) in
  Frame.set f ~off:0 ~len:(at + length);
  Bytes.blit payload 0 f.data (at + Udp.length) (Bytes.length payload);
  Udp.emit
    { src_port = 67; dst_port = port; data_length = Bytes.length payload; checksummed = true }
    ~pseudo:(Ip.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_udp ~length)
    f.data ~off:at;
  Ipv4.emit
    { Ipv4.base with src; dst; protocol = Ipv4.protocol_udp; data_length = length }
    f.data ~off:Ethernet.length;
  Ethernet.emit { dst = mac; src = Bench.other; ethertype = Ethernet.ethertype_ipv4 } f.data ~off:0;
  f

let bytes m =
  let b = Bytes.create (Dhcpv4.length m) in
  Dhcpv4.emit m b ~off:0;
  b

let input ?(now = 0) t f = Stack.input t ~now ~interface:0 f

(* A server that does not heed the flag answers to an address that the host does not have yet. *)
let replies ~mac ~dst () =
  let t, d = host () in
  let l, discover = List.hd (messages t) in
  Alcotest.(check (option (pair string string)))
    "from nowhere to all"
    (Some ("0.0.0.0", "255.255.255.255"))
    (Option.map (fun (a, b) -> Fmt.(str "%a" Ip.pp a, str "%a" Ip.pp b)) (Layers.addresses l));
  Alcotest.(check bool) "no fault" true (l.wrong = None);
  input t (frame ~mac ~dst (bytes (reply discover Offer)));
  let _, request = List.hd (messages t) in
  Alcotest.(check bool) "asks" true (request.kind = Request);
  input t (frame ~mac ~dst (bytes (reply request Ack)));
  Alcotest.(check bool)
    "told" true
    (match Stack.event t with Configuration told -> told == d | _ -> false);
  Alcotest.(check string) "has it" "10.0.0.50" (Ipaddr.to_string (Stack.address t));
  Alcotest.(check bool)
    "the default route" true
    (Stack.has_route t (Ipaddr.of_string_exn "192.0.2.1"));
  Alcotest.(check bool)
    "port 68 is in use" true
    (match Stack.bind_udp t ~address:(V4 Ipaddr.V4.any) ~port:68 ~reuse:true with
    | Error `In_use -> true
    | _ -> false)

(* Without DHCP, or to another port, such packets are for nobody. *)
let not_for_us () =
  let t, _ = host () in
  ignore (frames t);
  let b = bytes Dhcpv4.base in
  let refused () = (Stack.counters t).ip_in_not_ours in
  input t (frame ~port:69 b);
  Alcotest.(check int) "another port" 1 (refused ());
  input t (frame ~mac:Bench.other b);
  Alcotest.(check int) "another host" 1 (refused ());
  Alcotest.(check int) "no answer" 0 (List.length (frames t))

(* The unicast request of T1 goes by ARP, from the address. *)
let renews () =
  let t, d = host () in
  let discover = snd (List.hd (messages t)) in
  input t (frame (bytes (reply discover Offer)));
  input t (frame (bytes (reply (snd (List.hd (messages t))) Ack)));
  ignore (frames t);
  let until = (Option.get (Dhcp.lease d)).renew_at in
  let rec go () =
    let now = Stack.deadline t in
    if now < until then (
      Stack.tick t ~now;
      ignore (frames ~now t);
      go ())
    else now
  in
  let now = go () in
  Alcotest.(check int) "the host's deadline" until now;
  Stack.tick t ~now;
  (match frames ~now t with
  | [ { network = Arp { target_ip; _ }; _ } ] when Ip.equal target_ip Bench.server -> ()
  | l -> Alcotest.failf "%d frames" (List.length l));
  Stack.release_dhcp t ~now;
  Stack.release_dhcp t ~now;
  Alcotest.(check bool) "waits for the server's MAC" false (Stack.nothing_waits t)

(* Anything at port 68, with right checksums: nothing but questions comes of it. *)
let garbage () =
  let state = Random.State.make [| 0xd4c9 |] in
  let int = Random.State.int state in
  let t, _ = host () in
  let discover = snd (List.hd (messages t)) in
  let good = bytes (reply discover Offer) in
  let sent = ref 0 in
  for i = 1 to Suite.iterations 50_000 do
    let b = Bytes.sub good 0 (if int 4 = 0 then int (Bytes.length good) else Bytes.length good) in
    for _ = 0 to int 8 do
      if Bytes.length b > 0 then Bytes.set_uint8 b (int (Bytes.length b)) (int 256)
    done;
    let now = Time.ms i in
    input ~now t (frame ~dst:(if int 2 = 0 then Ip.broadcast else Bench.address) b);
    if Stack.deadline t <= now then Stack.tick t ~now;
    sent := !sent + List.length (frames ~now t);
    match Stack.event t with _ -> ()
  done;
  if !sent > 100 then Alcotest.failf "%d frames in 50 s" !sent;
  Alcotest.(check bool)
    "no IPv4 address" true
    (match Stack.address t with V4 _ -> false | V6 _ -> true)

let cases =
  Suite.
    [
      case "unicast replies before there is an address" (replies ~mac:Bench.mac ~dst:Bench.address);
      case "broadcast replies" (replies ~mac:Mac.broadcast ~dst:Ip.broadcast);
      case "packets for others" not_for_us;
      case "renewing goes by ARP" renews;
      case "garbage at port 68" garbage;
    ]
