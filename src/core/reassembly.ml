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
  mutable first : Ipv4.t option;  (** the header of the fragment at 0 *)
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
  d.first <- None

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

let is (h : Ipv4.t) d =
  d.identification = h.identification
  && Ip.equal d.src h.src && Ip.equal d.dst h.dst && d.protocol = h.protocol

let datagram t ~now (h : Ipv4.t) =
  match List.find_opt (is h) t.datagrams with
  | Some d -> d
  | None ->
      if t.length >= t.config.max_datagrams then evict_oldest t;
      let d =
        {
          src = h.src;
          dst = h.dst;
          protocol = h.protocol;
          identification = h.identification;
          expires = now + t.config.timeout;
          fragments = [];
          count = 0;
          received = 0;
          total = -1;
          first = None;
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

(* Both ECN bits: congestion experienced (RFC 3168 §5). The mark of a fragment is the datagram's; if
   another fragment says that the transport would not see the mark, the datagram is dropped (§5.3). *)
let congestion = 3

let assemble t d (first : Ipv4.t) =
  let header =
    {
      first with
      more_fragments = false;
      data_length = d.total;
      dscp_ecn = (if d.congested then first.dscp_ecn lor congestion else first.dscp_ecn);
    }
  in
  let start = Ipv4.length header in
  if start + d.total > longest || (d.congested && d.incapable) then refuse t d
  else
    let packet = Bytes.create (start + d.total) in
    List.iter (fun f -> Bytes.blit f.data 0 packet (start + f.at) (Bytes.length f.data)) d.fragments;
    Ipv4.emit header packet ~off:0;
    t.counters.completed <- t.counters.completed + 1;
    forget t d;
    Complete packet

let rec insert f = function g :: rest when g.at < f.at -> g :: insert f rest | later -> f :: later

let keep t d (h : Ipv4.t) f =
  d.fragments <- insert f d.fragments;
  d.count <- d.count + 1;
  d.received <- d.received + Bytes.length f.data;
  t.bytes <- t.bytes + Bytes.length f.data + overhead;
  if f.at = 0 then d.first <- Some h;
  if h.dscp_ecn land congestion = congestion then d.congested <- true;
  if h.dscp_ecn land congestion = 0 then d.incapable <- true;
  if not h.more_fragments then d.total <- stop f;
  while t.bytes > t.config.max_bytes do
    evict_oldest t
  done;
  match d.first with
  | _ when d.lost -> Dropped
  | Some first when d.received = d.total -> assemble t d first
  | _ -> Pending

(* Compares the datagram's end by [f] and its header with the known one. *)
let end_agrees d (h : Ipv4.t) f =
  if h.more_fragments then d.total < 0 || stop f < d.total
  else (d.total < 0 || d.total = stop f) && List.for_all (fun g -> stop g <= stop f) d.fragments

let input t ~now (h : Ipv4.t) b ~data =
  let d = datagram t ~now h in
  if d.lost then Dropped
  else
    let f = { at = h.fragment_offset; data = Bytes.sub b data h.data_length } in
    if not (end_agrees d h f) then conflict t d
    else
      match List.find_opt (fun g -> g.at < stop f && f.at < stop g) d.fragments with
      | Some g when g.at = f.at && Bytes.equal g.data f.data ->
          t.counters.duplicates <- t.counters.duplicates + 1;
          Dropped
      | Some _ -> conflict t d
      | None ->
          if d.count >= t.config.max_fragments || stop f > longest then refuse t d else keep t d h f

let first_fragment d =
  match (d.first, d.fragments) with
  | Some h, f :: _ ->
      let start = Ipv4.length h in
      let packet = Bytes.create (start + Bytes.length f.data) in
      Bytes.blit f.data 0 packet start (Bytes.length f.data);
      Ipv4.emit h packet ~off:0;
      Some packet
  | _ -> None

let rec tick t ~now =
  match t.datagrams with
  | d :: _ when d.expires <= now ->
      let packet = first_fragment d in
      if not d.lost then t.counters.timed_out <- t.counters.timed_out + 1;
      forget t d;
      List.append (Option.to_list packet) (tick t ~now)
  | _ -> []
