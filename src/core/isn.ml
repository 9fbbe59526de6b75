open Weir_wire

(* RFC 6528: a clock of 4 µs ticks plus a keyed hash of the four-tuple. The timestamp offset comes from the same
   hash, so that timestamps increase from one incarnation to the next (RFC 6191, RFC 7323 §5.4). *)
let initial ~secret ~now ~local ~local_port ~remote ~remote_port =
  let ports = Bytes.create 4 in
  Bytes.set_uint16_be ports 0 local_port;
  Bytes.set_uint16_be ports 2 remote_port;
  let addresses = (local : Ip.t :> string) ^ (remote : Ip.t :> string) in
  let hash = Digest.string (secret ^ addresses ^ Bytes.unsafe_to_string ports) in
  let word at = (String.get_uint16_be hash at lsl 16) lor String.get_uint16_be hash (at + 2) in
  (Seq.add (word 0) (now / 4_000), word 4)
