open Weir_base
open Weir_wire
module Options = Dhcpv4_options
module Prefix = Ipaddr.V4.Prefix

type t = {
  address : Prefix.t;
  server : Ipaddr.V4.t;
  routes : (Prefix.t * Ipaddr.V4.t option) list;
  resolvers : Ipaddr.V4.t list;
  domain : string option;
  search : string list;
  mtu : int option;
  renew_at : Time.t;
  rebind_at : Time.t;
  until : Time.t;
}

let shortest = Time.s 10
let longest = Time.s (365 * 86_400)
let for_ever = 0xffff_ffff
let most_routes = 64
let most_resolvers = 16
let smallest_mtu = 576
let ( let* ) = Result.bind
let option m code read = Option.bind (Dhcpv4.option m code) read

(* -- addresses ----------------------------------------------------------- *)

(* What a single host can have; 240.0.0.0/4 is reserved (RFC 1112 §4). *)
let is_unicast a =
  let first = Ip.key a lsr 24 in
  first > 0 && first < 224 && first <> 127

let class_length a = match Ip.key a lsr 30 with 0 | 1 -> 8 | 2 -> 16 | _ -> 24

(* Shorter prefixes would make most of the internet neighbours. *)
let shortest_prefix = 8

let address (m : Dhcpv4.t) =
  let a = m.yiaddr in
  let length =
    match option m Options.subnet_mask Options.prefix_length with
    | Some length -> length
    | None -> class_length a
  in
  if not (is_unicast a) then Error (Fmt.str "no host can have the address %a" Ip.pp a)
  else if length < shortest_prefix then Error (Fmt.str "a network of %d bits is too large" length)
  else if
    length < 31
    && (Ip.equal a (Ip.network a ~prefix_length:length)
       || Ip.equal a (Ip.last a ~prefix_length:length))
  then Error (Fmt.str "%a/%d is its network's own or broadcast address" Ip.pp a length)
  else Ok (Prefix.make length (Ip.to_v4 a))

let server m =
  match option m Options.server_identifier Options.address with
  | None -> Error "it does not name its server"
  | Some a when is_unicast a -> Ok (Ip.to_v4 a)
  | Some a -> Error (Fmt.str "no server can have the address %a" Ip.pp a)

(* -- time ---------------------------------------------------------------- *)

let seconds m code = option m code (Options.number ~bytes:4)

(* T1 and T2 must be in order, and before the end. *)
let times m ~sent =
  match seconds m Options.lease_time with
  | None -> Error "it has no lease time"
  | Some n when n = for_ever -> Ok (Time.never, Time.never, Time.never)
  | Some n when Time.s n < shortest -> Error (Fmt.str "a lease of %d s is too short" n)
  | Some n ->
      let lease = Int.min (Time.s n) longest in
      let given code default =
        match seconds m code with Some n when n > 0 -> Time.s n | _ -> default
      in
      let t1 = given Options.renewal_time (lease / 2) in
      let t2 = given Options.rebinding_time (lease / 8 * 7) in
      let t1, t2 = if t1 < t2 && t2 < lease then (t1, t2) else (lease / 2, lease / 8 * 7) in
      Ok (sent + t1, sent + t2, sent + lease)

(* -- routes, names, MTU -------------------------------------------------- *)

let unicasts l = List.filter is_unicast l

(* RFC 3442: clients that understand option 121 ignore the routers. *)
let routes m =
  let classless (r : Options.route) =
    let network = Prefix.make r.length (Ip.to_v4 r.network) in
    if Ip.is_any r.gateway then if r.length = 0 then None else Some (network, None)
    else if is_unicast r.gateway then Some (network, Some (Ip.to_v4 r.gateway))
    else None
  in
  match option m Options.classless_routes Options.routes with
  | Some l -> List.filter_map classless (List.filteri (fun i _ -> i < most_routes) l)
  | None -> (
      match Option.map unicasts (option m Options.routers Options.addresses) with
      | Some (gateway :: _) -> [ (Prefix.global, Some (Ip.to_v4 gateway)) ]
      | _ -> [])

let resolvers m =
  let all = Option.value (option m Options.name_servers Options.addresses) ~default:[] in
  List.map Ip.to_v4 (List.filteri (fun i _ -> i < most_resolvers) (unicasts all))

let mtu m =
  match option m Options.interface_mtu (Options.number ~bytes:2) with
  | Some n when n >= smallest_mtu -> Some n
  | _ -> None

let of_message m ~sent =
  let* server = server m in
  let* address = address m in
  let* renew_at, rebind_at, until = times m ~sent in
  Ok
    {
      address;
      server;
      routes = routes m;
      resolvers = resolvers m;
      domain = option m Options.domain_name Options.name;
      search = Option.value (option m Options.domain_search Options.names) ~default:[];
      mtu = mtu m;
      renew_at;
      rebind_at;
      until;
    }

let same_settings a b =
  let timeless l = { l with server = Ipaddr.V4.any; renew_at = 0; rebind_at = 0; until = 0 } in
  timeless a = timeless b

let is_current (l : t option) now =
  match (l, now) with Some a, Some b -> a == b | None, None -> true | _ -> false

let pp f t =
  let pp_route f (network, gateway) =
    Fmt.pf f "%a %a" Prefix.pp network
      Fmt.(option ~none:(any "on the link") (any "via " ++ Ipaddr.V4.pp))
      gateway
  in
  let list what pp f l = if l <> [] then Fmt.pf f ", %s %a" what Fmt.(list ~sep:(any " ") pp) l in
  Fmt.pf f "%a from %a" Prefix.pp t.address Ipaddr.V4.pp t.server;
  if t.routes <> [] then Fmt.pf f ", routes %a" Fmt.(list ~sep:(any ", ") pp_route) t.routes;
  list "resolvers" Ipaddr.V4.pp f t.resolvers;
  Option.iter (Fmt.pf f ", domain %s") t.domain;
  list "search" Fmt.string f t.search;
  Option.iter (Fmt.pf f ", MTU %d") t.mtu
