open Weir_base
open Weir_core
module Host = Host
module Connection = Connection
module Network = Network
module Errors = Errors

type host = Host.t

let read what of_string s =
  match of_string s with
  | Ok x -> x
  | Error (`Msg m) -> invalid_arg (Printf.sprintf "%s %S: %s" what s m)

(* Locally administered, unicast. *)
let random_mac random =
  let bits = Random.State.bits random lor (Random.State.bits random lsl 30) in
  Weir_wire.Mac.of_int ((bits land 0xfcff_ffff_ffff) lor 0x0200_0000_0000)

let host ~sw ~clock ?mac ?gateway ?hosts ?(config = Config.default) ?random ~link ~address () =
  let random = match random with Some r -> r | None -> Host.system_random () in
  let address, prefix =
    let p = read "address" Ipaddr.V4.Prefix.of_string address in
    (Ipaddr.V4.Prefix.address p, Ipaddr.V4.Prefix.prefix p)
  in
  let mac =
    match mac with Some m -> Weir_wire.Mac.of_macaddr m | None -> random_mac random
  in
  Host.create ~sw ~clock ~random ?hosts ~link
    {
      mac;
      address;
      prefix;
      gateway = Option.map (read "gateway" Ipaddr.V4.of_string) gateway;
      mtu = (link : #Weir_link.Link.t)#mtu;
      config;
    }

let net = Network.of_host
let shutdown = Host.shutdown

type pong = Reply of { bytes : int; ttl : int; rtt_ns : int } | Failed of string | Lost

let ping host ?(timeout_ns = Time.s 1) ?(data_length = 56) ~sequence address =
  let answer = Eio.Condition.create () and result = ref None in
  let sent = Host.now host in
  let identifier = Host.register_ping host ~sequence (fun (p : Stack.pong) ->
      (result :=
         match p.outcome with
         | Ok () -> Some (Reply { bytes = p.data_length; ttl = p.ttl; rtt_ns = Host.now host - sent })
         | Error e -> Some (Failed e));
      Eio.Condition.broadcast answer)
  in
  Fun.protect ~finally:(fun () -> Host.forget_ping host ~identifier ~sequence) @@ fun () ->
  match Stack.ping (Host.stack host) ~now:sent address ~identifier ~sequence ~data_length with
  | Error `No_room -> Failed "output queue full"
  | Error `Too_long -> Failed "too long"
  | Ok () ->
      Host.flush host;
      Eio.Fiber.first
        (fun () -> Host.await answer (fun () -> !result))
        (fun () ->
          Host.sleep host timeout_ns;
          Lost)
