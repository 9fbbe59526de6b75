open Weir_base
open Weir_wire

(* An address that is tentative (RFC 4862 §5.4). *)
type probe = {
  interface : Interface.t;
  address : Interface.address;
  counter : int;  (** {!Stable_address.make}'s; -1 for an address that the host did not make *)
  nonce : string;
  mutable left : int;
  mutable due : Time.t;
}

(* An address that neighbours may know with another MAC (RFC 5227 §2.3, RFC 4861 §7.2.6). *)
type announcement = { on : Interface.t; ip : Ip.t; mutable times : int; mutable at : Time.t }

type t = {
  routes : Routes.t;
  control : Control_queue.t;
  counters : Counters.t;
  secret : Stable_address.secret;
  random : Random.State.t;
  transmits : int;
  mutable probes : probe list;
  mutable announcements : announcement list;
  mutable duplicates : Ip.t list;
}

let create counters routes control ~secret ~transmits =
  {
    routes;
    control;
    counters;
    secret;
    random = Stable_address.generator secret;
    transmits;
    probes = [];
    announcements = [];
    duplicates = [];
  }

let random t = t.random
let duplicates t = t.duplicates
let retransmit = Time.s 1
let announce_times = 2
let announce_interval = Time.s 2
let most_stable = 3
let most_duplicates = 16

(* -- addresses of this host ---------------------------------------------- *)

let find_address (i : Interface.t) ip =
  Array.find_opt (fun (a : Interface.address) -> Ip.equal a.ip ip) i.addresses

let is_of (i : Interface.t) ip p = p.interface.number = i.number && Ip.equal p.address.ip ip
let find_probe t i ip = List.find_opt (is_of i ip) t.probes
let drop t probe = t.probes <- List.filter (fun p -> p != probe) t.probes
let forget t i ip = t.probes <- List.filter (fun p -> not (is_of i ip p)) t.probes
let is_settling t = t.probes <> []
let new_nonce t = String.init 6 (fun _ -> Char.chr (Random.State.int t.random 256))

let start t (interface : Interface.t) ip ~counter =
  match find_address interface ip with
  | None -> ()
  | Some address ->
      let nonce = new_nonce t in
      (* At once: drivers subtract the present from it, so it is not [min_int]. *)
      t.probes <- { interface; address; counter; nonce; left = t.transmits; due = 0 } :: t.probes

let announce t (on : Interface.t) ip =
  t.announcements <- { on; ip; times = announce_times; at = 0 } :: t.announcements

let add_counted t i ?state ?preferred_until ?valid_until ip ~prefix_length ~counter =
  let probed = state = None && (not (Ip.is_v4 ip)) && t.transmits > 0 in
  let known = find_address i ip in
  match known with
  | Some { state = Tentative; _ } when probed ->
      Routes.add_address t.routes i ~state:Tentative ?preferred_until ?valid_until ip ~prefix_length
  | Some _ ->
      forget t i ip;
      Routes.add_address t.routes i ?state ?preferred_until ?valid_until ip ~prefix_length
  | None ->
      let state = if probed then Some Interface.Tentative else state in
      Routes.add_address t.routes i ?state ?preferred_until ?valid_until ip ~prefix_length;
      if probed then start t i ip ~counter
      else if state = None && t.transmits > 0 then announce t i ip

let add = add_counted ~counter:(-1)

let made t (i : Interface.t) prefix ~counter =
  Stable_address.make ~secret:t.secret ~prefix ~interface:i.number ~counter

(* An address that was given to the interface with another network stays as it is. *)
let rec add_stable ?(counter = 0) ?(bits = 64) t i ?preferred_until ?valid_until prefix =
  let ip = made t i prefix ~counter in
  match find_address i ip with
  | Some { prefix_length; _ } when prefix_length <> bits -> ()
  | _ -> add_counted t i ?preferred_until ?valid_until ip ~prefix_length:bits ~counter

(* §5.4.5. An address that the host made itself is followed by another one (RFC 7217 §6). *)
and duplicate t (p : probe) =
  let { Interface.ip; prefix_length = bits; preferred_until; valid_until; _ } = p.address in
  t.counters.dad_conflicts <- t.counters.dad_conflicts + 1;
  drop t p;
  Routes.remove_address t.routes p.interface ip;
  if List.length t.duplicates < most_duplicates then t.duplicates <- ip :: t.duplicates;
  if p.counter >= 0 && p.counter < most_stable then
    add_stable t p.interface ~counter:(p.counter + 1) ~bits ~preferred_until ~valid_until ip

let remove t i ip =
  forget t i ip;
  Routes.remove_address t.routes i ip

let find_stable t (i : Interface.t) prefix ~bits =
  let is_made ip counter = Ip.equal ip (made t i prefix ~counter) in
  let is (a : Interface.address) =
    a.prefix_length = bits
    && Ip.shares_prefix a.ip prefix ~bits:64
    && List.exists (is_made a.ip) (List.init (most_stable + 1) Fun.id)
  in
  Array.find_opt is i.addresses

let set_lifetimes t i (a : Interface.address) ~now ~preferred_until ~valid_until =
  let state : Interface.state =
    match a.state with
    | Tentative -> Tentative
    | Preferred | Deprecated -> if preferred_until <= now then Deprecated else Preferred
  in
  Routes.add_address t.routes i ~state ~preferred_until ~valid_until a.ip
    ~prefix_length:a.prefix_length

(* RFC 4862 §5.4.3, §5.4.4. A question with the host's own nonce came back to it (RFC 7527). *)
let asked t i ip ~nonce =
  match find_probe t i ip with
  | None -> ()
  | Some probe -> if nonce <> probe.nonce then duplicate t probe

let claimed t i ip = Option.iter (duplicate t) (find_probe t i ip)
let is_tentative t i ip = Option.is_some (find_probe t i ip)

(* -- time ------------------------------------------------------------------ *)

let ask t p =
  let { Interface.ip = target; _ } = p.address in
  let dst = Ip.solicited_node target in
  Control_queue.push_nd t.control p.interface ~mac:(Ip.group_mac dst) ~src:Ip.any_v6 ~dst
    (Neighbour_solicitation { target; source_mac = None; nonce = p.nonce })

let settle t p =
  let { Interface.ip; prefix_length; preferred_until; valid_until; _ } = p.address in
  drop t p;
  Routes.add_address t.routes p.interface ~state:Preferred ~preferred_until ~valid_until ip
    ~prefix_length;
  announce t p.interface ip

let say t { on; ip; _ } =
  let arp : Neighbours.message =
    if Ip.is_v4 ip then Arp_probe.announcement on.mac ip
    else
      {
        operation = Reply;
        sender_mac = on.mac;
        sender_ip = ip;
        target_mac = Mac.of_int 0;
        target_ip = Ip.any_v6;
      }
  in
  Control_queue.push_neighbour t.control on { dst = Mac.broadcast; arp }

(* It may have been removed since. *)
let repeat t ~now a =
  if Option.is_some (find_address a.on a.ip) then say t a;
  a.times <- a.times - 1;
  a.at <- now + announce_interval

let step t ~now p =
  if p.left = 0 then settle t p
  else (
    p.left <- p.left - 1;
    p.due <- now + retransmit;
    ask t p)

let tick t ~now =
  List.iter (fun p -> if p.due <= now then step t ~now p) t.probes;
  List.iter (fun a -> if a.at <= now then repeat t ~now a) t.announcements;
  t.announcements <- List.filter (fun a -> a.times > 0) t.announcements

let deadline t =
  let probes = List.fold_left (fun d p -> Int.min d p.due) Time.never t.probes in
  List.fold_left (fun d a -> Int.min d a.at) probes t.announcements
