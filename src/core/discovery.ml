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

type t = {
  routes : Routes.t;
  control : Control_queue.t;
  counters : Counters.t;
  secret : Stable_address.secret;
  random : Random.State.t;
  transmits : int;
  mutable probes : probe list;
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
    duplicates = [];
  }

let duplicates t = t.duplicates
let retransmit = Time.s 1
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
      t.probes <-
        { interface; address; counter; nonce; left = t.transmits; due = min_int } :: t.probes

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

let add = add_counted ~counter:(-1)

let rec add_stable ?(counter = 0) t (i : Interface.t) ?preferred_until ?valid_until prefix =
  let ip = Stable_address.make ~secret:t.secret ~prefix ~interface:i.number ~counter in
  add_counted t i ?preferred_until ?valid_until ip ~prefix_length:64 ~counter

(* §5.4.5. An address that the host made itself is followed by another one (RFC 7217 §6). *)
and duplicate t (p : probe) =
  let { Interface.ip; preferred_until; valid_until; _ } = p.address in
  t.counters.dad_conflicts <- t.counters.dad_conflicts + 1;
  drop t p;
  Routes.remove_address t.routes p.interface ip;
  if List.length t.duplicates < most_duplicates then t.duplicates <- ip :: t.duplicates;
  if p.counter >= 0 && p.counter < most_stable then
    add_stable t p.interface ~counter:(p.counter + 1) ~preferred_until ~valid_until ip

let remove t i ip =
  forget t i ip;
  Routes.remove_address t.routes i ip

(* -- what comes in --------------------------------------------------------- *)

let malformed t = t.counters.icmp_in_malformed <- t.counters.icmp_in_malformed + 1
let unknown_mac = Mac.of_int 0

let hear t ~now (i : Interface.t) message =
  List.iter
    (fun packet -> ignore (Control_queue.push t.control packet : bool))
    (Neighbours.input i.neighbours ~now message)

(* The answer to who did not say its MAC takes the way of all packets. *)
let advertise t (i : Interface.t) ~dst target =
  let message =
    Nd.Neighbour_advertisement
      { target; target_mac = Some i.mac; router = false; solicited = true; override = true }
  in
  let length = Nd.length message and protocol = Ipv6.protocol_icmp in
  let pseudo = Ip.pseudo_sum ~src:target ~dst ~protocol ~length in
  let like = { Control_queue.default with ttl = Control_queue.nd_hop_limit } in
  ignore
    (Control_queue.push_datagram ~like t.control ~src:target ~dst ~protocol ~length (fun b off ->
         Nd.emit message ~pseudo b ~off))

let answer t (i : Interface.t) ~source_mac (question : Neighbours.message) =
  match Neighbours.reply i.neighbours question with
  | Some _ when Option.is_none source_mac && not (Ip.is_any question.sender_ip) ->
      advertise t i ~dst:question.sender_ip question.target_ip
  | reply -> Option.iter (Control_queue.push_neighbour t.control i) reply

(* §7.2.3, and RFC 4862 §5.4.3 for a tentative target. *)
let solicited t ~now i (p : Packet.t) ~target ~source_mac ~nonce =
  let src = Packet.source p in
  let from_any = Ip.is_any src in
  if from_any && (Option.is_some source_mac || not (Packet.is_to p (Ip.solicited_node target))) then
    malformed t
  else
    match find_probe t i target with
    | Some probe -> if from_any && nonce <> probe.nonce then duplicate t probe
    | None ->
        let sender_mac = Option.value source_mac ~default:unknown_mac in
        let question : Neighbours.message =
          {
            operation = Request;
            sender_mac;
            sender_ip = src;
            target_mac = unknown_mac;
            target_ip = target;
          }
        in
        if not from_any then hear t ~now i question;
        answer t i ~source_mac question

(* §7.2.5, and RFC 4862 §5.4.4. The answer to a question by unicast may leave out the MAC, which is
   the one that was asked then. *)
let advertised t ~now (i : Interface.t) (p : Packet.t) ~target ~target_mac ~solicited =
  let dst = Packet.destination p in
  if solicited && Ip.is_multicast dst then malformed t
  else
    match find_probe t i target with
    | Some probe -> duplicate t probe
    | None -> (
        let known = Neighbours.stored i.neighbours target in
        match target_mac with
        | None when known < 0 -> ()
        | _ ->
            let sender_mac = Option.value target_mac ~default:(Mac.of_int (Int.max 0 known)) in
            hear t ~now i
              {
                operation = Reply;
                sender_mac;
                sender_ip = target;
                target_mac = i.mac;
                target_ip = (if solicited then dst else target);
              })

let input t ~now i (p : Packet.t) ~whole =
  (* A router lowers the hop limit; and no fragments (RFC 6980 §5). *)
  if p.ttl <> Control_queue.nd_hop_limit || (not whole) || p.identification_at >= 0 then malformed t
  else
    match Nd.decode p.data ~off:p.payload_at ~len:p.payload_length with
    | Error _ -> malformed t
    | Ok message -> (
        t.counters.icmp_in <- t.counters.icmp_in + 1;
        match message with
        | Neighbour_solicitation { target; source_mac; nonce } ->
            solicited t ~now i p ~target ~source_mac ~nonce
        | Neighbour_advertisement { target; target_mac; solicited; _ } ->
            advertised t ~now i p ~target ~target_mac ~solicited
        | Router_solicitation _ | Router_advertisement _ | Redirect _ -> ())

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
    ~prefix_length

let step t ~now p =
  if p.left = 0 then settle t p
  else (
    p.left <- p.left - 1;
    p.due <- now + retransmit;
    ask t p)

let tick t ~now = List.iter (fun p -> if p.due <= now then step t ~now p) t.probes
let deadline t = List.fold_left (fun d p -> Int.min d p.due) Time.never t.probes
