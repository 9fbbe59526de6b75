type t = {
  mutable data : Bytes.t;
  mutable at : int;
  mutable address_length : int;
  mutable source_at : int;
  mutable source_key : int;
  mutable destination_key : int;
  mutable protocol : int;
  mutable protocol_at : int;
  mutable ttl : int;
  mutable fragment_offset : int;
  mutable more_fragments : bool;
  mutable identification_at : int;
  mutable payload_at : int;
  mutable payload_length : int;
  mutable segment_size : int;
}

let create () =
  {
    data = Bytes.empty;
    at = 0;
    address_length = 0;
    source_at = 0;
    source_key = 0;
    destination_key = 0;
    protocol = 0;
    protocol_at = 0;
    ttl = 0;
    fragment_offset = 0;
    more_fragments = false;
    identification_at = -1;
    payload_at = 0;
    payload_length = 0;
    segment_size = 0;
  }

let between ~source ~destination =
  let data = Bytes.of_string ((source : Ip.t :> string) ^ (destination : Ip.t :> string)) in
  {
    (create ()) with
    data;
    address_length = Bytes.length data / 2;
    source_key = Ip.key source;
    destination_key = Ip.key destination;
  }

let[@inline] is_fragment t = t.more_fragments || t.fragment_offset > 0
let[@inline] destination_at t = t.source_at + t.address_length
let source t = Ip.get t.data t.source_at ~length:t.address_length
let destination t = Ip.get t.data (destination_at t) ~length:t.address_length

let same_v6 t ~remote ~local =
  let length = t.address_length in
  Ip.is_at remote t.data t.source_at ~length && Ip.is_at local t.data (destination_at t) ~length

let[@inline] is_between t ~remote ~remote_key ~local ~local_key =
  t.source_key = remote_key && t.destination_key = local_key
  && (t.address_length = Ip.v4_length || same_v6 t ~remote ~local)

(* For IPv4 the key is the address. *)
let[@inline] is key at t a =
  Ip.key a = key
  && (t.address_length = Ip.v4_length || Ip.is_at a t.data at ~length:t.address_length)

let is_from t a = is t.source_key t.source_at t a
let is_to t a = is t.destination_key (destination_at t) t a

let[@inline] hash_source h t ~port =
  if t.address_length = Ip.v4_length then Ip.hash_key h t.source_key ~port
  else Ip.hash_at h t.data t.source_at ~length:t.address_length ~port

let[@inline] hash_destination h t ~port =
  if t.address_length = Ip.v4_length then Ip.hash_key h t.destination_key ~port
  else Ip.hash_at h t.data (destination_at t) ~length:t.address_length ~port

let ect_0 = 2
let ce = 3

(* The first word holds IPv4's type of service in its second byte, IPv6's traffic class after the
   version's four bits. *)
let ecn t =
  let first = Bytes.get_uint16_be t.data t.at in
  (if t.address_length = Ip.v4_length then first else first lsr 4) land 3

let pseudo_sum t =
  Ip.pseudo_sum_at t.data ~src:t.source_at ~dst:(destination_at t) ~address_length:t.address_length
    ~protocol:t.protocol ~length:t.payload_length
