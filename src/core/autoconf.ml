open Weir_base
open Weir_wire

type configuration = {
  addresses : Ip.t list;
  routers : Ip.t list;
  servers : Ip.t list;
  domains : string list;
}

(* RFC 7559 §2: [pause] is RT, and [due] when the next solicitation leaves. *)
type link = { interface : Interface.t; mutable pause : Time.t; mutable due : Time.t }

type t = {
  routes : Routes.t;
  control : Control_queue.t;
  random : Random.State.t;
  prefixes : Prefix_list.t;
  routers : Router_list.t;
  ready : t -> unit;
  mutable links : link list;
  mutable servers : (Ip.t * Time.t) list;
  mutable domains : (string * Time.t) list;
  mutable told : configuration;
  mutable solicitations : int;
  mutable advertisements : int;
  mutable wake : unit -> unit;
}

let nothing = { addresses = []; routers = []; servers = []; domains = [] }
let most_servers = 4
let most_domains = 6
let least_hop_limit = 64

let create routes control dad ~ready =
  {
    routes;
    control;
    random = Dad.random dad;
    prefixes = Prefix_list.create routes dad;
    routers = Router_list.create routes;
    ready;
    links = [];
    servers = [];
    domains = [];
    told = nothing;
    solicitations = 0;
    advertisements = 0;
    wake = ignore;
  }

let configuration t = t.told

let pp f c =
  let list what pp_item = function
    | [] -> ()
    | l -> Fmt.pf f ", %s %a" what Fmt.(list ~sep:(any " ") pp_item) l
  in
  Fmt.(list ~sep:(any " ") Ip.pp) f c.addresses;
  list "via" Ip.pp c.routers;
  list "resolvers" Ip.pp c.servers;
  list "search" Fmt.string c.domains

let is_complete = function Some { addresses = _ :: _; _ } as c -> c | _ -> None

let explain t ~link ~after =
  let seconds = float_of_int after /. 1e9 in
  match t with
  | None -> "this host does not let routers configure it"
  | Some { advertisements = 0; solicitations; _ } ->
      Fmt.str "no router answered on %s within %g s: %d requests were sent; is one on this link?"
        link seconds solicitations
  | Some _ -> Fmt.str "a router on %s advertises no prefix in which a host can make an address" link

let solicitations t = t.solicitations
let wake t = t.wake
let set_wake t wake = t.wake <- wake

let tell t =
  let now =
    {
      addresses = Prefix_list.addresses t.prefixes;
      routers = Router_list.defaults t.routers;
      servers = List.map fst t.servers;
      domains = List.map fst t.domains;
    }
  in
  if now <> t.told then (
    t.told <- now;
    t.ready t)

(* -- solicitations ----------------------------------------------------------- *)

let first_pause = Time.s 4
let longest_pause = Time.s 3_600
let longest_delay = Time.s 1
let find t (i : Interface.t) = List.find_opt (fun l -> l.interface.number = i.number) t.links

let start t ~now i =
  if Option.is_some (find t i) then invalid_arg "Autoconf.start: it runs on this interface";
  if not (Interface.takes_v6 i) then
    invalid_arg "configuration by routers needs an MTU of 1280 bytes or more";
  let due = now + Random.State.int t.random longest_delay in
  t.links <- { interface = i; pause = 0; due } :: t.links

let solicit t (i : Interface.t) =
  let src = Interface.source_for i Ip.all_routers in
  let source_mac = if Ip.is_any src then None else Some i.mac in
  t.solicitations <- t.solicitations + 1;
  Control_queue.push_nd t.control i ~mac:(Ip.group_mac Ip.all_routers) ~src ~dst:Ip.all_routers
    (Router_solicitation { source_mac })

(* A random change of up to a tenth, so that hosts do not all ask at the same time. *)
let jitter t ns = ns + Random.State.full_int t.random ((ns / 5) + 1) - (ns / 10)

let ask t ~now l =
  solicit t l.interface;
  l.pause <-
    (if l.pause = 0 then jitter t first_pause else jitter t (Int.min longest_pause (2 * l.pause)));
  l.due <- now + l.pause

(* The last default router of a link has gone: perhaps another one is there. *)
let ask_again t ~now =
  List.iter
    (fun l ->
      if l.due = Time.never && not (Router_list.has_default t.routers l.interface) then (
        l.pause <- 0;
        l.due <- now + Random.State.int t.random longest_delay))
    t.links

(* -- advertisements ----------------------------------------------------------- *)

(* A lifetime of 0 removes the entry. Entries stay in the order in which they were first received. *)
let put all ~now ~most ~until x =
  let is (other, _) = other = x in
  if until <= now then List.filter (fun e -> not (is e)) all
  else if List.exists is all then List.map (fun e -> if is e then (x, until) else e) all
  else if List.length all < most then all @ [ (x, until) ]
  else all

let put_each all ~now ~most lists =
  List.fold_left
    (fun all (lifetime, items) ->
      let until = Prefix_list.until ~now lifetime in
      List.fold_left (fun all x -> put all ~now ~most ~until x) all items)
    all lists

let is_server a = not (Ip.is_multicast a || Ip.is_any a || Ip.is_loopback a || Ip.is_mapped a)

let set_names t ~now (a : Nd.advertisement) =
  let servers = List.map (fun (n, l) -> (n, List.filter is_server l)) a.servers in
  t.servers <- put_each t.servers ~now ~most:most_servers servers;
  t.domains <- put_each t.domains ~now ~most:most_domains a.domains

let set_link t (i : Interface.t) (a : Nd.advertisement) =
  if a.mtu >= Ipv6.minimum_mtu && a.mtu <= i.link_mtu && a.mtu <> i.mtu then
    Routes.set_mtu t.routes i a.mtu;
  if a.hop_limit >= least_hop_limit then Control_queue.set_hop_limit t.control a.hop_limit

(* An option for the default route replaces what the message's header says of it (RFC 4191 §3.1). *)
let set_routes t ~now i ~router (a : Nd.advertisement) =
  let hear ~network ~bits preference seconds =
    let until = Prefix_list.until ~now seconds in
    Router_list.heard t.routers ~now i ~router ~network ~bits preference ~until
  in
  if not (List.exists (fun (r : Nd.route) -> r.bits = 0) a.routes) then
    hear ~network:Ip.any_v6 ~bits:0 a.preference a.lifetime;
  List.iter
    (fun (r : Nd.route) ->
      if not (Ip.is_multicast r.network || Ip.is_link_local r.network) then
        hear ~network:r.network ~bits:r.bits r.preference r.lifetime)
    a.routes;
  Router_list.install t.routers ~now

let heard t ~now i ~router (a : Nd.advertisement) =
  match find t i with
  | Some l when Interface.takes_v6 i ->
      t.advertisements <- t.advertisements + 1;
      set_link t i a;
      List.iter (Prefix_list.heard t.prefixes ~now i) a.prefixes;
      set_routes t ~now i ~router a;
      set_names t ~now a;
      if Router_list.has_default t.routers i then l.due <- Time.never else ask_again t ~now;
      tell t
  | _ -> ()

let unreachable t ~now i ip =
  Router_list.unreachable t.routers ~now i ip;
  tell t

let no_router t ~now i ip =
  Router_list.gone t.routers ~now i ip;
  ask_again t ~now;
  tell t

(* -- time ---------------------------------------------------------------------- *)

let soonest all d = List.fold_left (fun d (_, until) -> Int.min d until) d all

let deadline t =
  let links = List.fold_left (fun d l -> Int.min d l.due) Time.never t.links in
  Int.min
    (Int.min (Prefix_list.deadline t.prefixes) (Router_list.deadline t.routers))
    (soonest t.domains (soonest t.servers links))

let tick t ~now =
  List.iter (fun l -> if l.due <= now then ask t ~now l) t.links;
  Prefix_list.tick t.prefixes ~now;
  Router_list.tick t.routers ~now;
  ask_again t ~now;
  let stays (_, until) = until > now in
  t.servers <- List.filter stays t.servers;
  t.domains <- List.filter stays t.domains;
  tell t
