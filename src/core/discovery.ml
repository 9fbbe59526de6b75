open Weir_base
open Weir_wire

type t = {
  control : Control_queue.t;
  counters : Counters.t;
  routes : Routes.t;
  dad : Dad.t;
  redirects : Redirects.t;
  mutable autoconf : Autoconf.t option;
  mutable advertiser : Advertiser.t option;
}

let create counters routes control dad redirects =
  { control; counters; routes; dad; redirects; autoconf = None; advertiser = None }

let autoconf t = t.autoconf

let start_autoconf t ~now i ~ready =
  let a =
    match t.autoconf with Some a -> a | None -> Autoconf.create t.routes t.control t.dad ~ready
  in
  Autoconf.start a ~now i;
  t.autoconf <- Some a;
  a

let advertise t ~now ?interval i message =
  let a =
    match t.advertiser with Some a -> a | None -> Advertiser.create t.control (Dad.random t.dad)
  in
  t.advertiser <- Some a;
  Advertiser.set a ~now ?interval i message

let unreachable t ~now i ip =
  Redirects.unreachable t.redirects ip;
  Option.iter (fun a -> Autoconf.unreachable a ~now i ip) t.autoconf

(* -- what comes in --------------------------------------------------------- *)

let malformed t = t.counters.icmp_in_malformed <- t.counters.icmp_in_malformed + 1
let unknown_mac = Mac.of_int 0

let hear t ~now (i : Interface.t) message =
  List.iter
    (fun packet -> ignore (Control_queue.push t.control packet : bool))
    (Neighbours.input i.neighbours ~now message)

(* An answer to a host that did not give its MAC is routed like any packet. *)
let answer_without_mac t (i : Interface.t) ~dst target =
  let router = Routes.is_router t.routes in
  let message =
    Nd.Neighbour_advertisement
      { target; target_mac = Some i.mac; router; solicited = true; override = true }
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
      answer_without_mac t i ~dst:question.sender_ip question.target_ip
  | reply -> Option.iter (Control_queue.push_neighbour t.control i) reply

(* §7.2.3, and RFC 4862 §5.4.3 for a tentative target. *)
let solicited t ~now i (p : Packet.t) ~target ~source_mac ~nonce =
  let src = Packet.source p in
  let from_any = Ip.is_any src in
  if from_any && (Option.is_some source_mac || not (Packet.is_to p (Ip.solicited_node target))) then
    malformed t
  else if Dad.is_tentative t.dad i target then (if from_any then Dad.asked t.dad i target ~nonce)
  else
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

(* §7.2.5, and RFC 4862 §5.4.4. An answer to a unicast question may leave out the MAC: it is then
   the MAC to which the question was sent. *)
let advertised t ~now (i : Interface.t) (p : Packet.t) ~target ~target_mac ~solicited ~router =
  let dst = Packet.destination p in
  if solicited && Ip.is_multicast dst then malformed t
  else if Dad.is_tentative t.dad i target then Dad.claimed t.dad i target
  else
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
          };
        (* §7.3.3. Anyone may say it unasked; when the router is asked the next time, its own answer
           tells. *)
        if solicited && (not router) && known >= 0 && Mac.equal sender_mac (Mac.of_int known) then
          Option.iter (fun a -> Autoconf.no_router a ~now i target) t.autoconf

let input t ~now i (p : Packet.t) ~whole =
  (* A hop limit below 255 shows that a router forwarded the packet. Fragments are refused (RFC 6980
     §5). *)
  if p.ttl <> Control_queue.nd_hop_limit || (not whole) || p.identification_at >= 0 then malformed t
  else
    match Nd.decode p.data ~off:p.payload_at ~len:p.payload_length with
    | Error _ -> malformed t
    | Ok message -> (
        t.counters.icmp_in <- t.counters.icmp_in + 1;
        match message with
        | Neighbour_solicitation { target; source_mac; nonce } ->
            solicited t ~now i p ~target ~source_mac ~nonce
        | Neighbour_advertisement { target; target_mac; solicited; router; _ } ->
            advertised t ~now i p ~target ~target_mac ~solicited ~router
        | Router_advertisement a -> (
            let router = Packet.source p in
            if not (Ip.is_link_local router) then malformed t
            else
              match t.autoconf with Some auto -> Autoconf.heard auto ~now i ~router a | None -> ())
        | Router_solicitation { source_mac } ->
            (* RFC 4861 §6.1.1. *)
            if Option.is_some source_mac && Ip.is_any (Packet.source p) then malformed t
            else Option.iter (fun a -> Advertiser.solicited a ~now i) t.advertiser
        | Redirect { target; destination; _ } ->
            let router = Packet.source p in
            if not (Ip.is_link_local router) then malformed t
            else Redirects.heard t.redirects ~now ~router ~target destination)

let tick t ~now =
  Dad.tick t.dad ~now;
  Redirects.tick t.redirects ~now;
  Option.iter (Advertiser.tick ~now) t.advertiser;
  Option.iter (Autoconf.tick ~now) t.autoconf

let deadline_of f = function Some x -> f x | None -> Time.never

let deadline t =
  Int.min
    (Int.min (Dad.deadline t.dad) (Redirects.deadline t.redirects))
    (Int.min
       (deadline_of Autoconf.deadline t.autoconf)
       (deadline_of Advertiser.deadline t.advertiser))
