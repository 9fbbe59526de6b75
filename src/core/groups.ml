open Weir_base
open Weir_wire

type filter = Include of Ip.t list | Exclude of Ip.t list

(* [changed] are sources about which there are reports to send, and how many. *)
type entry = {
  group : Ip.t;
  interface : Interface.t;
  mutable own : bool;  (** of neighbour discovery *)
  mutable wanted : filter list;
  mutable filter : filter;
  mutable mode_left : int;
  mutable changed : (Ip.t * int) list;
  mutable due : Time.t;
  mutable asked : Ip.t list;  (** by a query about sources, none of them if about the group *)
  mutable answer_due : Time.t;
  mutable last : bool;  (** nobody reported after this host, in an old version *)
}

(* What one link's routers say, by family. *)
type querier = {
  on : Interface.t;
  v4 : bool;
  mutable v1_until : Time.t;
  mutable v2_until : Time.t;  (** of IGMP *)
  mutable robustness : int;
  mutable interval : Time.t;
  mutable general_due : Time.t;
}

type t = {
  counters : Counters.t;
  routes : Routes.t;
  control : Control_queue.t;
  random : Random.State.t;
  announces : bool;
  mutable entries : entry list;
  mutable queriers : querier list;
  mutable deadline : Time.t;
}

let most_sources = 64
let most_members = 1_024
let length t = List.length t.entries

(* -- filters -------------------------------------------------------------------- *)

let holds l a = List.exists (Ip.equal a) l
let without l other = List.filter (fun a -> not (holds other a)) l
let sorted l = List.sort_uniq Ip.compare l
let says_so l p = List.exists (Packet.is_from p) l
let allows f p = match f with Include l -> says_so l p | Exclude l -> not (says_so l p)
let accepts f a = match f with Include l -> holds l a | Exclude l -> not (holds l a)

let merge filters =
  let included = List.concat_map (function Include l -> l | Exclude _ -> []) filters in
  match List.filter_map (function Exclude l -> Some l | Include _ -> None) filters with
  | [] -> Include (sorted included)
  | first :: rest ->
      let common = List.fold_left (fun l other -> List.filter (holds other) l) first rest in
      Exclude (sorted (without common included))

let none = Include []
let sources = function Include l | Exclude l -> l

let same_mode a b =
  match (a, b) with Include _, Include _ | Exclude _, Exclude _ -> true | _ -> false

(* -- queriers --------------------------------------------------------------------- *)

(* RFC 9776 §8: until a router says otherwise. *)
let robustness = 2
let query_interval = Time.s 125
let query_response = Time.s 10
let unsolicited = Time.s 1
let unsolicited_old = Time.s 10

let querier t (i : Interface.t) ~v4 =
  match List.find_opt (fun q -> q.on.number = i.number && q.v4 = v4) t.queriers with
  | Some q -> q
  | None ->
      let q =
        {
          on = i;
          v4;
          v1_until = 0;
          v2_until = 0;
          robustness;
          interval = query_interval;
          general_due = Time.never;
        }
      in
      t.queriers <- q :: t.queriers;
      q

let newest q = if q.v4 then 3 else 2

let version q ~now =
  if q.v1_until > now then 1 else if q.v4 && q.v2_until > now then 2 else newest q

let querier_of t e = querier t e.interface ~v4:(Ip.is_v4 e.group)
let within t span = if span <= 0 then 0 else Random.State.full_int t.random span

(* -- sending ------------------------------------------------------------------------ *)

let is_own (a : Interface.address) = Ip.is_link_local a.ip && a.state <> Tentative

(* Nobody else may have the source of MLD's messages; before there is one it is [::] (RFC 3590). *)
let source (i : Interface.t) ~v4 =
  if v4 then Interface.source_for i Ip.any
  else match Array.find_opt is_own i.addresses with Some a -> a.ip | None -> Ip.any_v6

let send t (i : Interface.t) ~dst message =
  t.counters.group_reports <- t.counters.group_reports + 1;
  Control_queue.push_membership t.control i ~src:(source i ~v4:(Ip.is_v4 dst)) ~dst message

(* As many records in one packet as fit. *)
let send_records t (i : Interface.t) ~v4 records =
  let dst = Membership.report_to ~version:3 (if v4 then Membership.all_hosts else Ip.all_nodes) in
  let room = i.mtu - 48 in
  let flush l = if l <> [] then send t i ~dst (Records (List.rev l)) in
  let add l r =
    if Membership.length ~v4 (Records (r :: l)) <= room then r :: l
    else (
      flush l;
      [ r ])
  in
  flush (List.fold_left add [] records)

let report t e ~version =
  let dst = Membership.report_to ~version e.group in
  e.last <- true;
  send t e.interface ~dst (Report { version; group = e.group })

let record e kind sources : Membership.record = { kind; group = e.group; sources }

(* RFC 9776 §5.1, the two kinds of a report of a change. *)
let changes e =
  if e.mode_left > 0 then (
    e.mode_left <- e.mode_left - 1;
    match e.filter with
    | Include l -> [ record e To_include l ]
    | Exclude l -> [ record e To_exclude l ])
  else
    let allow, block = List.partition (fun (a, _) -> accepts e.filter a) e.changed in
    e.changed <- List.filter_map (fun (a, n) -> if n > 1 then Some (a, n - 1) else None) e.changed;
    let said kind = function [] -> [] | l -> [ record e kind (List.map fst l) ] in
    said Allow allow @ said Block block

let tell_old t e ~version =
  ignore (changes e : Membership.record list);
  if e.filter <> none then report t e ~version
  else (
    e.mode_left <- 0;
    e.changed <- [];
    if version > 1 || not (Ip.is_v4 e.group) then
      if e.last then send t e.interface ~dst:(Membership.leave_to e.group) (Leave e.group))

let tell t ~now e =
  let q = querier_of t e in
  let version = version q ~now in
  if version = newest q then send_records t e.interface ~v4:q.v4 (changes e)
  else tell_old t e ~version;
  let span = if version = newest q then unsolicited else unsolicited_old in
  e.due <- (if e.mode_left > 0 || e.changed <> [] then now + 1 + within t span else Time.never)

(* -- members -------------------------------------------------------------------------- *)

let is_of (i : Interface.t) group e = e.interface.number = i.number && Ip.equal e.group group
let find t i group = List.find_opt (is_of i group) t.entries
let is_over e = e.filter = none && e.due = Time.never

(* Reception follows at once. *)
let drop_finished t = t.entries <- List.filter (fun e -> not (is_over e)) t.entries

(* Asked for at each frame, so it is kept. *)
let set_deadline t =
  let entry d e = Int.min d (Int.min e.due e.answer_due) in
  let all = List.fold_left entry Time.never t.entries in
  t.deadline <- List.fold_left (fun d q -> Int.min d q.general_due) all t.queriers

let set_joined t =
  let joined e = if e.filter = none then None else Some e.group in
  Routes.set_joined t.routes (List.filter_map joined t.entries)

let has_room t i group wanted =
  List.length (sources (merge wanted)) <= most_sources
  && (Option.is_some (find t i group) || length t < most_members)

let apply t e ~quiet =
  let before = e.filter in
  let after = if e.own then Exclude [] else merge e.wanted in
  e.filter <- after;
  if before <> after && Membership.is_reported e.group && not quiet then (
    let robustness = (querier_of t e).robustness in
    (if (not (same_mode before after)) || e.mode_left > 0 then (
       e.mode_left <- robustness;
       e.changed <- [])
     else
       let old = sources before and fresh = sources after in
       let both = without old fresh @ without fresh old in
       let others = List.filter (fun (a, _) -> not (holds both a)) e.changed in
       e.changed <- List.map (fun a -> (a, robustness)) both @ others);
    (* At once: drivers subtract the present from it, so it is not [min_int]. *)
    e.due <- 0)

let entry t interface group =
  match find t interface group with
  | Some e -> e
  | None ->
      let e =
        {
          group;
          interface;
          own = false;
          wanted = [];
          filter = none;
          mode_left = 0;
          changed = [];
          due = Time.never;
          asked = [];
          answer_due = Time.never;
          last = false;
        }
      in
      t.entries <- e :: t.entries;
      e

let change t e ~quiet =
  apply t e ~quiet;
  drop_finished t;
  set_deadline t;
  set_joined t

let update t i group wanted =
  let e = entry t i group in
  e.wanted <- wanted;
  change t e ~quiet:false

(* The groups of neighbour discovery follow the addresses. *)
let follow_addresses t () =
  let solicited (i : Interface.t) =
    let all = Array.to_list i.addresses in
    List.filter_map
      (fun (a : Interface.address) -> if Ip.is_v4 a.ip then None else Some (Ip.solicited_node a.ip))
      all
  in
  let set e own =
    if e.own <> own then (
      e.own <- own;
      change t e ~quiet:(not t.announces))
  in
  Array.iter
    (fun (i : Interface.t) ->
      let wanted = sorted (solicited i) in
      List.iter (fun g -> set (entry t i g) true) wanted;
      let gone e = e.own && e.interface.number = i.number && not (holds wanted e.group) in
      List.iter (fun e -> if gone e then set e false) t.entries)
    (Routes.interfaces t.routes)

let create counters routes control ~random ~announces =
  let t =
    {
      counters;
      routes;
      control;
      random;
      announces;
      entries = [];
      queriers = [];
      deadline = Time.never;
    }
  in
  Routes.set_watch routes (follow_addresses t);
  t

(* -- queries ---------------------------------------------------------------------------- *)

let on_link q e = e.interface.number = q.on.number && Ip.is_v4 e.group = q.v4

(* §7.2.1: a change of version ends what was to be said. *)
let learn t q ~now (m : Membership.query) =
  let before = version q ~now in
  (if m.version = newest q then (
     if m.robustness > 0 then q.robustness <- m.robustness;
     if m.interval_s > 0 then q.interval <- Time.s m.interval_s)
   else if Ip.is_any m.about then
     let until = now + (q.robustness * q.interval) + query_response in
     if m.version = 1 then q.v1_until <- until else q.v2_until <- until);
  if version q ~now <> before then (
    q.general_due <- Time.never;
    List.iter (fun e -> if on_link q e then e.answer_due <- Time.never) t.entries)

let ask e ~at ~from =
  let waits = e.answer_due < Time.never in
  let whole = from = [] || (waits && e.asked = []) in
  e.asked <- (if whole then [] else sorted (if waits then from @ e.asked else from));
  if List.length e.asked > most_sources then e.asked <- [];
  e.answer_due <- Int.min e.answer_due at

let query t q ~now (m : Membership.query) =
  learn t q ~now m;
  (* Version 1 has a fixed time. *)
  let span = if m.max_response_ms = 0 && q.v4 then query_response else Time.ms m.max_response_ms in
  let later () = now + 1 + within t span in
  let joined e = e.filter <> none && Membership.is_reported e.group in
  if not (Ip.is_any m.about) then
    Option.iter (fun e -> if joined e then ask e ~at:(later ()) ~from:m.from) (find t q.on m.about)
  else if version q ~now = newest q then q.general_due <- Int.min q.general_due (later ())
  else List.iter (fun e -> if on_link q e && joined e then ask e ~at:(later ()) ~from:[]) t.entries

let heard t ~now i (m : Membership.t) =
  (match m with
  | Query m ->
      t.counters.group_queries <- t.counters.group_queries + 1;
      query t (querier t i ~v4:(Ip.is_v4 m.about)) ~now m
  | Report { group; _ } ->
      (* RFC 2236 §3: one member's answer is enough; the newest version knows all members. *)
      let hush e =
        let q = querier_of t e in
        if version q ~now < newest q then (
          e.answer_due <- Time.never;
          e.last <- false)
      in
      Option.iter hush (find t i group)
  | Leave _ | Records _ -> ());
  set_deadline t

(* §5.2: what is wanted of the sources that were asked about. *)
let current e =
  match (e.filter, e.asked) with
  | Include l, [] -> [ record e Is_include l ]
  | Exclude l, [] -> [ record e Is_exclude l ]
  | f, asked -> (
      match List.filter (accepts f) asked with [] -> [] | l -> [ record e Is_include l ])

let answer t ~now e =
  let q = querier_of t e in
  let version = version q ~now in
  e.answer_due <- Time.never;
  if e.filter <> none then
    if version = newest q then send_records t e.interface ~v4:q.v4 (current e)
    else report t e ~version

let answer_all t q =
  q.general_due <- Time.never;
  let told e =
    if on_link q e && e.filter <> none && Membership.is_reported e.group then (
      e.asked <- [];
      current e)
    else []
  in
  send_records t q.on ~v4:q.v4 (List.concat_map told t.entries)

(* -- time ----------------------------------------------------------------------------------- *)

let tick t ~now =
  List.iter (fun q -> if q.general_due <= now then answer_all t q) t.queriers;
  List.iter
    (fun e ->
      if e.answer_due <= now then answer t ~now e;
      if e.due <= now then tell t ~now e)
    t.entries;
  drop_finished t;
  set_deadline t

let deadline t = t.deadline
