open Weir_core
open Udp_options

let refuse (code : Unix.error) what = raise (Errors.v code "setsockopt" what)
let ip a = Errors.address a

let filter : filter -> Groups.filter =
  let ips = List.map (fun a -> Weir_wire.Ip.of_ipaddr (ip a)) in
  function `Include l -> Include (ips l) | `Exclude l -> Exclude (ips l)

let change stack ~now socket m wanted =
  let group = ip m.group in
  match Stack.set_membership stack ~now ?interface:m.interface socket group wanted with
  | Ok () -> ()
  | Error `Not_a_group -> refuse EINVAL (Ipaddr.to_string group)
  | Error `No_interface -> refuse (EUNKNOWNERR 19) "no such interface"
  | Error `Too_many -> refuse ENOBUFS "too many groups or sources"

let is_member stack socket m =
  Option.is_some (Stack.membership stack ?interface:m.interface socket (ip m.group))

(* Numbers of interfaces count from 0. *)
let interface stack n =
  if n < 0 || n >= Array.length (Routes.interfaces (Stack.routes stack)) then
    refuse (EUNKNOWNERR 19) "no such interface";
  n

let set : type a.
    Stack.t -> now:Weir_base.Time.t -> Udp_sockets.socket -> a Eio.Net.Sockopt.t -> a -> bool =
 fun stack ~now socket option v ->
  match option with
  | IP_ADD_MEMBERSHIP ->
      if is_member stack socket v then refuse EADDRINUSE "a member already";
      change stack ~now socket v (Exclude []);
      true
  | IP_DROP_MEMBERSHIP ->
      if not (is_member stack socket v) then refuse EADDRNOTAVAIL "not a member";
      change stack ~now socket v (Include []);
      true
  | MCAST_MSFILTER ->
      change stack ~now socket (fst v) (filter (snd v));
      true
  | IP_MULTICAST_TTL ->
      if v < 0 || v > 255 then refuse EINVAL (string_of_int v);
      Udp_sockets.set_group_ttl socket v;
      true
  | IP_MULTICAST_LOOP ->
      Udp_sockets.set_group_loop socket v;
      true
  | IP_MULTICAST_IF ->
      Udp_sockets.set_group_interface socket
        (match v with None -> -1 | Some n -> interface stack n);
      true
  | _ -> false

let get : type a. Udp_sockets.socket -> a Eio.Net.Sockopt.t -> a option =
 fun socket option ->
  match option with
  | IP_MULTICAST_TTL -> Some (Udp_sockets.group_ttl socket)
  | IP_MULTICAST_LOOP -> Some (Udp_sockets.group_loop socket)
  | IP_MULTICAST_IF ->
      let n = Udp_sockets.group_interface socket in
      Some (if n < 0 then None else Some n)
  | _ -> None
