open Weir_base
open Weir_wire

type config = { max_datagrams : int; max_bytes : int; max_fragments : int; timeout : Time.t }

let default = { max_datagrams = 64; max_bytes = 262_144; max_fragments = 64; timeout = Time.s 30 }

type counters = {
  mutable completed : int;
  mutable timed_out : int;
  mutable evicted : int;
  mutable duplicates : int;
  mutable conflicts : int;
  mutable refused : int;
}

type fragment = { at : int; data : Bytes.t }

(* Fragments are stored separately until all have arrived, so one with a large offset takes only
   its own bytes. They are disjoint and within [total], so the datagram is complete when
   [received] = [total]. *)
type datagram = {
  src : Ip.t;
  dst : Ip.t;
  protocol : int;
  identification : int;
  expires : Time.t;
  mutable fragments : fragment list;  (** by [at] *)
  mutable count : int;
  mutable received : int;
  mutable total : int;  (** -1 until the last fragment has come *)
  mutable headers : Bytes.t;  (** those of the fragment at 0, empty before it has come *)
  mutable congested : bool;
  mutable incapable : bool;  (** a fragment is of no ECN-capable transport *)
  mutable lost : bool;  (** nothing is stored: later fragments are dropped *)
}

type t = {
  config : config;
  counters : counters;
  mutable datagrams : datagram list;  (** the oldest first, which is also the first to expire *)
  mutable length : int;
  mutable bytes : int;
}

type outcome = Pending | Complete of Bytes.t | Dropped

let create ?(config = default) () =
  let c = config in
  if c.max_datagrams < 1 || c.max_bytes < 1 || c.max_fragments < 1 || c.timeout < 1 then
    invalid_arg "Reassembly.create: config";
  let counters =
    { completed = 0; timed_out = 0; evicted = 0; duplicates = 0; conflicts = 0; refused = 0 }
  in
  { config; counters; datagrams = []; length = 0; bytes = 0 }

let config t = t.config
let counters t = t.counters
let length t = t.length
let bytes t = t.bytes
let deadline t = match t.datagrams with [] -> Time.never | d :: _ -> d.expires

(* Room for the block and the records around its data. *)
let overhead = 64
let cost d = d.received + (overhead * d.count)

let release t d =
  t.bytes <- t.bytes - cost d;
  d.fragments <- [];
  d.count <- 0;
  d.received <- 0;
  d.headers <- Bytes.empty

let forget t d =
  release t d;
  d.lost <- true;
  t.datagrams <- List.filter (fun x -> x != d) t.datagrams;
  t.length <- t.length - 1

let lose t d =
  release t d;
  d.lost <- true;
  Dropped

let conflict t d =
  t.counters.conflicts <- t.counters.conflicts + 1;
  lose t d

let refuse t d =
  t.counters.refused <- t.counters.refused + 1;
  lose t d

let evict_oldest t =
  match t.datagrams with
  | [] -> ()
  | d :: _ ->
      if not d.lost then t.counters.evicted <- t.counters.evicted + 1;
      forget t d

let is_v4 (p : Packet.t) = p.address_length = Ip.v4_length

let identification (p : Packet.t) =
  if is_v4 p then Bytes.get_uint16_be p.data (p.at + 4)
  else Ipv6.identification p.data p.identification_at

(* The fragments of an IPv6 packet need not agree on the next header: the first one's counts (RFC 8200
   §4.5). *)
let protocol (p : Packet.t) = if is_v4 p then p.protocol else 0

let is p ~identification ~protocol d =
  d.identification = identification && d.protocol = protocol && Packet.is_from p d.src
  && Packet.is_to p d.dst

let datagram t ~now p =
  let identification = identification p and protocol = protocol p in
  match List.find_opt (is p ~identification ~protocol) t.datagrams with
  | Some d -> d
  | None ->
      if t.length >= t.config.max_datagrams then evict_oldest t;
      let d =
        {
          src = Packet.source p;
          dst = Packet.destination p;
          protocol;
          identification;
          expires = now + t.config.timeout;
          fragments = [];
          count = 0;
          received = 0;
          total = -1;
          headers = Bytes.empty;
          congested = false;
          incapable = false;
          lost = false;
        }
      in
      t.datagrams <- t.datagrams @ [ d ];
      t.length <- t.length + 1;
      d

let stop f = f.at + Bytes.length f.data
let longest = 0xffff

let joined headers ~at fragments ~length =
  let packet = Bytes.create length in
  Bytes.blit headers 0 packet 0 at;
  List.iter (fun f -> Bytes.blit f.data 0 packet (at + f.at) (Bytes.length f.data)) fragments;
  packet

(* The mark of a fragment is the datagram's; if another fragment says that the transport would not see
   the mark, the datagram is dropped (RFC 3168 §5.3). *)
let assemble t d =
  let { headers; total; congested; fragments; _ } = d in
  let rewrite = if Ip.is_v4 d.src then Ipv4.unfragmented else Ipv6.unfragmented in
  match rewrite headers ~data_length:total ~congested with
  | None -> refuse t d
  | Some _ when congested && d.incapable -> refuse t d
  | Some headers ->
      let at = Bytes.length headers in
      let packet = joined headers ~at fragments ~length:(at + total) in
      t.counters.completed <- t.counters.completed + 1;
      forget t d;
      Complete packet

let rec insert f = function g :: rest when g.at < f.at -> g :: insert f rest | later -> f :: later
let is_congested p = if is_v4 p then Ipv4.is_congested p else Ipv6.is_congested p

let keep t d (p : Packet.t) f =
  d.fragments <- insert f d.fragments;
  d.count <- d.count + 1;
  d.received <- d.received + Bytes.length f.data;
  t.bytes <- t.bytes + Bytes.length f.data + overhead;
  if f.at = 0 then d.headers <- Bytes.sub p.data p.at (p.payload_at - p.at);
  if is_congested p then d.congested <- true;
  if Packet.ecn p = 0 then d.incapable <- true;
  if not p.more_fragments then d.total <- stop f;
  while t.bytes > t.config.max_bytes do
    evict_oldest t
  done;
  if d.lost then Dropped
  else if Bytes.length d.headers > 0 && d.received = d.total then assemble t d
  else Pending

(* Compares the datagram's end by [f] and its header with the known one. *)
let end_agrees d (p : Packet.t) f =
  if p.more_fragments then d.total < 0 || stop f < d.total
  else (d.total < 0 || d.total = stop f) && List.for_all (fun g -> stop g <= stop f) d.fragments

let input t ~now (p : Packet.t) =
  let d = datagram t ~now p in
  if d.lost then Dropped
  else
    let f = { at = p.fragment_offset; data = Bytes.sub p.data p.payload_at p.payload_length } in
    if not (end_agrees d p f) then conflict t d
    else
      match List.find_opt (fun g -> g.at < stop f && f.at < stop g) d.fragments with
      | Some g when g.at = f.at && Bytes.equal g.data f.data ->
          t.counters.duplicates <- t.counters.duplicates + 1;
          Dropped
      | Some _ -> conflict t d
      | None ->
          if d.count >= t.config.max_fragments || stop f > longest then refuse t d else keep t d p f

let first_fragment d =
  match d.fragments with
  | f :: _ when Bytes.length d.headers > 0 ->
      let at = Bytes.length d.headers in
      Some (joined d.headers ~at [ f ] ~length:(at + Bytes.length f.data))
  | _ -> None

let rec tick t ~now =
  match t.datagrams with
  | d :: _ when d.expires <= now ->
      let packet = first_fragment d in
      if not d.lost then t.counters.timed_out <- t.counters.timed_out + 1;
      forget t d;
      List.append (Option.to_list packet) (tick t ~now)
  | _ -> []
