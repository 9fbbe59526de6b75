open Weir_base
module Identity = Weir_drive.Identity
module Host = Host
module Connection = Connection
module Network = Network
module Errors = Errors
module Flows = Flows
module Tcp_options = Tcp_options
module Udp_options = Udp_options
module Interception = Interception

type host = Host.t

let start_dhcp host address (i : Weir_core.Interface.t) config =
  if Identity.wants_dhcp address then
    Host.start_dhcp host i (Option.value config ~default:Weir_core.Dhcp_config.default)

let start_autoconf host address i = if Identity.wants_auto address then Host.start_autoconf host i

let host ~sw ~clock ?mac ?secret ?gateway ?hosts ?resolvers ?search ?config ?random ?linger_ns ?seat
    ?spin_ns ?dhcp ~link ~address () =
  if Option.is_some seat && Identity.(wants_dhcp address || wants_auto address) then
    invalid_arg "hosts that share an address cannot get it by DHCP or from a router";
  let random = match random with Some r -> r | None -> Identity.system_random () in
  let config = Identity.config (link :> Weir_link.Link.t) config in
  let mtu = (link : #Weir_link.Link.t)#mtu in
  let host =
    Identity.settings ~random ~mtu ~config ?mac ?secret ?gateway address
    |> Host.create ~sw ~clock ~random ?hosts ?resolvers ?search ?linger_ns ?seat ?spin_ns ~link
  in
  let i = Weir_core.Stack.interface (Host.stack host) 0 in
  start_dhcp host address i dhcp;
  start_autoconf host address i;
  host

let attach host ~sw ?mac ?dhcp ~link ~address () =
  let prefixes = Identity.networks address in
  let mac = Identity.mac_or_any mac in
  let i = Host.attach host ~sw ~mac link in
  Host.with_stack host (fun stack -> List.iter (Weir_core.Stack.add_address stack i) prefixes);
  start_dhcp host address i dhcp;
  start_autoconf host address i;
  i

type lease = Weir_core.Dhcp_lease.t

let lease = Host.lease
let await_lease = Host.await_lease
let lease_after = Host.lease_after
let autoconf = Host.autoconf
let await_autoconf = Host.await_autoconf
let unix_net = Network.of_host
let net host = (unix_net host :> [ `Generic ] Eio.Net.ty Eio.Resource.t)
let shutdown = Host.shutdown
let connect = Network.connect_by_name
let records host kind node = By_name.wait host (fun p -> Weir_drive.Lookup.records p kind node)

type pong = Weir_drive.Pump.pong =
  | Reply of { bytes : int; ttl : int; rtt_ns : int }
  | Failed of string
  | Lost

let ping host ?(timeout_ns = Time.s 1) ?(data_length = 56) ~sequence address =
  Host.await_source host address;
  let answered, answer = Eio.Promise.create () in
  let give_up =
    Host.pump host (fun p ->
        Weir_drive.Pump.ping p
          ~now:(fun () -> Host.now host)
          ~data_length ~sequence address
          (fun pong -> ignore (Eio.Promise.try_resolve answer pong : bool)))
  in
  Fun.protect ~finally:(fun () -> Host.pump host (fun _ -> give_up ())) @@ fun () ->
  Eio.Fiber.first
    (fun () -> Eio.Promise.await answered)
    (fun () ->
      Host.sleep host timeout_ns;
      Lost)
