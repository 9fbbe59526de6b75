(* Hosts with IPv6, what they send, and packets made by hand. *)

open Weir_base
open Weir_wire
open Weir_core

let address = Ipaddr.of_string_exn
let v6 s = Ip.of_ipaddr (address s)
let lines = Alcotest.(check (list string))
let check_int = Alcotest.(check int)
let check_bool = Alcotest.(check bool)

let host ?(transmits = 0) ?(mtu = 1_500) ?(number = 1) ?(addresses = "") () =
  let addresses = if addresses = "" then Fmt.str "fd00::%d/64" number else addresses in
  Stack.create
    {
      mac = Net.mac number;
      addresses = List.map Ipaddr.Prefix.of_string_exn (String.split_on_char ',' addresses);
      gateways = [];
      mtu;
      secret = Stable_address.secret_of_string (string_of_int number);
      config = { Config.default with dad_transmits = Some transmits };
    }
    ~random:(Random.State.make [| number |]) ~now:0

(* Without the packet that an error quotes. *)
let show b ~len =
  let line = Fmt.str "%t" (fun f -> Dump.pp_frame f b ~off:0 ~len) in
  match String.index_opt line (Char.chr 40) with
  | Some i when i > 0 -> String.sub line 0 (i - 1)
  | _ -> line

let pool = Frame.pool ~size:66_000 ()

(* What the host sends now. *)
let rec frames ?(now = 0) t =
  let f = Frame.alloc pool in
  if Stack.transmit t ~now f < 0 then []
  else
    let b = Bytes.sub f.data 0 f.len in
    b :: frames ~now t

let sent ?now t = List.map (fun b -> show b ~len:(Bytes.length b)) (frames ?now t)

let give ?(now = 0) t b =
  let f = Frame.alloc pool in
  Bytes.blit b 0 f.data 0 (Bytes.length b);
  Frame.set f ~off:0 ~len:(Bytes.length b);
  Stack.input t ~now ~interface:0 f;
  Frame.release f

(* Until both are quiet; what went over the link. *)
let rec settle ?now a b =
  let one = frames ?now a in
  List.iter (give ?now b) one;
  let other = frames ?now b in
  List.iter (give ?now a) other;
  let here = List.map (fun b -> show b ~len:(Bytes.length b)) (one @ other) in
  if here = [] then [] else here @ settle ?now a b

(* -- packets made by hand -------------------------------------------------- *)

let mac_of dst = if Ip.is_multicast dst then Ip.group_mac dst else Net.mac 1

(* [fill b off pseudo] writes a payload of [length] bytes; [chain] are extension headers. *)
let packet ?(hop_limit = 255) ?(chain = "") ?next ~src ~dst ~protocol ~length fill =
  let n = String.length chain in
  let b = Bytes.make (14 + 40 + n + length) '\000' in
  Ethernet.write b ~off:0 ~dst:(mac_of dst) ~src:(Net.mac 2) Ethernet.ethertype_ipv6;
  Ipv6.write b ~off:14 ~src ~dst
    ~protocol:(Option.value next ~default:protocol)
    ~hop_limit ~data_length:(n + length);
  Bytes.blit_string chain 0 b 54 n;
  fill b (54 + n) (Ip.pseudo_sum ~src ~dst ~protocol ~length);
  b

let nd ?hop_limit ?chain ?next ~src ~dst message =
  packet ?hop_limit ?chain ?next ~src ~dst ~protocol:58 ~length:(Nd.length message)
    (fun b off pseudo -> Nd.emit message ~pseudo b ~off)

let own = v6 "fd00::1"
let peer = v6 "fd00::2"
let group = Ip.solicited_node own

let solicit ?hop_limit ?chain ?next ?(src = peer) ?(dst = group) ?(mac = Some (Net.mac 2))
    ?(nonce = "") ?(target = own) () =
  nd ?hop_limit ?chain ?next ~src ~dst (Neighbour_solicitation { target; source_mac = mac; nonce })

let advertise ?hop_limit ?(src = peer) ?(dst = own) ?(mac = Some (Net.mac 2)) ?(target = peer)
    ?(solicited = true) ?(router = false) () =
  nd ?hop_limit ~src ~dst
    (Neighbour_advertisement { target; target_mac = mac; router; solicited; override = true })

let counters = Stack.counters

let raw ?chain ?next ?(dst = own) ?(src = peer) ~protocol payload =
  packet ?chain ?next ~hop_limit:64 ~src ~dst ~protocol ~length:(String.length payload)
    (fun b off _ -> Bytes.blit_string payload 0 b off (String.length payload))

let datagram ?(sum = true) ?(src = peer) ?(dst = own) ?(port = 9) () =
  packet ~hop_limit:64 ~src ~dst ~protocol:17 ~length:12 (fun b off pseudo ->
      Udp.emit
        { src_port = 1_000; dst_port = port; data_length = 4; checksummed = sum }
        ~pseudo b ~off)

(* A host that knows the peer, so that its answers leave at once. *)
let acquainted () =
  let t = host () in
  give t (solicit ());
  ignore (sent t);
  t

(* -- sockets ------------------------------------------------------------------ *)

let udp t ~at ~port = Result.get_ok (Stack.bind_udp t ~address:(address at) ~port ~reuse:false)

let send t s ~dst ~port text =
  Stack.send_udp t ~now:0 s ~dst:(address dst) ~dst_port:port (Bytes.of_string text) ~off:0
    ~len:(String.length text)

let receive s =
  let b = Bytes.create 70_000 in
  match Udp_sockets.receive s b ~off:0 ~len:70_000 with
  | -1 -> "nothing"
  | n ->
      let text = if n > 20 then Fmt.str "%d bytes" n else Bytes.sub_string b 0 n in
      Fmt.str "%s from %a" text Ip.pp (Udp_sockets.last_src s)

let link_local t =
  let is_link_local (a : Interface.address) = Ip.is_link_local a.ip in
  match List.filter is_link_local (Array.to_list (Stack.interface t 0).addresses) with
  | [ a ] -> a.ip
  | _ -> Alcotest.fail "one link-local address"
