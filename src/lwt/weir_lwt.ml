open Weir_base
module Identity = Weir_drive.Identity
module Clock = Clock
module Virtual_clock = Virtual_clock
module Error = Error
module Host = Host
module Connection = Connection
module Datagram = Datagram
module Network = Network
module Channels = Channels
module Mirage_flow = Mirage_flow
module Mirage_udp = Mirage_udp
module Mirage_tcp = Mirage_tcp
module Mirage_ip = Mirage_ip
module Mirage_stack = Mirage_stack
module Mirage_net = Mirage_net
module Conduit_flow = Conduit_flow

type host = Host.t
type connection = Connection.t
type listener = Network.listener

let start_dhcp host address (i : Weir_core.Interface.t) config =
  if Identity.wants_dhcp address then
    Host.start_dhcp host i (Option.value config ~default:Weir_core.Dhcp_config.default)

let start_autoconf host address i = if Identity.wants_auto address then Host.start_autoconf host i

let host ?clock ?mac ?secret ?gateway ?hosts ?resolvers ?search ?config ?random ?spin_ns ?dhcp ~link
    ~address () =
  let random = match random with Some r -> r | None -> Identity.system_random () in
  let config = Identity.config (link :> Weir_link.Link.t) config in
  let mtu = (link : #Weir_link.Link.t)#mtu in
  let host =
    Identity.settings ~random ~mtu ~config ?mac ?secret ?gateway address
    |> Host.create ?clock ~random ?hosts ?resolvers ?search ?spin_ns ~link
  in
  let i = Weir_core.Stack.interface (Host.stack host) 0 in
  start_dhcp host address i dhcp;
  start_autoconf host address i;
  host

let attach host ?mac ?dhcp ~link ~address () =
  let prefixes = Identity.networks address in
  let mac = Identity.mac_or_any mac in
  let i = Host.attach host ~mac link in
  List.iter (Weir_core.Stack.add_address (Host.stack host) i) prefixes;
  start_dhcp host address i dhcp;
  start_autoconf host address i;
  i

type lease = Weir_core.Dhcp_lease.t

let lease = Host.lease
let await_lease = Host.await_lease
let lease_after = Host.lease_after
let autoconf = Host.autoconf
let await_autoconf = Host.await_autoconf
let shutdown = Host.shutdown

type pong = Weir_drive.Pump.pong =
  | Reply of { bytes : int; ttl : int; rtt_ns : int }
  | Failed of string
  | Lost

let ping host ?(timeout_ns = Time.s 1) ?(data_length = 56) ~sequence address =
  Lwt.bind (Host.await_source host address) @@ fun () ->
  let answered, answer = Lwt.task () in
  let give_up =
    Weir_drive.Pump.ping (Host.pump host)
      ~now:(fun () -> Host.now host)
      ~data_length ~sequence address
      (fun pong -> if Lwt.is_sleeping answered then Lwt.wakeup_later answer pong)
  in
  let lost = Lwt.map (fun () -> Lost) (Host.sleep host timeout_ns) in
  Lwt.finalize
    (fun () -> Lwt.pick [ answered; lost ])
    (fun () ->
      give_up ();
      Lwt.return_unit)

let connect = Network.connect
let connect_by_name = Network.connect_by_name
let listen = Network.listen
let accept = Network.accept
let read = Connection.read
let write = Connection.write
let write_string = Connection.write_string
let close = Connection.close
let get = Error.get
