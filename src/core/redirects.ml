open Weir_base
open Weir_wire

type entry = { destination : Ip.t; target : Ip.t; interface : Interface.t; until : Time.t }

type t = {
  counters : Counters.t;
  routes : Routes.t;
  enabled : bool;
  mutable entries : entry list;  (** the newest first *)
  mutable deadline : Time.t;
}

let most = 64
let lifetime = Time.s 600

let create counters routes ~enabled =
  { counters; routes; enabled; entries = []; deadline = Time.never }

let length t = List.length t.entries
let deadline t = t.deadline
let is_direct e = Ip.equal e.target e.destination
let bits e = Ip.bits e.destination

(* Unless something else has replaced the route. *)
let withdraw t e =
  let network = e.destination and prefix_length = bits e in
  match Routes.exact t.routes ~network ~prefix_length with
  | Some { via = Gateway g; _ } when Ip.equal g e.target ->
      ignore (Routes.remove t.routes ~network ~prefix_length : bool)
  | Some { via = On_link; _ } when is_direct e ->
      Routes.remove_on_link t.routes e.interface ~network ~prefix_length
  | _ -> ()

let keep t f =
  let kept, gone = List.partition f t.entries in
  List.iter (withdraw t) gone;
  t.entries <- kept;
  t.deadline <- List.fold_left (fun d e -> Int.min d e.until) Time.never kept

let install t e =
  let network = e.destination and prefix_length = bits e in
  if is_direct e then (
    Routes.add_on_link t.routes e.interface ~network ~prefix_length;
    true)
  else Result.is_ok (Routes.add ~on:e.interface t.routes ~network ~prefix_length ~gateway:e.target)

(* IPv6: a router by its link-local address (RFC 4861 §8.1). *)
let may_lead t (i : Interface.t) ~target dst =
  Ip.equal target dst
  || Routes.is_source t.routes target
     && if Ip.is_v4 target then Interface.is_on_link i target else Ip.is_link_local target

let take t ~now ~router ~target dst =
  let is e = Ip.equal e.destination dst in
  let route = Routes.find t.routes dst in
  let i = Routes.interface t.routes route.interface in
  let from_first_hop =
    match route.via with Gateway g -> Ip.equal g router | On_link | Nowhere -> false
  in
  let is_set =
    Option.is_some (Routes.exact t.routes ~network:dst ~prefix_length:(Ip.bits dst))
    && not (List.exists is t.entries)
  in
  if
    from_first_hop && (not is_set)
    && (not (Ip.equal target router))
    && Routes.is_source t.routes dst && may_lead t i ~target dst
  then (
    keep t (fun e -> not (is e));
    let e = { destination = dst; target; interface = i; until = now + lifetime } in
    if install t e then (
      t.counters.redirects_followed <- t.counters.redirects_followed + 1;
      t.entries <- e :: t.entries;
      let oldest = List.filteri (fun n _ -> n >= most) t.entries in
      keep t (fun e -> not (List.memq e oldest))))

let heard t ~now ~router ~target dst =
  t.counters.redirects_in <- t.counters.redirects_in + 1;
  if t.enabled then take t ~now ~router ~target dst

let unreachable t a = if t.entries <> [] then keep t (fun e -> not (Ip.equal e.target a))
let tick t ~now = if t.deadline <= now then keep t (fun e -> e.until > now)
