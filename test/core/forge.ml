open Weir_base
open Weir_wire
open Weir_core
module Header = Weir_wire.Tcp

let ethernet h b ethertype =
  Ethernet.emit { dst = World.mac h; src = Mac.of_int 0x020000000099; ethertype } b ~off:0

let tcp h ~src ?(data = "") (s : Header.t) b =
  let dst = World.ip h in
  let s = { s with data_length = String.length data } in
  let length = Header.length s in
  let total = length + s.data_length in
  ethernet h b Ethernet.ethertype_ipv4;
  Ipv4.emit { Ipv4.base with src; dst; protocol = Ipv4.protocol_tcp; data_length = total } b ~off:14;
  Bytes.blit_string data 0 b (34 + length) s.data_length;
  let pseudo = Ip4.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_tcp ~length:total in
  let data_sum = Checksum.sum b ~off:(34 + length) ~len:s.data_length in
  Header.emit s ~pseudo ~data_sum b ~off:34;
  34 + total

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

let honest_arp b =
  if Bytes.get_uint16_be b 12 = Ethernet.ethertype_arp then Bytes.set_uint8 b 31 77

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
