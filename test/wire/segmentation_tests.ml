open Weir_base
open Weir_wire
module Suite = Weir_test.Suite

let long_pool = Frame.pool ~size:65_549 ()

type plan = {
  v6 : bool;
  data : string;
  size : int;
  timestamps : bool;
  fin : bool;
  psh : bool;
  cwr : bool;
  seq : int;
  id : int;
}

let plans =
  let open QCheck2.Gen in
  let* size = int_range 1 1_448 in
  let* pieces = int_range 1 12 and* rest = int_bound (size - 1) in
  let length = Int.max 1 ((size * (pieces - 1)) + rest) in
  let+ data = string_size ~gen:char (return length)
  and+ v6 = bool
  and+ timestamps = bool
  and+ fin = bool
  and+ psh = bool
  and+ cwr = bool
  and+ seq = oneof [ Weir_test.Suite.bits 32; return 0xffff_ff00 ]
  and+ id = int_bound 0xffff in
  { v6; data; size; timestamps; fin; psh; cwr; seq; id }

let header p : Tcp.t =
  {
    Tcp.base with
    src_port = 5001;
    dst_port = 80;
    seq = p.seq;
    ack = 77;
    window = 500;
    fin = p.fin;
    psh = p.psh;
    cwr = p.cwr;
    ts_val = (if p.timestamps then 9 else -1);
    ts_ecr = (if p.timestamps then 8 else 0);
    data_length = String.length p.data;
  }

(* The headers before that of [protocol], whose packet has [length] bytes. *)
let write_ip p b ~protocol ~length =
  let address n =
    Ip.of_ipaddr
      (if p.v6 then V6 (Ipaddr.V6.make 1 2 3 4 5 6 7 n) else V4 (Ipaddr.V4.make 10 0 0 n))
  in
  let src = address 1 and dst = address 2 in
  let ip = Ethernet.length in
  Ethernet.write b ~off:0 ~dst:(Mac.of_int 2) ~src:(Mac.of_int 1)
    (if p.v6 then Ethernet.ethertype_ipv6 else Ethernet.ethertype_ipv4);
  let at =
    if p.v6 then (
      Bytes.fill b ip 40 '\000';
      Bytes.set_uint8 b ip 0x60;
      Bytes.set_uint16_be b (ip + 4) length;
      Bytes.set_uint8 b (ip + 6) protocol;
      Bytes.set_uint8 b (ip + 7) 64;
      Ip.set b (ip + 8) src;
      Ip.set b (ip + 24) dst;
      ip + 40)
    else (
      Ipv4.emit
        { Ipv4.base with src; dst; protocol; identification = p.id; data_length = length }
        b ~off:ip;
      ip + Ipv4.shortest)
  in
  (at, src, dst)

let finish f p ~len =
  Frame.set f ~off:0 ~len;
  Frame.set_checksum f Partial;
  Frame.set_segment_size f p.size

(* As the core writes it: the field holds the pseudo header's sum. *)
let long p =
  let f = Frame.alloc long_pool in
  let b = f.data in
  let h = header p in
  let tcp = Tcp.length h + h.data_length in
  let at, src, dst = write_ip p b ~protocol:6 ~length:tcp in
  Tcp.emit h ~pseudo:(Ip.pseudo_sum ~src ~dst ~protocol:6 ~length:tcp) ~data_sum:(-1) b ~off:at;
  Bytes.blit_string p.data 0 b (at + Tcp.length h) (String.length p.data);
  finish f p ~len:(at + tcp);
  (f, at, src, dst)

let long_datagram p =
  let f = Frame.alloc long_pool in
  let b = f.data in
  let data_length = String.length p.data in
  let length = Udp.length + data_length in
  let at, src, dst = write_ip p b ~protocol:17 ~length in
  Udp.emit { src_port = 53; dst_port = 99; data_length; checksummed = true } ~pseudo:0 b ~off:at;
  Bytes.blit_string p.data 0 b (at + Udp.length) data_length;
  finish f p ~len:(at + length);
  (f, at, src, dst)

let cut f =
  let pieces = ref [] in
  let ok = Segmentation.cut (Frame.pool ~size:1_600 ()) f (fun g -> pieces := g :: !pieces) in
  (ok, List.rev !pieces)

(* Each is a datagram with its part of the data and a right checksum. *)
let datagrams p =
  let f, at, src, dst = long_datagram p in
  let ok, pieces = cut f in
  let right i (g : Frame.t) =
    let length = g.len - at in
    let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:17 ~length in
    let want = String.sub p.data (i * p.size) (length - Udp.length) in
    (match Udp.decode ~pseudo g.data ~off:at ~len:length with
      | Ok { src_port = 53; dst_port = 99; data_length; checksummed = true } ->
          Bytes.sub_string g.data (at + Udp.length) data_length = want
      | _ -> false)
    && (p.v6
       ||
       match Ipv4.decode g.data ~off:Ethernet.length ~len:(g.len - Ethernet.length) with
       | Ok ip -> ip.identification = (p.id + i) land 0xffff && ip.data_length = length
       | Error _ -> false)
  in
  let joins g = Segmentation.join f g in
  ok
  && List.length pieces = ((String.length p.data - 1) / p.size) + 1
  && List.for_all Fun.id (List.mapi right pieces)
  && not (List.exists joins pieces)

(* Each piece has its part of the data and a right checksum, and the flags of its
   place; joined again they are what was cut. *)
let there_and_back p =
  let f, at, src, dst = long p in
  let ok, pieces = cut f in
  let n = List.length pieces in
  let whole = header p in
  let right i (g : Frame.t) =
    let length = g.len - at in
    let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:6 ~length in
    match Tcp.decode ~pseudo g.data ~off:at ~len:length with
    | Error _ -> false
    | Ok h ->
        let last = i = n - 1 in
        h.seq = (p.seq + (i * p.size)) land 0xffff_ffff
        && h.fin = (p.fin && last)
        && h.psh = (p.psh && last)
        && h.cwr = (p.cwr && i = 0)
        && (h.data_length = if last then String.length p.data - (i * p.size) else p.size)
        && Bytes.sub_string g.data (at + h.header_length) h.data_length
           = String.sub p.data (i * p.size) h.data_length
        && (p.v6
           ||
           match Ipv4.decode g.data ~off:Ethernet.length ~len:(g.len - Ethernet.length) with
           | Ok ip -> ip.identification = (p.id + i) land 0xffff && ip.data_length = length
           | Error _ -> false)
  in
  let joins = not (p.fin || p.cwr) in
  let again = Frame.alloc long_pool in
  let first = List.hd pieces in
  Bytes.blit first.data 0 again.data 0 first.len;
  Frame.set again ~off:0 ~len:first.len;
  let joined = List.for_all (fun g -> Segmentation.join again g) (List.tl pieces) in
  ok
  && n = ((String.length p.data - 1) / p.size) + 1
  && List.for_all Fun.id (List.mapi right pieces)
  &&
  if n = 1 then true
  else if joins then
    joined && again.len = f.len && again.segment_size = p.size && again.checksum = Verified
    && Bytes.sub_string again.data (at + Tcp.length whole) (String.length p.data) = p.data
  else not joined

let of_datagrams =
  QCheck2.Test.make ~count:300 ~name:"datagrams are cut, and not joined" plans datagrams

let property = QCheck2.Test.make ~name:"cut and joined" ~count:1_000 plans there_and_back

let plan =
  {
    v6 = false;
    data = String.init 5_000 (fun i -> Char.chr (i land 255));
    size = 1_000;
    timestamps = true;
    fin = false;
    psh = true;
    cwr = false;
    seq = 1;
    id = 1;
  }

let refused () =
  let check what f = Alcotest.(check bool) what false (fst (cut f)) in
  let frame () =
    let f, at, _, _ = long plan in
    (f, at)
  in
  let f, _ = frame () in
  Frame.set_segment_size f 0;
  check "one segment" f;
  let f, _ = frame () in
  Frame.set_segment_size f 1_600;
  check "too long for the pool" f;
  let f, _ = frame () in
  Frame.set f ~off:0 ~len:(f.len - 1);
  check "cut short" f;
  let f, at = frame () in
  Bytes.set_uint8 f.data (at + 12) 0xf0;
  Frame.set f ~off:0 ~len:(at + 40);
  check "options beyond the end" f;
  let f, _ = frame () in
  Frame.set f ~off:0 ~len:10;
  check "no header" f

(* What is not the next of the same, with the same header, stays apart. *)
let apart () =
  let _, pieces =
    cut
      (let f, _, _, _ = long plan in
       f)
  in
  let at = Ethernet.length + Ipv4.shortest in
  let with_first f =
    let a = Frame.copy long_pool (List.hd pieces)
    and b = Frame.copy long_pool (List.nth pieces 1) in
    f a b;
    Segmentation.join a b
  in
  let patch (g : Frame.t) i v = Bytes.set_uint8 g.data i v in
  Alcotest.(check bool) "as they are" true (with_first (fun _ _ -> ()));
  let apart what f = Alcotest.(check bool) what false (with_first f) in
  apart "a wrong checksum" (fun _ b -> patch b (at + 40) 0xff);
  apart "another's wrong checksum" (fun a _ -> patch a (at + 40) 0xff);
  apart "another port" (fun _ b ->
      Frame.set_checksum b Verified;
      patch b (at + 1) 9);
  apart "another ACK" (fun _ b ->
      Frame.set_checksum b Verified;
      patch b (at + 11) 9);
  apart "another window" (fun _ b ->
      Frame.set_checksum b Verified;
      patch b (at + 15) 9);
  apart "other options" (fun _ b ->
      Frame.set_checksum b Verified;
      patch b (at + 31) 9);
  apart "a gap" (fun _ b ->
      Frame.set_checksum b Verified;
      patch b (at + 7) 9);
  apart "a SYN" (fun _ b ->
      Frame.set_checksum b Verified;
      patch b (at + 13) 0x12);
  apart "pushed before" (fun a _ ->
      Frame.set_checksum a Verified;
      patch a (at + 13) 0x18)

let cases =
  [
    Suite.qcheck property;
    Suite.qcheck of_datagrams;
    Suite.case "what cannot be cut" refused;
    Suite.case "what stays apart" apart;
  ]
