open Weir_base
open Weir_wire

let step = Time.s 64
let valid_for = 2 * step
let sizes = [| 536; 1_024; 1_220; 1_340; 1_400; 1_440; 1_460; 8_960 |]
let can_keep (syn : Segment.t) = syn.mss < 0 || syn.mss >= sizes.(0)

(* The largest size that the peer accepts. *)
let rec size_index mss i = if i = 0 || sizes.(i) <= mss then i else size_index mss (i - 1)

let hash ~secret ~minute ~local ~local_port ~remote ~remote_port ~index ~irs =
  let b = Bytes.create 14 in
  Bytes.set_uint16_be b 0 local_port;
  Bytes.set_uint16_be b 2 remote_port;
  Bytes.set_int32_be b 4 (Int32.of_int irs);
  Bytes.set_int32_be b 8 (Int32.of_int minute);
  Bytes.set_uint16_be b 12 index;
  let addresses = (local : Ip.t :> string) ^ (remote : Ip.t :> string) in
  let digest = Digest.string ("cookie" ^ secret ^ addresses ^ Bytes.unsafe_to_string b) in
  (String.get_uint16_be digest 0 lsl 8) lor String.get_uint8 digest 2

let make ~secret ~now ~local ~local_port ~remote ~remote_port (syn : Segment.t) =
  let minute = now / step and index = size_index syn.mss (Array.length sizes - 1) in
  let hash = hash ~secret ~minute ~local ~local_port ~remote ~remote_port ~index ~irs:syn.seq in
  ((minute land 31) lsl 27) lor (index lsl 24) lor hash

(* -- options in the timestamp -------------------------------------------- *)

let option_bits = 6
let no_scale = 15

let options (syn : Segment.t) =
  let scale = if syn.window_scale < 0 then no_scale else Int.min 14 syn.window_scale in
  let ecn = syn.ece && syn.cwr in
  (scale lsl 2) lor (Bool.to_int ecn lsl 1) lor Bool.to_int syn.sack_permitted

let stamp ~clock (syn : Segment.t) =
  if syn.ts_val < 0 then -1
  else
    let mask = (1 lsl option_bits) - 1 in
    let kept = clock land lnot mask lor options syn in
    (if kept <= clock then kept else kept - mask - 1) land 0xffff_ffff

let check ~secret ~now ~local ~local_port ~remote ~remote_port (ack : Segment.t) =
  let cookie = Seq.add ack.ack (-1) and irs = Seq.add ack.seq (-1) in
  let index = (cookie lsr 24) land 7 in
  (* The latest time step whose lowest five bits are those of the cookie. *)
  let latest = now / step in
  let minute = latest - ((latest - (cookie lsr 27)) land 31) in
  if
    (latest - minute) * step > valid_for - step
    || hash ~secret ~minute ~local ~local_port ~remote ~remote_port ~index ~irs
       <> cookie land 0xff_ffff
  then None
  else
    let kept = ack.ts_ecr land ((1 lsl option_bits) - 1) in
    let stamped = ack.ts_val >= 0 in
    let scale = kept lsr 2 and ecn = stamped && kept land 2 <> 0 in
    Some
      {
        Segment.base with
        src_port = ack.src_port;
        dst_port = ack.dst_port;
        seq = irs;
        syn = true;
        ece = ecn;
        cwr = ecn;
        window = ack.window;
        mss = sizes.(index);
        window_scale = (if stamped && scale <> no_scale then scale else -1);
        sack_permitted = stamped && kept land 1 = 1;
        ts_val = ack.ts_val;
      }
