open Weir_wire
open Captures

let decoded f =
  match decode f.bytes ~off:0 ~len:(Bytes.length f.bytes) with
  | Ok t -> t
  | Error e -> Alcotest.failf "%s: %a" f.name Error.pp e

let both_ways file () =
  List.iter
    (fun f ->
      let t = decoded f in
      (* At an odd offset, over bytes that are all wrong. *)
      let len = Bytes.length f.bytes and off = 3 in
      let b = Bytes.make (len + 10) '\xa5' in
      let data = headers t in
      Bytes.blit f.bytes data b (off + data) (len - data);
      emit t b ~off;
      Alcotest.(check string) f.name (Bytes.to_string f.bytes) (Bytes.sub_string b off len);
      Alcotest.(check string) "nothing in front" "\xa5\xa5\xa5" (Bytes.sub_string b 0 off);
      Alcotest.(check string) "nothing behind" "\xa5\xa5\xa5" (Bytes.sub_string b (off + len) 3);
      match decode b ~off ~len with
      | Ok again when again = t -> ()
      | _ -> Alcotest.failf "%s: decoded differently elsewhere" f.name)
    (frames file)

(* The captures hold what they were made for; otherwise the tests above are void. *)
let covered () =
  let all = List.map decoded (Lazy.force all) in
  let count what p =
    let n = List.length (List.filter (fun t -> p t.network) all) in
    if n = 0 then Alcotest.failf "no %s in any capture" what
  in
  let tcp what p = count what (function Ipv4 (_, Tcp t) -> p t | _ -> false) in
  let icmp what p = count what (function Ipv4 (_, Icmp t) -> p t | _ -> false) in
  let ip what p = count what (function Ipv4 (ip, _) -> p ip | _ -> false) in
  let unreachable what p =
    icmp what (function Icmpv4.Destination_unreachable { code; _ } -> p code | _ -> false)
  in
  count "ARP request" (function Arp a -> a.operation = Request | _ -> false);
  count "ARP reply" (function Arp a -> a.operation = Reply | _ -> false);
  ip "first fragment" (fun ip -> ip.more_fragments && ip.fragment_offset = 0);
  ip "last fragment" (fun ip -> (not ip.more_fragments) && ip.fragment_offset > 0);
  ip "IP options" (fun ip -> ip.options <> "");
  ip "type of service" (fun ip -> ip.dscp_ecn <> 0);
  icmp "echo request" (function Echo_request _ -> true | _ -> false);
  icmp "echo reply" (function
    | Echo_reply { data_length; _ } -> data_length land 1 = 1
    | _ -> false);
  unreachable "net unreachable" (( = ) Icmpv4.Net);
  unreachable "host unreachable" (( = ) Icmpv4.Host);
  unreachable "protocol unreachable" (( = ) Icmpv4.Protocol);
  unreachable "port unreachable" (( = ) Icmpv4.Port);
  unreachable "too big" (( = ) (Icmpv4.Fragmentation_needed 1000));
  icmp "TTL exceeded" (function Time_exceeded { reassembly; _ } -> not reassembly | _ -> false);
  icmp "parameter problem" (function
    | Parameter_problem { pointer; _ } -> pointer = 22
    | _ -> false);
  count "unsummed UDP" (function Ipv4 (_, Udp u) -> not u.checksummed | _ -> false);
  count "empty UDP" (function Ipv4 (_, Udp u) -> u.data_length = 0 | _ -> false);
  tcp "SYN with all options" (fun t ->
      t.syn && t.mss >= 0 && t.sack_permitted && t.window_scale >= 0 && t.ts_val >= 0);
  tcp "SYN with MSS only" (fun t -> t.syn && Tcp.length t = 24);
  tcp "SYN without timestamps" (fun t ->
      t.syn && t.sack_permitted && t.window_scale >= 0 && t.ts_val < 0);
  tcp "three SACK blocks with timestamps" (fun t -> List.length t.sacks = 3 && t.ts_val >= 0);
  tcp "four SACK blocks" (fun t -> List.length t.sacks = 4);
  tcp "FIN" (fun t -> t.fin && t.ack >= 0);
  tcp "RST" (fun t -> t.rst);
  tcp "URG" (fun t -> t.urgent = 6);
  tcp "ECN" (fun t -> t.syn && t.ece && t.cwr);
  tcp "data" (fun t -> t.data_length = 1448 && t.header_length = 32)

let dump file () =
  let lines =
    List.map
      (fun f ->
        Format.asprintf "%a@."
          (fun ppf b -> Dump.pp_frame ppf b ~off:0 ~len:(Bytes.length b))
          f.bytes)
      (frames file)
  in
  let base = Filename.remove_extension file in
  Suite.expected ~file:("test/wire/captures/" ^ base ^ ".expected") (String.concat "" lines)

(* One flipped bit is what a checksum must find, in whatever field it is. *)
let every_bit () =
  let flipped = ref 0 in
  List.iter
    (fun f ->
      let t = decoded f in
      let summed =
        match t.network with
        | Ipv4 (_, Udp u) -> u.checksummed
        | Ipv4 (_, (Tcp _ | Icmp _)) -> true
        | Ipv4 (_, Data) | Arp _ | Unknown -> false
      in
      let len = Bytes.length f.bytes in
      if summed && len < 120 then
        for bit = 8 * Ethernet.length to (8 * len) - 1 do
          let b = Bytes.copy f.bytes in
          Bytes.set_uint8 b (bit / 8) (Bytes.get_uint8 b (bit / 8) lxor (1 lsl (bit land 7)));
          incr flipped;
          match decode b ~off:0 ~len with
          | Error _ -> ()
          | Ok _ -> Alcotest.failf "%s: bit %d flipped unnoticed" f.name bit
        done)
    (Lazy.force all);
  if !flipped < 10_000 then Alcotest.failf "only %d bits flipped" !flipped

let cases =
  List.map (fun file -> Suite.case (file ^ " both ways") (both_ways file)) files
  @ List.map (fun file -> Suite.case (file ^ " printed") (dump file)) files
  @ [
      Suite.case "captures cover every kind" covered;
      Suite.case "every flipped bit is noticed" every_bit;
    ]
