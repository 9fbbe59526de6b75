open Weir_base
open Weir_wire
module Options = Dhcpv4_options
module Lease = Dhcp_lease
module Config = Dhcp_config
module Questions = Dhcp_questions
module Probe = Arp_probe

type state =
  | Init
  | Rebooting
  | Selecting
  | Requesting
  | Checking
  | Bound
  | Renewing
  | Rebinding
  | Stopped

type action =
  | Nothing
  | Send of { message : Dhcpv4.t; src : Ip.t; dst : Ip.t }
  | Arp of Arp.t
  | Assign of Lease.t
  | Withdraw of Lease.t

type counters = {
  mutable sent : int;
  mutable received : int;
  mutable ignored : int;
  mutable refused : int;
  mutable conflicts : int;
}

type t = {
  config : Config.t;
  random : Random.State.t;
  who : Questions.who;
  counters : counters;
  actions : action Fifo.t;
  mutable state : state;
  mutable due : Time.t;  (** when [tick] acts on the state *)
  mutable xid : int;
  mutable began : Time.t;  (** of this attempt to get an address *)
  mutable secs : int;  (** of the last Discover: requests repeat it (§4.4.1) *)
  mutable asked_at : Time.t;  (** when this exchange's request was first sent *)
  mutable tries : int;  (** messages sent in this state, or probes *)
  mutable offer : Lease.t option;  (** from Requesting to Checking *)
  mutable lease : Lease.t option;
  mutable wanted : Ip.t;  (** an earlier address, which Discover asks for *)
  mutable failures : int;  (** since the last lease: refusals, addresses in use *)
  mutable announcements : int;  (** that are left *)
  mutable announce_at : Time.t;
  mutable defended_at : Time.t;
  mutable complaint : string option;  (** about the last message ignored *)
}

let state t = t.state
let lease t = t.lease
let counters t = t.counters
let deadline t = Int.min t.due t.announce_at
let push t a = Fifo.push t.actions a
let next t = if Fifo.is_empty t.actions then Nothing else Fifo.pop t.actions
let address_of (l : Lease.t) = Ip.of_v4 (Ipaddr.V4.Prefix.address l.address)

(* A random span up to [n]. *)
let up_to t n = if n <= 0 then 0 else Random.State.full_int t.random (n + 1)

let new_xid t =
  t.xid <- (Random.State.bits t.random lsl 16) lxor Random.State.bits t.random land 0xffff_ffff

(* -- messages ------------------------------------------------------------ *)

let send ?(src = Ip.any) ?(dst = Ip.broadcast) t kind options =
  t.counters.sent <- t.counters.sent + 1;
  let message = Questions.message t.who kind ~xid:t.xid ~secs:t.secs ~src options in
  push t (Send { message; src; dst })

(* -- from state to state ------------------------------------------------- *)

let enter t state ~due =
  t.state <- state;
  t.due <- due;
  t.tries <- 0

let init t ~now ~after =
  t.offer <- None;
  enter t Init ~due:(now + after)

(* §4.1: the wait is doubled each time, and changed by up to a second either way. *)
let retry_at t ~now =
  let wait = Int.min t.config.longest_retry (t.config.retry lsl Int.min t.tries 8) in
  let spread = Int.min (Time.s 1) (wait / 4) in
  t.tries <- t.tries + 1;
  t.due <- now + wait - spread + up_to t (2 * spread)

(* A server that refuses again and again is asked only after a pause. *)
let after_failure t =
  t.failures <- t.failures + 1;
  if t.failures = 1 then 0 else Time.s (1 lsl Int.min 6 (t.failures - 2))

let withdraw t =
  t.announcements <- 0;
  t.announce_at <- Time.never;
  Option.iter
    (fun l ->
      t.wanted <- address_of l;
      t.lease <- None;
      push t (Withdraw l))
    t.lease

let discover t ~now =
  t.secs <- Int.min 0xffff ((now - t.began) / Time.s 1);
  let wanted = if Ip.is_any t.wanted then [] else [ Questions.requested t.wanted ] in
  send t Discover (wanted @ Questions.common t.who);
  retry_at t ~now

let start_selecting t ~now =
  new_xid t;
  enter t Selecting ~due:now;
  discover t ~now

let request t ~now =
  Option.iter
    (fun offer ->
      send t Request
        (Questions.requested (address_of offer) :: Questions.server offer :: Questions.common t.who))
    t.offer;
  retry_at t ~now

let start_requesting t ~now offer =
  t.offer <- Some offer;
  t.asked_at <- now;
  enter t Requesting ~due:now;
  request t ~now

let reboot t ~now =
  send t Request (Questions.requested t.wanted :: Questions.common t.who);
  retry_at t ~now

let start_rebooting t ~now =
  new_xid t;
  t.asked_at <- now;
  enter t Rebooting ~due:now;
  reboot t ~now

(* §4.4.5: half of what is left, but not too often. *)
let extend t ~now ~until dst =
  Option.iter (fun l -> send t Request (Questions.common t.who) ~src:(address_of l) ~dst) t.lease;
  t.due <- Int.min until (now + Int.max t.config.shortest_renewal ((until - now) / 2))

let renew t ~now (l : Lease.t) = extend t ~now ~until:l.rebind_at (Ip.of_v4 l.server)
let rebind t ~now (l : Lease.t) = extend t ~now ~until:l.until Ip.broadcast

let start_extending t ~now state f l =
  new_xid t;
  t.began <- now;
  t.secs <- 0;
  t.asked_at <- now;
  enter t state ~due:now;
  f t ~now l

(* The lease has ended, or was refused. *)
let start_again t ~now ~after =
  withdraw t;
  t.began <- now;
  init t ~now ~after

(* -- addresses on the link (RFC 5227) ------------------------------------ *)

let most_conflicts = 10
let announce_interval = Time.s 2

let announce t ~now address =
  push t (Arp (Probe.announcement t.who.mac address));
  t.announcements <- t.announcements - 1;
  t.announce_at <- (if t.announcements > 0 then now + announce_interval else Time.never)

let bind t (l : Lease.t) =
  t.offer <- None;
  t.lease <- Some l;
  t.failures <- 0;
  push t (Assign l);
  enter t Bound ~due:l.renew_at

(* §2.3: two announcements. *)
let bind_and_announce t ~now l =
  bind t l;
  t.announcements <- 2;
  announce t ~now (address_of l)

let probe t ~now l =
  let p = t.config.probing in
  push t (Arp (Probe.question t.who.mac (address_of l)));
  t.tries <- t.tries + 1;
  t.due <-
    (now + if t.tries = p.probes then p.settle else p.shortest + up_to t (p.longest - p.shortest))

let time_to_check t =
  let { Config.wait; probes; longest; settle; _ } = t.config.probing in
  if t.state = Checking then wait + (probes * longest) + settle else 0

let check t ~now l =
  if t.config.probing.probes = 0 then bind_and_announce t ~now l
  else (
    t.offer <- Some l;
    enter t Checking ~due:(now + up_to t t.config.probing.wait))

let decline t ~now l =
  t.counters.conflicts <- t.counters.conflicts + 1;
  t.complaint <- Some (Fmt.str "%a is in use by another host" Ip.pp (address_of l));
  send t Decline
    [ Questions.requested (address_of l); Questions.server l; Questions.identifier t.who ];
  t.wanted <- Ip.any;
  t.failures <- t.failures + 1;
  t.began <- now;
  (* §3.1 (5); RFC 5227 §2.1.1 for hosts that find no free address. *)
  init t ~now ~after:(Time.s (if t.failures > most_conflicts then 60 else 10))

let defend_interval = Time.s 10

let defend t ~now address =
  if now - t.defended_at >= defend_interval then (
    t.defended_at <- now;
    push t (Arp (Probe.announcement t.who.mac address)))

let heard t ~now (a : Arp.t) =
  if not (Mac.equal a.sender_mac t.who.mac) then
    match (t.state, t.offer, t.lease) with
    | Checking, Some l, _ -> if Probe.is_conflict a (address_of l) then decline t ~now l
    | (Bound | Renewing | Rebinding), _, Some l ->
        if Ip.equal a.sender_ip (address_of l) then defend t ~now (address_of l)
    | _ -> ()

(* -- messages of servers ------------------------------------------------- *)

let ignore_message t why =
  t.counters.ignored <- t.counters.ignored + 1;
  t.complaint <- Some why

let usable t f = function Error why -> ignore_message t why | Ok lease -> f lease

let same_server (l : Lease.t) (m : Dhcpv4.t) =
  Dhcpv4.option m Options.server_identifier = Some (snd (Questions.server l))

let confirmed t ~now l =
  t.counters.received <- t.counters.received + 1;
  if l.Lease.until <= now then init t ~now ~after:(after_failure t) else check t ~now l

let selecting t ~now (m : Dhcpv4.t) =
  match m.kind with
  | Offer ->
      usable t
        (fun offer ->
          t.counters.received <- t.counters.received + 1;
          start_requesting t ~now offer)
        (Lease.of_message m ~sent:now)
  | _ -> ignore_message t "it is no offer"

let refused t ~now (m : Dhcpv4.t) =
  t.counters.refused <- t.counters.refused + 1;
  t.complaint <-
    (match Option.bind (Dhcpv4.option m Options.message) Options.text with
    | Some why -> Some ("it refused: " ^ why)
    | None -> Some "it refused the address");
  t.wanted <- Ip.any;
  let after = after_failure t in
  if t.lease = None then init t ~now ~after
  else (
    start_again t ~now ~after;
    t.wanted <- Ip.any)

let requesting t ~now (m : Dhcpv4.t) =
  match (m.kind, t.offer) with
  | _, Some offer when not (same_server offer m) -> ignore_message t "it is from another server"
  | Ack, Some offer when Ip.equal m.yiaddr (address_of offer) ->
      usable t (confirmed t ~now) (Lease.of_message m ~sent:t.asked_at)
  | Ack, _ -> ignore_message t "it has another address than the offer"
  | Nak, _ -> refused t ~now m
  | _ -> ignore_message t "it is no answer to a request"

let rebooting t ~now (m : Dhcpv4.t) =
  match m.kind with
  | Ack when Ip.equal m.yiaddr t.wanted ->
      usable t (confirmed t ~now) (Lease.of_message m ~sent:t.asked_at)
  | Nak -> refused t ~now m
  | _ -> ignore_message t "it is no answer to a request"

let extended t ~now (l : Lease.t) =
  t.counters.received <- t.counters.received + 1;
  if l.until <= now then start_again t ~now ~after:(after_failure t) else bind t l

let extending t ~now (l : Lease.t) ~any_server (m : Dhcpv4.t) =
  if not (any_server || same_server l m) then ignore_message t "it is from another server"
  else
    match m.kind with
    | Ack when Ip.equal m.yiaddr (address_of l) ->
        usable t (extended t ~now) (Lease.of_message m ~sent:t.asked_at)
    | Nak -> refused t ~now m
    | _ -> ignore_message t "it is no answer to a request"

let input t ~now (m : Dhcpv4.t) =
  if m.reply && m.xid = t.xid && Mac.equal m.chaddr t.who.mac then
    match (t.state, t.lease) with
    | Selecting, _ -> selecting t ~now m
    | Requesting, _ -> requesting t ~now m
    | Rebooting, _ -> rebooting t ~now m
    | Renewing, Some l -> extending t ~now l m ~any_server:false
    | Rebinding, Some l -> extending t ~now l m ~any_server:true
    | (Init | Checking | Bound | Stopped | Renewing | Rebinding), _ ->
        t.counters.ignored <- t.counters.ignored + 1
  else t.counters.ignored <- t.counters.ignored + 1

(* -- time ---------------------------------------------------------------- *)

(* §3.1 (4) and §3.2 (5): then another address, from any server. *)
let most_requests = 4
let most_reboots = 2

let act t ~now =
  match (t.state, t.offer, t.lease) with
  | Init, _, _ -> start_selecting t ~now
  | Selecting, _, _ -> discover t ~now
  | Requesting, _, _ ->
      if t.tries < most_requests then request t ~now else init t ~now ~after:(after_failure t)
  | Rebooting, _, _ -> if t.tries < most_reboots then reboot t ~now else start_selecting t ~now
  | Checking, Some l, _ ->
      if l.until <= now then init t ~now ~after:(after_failure t)
      else if t.tries < t.config.probing.probes then probe t ~now l
      else bind_and_announce t ~now l
  | (Bound | Renewing | Rebinding), _, Some l ->
      if l.until <= now then start_again t ~now ~after:0
      else if l.rebind_at <= now then
        if t.state = Rebinding then rebind t ~now l else start_extending t ~now Rebinding rebind l
      else if t.state = Renewing then renew t ~now l
      else start_extending t ~now Renewing renew l
  | (Checking | Bound | Renewing | Rebinding | Stopped), _, _ -> t.due <- Time.never

let rec tick t ~now =
  (if t.announce_at <= now then
     match t.lease with
     | Some l when t.announcements > 0 -> announce t ~now (address_of l)
     | _ -> t.announce_at <- Time.never);
  if t.due <= now then (
    act t ~now;
    tick t ~now)

let release t =
  let give_back (l : Lease.t) =
    new_xid t;
    t.secs <- 0;
    send t Release ~src:(address_of l) ~dst:(Ip.of_v4 l.server)
      [ Questions.server l; Questions.identifier t.who ]
  in
  if t.state <> Stopped && not t.config.keeps then Option.iter give_back t.lease;
  t.announcements <- 0;
  t.announce_at <- Time.never;
  enter t Stopped ~due:Time.never

(* -- making -------------------------------------------------------------- *)

let create config random ~mac ~mtu ~now =
  Config.check config;
  let wanted = match config.previous with Some a -> Ip.of_v4 a | None -> Ip.any in
  let t =
    {
      config;
      random = Public_random.make random;
      who = Questions.who config ~mac ~mtu;
      counters = { sent = 0; received = 0; ignored = 0; refused = 0; conflicts = 0 };
      actions = Fifo.create ~dummy:Nothing;
      state = Init;
      due = now;
      xid = 0;
      began = now;
      secs = 0;
      asked_at = now;
      tries = 0;
      offer = None;
      lease = None;
      wanted;
      failures = 0;
      announcements = 0;
      announce_at = Time.never;
      defended_at = -defend_interval;
      complaint = None;
    }
  in
  if Ip.is_any wanted then start_selecting t ~now else start_rebooting t ~now;
  t

(* -- for people ---------------------------------------------------------- *)

let trouble t : Dhcp_trouble.t =
  match (t.offer, t.complaint) with
  | Some l, _ when t.state = Checking -> Being_checked l
  | Some l, _ -> Unconfirmed l
  | None, Some why -> Unusable why
  | None, None -> No_answer t.counters.sent

let explain ~link ~after t = Dhcp_trouble.explain (trouble t) ~link ~after

let pp_state f s =
  Fmt.string f
    (match s with
    | Init -> "INIT"
    | Rebooting -> "REBOOTING"
    | Selecting -> "SELECTING"
    | Requesting -> "REQUESTING"
    | Checking -> "CHECKING"
    | Bound -> "BOUND"
    | Renewing -> "RENEWING"
    | Rebinding -> "REBINDING"
    | Stopped -> "STOPPED")
