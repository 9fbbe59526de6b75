open Weir_link

let server_ip = "10.0.0.1"
let client_ip = "10.0.0.2"
let server_ipv6 = "fd00::1"
let client_ipv6 = "fd00::2"

let recorded_by ~now ~at_end ~notice pcap link =
  Option.fold pcap ~none:link ~some:(fun r -> Recording.link ~now ~at_end ~notice r link)

let impaired (t : Link_options.t) (link : Link.t) : Link.t =
  if t.impair = Impairment.none then link
  else (Impair.wrap ~seed:t.seed ~outbound:t.impair ~inbound:t.impair link :> Link.t)

let opened = function
  | Error e -> Fail.usage "%s" (Fmt.str "%a" Weir_tap.Error.pp e)
  | Ok link -> link

let check_address ~link = function
  | [] -> Fail.usage "%s needs --address, such as --address 10.0.0.11/24" link
  | all -> (
      match Weir_drive.Identity.host_addresses (String.concat "," all) with
      | Ok networks -> networks
      | Error e -> Fail.usage "--address: %s" e)

let asks_for word (t : Link_options.t) =
  List.mem word (String.split_on_char ',' (String.concat "," t.address))

let is_dhcp = asks_for Weir_drive.Identity.dhcp
let is_auto = asks_for Weir_drive.Identity.auto
let is_configured t = is_dhcp t || is_auto t

let check_gateway (t : Link_options.t) =
  List.iter
    (fun g ->
      match Ipaddr.of_string g with
      | Ok (V4 _) when is_dhcp t ->
          Fail.usage "--gateway is for a static address; a DHCP server names the router itself"
      | Ok (V6 _) when is_auto t ->
          Fail.usage "--gateway is for a static address; IPv6 routers advertise themselves"
      | Ok _ -> ()
      | Error _ -> Fail.usage "--gateway %s: give an IP address" g)
    t.gateway

let joined = function [] -> None | all -> Some (String.concat "," all)
let cidr_of networks = String.concat "," (List.map Ipaddr.Prefix.to_string networks)

(* The addresses as a host takes them, and the networks of those that are known yet. *)
let checked_address ~link (t : Link_options.t) =
  check_gateway t;
  let networks = check_address ~link t.address in
  let word w given = if given then [ w ] else [] in
  let words = Weir_drive.Identity.(word dhcp (is_dhcp t) @ word auto (is_auto t)) in
  (String.concat "," (words @ List.map Ipaddr.Prefix.to_string networks), networks)

type t = {
  name : string;
  link : Link.t;
  cidr : string;
  gateway : string option;
  mac : Macaddr.t option;
  secret : string option;
  peer_end : (Link.t * string) option;
  on_gone : (unit -> unit) -> unit;
  note : string option;
  lease_file : Lease_file.t option;
}

let gone (t : Link_options.t) =
  match t.link with
  | Mem -> Fail.failed "the link is gone"
  | Tap name | Packet name | Xdp (name, _) ->
      Fail.failed "%s was deleted while it was in use: create it and start again" name

let missing name networks =
  List.find_map
    (fun network ->
      match Weir_tap.Interface.reaches name network with
      | Ok () -> None
      | Error e -> Some (Fmt.str "%a" Weir_tap.Error.pp e))
    networks

(* A host on a card, beside the kernel. *)
let on_card dress (t : Link_options.t) ~lease_file name open_link =
  let cidr, _ = checked_address ~link:"a network card" t in
  let mac = Weir_drive.Identity.(random_mac (system_random ())) |> Weir_wire.Mac.to_macaddr in
  let card : Weir_packet.Packet.t = opened (open_link ~mac name) in
  {
    name;
    link = dress (card :> Link.t);
    cidr;
    gateway = joined t.gateway;
    mac = Some mac;
    secret = None;
    peer_end = None;
    on_gone = (fun f -> card#on_gone f);
    note = None;
    lease_file;
  }

let open_ ~now ~at_end ?(notice = ignore) ~role (t : Link_options.t) =
  Link_options.check_names t;
  if t.lease_file <> None && not (is_dhcp t) then Fail.usage "--lease-file needs --address dhcp";
  let lease_file = Option.map Lease_file.open_ t.lease_file in
  let dress link = recorded_by ~now ~at_end ~notice (Recording.chosen t.pcap) (impaired t link) in
  match t.link with
  | Mem ->
      if t.address <> [] || t.gateway <> [] || t.resolvers <> [] then
        Fail.usage
          "--address, --gateway and --resolver are for --link tap:NAME, packet:NAME and xdp:NAME";
      let a, b = Memory.pair ~offload:t.offload () in
      let server = Fmt.str "%s/24,%s/64" server_ip server_ipv6 in
      let client = Fmt.str "%s/24,%s/64" client_ip client_ipv6 in
      let ours, theirs =
        match role with `Server -> (server, client) | `Client -> (client, server)
      in
      {
        name = "mem";
        link = dress a;
        cidr = ours;
        gateway = None;
        mac = None;
        secret = None;
        peer_end = Some (b, theirs);
        on_gone = ignore;
        note = None;
        lease_file;
      }
  | Tap name ->
      let cidr, networks = checked_address ~link:"a TAP" t in
      let tap = opened (Weir_tap.Tap.open_ ~name ~offload:t.offload ()) in
      {
        name;
        link = dress (tap :> Link.t);
        cidr;
        gateway = joined t.gateway;
        mac = None;
        secret = None;
        peer_end = None;
        on_gone = (fun f -> tap#on_gone f);
        note = (if networks = [] then None else missing name networks);
        lease_file;
      }
  | Packet name ->
      on_card dress t ~lease_file name (fun ~mac name ->
          Weir_packet.Packet.open_ ~offload:t.offload ~mac name)
  | Xdp (name, mode) ->
      on_card dress t ~lease_file name (fun ~mac name ->
          Result.map (fun x -> (x :> Weir_packet.Packet.t)) (Weir_xdp.Xdp.open_ ~mode ~mac name))

let queues (t : Link_options.t) n =
  let name =
    match t.link with
    | Tap name -> name
    | Mem | Packet _ | Xdp _ ->
        Fail.usage "--domains needs --link tap:NAME, whose queues they share"
  in
  if Recording.chosen t.pcap <> None then
    Fail.usage "--pcap cannot record several queues: leave out --domains, or record %s by tcpdump"
      name;
  if is_dhcp t || is_auto t then
    Fail.usage "--domains needs a static --address, which the hosts of all domains share";
  let networks = check_address ~link:"a TAP" t.address in
  check_gateway t;
  let taps = opened (Weir_tap.Tap.open_queues ~name ~offload:t.offload n) in
  let mac = Weir_drive.Identity.(random_mac (system_random ())) |> Weir_wire.Mac.to_macaddr in
  (* All have the same link-local address. *)
  let random = Weir_drive.Identity.system_random () in
  let secret = String.init 32 (fun _ -> Char.chr (Random.State.int random 256)) in
  let note = missing name networks in
  List.mapi
    (fun i tap ->
      {
        name;
        link = impaired { t with seed = t.seed + i } (tap :> Link.t);
        cidr = cidr_of networks;
        gateway = joined t.gateway;
        mac = Some mac;
        secret = Some secret;
        peer_end = None;
        on_gone = (fun f -> tap#on_gone f);
        note;
        lease_file = None;
      })
    taps

let with_ends f =
  let ends = ref [] in
  let finish () =
    let all = !ends in
    ends := [];
    List.iter (fun f -> f ()) all
  in
  match f (fun g -> ends := g :: !ends) with
  | x ->
      finish ();
      x
  | exception e ->
      let bt = Printexc.get_raw_backtrace () in
      (try finish () with Fail.Failed _ -> ());
      Printexc.raise_with_backtrace e bt

(* In place of the word in [e.cidr], which is the first. *)
let leased (e : t) (lease : Weir_core.Dhcp_lease.t) =
  Lease_file.store e.lease_file (Some lease);
  let after = String.length Weir_drive.Identity.dhcp in
  {
    e with
    cidr =
      Ipaddr.V4.Prefix.to_string lease.address
      ^ String.sub e.cidr after (String.length e.cidr - after);
    note = Some (Fmt.str "DHCP on %s: %a" e.name Weir_core.Dhcp_lease.pp lease);
  }

(* After the lease, if both are awaited. *)
let advertised e (c : Weir_core.Autoconf.configuration) =
  let found = List.map (Fmt.str "%a/64" Weir_wire.Ip.pp) c.addresses in
  let words = String.split_on_char ',' e.cidr in
  let place w = if w = Weir_drive.Identity.auto then found else [ w ] in
  let line = Fmt.str "routers on %s: %a" e.name Weir_core.Autoconf.pp c in
  {
    e with
    cidr = String.concat "," (List.concat_map place words);
    note = Some (match e.note with None -> line | Some note -> note ^ "\nweir: " ^ line);
  }

let awaits_routers e = Weir_drive.Identity.wants_auto e.cidr
let awaits_lease e = Weir_drive.Identity.wants_dhcp e.cidr
