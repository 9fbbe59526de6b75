open Eio.Std
open Weir_base
open Weir_link
module Tcp = Weir_core.Tcp
module Stack = Weir_core.Stack
module Config = Weir_core.Config

type settings = { impairment : Impairment.t option; loss : float option; delay_ns : Time.t option }
type t = { name : string; about : string; play : settings -> Weir_sim.world -> unit }

exception Violated of string

let () = Printexc.register_printer (function Violated s -> Some ("violated: " ^ s) | _ -> None)

(* What holds is not formatted. *)
let require condition format =
  if condition then Format.ikfprintf ignore Format.err_formatter format
  else Fmt.kstr (fun s -> raise (Violated s)) format

let lan ?mtu s world default =
  let i = Option.value s.impairment ~default in
  let loss = match s.loss with Some p -> Impairment.Steady p | None -> i.loss in
  let delay_ns = Option.value s.delay_ns ~default:i.delay_ns in
  Weir_sim.lan ?mtu world ~impairment:{ i with loss; delay_ns }

let bad =
  {
    Impairment.none with
    loss = Steady 0.02;
    duplicate = 0.01;
    corrupt = 0.005;
    reorder = 0.02;
    reorder_ns = Time.ms 5;
    delay_ns = Time.ms 20;
    jitter_ns = Time.ms 2;
  }

let keepalive : Config.keepalive = { idle = Time.s 60; interval = Time.s 10; probes = 5 }
let patient = { Config.default with keepalive = Some keepalive }

let quick =
  {
    Config.default with
    retries = 5;
    syn_retries = 3;
    rto_max = Time.s 4;
    orphan_timeout = Time.s 10;
    keepalive = Some keepalive;
  }

(* Six characters, of 32, a draw. *)
let text random n =
  let bits = ref 0 in
  String.init n (fun i ->
      bits := if i mod 6 = 0 then Random.State.bits random else !bits lsr 5;
      Char.unsafe_chr (97 + (!bits land 31)))

let tcp (h : Weir_sim.host) port : Eio.Net.Sockaddr.stream =
  `Tcp (Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets h.address), port)

let broke = function Eio.Io _ | End_of_file -> true | _ -> false

let serve ?(both = false) (h : Weir_sim.host) ~port f =
  Switch.run @@ fun sw ->
  let address = `Tcp (Eio.Net.Ipaddr.(if both then V6.any else V4.any), port) in
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:256 h.net address in
  Eio.Net.run_server socket
    ~on_error:(fun e -> if not (broke e) then raise e)
    (fun flow _peer -> f flow)

let connect ~sw (from : Weir_sim.host) to_ ~port = Eio.Net.connect ~sw from.net (tcp to_ port)

(* Of many seeds, some lose all that is tried: that the connection then fails is
   right, and the client begins anew. *)
let rec trying (client : Weir_sim.host) ~tries f =
  match f () with
  | v -> v
  | exception e when broke e && tries > 1 ->
      Eio.Time.Mono.sleep client.mono_clock 3.;
      trying client ~tries:(tries - 1) f

let bounded h (c : Config.t) =
  match Weir_sim.stack h with
  | None -> ()
  | Some stack ->
      let tcp = Stack.tcp stack in
      require
        (Tcp.length tcp <= c.max_connections)
        "%s holds %d connections, more than %d" h.Weir_sim.name (Tcp.length tcp) c.max_connections;
      Tcp.iter
        (fun t ->
          let unsent = Tcp.unacknowledged_length t and unread = Tcp.unread_length t in
          require
            (unsent <= c.send_buffer && unread <= c.receive_buffer)
            "%s holds %d bytes to send and %d received in one connection" h.name unsent unread)
        tcp

let drained world hosts =
  Weir_sim.sleep world (`S 900);
  List.iter
    (fun (h : Weir_sim.host) ->
      require
        (Weir_sim.connections h = 0)
        "%s still holds %d connections" h.name (Weir_sim.connections h))
    hosts
