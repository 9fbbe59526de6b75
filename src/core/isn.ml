open Weir_wire

(* RFC 6528: a clock of 4 µs ticks plus a keyed hash of the four-tuple. The
   timestamps' origin comes from it too, so that they go on growing from one
   incarnation to the next (RFC 6191, RFC 7323 §5.4). *)
let initial ~secret ~now ~local ~local_port ~remote ~remote_port =
  let b = Bytes.create 12 in
  Ip4.set b 0 local;
  Ip4.set b 4 remote;
  Bytes.set_uint16_be b 8 local_port;
  Bytes.set_uint16_be b 10 remote_port;
  let hash = Digest.string (secret ^ Bytes.unsafe_to_string b) in
  let word at = (String.get_uint16_be hash at lsl 16) lor String.get_uint16_be hash (at + 2) in
  (Seq.add (word 0) (now / 4_000), word 4)
