open Weir_base
module Identity = Weir_drive.Identity
module Host = Host
module Connection = Connection
module Network = Network
module Errors = Errors
module Flows = Flows
module Interception = Interception

type host = Host.t

let host ~sw ~clock ?mac ?gateway ?hosts ?config ?random ?linger_ns ?seat ?spin_ns ~link ~address ()
    =
  let random = match random with Some r -> r | None -> Identity.system_random () in
  let config = match config with Some c -> c | None -> Identity.config () in
  let mtu = (link : #Weir_link.Link.t)#mtu in
  Identity.settings ~random ~mtu ~config ?mac ?gateway address
  |> Host.create ~sw ~clock ~random ?hosts ?linger_ns ?seat ?spin_ns ~link

let attach host ~sw ?mac ~link ~address () =
  let prefixes = Identity.networks address in
  let mac = Identity.(mac_or_random ~random:(system_random ()) mac) in
  let i = Host.attach host ~sw ~mac link in
  Host.with_stack host (fun stack -> List.iter (Weir_core.Stack.add_address stack i) prefixes);
  i

let unix_net = Network.of_host
let net host = (unix_net host :> [ `Generic ] Eio.Net.ty Eio.Resource.t)
let shutdown = Host.shutdown

type pong = Weir_drive.Pump.pong =
  | Reply of { bytes : int; ttl : int; rtt_ns : int }
  | Failed of string
  | Lost

let ping host ?(timeout_ns = Time.s 1) ?(data_length = 56) ~sequence address =
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
