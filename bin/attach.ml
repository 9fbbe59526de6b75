open Cmdliner
open Weir_link

type link = Mem | Tap of string | Packet of string

type t = {
  link : link;
  address : string list;
  gateway : string list;
  pcap : Recording.options;
  impair : Impairment.t;
  seed : int;
  offload : bool;
  spin_ns : int option;
  resolvers : Ipaddr.t list;
  search : string list;
}

let server_ip = "10.0.0.1"
let client_ip = "10.0.0.2"
let server_ipv6 = "fd00::1"
let client_ipv6 = "fd00::2"

(* -- options ------------------------------------------------------------- *)

let link_conv =
  let parse s =
    match String.split_on_char ':' s with
    | [ "mem" ] -> Ok Mem
    | [ "tap"; name ] when name <> "" -> Ok (Tap name)
    | [ "packet"; name ] when name <> "" -> Ok (Packet name)
    | _ -> Error (Printf.sprintf "%S is neither mem nor tap:NAME nor packet:NAME" s)
  in
  let pp f = function
    | Mem -> Fmt.string f "mem"
    | Tap n -> Fmt.pf f "tap:%s" n
    | Packet n -> Fmt.pf f "packet:%s" n
  in
  Arg.Conv.make ~docv:"LINK" ~parser:parse ~pp ()

let impair_conv = Arg.Conv.make ~docv:"WHAT" ~parser:Impairment.of_string ~pp:Impairment.pp ()
let docs = "LINK OPTIONS"

let link =
  Arg.(
    value & opt link_conv Mem
    & info [ "link" ] ~docs ~docv:"LINK"
        ~doc:
          "$(b,mem), two hosts in this process, needs no root; $(b,tap:NAME) is the TAP device \
           NAME; $(b,packet:NAME) is the network card, or end of a veth pair, NAME, beside the \
           kernel and with a MAC address of this host's own.")

let address =
  Arg.(
    value & opt_all string []
    & info [ "address" ] ~docs ~docv:"CIDR"
        ~doc:
          "This host's address, as 10.0.0.11/24 or fd00::11/64, or $(b,dhcp) to ask a DHCP server \
           on the link, or $(b,auto) to let its routers configure IPv6. Needed with $(b,tap:) and \
           $(b,packet:). Give it several times for several addresses.")

let gateway =
  Arg.(
    value & opt_all string []
    & info [ "gateway" ] ~docs ~docv:"IP"
        ~doc:"The default gateway. Give it twice for one of each family.")

let impair =
  Arg.(
    value & opt impair_conv Impairment.none
    & info [ "impair" ] ~docs ~docv:"WHAT"
        ~doc:
          "Impair the link in both directions, such as \
           $(b,loss=2%,delay=10ms,reorder=1%:5ms,rate=100mbit).")

let seed =
  Arg.(value & opt int 1 & info [ "seed" ] ~docs ~docv:"N" ~doc:"Random seed of $(b,--impair).")

let no_offload =
  Arg.(
    value & flag
    & info [ "no-offload" ] ~docs
        ~doc:
          "Do checksums and segmentation in Weir. Without this option the device or its kernel \
           does them; on $(b,mem) they are skipped. Frames then have up to 64 KB.")

let spin_conv =
  let parse s =
    match int_of_string_opt s with
    | Some us when us >= 0 && us <= 1_000_000 -> Ok (Weir_base.Time.us us)
    | _ -> Error (Printf.sprintf "%S: give microseconds, 0 to 1000000" s)
  in
  let pp f ns = Fmt.int f (ns / Weir_base.Time.us 1) in
  Arg.Conv.make ~docv:"MICROSECONDS" ~parser:parse ~pp ()

let spin =
  Arg.(
    value
    & opt (some spin_conv) None
    & info [ "spin" ] ~docs ~docv:"MICROSECONDS"
        ~doc:
          "How long to look for frames before waiting for them, while frames come as fast as that; \
           0 is never (default: 100, or 0 on a machine with one processor). It spares a client \
           that waits for each answer the time in which an idle processor wakes up.")

let term =
  let make link address gateway pcap impair seed no_offload spin_ns =
    let offload = not no_offload in
    { link; address; gateway; pcap; impair; seed; offload; spin_ns; resolvers = []; search = [] }
  in
  Term.(
    const make $ link $ address $ gateway $ Recording.term ~docs $ impair $ seed $ no_offload $ spin)

(* -- names --------------------------------------------------------------- *)

let ip_conv =
  let parse s =
    match Ipaddr.of_string s with
    | Ok a -> Ok a
    | Error _ -> Error (Printf.sprintf "%S is not an IP address" s)
  in
  Arg.Conv.make ~docv:"IP" ~parser:parse ~pp:Ipaddr.pp ()

let resolvers =
  Arg.(
    value & opt_all ip_conv []
    & info [ "resolver" ] ~docs ~docv:"IP"
        ~doc:
          "A DNS server for names, which may be given up to four times: each is asked if those \
           before it do not answer. Needs $(b,tap:) or $(b,packet:).")

let search =
  Arg.(
    value & opt_all string []
    & info [ "search" ] ~docs ~docv:"DOMAIN"
        ~doc:
          "A domain in which to look for names without a dot, which may be given up to six times.")

let client_term =
  let make t resolvers search = { t with resolvers; search } in
  Term.(const make $ term $ resolvers $ search)

let check_names t =
  if List.length t.resolvers > Weir_drive.Resolver.most_servers then
    Fail.usage "--resolver: give at most %d" Weir_drive.Resolver.most_servers;
  if t.search <> [] && t.resolvers = [] then Fail.usage "--search needs --resolver";
  if List.length t.search > Weir_drive.Search_list.most then
    Fail.usage "--search: give at most %d" Weir_drive.Search_list.most;
  List.iter
    (fun d ->
      match Domain_name.of_string d with
      | Ok n when Weir_wire.Dns_name.is_host n -> ()
      | _ -> Fail.usage "--search %s: give a domain, such as example.org" d)
    t.search

let check_name t node =
  if
    Weir_drive.Names.addresses [] node = []
    && t.resolvers = []
    && not (List.mem Weir_drive.Identity.auto t.address)
  then
    Fail.usage "%s: give an IP address, or a DNS server for the name, as --resolver 10.0.0.1" node

let looked_up node f =
  match f () with
  | x -> x
  | exception Eio.Io (Eio.Net.E (Address_lookup_failed e), _) ->
      Fail.failed "%s: %s" node
        (match e with
        | NONAME -> "there is no such name"
        | NODATA -> "the name has no address"
        | AGAIN -> "the DNS servers did not answer, or failed: try again"
        | FAIL -> "the DNS servers refuse the question"
        | e -> Eio.Net.Getaddrinfo_error.to_message e)

(* -- links --------------------------------------------------------------- *)

let recorded_by ~now ~at_end ~notice pcap link =
  Option.fold pcap ~none:link ~some:(fun r -> Recording.link ~now ~at_end ~notice r link)

let impaired t (link : Link.t) : Link.t =
  if t.impair = Impairment.none then link
  else (Impair.wrap ~seed:t.seed ~outbound:t.impair ~inbound:t.impair link :> Link.t)

let open_tap ~offload name =
  match Weir_tap.Tap.open_ ~name ~offload () with
  | Error e -> Fail.usage "%s" (Fmt.str "%a" Weir_tap.Error.pp e)
  | Ok tap -> tap

let open_packet ~offload ~mac name =
  match Weir_packet.Packet.open_ ~offload ~mac name with
  | Error e -> Fail.usage "%s" (Fmt.str "%a" Weir_tap.Error.pp e)
  | Ok packet -> packet

let check_address ~link = function
  | [] -> Fail.usage "%s needs --address, as --address 10.0.0.11/24" link
  | all -> (
      match Weir_drive.Identity.host_addresses (String.concat "," all) with
      | Ok networks -> networks
      | Error e -> Fail.usage "--address: %s" e)

let asks_for word t = List.mem word (String.split_on_char ',' (String.concat "," t.address))
let is_dhcp = asks_for Weir_drive.Identity.dhcp
let is_auto = asks_for Weir_drive.Identity.auto

let check_gateway t =
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
let checked_address ~link t =
  check_gateway t;
  let networks = check_address ~link t.address in
  let word w given = if given then [ w ] else [] in
  let words = Weir_drive.Identity.(word dhcp (is_dhcp t) @ word auto (is_auto t)) in
  (String.concat "," (words @ List.map Ipaddr.Prefix.to_string networks), networks)

type ends = {
  name : string;
  link : Link.t;
  cidr : string;
  gateway : string option;
  mac : Macaddr.t option;
  secret : string option;
  peer_end : (Link.t * string) option;
  on_gone : (unit -> unit) -> unit;
  note : string option;
}

let gone (t : t) =
  match t.link with
  | Mem -> Fail.failed "the link is gone"
  | Tap name | Packet name ->
      Fail.failed "%s was deleted while it was in use: create it and start again" name

let missing name networks =
  List.find_map
    (fun network ->
      match Weir_tap.Interface.reaches name network with
      | Ok () -> None
      | Error e -> Some (Fmt.str "%a" Weir_tap.Error.pp e))
    networks

let ends ~now ~at_end ?(notice = ignore) ~role t =
  check_names t;
  let dress link = recorded_by ~now ~at_end ~notice (Recording.chosen t.pcap) (impaired t link) in
  match t.link with
  | Mem ->
      if t.address <> [] || t.gateway <> [] || t.resolvers <> [] then
        Fail.usage "--address, --gateway and --resolver are for --link tap:NAME and packet:NAME";
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
      }
  | Tap name ->
      let cidr, networks = checked_address ~link:"a TAP" t in
      let tap = open_tap ~offload:t.offload name in
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
      }
  | Packet name ->
      let cidr, _ = checked_address ~link:"a network card" t in
      let mac = Weir_drive.Identity.(random_mac (system_random ())) |> Weir_wire.Mac.to_macaddr in
      let packet = open_packet ~offload:t.offload ~mac name in
      {
        name;
        link = dress (packet :> Link.t);
        cidr;
        gateway = joined t.gateway;
        mac = Some mac;
        secret = None;
        peer_end = None;
        on_gone = (fun f -> packet#on_gone f);
        note = None;
      }

let queues (t : t) n =
  let name =
    match t.link with
    | Tap name -> name
    | Mem | Packet _ -> Fail.usage "--domains needs --link tap:NAME, whose queues they share"
  in
  if Recording.chosen t.pcap <> None then
    Fail.usage "--pcap cannot record several queues: leave out --domains, or record %s by tcpdump"
      name;
  if is_dhcp t || is_auto t then
    Fail.usage "--domains needs a static --address, which the hosts of all domains share";
  let networks = check_address ~link:"a TAP" t.address in
  check_gateway t;
  let taps =
    match Weir_tap.Tap.open_queues ~name ~offload:t.offload n with
    | Error e -> Fail.usage "%s" (Fmt.str "%a" Weir_tap.Error.pp e)
    | Ok taps -> taps
  in
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

let without_network cidr = List.hd (String.split_on_char '/' cidr)

let authority address port =
  Fmt.str (if String.contains address ':' then "[%s]:%d" else "%s:%d") address port

let shown address ~port =
  if port <> 80 then authority address port
  else if String.contains address ':' then "[" ^ address ^ "]"
  else address

let endpoint s =
  let port_and address port =
    match (Ipaddr.of_string address, int_of_string_opt port) with
    | Ok a, Some p when p > 0 && p < 65_536 -> Some (a, p)
    | _ -> None
  in
  match String.rindex_opt s ':' with
  | None -> None
  | Some colon ->
      let port = String.sub s (colon + 1) (String.length s - colon - 1) in
      if colon > 2 && s.[0] = '[' && s.[colon - 1] = ']' then
        port_and (String.sub s 1 (colon - 2)) port
      else if String.index s ':' = colon then port_and (String.sub s 0 colon) port
      else None

(* -- hosts under Eio ----------------------------------------------------- *)

(* In place of the word in [e.cidr], which is the first. *)
let leased (e : ends) (lease : Weir_core.Dhcp_lease.t) =
  let after = String.length Weir_drive.Identity.dhcp in
  {
    e with
    cidr =
      Ipaddr.V4.Prefix.to_string lease.address
      ^ String.sub e.cidr after (String.length e.cidr - after);
    note = Some (Fmt.str "DHCP on %s: %a" e.name Weir_core.Dhcp_lease.pp lease);
  }

(* After the lease, if both are awaited. *)
let advertised (e : ends) (c : Weir_core.Autoconf.configuration) =
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

type hosts = {
  local : Weir_eio.host;
  peer : Weir_eio.host option;
  local_address : string;
  gone : unit Eio.Promise.t;
  note : string option;
  by_dhcp : bool;
}

let by_switch ~sw ~clock =
  ( (fun () -> Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock))),
    fun f -> Eio.Switch.on_release sw f )

let recorded ~sw ~clock pcap link =
  let now, at_end = by_switch ~sw ~clock in
  recorded_by ~now ~at_end ~notice:ignore pcap link

(* Addresses that the host made itself have been replaced by others. *)
let tell_of_duplicates host =
  let ask f = Weir_eio.Host.with_stack host f in
  while ask Weir_core.Stack.is_settling do
    Weir_eio.Host.sleep host (Weir_base.Time.ms 100)
  done;
  List.iter
    (fun a ->
      if not Weir_wire.Ip.(is_link_local (of_ipaddr a)) then
        Fail.tell (Fmt.str "another host has the address %a: choose another" Ipaddr.pp a))
    (ask Weir_core.Stack.duplicates);
  `Stop_daemon

let hosts_on ~sw ~clock ?hosts ?resolvers ?search ?spin_ns ?seat e =
  let gone, tell = Eio.Promise.create () in
  e.on_gone (fun () -> ignore (Eio.Promise.try_resolve tell () : bool));
  let host ?hosts ?resolvers ?search ?gateway ?mac ?secret ?seat link address =
    try
      Weir_eio.host ~sw ~clock ?hosts ?resolvers ?search ?gateway ?mac ?secret ?spin_ns ?seat ~link
        ~address ()
    with Invalid_argument m -> Fail.usage "%s" m
  in
  let local =
    host ?hosts ?resolvers ?search ?gateway:e.gateway ?mac:e.mac ?secret:e.secret ?seat e.link
      e.cidr
  in
  Eio.Fiber.fork_daemon ~sw (fun () -> tell_of_duplicates local);
  let by_dhcp = awaits_lease e in
  let e =
    if not by_dhcp then e
    else
      match Weir_eio.await_lease local ~link:e.name with
      | Ok lease -> leased e lease
      | Error m -> Fail.failed "%s" m
  in
  let e =
    if not (awaits_routers e) then e
    else
      match Weir_eio.await_autoconf local ~link:e.name with
      | Ok c -> advertised e c
      | Error m -> Fail.failed "%s" m
  in
  {
    local;
    peer = Option.map (fun (link, address) -> host link address) e.peer_end;
    local_address = without_network e.cidr;
    gone;
    note = e.note;
    by_dhcp;
  }

let lease_line (lease : Weir_eio.lease option) =
  match lease with
  | None -> "DHCP: the address is lost; asking for another"
  | Some lease -> Fmt.str "DHCP: %a" Weir_core.Dhcp_lease.pp lease

(* Not when a lease is only renewed. *)
let is_news (before : Weir_eio.lease option) now =
  match (before, now) with
  | Some a, Some b -> not (Weir_core.Dhcp_lease.same_settings a b)
  | _ -> true

let follow_lease hosts say =
  let rec follow before =
    let now = Weir_eio.lease_after hosts.local before in
    if is_news before now then say (lease_line now);
    follow now
  in
  if hosts.by_dhcp then follow (Weir_eio.lease hosts.local) else Eio.Fiber.await_cancel ()

let hosts ~sw ~clock ?notice ?hosts ~role t =
  let now, at_end = by_switch ~sw ~clock in
  hosts_on ~sw ~clock ?hosts ~resolvers:t.resolvers ~search:t.search ?spin_ns:t.spin_ns
    (ends ~now ~at_end ?notice ~role t)

(* Without its link a host does not wait for its last bytes to be acknowledged. *)
let unless_gone t hosts f =
  Option.iter Fail.tell hosts.note;
  let gone_first () =
    Eio.Promise.await hosts.gone;
    None
  in
  match Eio.Fiber.first (fun () -> Some (f ())) gone_first with
  | Some x -> x
  | None ->
      Weir_eio.Host.release hosts.local;
      gone t

let relay a b =
  let one_way src dst =
    (try Eio.Flow.copy src dst with Eio.Io _ -> ());
    try Eio.Flow.shutdown dst `Send with Eio.Io _ -> ()
  in
  Eio.Fiber.both (fun () -> one_way a b) (fun () -> one_way b a)
