open Weir_wire

type via = Nowhere | On_link | Gateway of Ip.t
type route = { network : Ip.t; length : int; via : via; interface : int }

type t = {
  mutable generation : int;
  mutable transparent : bool;
  mutable router : bool;
  mutable interfaces : Interface.t array;
  mutable routes : route array;  (** longest prefix first, so that the first match is the answer *)
  mutable own_v6 : Ip.t array;  (** the interfaces' IPv6 addresses, but tentative ones *)
  mutable own_v4 : int array;  (** the IPv4 ones, as {!Ip.key} gives them *)
  mutable groups : Ip.t array;  (** of IPv6 that the host hears, of tentative addresses too *)
  mutable broadcasts : int array;  (** of their networks, likewise *)
  mutable joined : Ip.t list;  (** groups, see {!Groups} *)
  mutable joined_v4 : int array;
  mutable watch : unit -> unit;
  mutable accepted_source : int;  (** of the last IPv4 packet that {!accepts} let in, or -1 *)
  mutable accepted_destination : int;
  accepted_v6 : Bytes.t;  (** both addresses of the last IPv6 packet *)
  mutable accepted_some_v6 : bool;
}

let create () =
  {
    generation = 0;
    transparent = false;
    router = false;
    interfaces = [||];
    routes = [||];
    own_v6 = [||];
    own_v4 = [||];
    groups = [||];
    broadcasts = [||];
    joined = [];
    joined_v4 = [| Ip.key Membership.all_hosts |];
    watch = ignore;
    accepted_source = -1;
    accepted_destination = -1;
    accepted_v6 = Bytes.create (2 * Ip.v6_length);
    accepted_some_v6 = false;
  }

let matches route a = Ip.shares_prefix route.network a ~bits:route.length

let route ~network ~length ~via ~interface =
  { network = Ip.network network ~prefix_length:length; length; via; interface }

let nowhere = route ~network:Ip.any ~length:0 ~via:Nowhere ~interface:0
let leads r = match r.via with Nowhere -> false | On_link | Gateway _ -> true
let is_connected r = match r.via with On_link -> true | Nowhere | Gateway _ -> false
let generation t = t.generation

(* -- interfaces ---------------------------------------------------------- *)

let interfaces t = t.interfaces
let interface t n = t.interfaces.(n)

let add_interface t random ~mac ~mtu =
  let i = Interface.create random ~number:(Array.length t.interfaces) ~mac ~mtu in
  t.interfaces <- Array.append t.interfaces [| i |];
  i

let changed t = t.generation <- t.generation + 1

let set_offload t (i : Interface.t) offload =
  Interface.set_offload i offload;
  t.generation <- t.generation + 1

let set_mtu t (i : Interface.t) mtu =
  Interface.set_mtu i mtu;
  t.generation <- t.generation + 1

let all_addresses t =
  let addresses (i : Interface.t) = Array.to_list i.addresses in
  List.concat_map addresses (Array.to_list t.interfaces)

let keys l = Array.of_list (List.map Ip.key l)

let accept_afresh t =
  t.accepted_source <- -1;
  t.accepted_some_v6 <- false

let refresh_groups t =
  accept_afresh t;
  let all_routers = if t.router then [ Ip.all_routers ] else [] in
  let groups (a : Interface.address) =
    if Ip.is_v4 a.ip then [] else Ip.all_nodes :: Ip.solicited_node a.ip :: all_routers
  in
  let v4, v6 = List.partition Ip.is_v4 t.joined in
  let all = v6 @ List.concat_map groups (all_addresses t) in
  t.groups <- Array.of_list (List.sort_uniq Ip.compare all);
  t.joined_v4 <- keys (Membership.all_hosts :: v4)

let set_joined t groups =
  t.joined <- groups;
  refresh_groups t

let set_watch t f = t.watch <- f

(* Two small tables answer the checks made for every packet. *)
let refresh t =
  let all = all_addresses t in
  let own (a : Interface.address) = if a.state = Tentative then None else Some a.ip in
  let own = List.filter_map own all in
  t.generation <- t.generation + 1;
  refresh_groups t;
  t.own_v6 <- Array.of_list (List.filter (fun a -> not (Ip.is_v4 a)) own);
  t.own_v4 <- keys (List.filter Ip.is_v4 own);
  t.broadcasts <- keys (List.concat_map Interface.broadcasts all);
  t.watch ()

let is_router t = t.router

let set_router t on =
  t.router <- on;
  refresh t

let rec holds_from table i (a : int) =
  i < Array.length table && (table.(i) = a || holds_from table (i + 1) a)

(* Most hosts have one address, and its network two broadcasts. *)
let[@inline] holds table (a : int) =
  match Array.length table with
  | 0 -> false
  | 1 -> table.(0) = a
  | 2 -> table.(0) = a || table.(1) = a
  | _ -> holds_from table 0 a

let is_broadcast_v4 t a = a = 0xffff_ffff || holds t.broadcasts a
let[@inline] is_loopback_v4 a = a lsr 24 = 127

let is_source_v4 t a =
  not (a = 0 || a lsr 28 = 0xe || is_loopback_v4 a || is_broadcast_v4 t a || holds t.own_v4 a)

let rec is_own_from all i b at ~length =
  i < Array.length all && (Ip.is_at all.(i) b at ~length || is_own_from all (i + 1) b at ~length)

let is_own_at t b at ~length =
  if length = Ip.v4_length then holds t.own_v4 (Ip.word b at)
  else is_own_from t.own_v6 0 b at ~length

let is_broadcast_at t b at ~length = length = Ip.v4_length && is_broadcast_v4 t (Ip.word b at)

let is_source_at t b at ~length =
  if length = Ip.v4_length then is_source_v4 t (Ip.word b at)
  else
    not
      (Ip.is_any_at b at ~length || Ip.is_multicast_at b at ~length
     || Ip.is_loopback_at b at ~length || is_own_at t b at ~length || Ip.is_mapped_at b at ~length)

let[@inline] at_rest f t a = f t (Ip.bytes a) 0 ~length:(Ip.length a)
let is_own t a = at_rest is_own_at t a
let is_local t a = is_own t a || Ip.is_loopback a
let is_broadcast t a = at_rest is_broadcast_at t a
let is_source t a = at_rest is_source_at t a

let is_to_v6_group (p : Packet.t) =
  Ip.is_multicast_at p.data (Packet.destination_at p) ~length:Ip.v6_length

let set_transparent t on =
  t.transparent <- on;
  accept_afresh t

let is_transparent t = t.transparent

(* The address of another host, for which a transparent host answers. *)
let stands_for t b at ~length =
  t.transparent && not (Ip.is_any_at b at ~length || Ip.is_multicast_at b at ~length)

let[@inline] is_multicast_v4 a = a lsr 28 = 0xe

let is_to_group t (p : Packet.t) =
  if p.address_length = Ip.v4_length then
    is_broadcast_v4 t p.destination_key || is_multicast_v4 p.destination_key
  else is_to_v6_group p

(* Who has no address yet may ask for one, and may ask for the members of groups. *)
let may_be_nobody dst = dst = 0xffff_ffff || is_multicast_v4 dst

let decide_v6 t (p : Packet.t) =
  let b = p.data and at = Packet.destination_at p and length = Ip.v6_length in
  if Ip.is_multicast_at b at ~length then
    is_own_from t.groups 0 b at ~length
    && (is_source_at t b p.source_at ~length || Ip.is_any_at b p.source_at ~length)
  else
    (is_own_at t b at ~length || stands_for t b at ~length)
    && (not (Ip.is_loopback_at b at ~length))
    && is_source_at t b p.source_at ~length

let decide_v4 t (p : Packet.t) =
  let dst = p.destination_key in
  (holds t.own_v4 dst || is_broadcast_v4 t dst
  || stands_for t p.data (Packet.destination_at p) ~length:Ip.v4_length
  || holds t.joined_v4 dst)
  && (not (is_loopback_v4 dst))
  && (is_source_v4 t p.source_key || (p.source_key = 0 && may_be_nobody dst))

let accepts_v4 t (p : Packet.t) =
  decide_v4 t p
  &&
  (t.accepted_source <- p.source_key;
   t.accepted_destination <- p.destination_key;
   true)

let rec same_words a b at i =
  i < 0
  || Int64.equal (Bytes.get_int64_ne a i) (Bytes.get_int64_ne b (at + i))
     && same_words a b at (i - 8)

let accepts_v6 t (p : Packet.t) =
  let both = 2 * Ip.v6_length in
  (t.accepted_some_v6 && same_words t.accepted_v6 p.data p.source_at (both - 8))
  || decide_v6 t p
     &&
     (Bytes.blit p.data p.source_at t.accepted_v6 0 both;
      t.accepted_some_v6 <- true;
      true)

(* Packets come in bursts from one host to one address: what was decided last holds until a table
   changes. *)
let[@inline] accepts t (p : Packet.t) =
  if p.address_length = Ip.v4_length then
    (p.source_key = t.accepted_source && p.destination_key = t.accepted_destination)
    || accepts_v4 t p
  else accepts_v6 t p

(* -- routes -------------------------------------------------------------- *)

let same a b = a.length = b.length && Ip.equal a.network b.network

let put t r =
  let others = List.filter (fun o -> not (same o r)) (Array.to_list t.routes) in
  t.generation <- t.generation + 1;
  t.routes <-
    Array.of_list (List.stable_sort (fun a b -> Int.compare b.length a.length) (r :: others))

let keep t f =
  t.generation <- t.generation + 1;
  t.routes <- Array.of_list (List.filter f (Array.to_list t.routes))

let find_same t r = Array.find_opt (same r) t.routes

(* The interface on whose link a gateway is, -1 if on none: in the network of an address, or in
   another that is on the link (RFC 3442). *)
let interface_of_gateway t gateway =
  if not (is_source t gateway) then -1
  else
    match Array.find_opt (fun i -> Interface.is_on_link i gateway) t.interfaces with
    | Some i -> i.number
    | None -> (
        match Array.find_opt (fun r -> matches r gateway) t.routes with
        | Some { via = On_link; interface; _ } -> interface
        | _ -> -1)

let exact t ~network ~prefix_length =
  find_same t (route ~network ~length:prefix_length ~via:Nowhere ~interface:0)

let add ?on t ~network ~prefix_length ~gateway =
  if prefix_length < 0 || prefix_length > Ip.bits network then
    Error (Fmt.str "the prefix length must be 0 to %d" (Ip.bits network))
  else
    let interface =
      match on with
      | Some (i : Interface.t) -> if is_source t gateway then i.number else -1
      | None -> interface_of_gateway t gateway
    in
    let r = route ~network ~length:prefix_length ~via:(Gateway gateway) ~interface in
    match find_same t r with
    | Some { via = On_link; _ } -> Error "that network is on a link of this host and needs no route"
    | _ ->
        if interface < 0 then Error "the gateway must be a host on a link of this host"
        else Ok (put t r)

let remove t ~network ~prefix_length =
  let length = Int.max 0 (Int.min (Ip.bits network) prefix_length) in
  let r = route ~network ~length ~via:Nowhere ~interface:0 in
  let before = Array.length t.routes in
  keep t (fun o -> o.length <> prefix_length || (not (same o r)) || is_connected o);
  Array.length t.routes < before

let connected (i : Interface.t) (a : Interface.address) =
  route ~network:a.ip ~length:a.prefix_length ~via:On_link ~interface:i.number

let add_on_link t (i : Interface.t) ~network ~prefix_length =
  let r = route ~network ~length:prefix_length ~via:On_link ~interface:i.number in
  match find_same t r with Some { via = On_link; _ } -> () | _ -> put t r

let remove_on_link t (i : Interface.t) ~network ~prefix_length =
  let r = route ~network ~length:prefix_length ~via:On_link ~interface:i.number in
  if not (Array.exists (fun a -> same (connected i a) r) i.addresses) then
    keep t (fun o -> not (is_connected o && o.interface = i.number && same o r))

let add_address t (i : Interface.t) ?state ?preferred_until ?valid_until ip ~prefix_length =
  if prefix_length < 0 || prefix_length > Ip.bits ip then
    invalid_arg "Routes.add_address: prefix length";
  let a = Interface.add i ?state ?preferred_until ?valid_until ip ~prefix_length in
  refresh t;
  match find_same t (connected i a) with
  | Some { via = On_link; _ } -> ()
  | _ -> put t (connected i a)

(* Routes through a network are removed with its last address. *)
let remove_address t (i : Interface.t) ip =
  let removed = Array.find_opt (fun (a : Interface.address) -> Ip.equal a.ip ip) i.addresses in
  let was_its r = match removed with Some a -> same (connected i a) r | None -> false in
  Interface.remove i ip;
  refresh t;
  let stays r =
    r.interface <> i.number
    ||
    match r.via with
    | On_link ->
        Array.exists (fun a -> same (connected i a) r) i.addresses
        || not (Ip.is_v4 r.network || was_its r)
    | Gateway g -> Interface.is_on_link i g
    | Nowhere -> false
  in
  keep t stays;
  (* Another interface may be on the same network, too. *)
  let connect i a =
    if not (Array.exists (same (connected i a)) t.routes) then put t (connected i a)
  in
  Array.iter (fun (i : Interface.t) -> Array.iter (connect i) i.addresses) t.interfaces

let rec best routes i dst =
  if i = Array.length routes then nowhere
  else if matches routes.(i) dst then routes.(i)
  else best routes (i + 1) dst

let find t dst = if Ip.is_any dst || Ip.is_loopback dst then nowhere else best t.routes 0 dst
let[@inline] next_hop r dst = match r.via with Gateway g -> g | On_link | Nowhere -> dst

let rec number_of_source t i src =
  if i = Array.length t.interfaces then 0
  else if Interface.has t.interfaces.(i) src then i
  else number_of_source t (i + 1) src

let find_from t ~src dst =
  let r = find t dst in
  match r.via with
  | On_link -> { r with interface = number_of_source t 0 src }
  | Nowhere | Gateway _ -> r

let rec first_source t i dst =
  if i = Array.length t.interfaces then Ip.any_like dst
  else
    let a = Interface.source_for t.interfaces.(i) dst in
    if Ip.is_any a then first_source t (i + 1) dst else a

(* Groups and other networks' broadcasts leave by the default route's interface, or the first. *)
let source_for t dst =
  if Ip.is_loopback dst then if Ip.is_v4 dst then Ip.loopback else Ip.loopback_v6
  else if is_own t dst then dst
  else
    let r = find t dst in
    if not (leads r) then
      (* Link-local addresses lead nowhere else. *)
      if Ip.is_v4 dst || Ip.is_multicast dst || Ip.is_any dst then first_source t 0 dst
      else Ip.any_v6
    else
      let hop = if Ip.is_v4 dst then next_hop r dst else dst in
      Interface.source_for t.interfaces.(r.interface) hop

let interface_of_source t src = t.interfaces.(number_of_source t 0 src)
let longest_mtu t = Array.fold_left (fun m (i : Interface.t) -> Int.max m i.link_mtu) 0 t.interfaces

let mtu t dst =
  let r = find t dst in
  if not (leads r) then longest_mtu t else t.interfaces.(r.interface).mtu

let offload t dst =
  if is_local t dst then Offload.local
  else
    let r = find t dst in
    if leads r then Offload.of_family t.interfaces.(r.interface).offload dst else Offload.none

let pp_route f r =
  Fmt.pf f "%a/%d" Ip.pp r.network r.length;
  match r.via with
  | On_link -> Fmt.string f " on the link"
  | Gateway g -> Fmt.pf f " via %a" Ip.pp g
  | Nowhere -> Fmt.string f " nowhere"

let pp f t = Fmt.pf f "@[<v>%a@]" Fmt.(array pp_route) t.routes
