open Weir_base
open Weir_wire

type offer = {
  interface : Interface.t;
  router : Ip.t;
  network : Ip.t;
  bits : int;
  mutable preference : Nd.preference;
  mutable until : Time.t;
  mutable avoid_until : Time.t;  (** it did not answer; 0 if it did *)
}

type t = {
  routes : Routes.t;
  mutable offers : offer list;  (** the first heard first *)
  mutable installed : offer list;
}

let most_routers = 4
let most_routes = 8
let avoided_for = Time.s 60
let create routes = { routes; offers = []; installed = [] }
let is_default o = o.bits = 0
let same_network a b = a.bits = b.bits && Ip.equal a.network b.network
let is_on (i : Interface.t) o = o.interface.number = i.number

let is_full t i ~bits =
  let others = List.filter (fun o -> is_on i o && is_default o = (bits = 0)) t.offers in
  List.length others >= if bits = 0 then most_routers else most_routes

let heard t ~now i ~router ~network ~bits preference ~until =
  let is o = is_on i o && o.bits = bits && Ip.equal o.network network && Ip.equal o.router router in
  match List.find_opt is t.offers with
  | Some o when until <= now -> t.offers <- List.filter (fun other -> other != o) t.offers
  | Some o ->
      o.preference <- preference;
      o.until <- until
  | None ->
      if until > now && not (is_full t i ~bits) then
        let o = { interface = i; router; network; bits; preference; until; avoid_until = 0 } in
        t.offers <- t.offers @ [ o ]

(* -- the routing table ----------------------------------------------------- *)

let weight o =
  (if o.avoid_until > 0 then 0 else 4)
  + match o.preference with Nd.Low -> 0 | Medium -> 1 | High -> 2

let better best o = if weight o > weight best then o else best

let best t =
  let of_network o = List.fold_left better o (List.filter (same_network o) t.offers) in
  List.sort_uniq compare (List.map (fun o -> (o.bits, (o.network :> string))) t.offers)
  |> List.filter_map (fun (bits, network) ->
      List.find_opt (fun o -> o.bits = bits && (o.network :> string) = network) t.offers)
  |> List.map of_network

let in_table t o = Routes.exact t.routes ~network:o.network ~prefix_length:o.bits

let is_its o (r : Routes.route) =
  r.interface = o.interface.number
  && match r.via with Gateway g -> Ip.equal g o.router | On_link | Nowhere -> false

let is_installed t o = match in_table t o with Some r -> is_its o r | None -> false

(* Whether the route is in the table now, and was put there from here. *)
let put t o =
  let was_ours r = List.exists (fun p -> same_network p o && is_its p r) t.installed in
  match in_table t o with
  | Some r when not (was_ours r) -> false
  | Some r when is_its o r -> true
  | _ ->
      Result.is_ok
        (Routes.add t.routes ~on:o.interface ~network:o.network ~prefix_length:o.bits
           ~gateway:o.router)

let install t ~now =
  t.offers <- List.filter (fun o -> o.until > now) t.offers;
  List.iter (fun o -> if o.avoid_until <= now then o.avoid_until <- 0) t.offers;
  let wanted = best t in
  List.iter
    (fun o ->
      if (not (List.exists (same_network o) wanted)) && is_installed t o then
        ignore (Routes.remove t.routes ~network:o.network ~prefix_length:o.bits : bool))
    t.installed;
  t.installed <- List.filter (put t) wanted

let unreachable t ~now i ip =
  let is o = is_on i o && Ip.equal o.router ip in
  if List.exists is t.offers then (
    List.iter (fun o -> if is o then o.avoid_until <- now + avoided_for) t.offers;
    install t ~now)

let gone t ~now i ip =
  let is o = is_on i o && Ip.equal o.router ip in
  if List.exists is t.offers then (
    t.offers <- List.filter (fun o -> not (is o)) t.offers;
    install t ~now)

let defaults t =
  let mine, others = List.partition (fun o -> List.memq o t.installed) t.offers in
  List.filter_map (fun o -> if is_default o then Some o.router else None) (mine @ others)

let has_default t i = List.exists (fun o -> is_on i o && is_default o) t.offers

let deadline t =
  let due o = if o.avoid_until > 0 then Int.min o.until o.avoid_until else o.until in
  List.fold_left (fun d o -> Int.min d (due o)) Time.never t.offers

let tick t ~now = if deadline t <= now then install t ~now
