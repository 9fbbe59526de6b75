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
  Ends.recorded_by ~now ~at_end ~notice:ignore pcap link

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

let hosts_on ~sw ~clock ?hosts ?resolvers ?search ?seat (t : Link_options.t) (e : Ends.t) =
  let gone, tell = Eio.Promise.create () in
  e.on_gone (fun () -> ignore (Eio.Promise.try_resolve tell () : bool));
  let host ?hosts ?resolvers ?search ?gateway ?mac ?secret ?seat link address =
    try
      let config = Link_options.config t link in
      Weir_eio.host ~sw ~clock ~config ?hosts ?resolvers ?search ?gateway ?mac ?secret
        ?spin_ns:t.spin_ns ?seat ~link ~address ()
    with Invalid_argument m -> Fail.usage "%s" m
  in
  let local =
    host ?hosts ?resolvers ?search ?gateway:e.gateway ?mac:e.mac ?secret:e.secret ?seat e.link
      e.cidr
  in
  Eio.Fiber.fork_daemon ~sw (fun () -> tell_of_duplicates local);
  let by_dhcp = Ends.awaits_lease e in
  let e =
    if not by_dhcp then e
    else
      match Weir_eio.await_lease local ~link:e.name with
      | Ok lease -> Ends.leased e lease
      | Error m -> Fail.failed "%s" m
  in
  let e =
    if not (Ends.awaits_routers e) then e
    else
      match Weir_eio.await_autoconf local ~link:e.name with
      | Ok c -> Ends.advertised e c
      | Error m -> Fail.failed "%s" m
  in
  {
    local;
    peer = Option.map (fun (link, address) -> host link address) e.peer_end;
    local_address = Endpoint.without_network e.cidr;
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

let hosts ~sw ~clock ?notice ?hosts ~role (t : Link_options.t) =
  let now, at_end = by_switch ~sw ~clock in
  hosts_on ~sw ~clock ?hosts ~resolvers:t.resolvers ~search:t.search t
    (Ends.open_ ~now ~at_end ?notice ~role t)

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
      Ends.gone t

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

let relay a b =
  let one_way src dst =
    (try Eio.Flow.copy src dst with Eio.Io _ -> ());
    try Eio.Flow.shutdown dst `Send with Eio.Io _ -> ()
  in
  Eio.Fiber.both (fun () -> one_way a b) (fun () -> one_way b a)
