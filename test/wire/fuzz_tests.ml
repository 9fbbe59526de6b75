(* Recorded frames, mutated. Half of them get their checksums put right again,
   or nothing behind the first check would ever see a wrong byte. *)

open Weir_wire
open Captures
module Checksum = Weir_base.Checksum

let int = Random.State.int
let special = [| 0x00; 0x01; 0x7f; 0x80; 0xff; 0x45; 0x46; 0x4f; 0x05; 0x06; 0x11 |]

(* Headers are where decoders look, so that is where most changes go. *)
let place state len = int state (if int state 4 = 0 then len else min len 80)

let change state b len =
  let at = place state len in
  match int state 4 with
  | 0 -> Bytes.set_uint8 b at (Bytes.get_uint8 b at lxor (1 lsl int state 8))
  | 1 -> Bytes.set_uint8 b at special.(int state (Array.length special))
  | 2 -> Bytes.set_uint8 b at (int state 256)
  | _ ->
      let n = min (1 + int state 8) (len - at) in
      Bytes.blit b (place state (len - n + 1)) b at n

let fix b ~at ~off ~len ~pseudo =
  Bytes.set_uint16_be b at 0;
  Bytes.set_uint16_be b at (Checksum.finish (Checksum.add pseudo (Checksum.sum b ~off ~len)))

(* Puts right what checksums it can find in [len] bytes of [b]. *)
let fix_checksums b len =
  let off = Ethernet.length in
  if len >= off + 20 then
    let header = 4 * (Bytes.get_uint8 b off land 15) in
    if off + header <= len && header >= 20 then (
      fix b ~at:(off + 10) ~off ~len:header ~pseudo:0;
      match Ipv4.decode b ~off ~len:(len - off) with
      | Error _ -> ()
      | Ok ip ->
          let off = off + header and len = ip.data_length in
          if ip.protocol = Ipv4.protocol_tcp && len >= 20 then
            fix b ~at:(off + 16) ~off ~len ~pseudo:(pseudo ip)
          else if ip.protocol = Ipv4.protocol_udp && len >= 8 then
            fix b ~at:(off + 6) ~off ~len ~pseudo:(pseudo ip)
          else if ip.protocol = Ipv4.protocol_icmp && len >= 4 then
            fix b ~at:(off + 2) ~off ~len ~pseudo:0)

(* What was decoded must be emitted as it was; TCP in its canonical layout at
   least, and a UDP checksum as 0 if it was none. *)
let check_emit t b ~len =
  let again = Bytes.sub b 0 len in
  match t.network with
  | Ipv4 (_, Tcp tcp) when Tcp.length tcp > tcp.header_length -> ()
  | Ipv4 (ip, Tcp tcp) -> (
      let at = Ethernet.length + ip.header_length in
      Tcp.emit tcp ~pseudo:0 ~data_sum:(-1) again ~off:at;
      match Tcp.decode ~pseudo:(-1) again ~off:at ~len:(Tcp.length tcp + tcp.data_length) with
      | Ok got when got = { tcp with header_length = Tcp.length tcp } -> ()
      | _ -> Alcotest.failf "TCP decoded otherwise after emit: %a" Tcp.pp tcp)
  | Unknown | Arp _ | Ipv4 _ ->
      emit t again ~off:0;
      if again <> Bytes.sub b 0 len then
        Alcotest.failf "emitted otherwise: %S" (Bytes.sub_string b 0 len)

let mutated () =
  let state = Random.State.make [| 0xf022 |] in
  let corpus = Array.of_list (List.map (fun f -> f.bytes) (Lazy.force all)) in
  let b = Bytes.create 2_000 in
  let out = Buffer.create 500 in
  let ppf = Format.formatter_of_buffer out in
  let decoded = ref 0 and n = Suite.iterations 200_000 in
  for _ = 1 to n do
    let frame = corpus.(int state (Array.length corpus)) in
    let whole = Bytes.length frame in
    Bytes.blit frame 0 b 0 whole;
    let len = if int state 8 = 0 then 1 + place state whole else whole in
    for _ = 0 to int state 6 do
      change state b len
    done;
    if Random.State.bool state then fix_checksums b len;
    Buffer.clear out;
    (try
       Dump.pp_frame ppf b ~off:0 ~len;
       Format.pp_print_flush ppf ();
       match decode b ~off:0 ~len with
       | Ok t ->
           incr decoded;
           check_emit t b ~len
       | Error _ -> ()
     with e -> Alcotest.failf "%s on %S" (Printexc.to_string e) (Bytes.sub_string b 0 len));
    let line = Buffer.contents out in
    if line = "" || String.length line > 500 || String.contains line '\n' then
      Alcotest.failf "printed %S" line
  done;
  (* Otherwise the loop above has looked at nothing but first checks. *)
  if !decoded * 10 < n then Alcotest.failf "only %d of %d frames could be decoded" !decoded n

let random () =
  let state = Random.State.make [| 0xf023 |] in
  let pp f b =
    let len = Bytes.length b in
    Dump.pp_frame f b ~off:0 ~len;
    Dump.pp_ip f b ~off:0 ~len
  in
  for _ = 1 to Suite.iterations 200_000 / 10 do
    let len = int state 100 in
    let b = Bytes.init len (fun _ -> Char.chr (int state 256)) in
    if len > 14 && Random.State.bool state then (
      Bytes.set_uint16_be b 12 (if Random.State.bool state then 0x800 else 0x806);
      Bytes.set_uint8 b 14 0x45);
    let decoders =
      [
        (fun () -> Result.is_ok (Ethernet.decode b ~off:0 ~len));
        (fun () -> Result.is_ok (Arp.decode b ~off:0 ~len));
        (fun () -> Result.is_ok (Ipv4.decode b ~off:0 ~len));
        (fun () -> Result.is_ok (Ipv4.decode_quoted b ~off:0 ~len));
        (fun () -> Result.is_ok (Icmpv4.decode b ~off:0 ~len));
        (fun () -> Result.is_ok (Udp.decode ~pseudo:(-1) b ~off:0 ~len));
        (fun () -> Result.is_ok (Tcp.decode ~pseudo:(-1) b ~off:0 ~len));
      ]
    in
    try
      List.iter (fun decode -> ignore (decode () : bool)) decoders;
      ignore (Format.asprintf "%a" pp b)
    with e -> Alcotest.failf "%s on %S" (Printexc.to_string e) (Bytes.to_string b)
  done

let cases = [ Suite.case "mutated frames" mutated; Suite.case "random bytes" random ]
