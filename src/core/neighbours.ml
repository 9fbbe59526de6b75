open Weir_base
open Weir_wire
module Table = Neighbour_table

type config = {
  max_entries : int;
  max_waiting : int;
  max_waiting_total : int;
  request_interval : Time.t;
  requests : int;
  reachable : Time.t;
  unverified : Time.t;
  hold_down : Time.t;
}

let default =
  {
    max_entries = 1_024;
    max_waiting = 64;
    max_waiting_total = 256;
    request_interval = Time.s 1;
    requests = 3;
    reachable = Time.s 60;
    unverified = Time.s 1;
    hold_down = Time.s 3;
  }

type counters = {
  mutable asked : int;
  mutable learned : int;
  mutable ignored : int;
  mutable conflicts : int;
  mutable challenged : int;
  mutable failed : int;
  mutable evicted : int;
  mutable dropped : int;
}

(* Reachable, stale and probe are those of RFC 4861 §7.3.2, where delay is a stale
   one that is used. Invariant: an incomplete entry has a packet waiting, any other entry has none.
   So there are at most [max_waiting_total] incomplete ones, and a full table
   has an entry that can be evicted. *)
type 'packet t = {
  config : config;
  mac : Mac.t;
  is_own : Ip.t -> bool;
  source_for : Ip.t -> Ip.t;
  table : 'packet Table.t;
  counters : counters;
}

type message = Arp.t = {
  operation : Arp.operation;
  sender_mac : Mac.t;
  sender_ip : Ip.t;
  target_mac : Mac.t;
  target_ip : Ip.t;
}

type request = { dst : Mac.t; arp : message }
type verdict = Ask of request | Wait | Unreachable
type 'packet action = Request of request | Failed of { address : Ip.t; packets : 'packet list }
type 'packet neighbour = 'packet Table.entry
type state = Table.state = Incomplete | Reachable | Stale | Probe | Failed_lately

let create ?(config = default) random ~mac ~is_own ~source_for =
  let c = config in
  if
    c.max_waiting < 1 || c.max_waiting_total < 1
    || c.max_waiting_total >= c.max_entries
    || c.requests < 1 || c.request_interval < 1 || c.reachable < 1 || c.unverified < 1
    || c.hold_down < 1
  then invalid_arg "Neighbours.create: config";
  let counters =
    {
      asked = 0;
      learned = 0;
      ignored = 0;
      conflicts = 0;
      challenged = 0;
      failed = 0;
      evicted = 0;
      dropped = 0;
    }
  in
  {
    config;
    mac;
    is_own;
    source_for;
    table = Table.create ~secret:(Random.State.bits random);
    counters;
  }

let config t = t.config
let counters t = t.counters
let length t = Table.length t.table
let waiting t = Table.waiting t.table
let deadline t = Table.earliest t.table

(* Not at once: a host that sent one request and got one answer need not be probed. *)
let first_use t ~now (e : 'packet Table.entry) =
  if e.state = Stale then Table.arm t.table e (now + t.config.unverified)

let neighbour t a = Table.find t.table a

let mac t ~now (e : 'packet Table.entry) =
  if e.mac >= 0 then (
    if not e.used then first_use t ~now e;
    Table.touch t.table e);
  e.mac

let stored t a = (neighbour t a).mac
let lookup t ~now a = mac t ~now (neighbour t a)
let unknown_mac = Mac.of_int 0

(* First by unicast to the known MAC, then by broadcast: the host may have a new MAC. *)
let ask t ~now (e : 'packet Table.entry) =
  let dst = if e.mac >= 0 && e.requests = 0 then Mac.of_int e.mac else Mac.broadcast in
  e.requests <- e.requests + 1;
  e.asked_at <- now;
  if Mac.is_group dst then e.asked_all <- true;
  Table.arm t.table e (now + t.config.request_interval);
  t.counters.asked <- t.counters.asked + 1;
  {
    dst;
    arp =
      {
        operation = Request;
        sender_mac = t.mac;
        sender_ip = t.source_for e.address;
        target_mac = unknown_mac;
        target_ip = e.address;
      };
  }

let evict t e =
  Table.remove t.table e;
  t.counters.evicted <- t.counters.evicted + 1

let drop_one t e =
  Table.drop_one t.table e;
  t.counters.dropped <- t.counters.dropped + 1

let push t (e : 'packet Table.entry) packet =
  Table.push t.table e packet;
  if Queue.length e.waiting > t.config.max_waiting then drop_one t e
  else if Table.waiting t.table > t.config.max_waiting_total then (
    let oldest = Table.oldest_incomplete t.table in
    drop_one t oldest;
    (* Stop the requests for an address for which no packet waits. *)
    if Queue.is_empty oldest.waiting then evict t oldest)

let start t ~now e packet =
  Table.touch t.table e;
  e.requests <- 0;
  push t e packet;
  Ask (ask t ~now e)

let wait t ~now a packet =
  let e = Table.find t.table a in
  if Table.is_none t.table e then (
    if length t >= t.config.max_entries then evict t (Table.least_useful t.table);
    start t ~now (Table.add t.table a Incomplete) packet)
  else
    match e.state with
    | Incomplete ->
        push t e packet;
        Wait
    | Failed_lately when now < e.due -> Unreachable
    | Failed_lately ->
        Table.set_state t.table e Incomplete;
        start t ~now e packet
    | Reachable | Stale | Probe -> invalid_arg "Neighbours.wait: the MAC of this address is known"

let learn t ~now e state mac =
  let packets = Table.take_waiting t.table e in
  Table.set_state t.table e state;
  e.mac <- (mac : Mac.t :> int);
  e.requests <- 0;
  e.asked_all <- false;
  e.used <- false;
  Table.arm t.table e (now + t.config.reachable);
  t.counters.learned <- t.counters.learned + 1;
  packets

let is_host a = not (Ip.is_any a || Ip.is_multicast a || Ip.is_loopback a || Ip.equal a Ip.broadcast)

let ignore_packet t =
  t.counters.ignored <- t.counters.ignored + 1;
  []

(* An answer to our request. While only unicast requests were sent, only the known MAC can answer. *)
let is_answer t (e : 'packet Table.entry) (arp : Arp.t) =
  arp.operation = Reply && t.is_own arp.target_ip
  &&
  match e.state with
  | Incomplete -> true
  | Probe -> e.asked_all || (e.requests > 0 && e.mac = (arp.sender_mac :> int))
  | Reachable | Stale | Failed_lately -> false

(* Not requested. The known MAC stays in use and is probed, at most once in [request_interval]. *)
let challenge t ~now (e : 'packet Table.entry) =
  t.counters.challenged <- t.counters.challenged + 1;
  if e.state <> Probe then (
    Table.set_state t.table e Probe;
    e.requests <- 0;
    e.asked_all <- false;
    Table.arm t.table e (Int.max now (e.asked_at + t.config.request_interval)));
  []

(* A broadcast request is out and this packet is not its answer, which may still come. *)
let serve_meanwhile t (e : 'packet Table.entry) mac =
  Table.set_state t.table e Probe;
  e.mac <- (mac : Mac.t :> int);
  Table.take_waiting t.table e

let hear t ~now (e : 'packet Table.entry) (arp : Arp.t) =
  let mac = arp.sender_mac in
  if is_answer t e arp then learn t ~now e Reachable mac
  else if e.state = Incomplete then serve_meanwhile t e mac
  else if e.mac < 0 then learn t ~now e Stale mac
  else if e.mac <> (mac :> int) then challenge t ~now e
  else
    match e.state with
    | Reachable -> learn t ~now e Reachable mac
    | Stale when not e.used -> learn t ~now e Stale mac
    | _ -> ignore_packet t

let input t ~now (arp : Arp.t) =
  let mac = arp.sender_mac in
  if t.is_own arp.sender_ip then (
    if not (Mac.equal mac t.mac) then t.counters.conflicts <- t.counters.conflicts + 1;
    ignore_packet t)
  else if Mac.is_group mac || Mac.equal mac unknown_mac || not (is_host arp.sender_ip) then
    ignore_packet t
  else
    let e = Table.find t.table arp.sender_ip in
    if not (Table.is_none t.table e) then hear t ~now e arp
    else if arp.operation = Request && t.is_own arp.target_ip && length t < t.config.max_entries / 2
    then learn t ~now (Table.add t.table arp.sender_ip Stale) Stale mac
    else ignore_packet t

let reply t (arp : Arp.t) =
  let asks =
    arp.operation = Request && t.is_own arp.target_ip
    && not (t.is_own arp.sender_ip || Mac.is_group arp.sender_mac)
  in
  if not asks then None
  else
    let answer : Arp.t =
      {
        operation = Reply;
        sender_mac = t.mac;
        sender_ip = arp.target_ip;
        target_mac = arp.sender_mac;
        target_ip = arp.sender_ip;
      }
    in
    Some { dst = arp.sender_mac; arp = answer }

let announcement t address =
  let arp : Arp.t =
    {
      operation = Request;
      sender_mac = t.mac;
      sender_ip = address;
      target_mac = unknown_mac;
      target_ip = address;
    }
  in
  { dst = Mac.broadcast; arp }

let fail t ~now (e : 'packet Table.entry) =
  let packets = Table.take_waiting t.table e in
  Table.set_state t.table e Failed_lately;
  Table.arm t.table e (now + t.config.hold_down);
  t.counters.failed <- t.counters.failed + 1;
  Some (Failed { address = e.address; packets })

let forget t e =
  Table.remove t.table e;
  None

let act t ~now (e : 'packet Table.entry) =
  match e.state with
  | (Incomplete | Probe) when e.requests < t.config.requests -> Some (Request (ask t ~now e))
  | Incomplete -> fail t ~now e
  | Probe ->
      t.counters.failed <- t.counters.failed + 1;
      forget t e
  | (Reachable | Stale) when e.used ->
      Table.set_state t.table e Probe;
      Some (Request (ask t ~now e))
  | Reachable | Stale | Failed_lately -> forget t e

let tick t ~now = List.filter_map (act t ~now) (Table.take_due t.table ~now)

let entries t =
  let mac (e : 'packet Table.entry) = if e.mac >= 0 then Some (Mac.of_int e.mac) else None in
  Table.fold (fun e acc -> (e.address, e.state, mac e) :: acc) t.table []
  |> List.sort (fun (a, _, _) (b, _, _) -> Ip.compare a b)

let pp_state f s =
  Fmt.string f
    (match s with
    | Incomplete -> "incomplete"
    | Reachable -> "reachable"
    | Stale -> "stale"
    | Probe -> "probe"
    | Failed_lately -> "failed")

let pp_entry f (a, state, mac) =
  Fmt.pf f "%a %a %a" Ip.pp a pp_state state Fmt.(option ~none:(any "-") Mac.pp) mac

let pp f t = Fmt.pf f "@[<v>%a@]" Fmt.(list pp_entry) (entries t)
