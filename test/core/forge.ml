open Weir_base
open Weir_wire
open Weir_core
module Header = Weir_wire.Tcp

let ethernet h b ethertype =
  Ethernet.emit { dst = World.mac h; src = Mac.of_int 0x020000000099; ethertype } b ~off:0

let ip h ~src ~protocol n b =
  ethernet h b Ethernet.ethertype_ipv4;
  Ipv4.emit { Ipv4.base with src; dst = World.ip h; protocol; data_length = n } b ~off:14;
  34 + n

let tcp h ~src ?(data = "") (s : Header.t) b =
  let dst = World.ip h in
  let s = { s with data_length = String.length data } in
  let length = Header.length s in
  let total = length + s.data_length in
  Bytes.blit_string data 0 b (34 + length) s.data_length;
  let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_tcp ~length:total in
  let data_sum = Checksum.sum b ~off:(34 + length) ~len:s.data_length in
  Header.emit s ~pseudo ~data_sum b ~off:34;
  ip h ~src ~protocol:Ipv4.protocol_tcp total b

let near random x = Seq.add x (Random.State.int random 200_001 - 100_000)

(* Beyond what was sent, older than any window, or none. *)
let lying_ack random (c : Tcb.t) =
  match Random.State.int random 3 with
  | 0 -> -1
  | 1 -> Seq.add c.snd_max (1 + Random.State.int random 1_000_000)
  | _ -> Seq.add c.snd_una (-2_000_000 - Random.State.int random 1_000_000)

let aimed random h (c : Tcb.t) b =
  let bit n = Random.State.int random n = 0 in
  let data = if bit 2 then "" else String.make (1 + Random.State.int random 100) 'E' in
  let beyond = bit 2 in
  let seq =
    if beyond then Seq.add c.rcv_adv (1 + Random.State.int random 1_000_000)
    else near random c.rcv_nxt
  in
  let rst = bit 5 in
  let seq = if rst && seq = c.rcv_nxt then Seq.add seq 1 else seq in
  let ack = if beyond && bit 2 then near random c.snd_una else lying_ack random c in
  tcp h ~src:c.remote ~data
    {
      Header.base with
      src_port = c.remote_port;
      dst_port = c.local_port;
      seq;
      ack;
      rst;
      syn = bit 6;
      fin = bit 4;
      psh = bit 2;
      urgent = (if bit 8 then Random.State.int random 65_536 else -1);
      window = Random.State.int random 65_536;
      ts_val = (if bit 2 then Random.State.bits random else -1);
      ts_ecr = 0;
    }
    b

let emit_ip random h b ~protocol ~data_length =
  let bit n = Random.State.int random n = 0 in
  let more_fragments = bit 4 in
  let fragment_offset = if bit 4 then 8 * Random.State.int random 400 else 0 in
  let src = Ip.of_int (0x0a000001 + Random.State.int random (if bit 2 then 0x30000000 else 300)) in
  ethernet h b Ethernet.ethertype_ipv4;
  Ipv4.emit
    {
      Ipv4.base with
      src;
      dst = (if bit 20 then Ip.broadcast else World.ip h);
      protocol;
      ttl = Random.State.int random 256;
      identification = Random.State.int random 8;
      more_fragments;
      fragment_offset;
      data_length;
    }
    b ~off:14

let icmp random (c : Tcb.t) b ~len =
  Bytes.set_uint8 b 34 (List.nth [ 0; 3; 3; 4; 5; 8; 11; 12; 13; 200 ] (Random.State.int random 10));
  Bytes.set_uint8 b 35 (Random.State.int random 16);
  (* What an error quotes. *)
  Ipv4.emit
    {
      Ipv4.base with
      src = c.local;
      dst = c.remote;
      protocol = 6;
      dont_fragment = true;
      data_length = 1_480;
    }
    b ~off:42;
  Bytes.set_uint16_be b 62 c.local_port;
  Bytes.set_uint16_be b 64 c.remote_port;
  Bytes.set_int32_be b 66 (Int32.of_int (near random c.snd_una));
  Bytes.set_uint16_be b 36 0;
  Bytes.set_uint16_be b 36 (Checksum.finish (Checksum.sum b ~off:34 ~len))

let packet random h c b =
  let data_length = 8 * (5 + Random.State.int random 60) in
  for i = 4 to (34 + data_length) / 8 do
    Bytes.set_int64_ne b (i * 8) (Random.State.bits64 random)
  done;
  (match Random.State.int random 5 with
  | 0 | 1 ->
      emit_ip random h b ~protocol:Ipv4.protocol_icmp ~data_length;
      icmp random c b ~len:data_length
  | 2 | 3 ->
      emit_ip random h b ~protocol:Ipv4.protocol_udp ~data_length;
      Bytes.set_uint16_be b 38 data_length;
      Bytes.set_uint16_be b 40 0
  | _ -> emit_ip random h b ~protocol:(Random.State.int random 256) ~data_length);
  34 + data_length

let honest_arp b = if Bytes.get_uint16_be b 12 = Ethernet.ethertype_arp then Bytes.set_uint8 b 31 77

let garbage random h real b =
  if Random.State.int random 4 = 0 then (
    let n = 14 + Random.State.int random 200 in
    for i = 0 to (n / 8) + 1 do
      Bytes.set_int64_ne b (i * 8) (Random.State.bits64 random)
    done;
    ethernet h b (if Random.State.bool random then 0x0800 else 0x0806);
    (* Past the first checks of an IP header. *)
    if Random.State.bool random then (
      Bytes.set_uint8 b 14 0x45;
      Bytes.set_uint16_be b 16 (n - 14));
    honest_arp b;
    n)
  else
    let frame, n = real.(Random.State.int random (Array.length real)) in
    Bytes.blit frame 0 b 0 n;
    for _ = 0 to Random.State.int random 4 do
      let at = 14 + Random.State.int random (n - 14) in
      Bytes.set_uint8 b at (Random.State.int random 256)
    done;
    honest_arp b;
    if Random.State.int random 8 = 0 then 1 + Random.State.int random n else n
