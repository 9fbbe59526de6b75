module Child = Weir_lab_harness.Child
open Weir_base
module Core = Weir_core
module Pump = Weir_drive.Pump

type end_ = { pump : Pump.t; mutable connections : Core.Tcp.connection array }

type t = {
  client : end_;
  server : end_;
  listeners : Core.Tcp.listener array;
  buffer : Bytes.t;
  mutable now : Time.t;
  mutable length : int;
}

(* A server port can have as many connections as a client has ephemeral ports. With fewer server
   ports, the search for a free port would take long. *)
let ports = 16
let first_port = 8_000
let question = 100
let answer = 1_000
let most = 1 lsl 18

(* Limits for a host with so many connections. *)
let config =
  { Core.Config.default with max_connections = 2 * most; memory = 1 lsl 33; nodelay = true }

let ok = function Ok x -> x | Error _ -> Child.failed "no port is left"

let host ~seed link address =
  let random = Random.State.make [| seed |] in
  let settings =
    Weir_drive.Identity.settings ~random ~mtu:1500 ~config (Ipaddr.to_string address ^ "/24")
  in
  { pump = Pump.create ~random ~hosts:[] ~rearm:ignore ~now:0 link settings; connections = [||] }

let stack e = Pump.stack e.pump
let tcp e = Core.Stack.tcp (stack e)

let create () =
  let left, right = Weir_link.Memory.pair () in
  let client = host ~seed:1 left Space.here and server = host ~seed:2 right Space.there in
  let listen n =
    Core.Tcp.listen (tcp server) ~address:Weir_wire.Ip.any ~port:(first_port + n) ~backlog:16
      ~reuse:true
    |> ok
  in
  let listeners = Array.init ports listen in
  { client; server; listeners; buffer = Bytes.make answer 'x'; now = 0; length = 0 }

let length t = t.length
let received e = (Core.Stack.counters (stack e)).tcp_in
let segments t = received t.client + received t.server

(* Runs until no host has frames to send at this time. *)
let rec settle t =
  let before = segments t in
  ignore (Pump.step t.server.pump ~now:t.now : bool);
  ignore (Pump.step t.client.pump ~now:t.now : bool);
  if segments t <> before then settle t

(* Advances the time from one deadline to the next. *)
let rec pass t ~until =
  let soonest =
    Int.min (Core.Stack.deadline (stack t.client)) (Core.Stack.deadline (stack t.server))
  in
  if soonest <= until then (
    t.now <- Int.max t.now soonest;
    settle t;
    pass t ~until)
  else t.now <- until

let step t ~among = pass t ~until:(t.now + (Time.ms 500 / among))
let rest t = pass t ~until:(t.now + Time.s 3)

let open_one t =
  let port = t.length mod ports in
  let c =
    Core.Stack.connect (stack t.client) ~now:t.now ~local_port:0 Space.there
      ~port:(first_port + port)
    |> ok
  in
  Pump.flush t.client.pump ~now:t.now;
  settle t;
  match Core.Tcp.accept t.listeners.(port) with
  | Some s -> (c, s)
  | None -> (
      (* The first SYN waits for the neighbour's address. *)
      settle t;
      match Core.Tcp.accept t.listeners.(port) with
      | Some s -> (c, s)
      | None -> Child.failed "connection %d was not accepted" t.length)

let room_for e c n =
  if n = Array.length e.connections then (
    let more = Array.make (Int.max 16 (2 * n)) c in
    Array.blit e.connections 0 more 0 n;
    e.connections <- more);
  e.connections.(n) <- c

let rec grow t n =
  if t.length < n then (
    let c, s = open_one t in
    room_for t.client c t.length;
    room_for t.server s t.length;
    t.length <- t.length + 1;
    t.now <- t.now + Time.us 10;
    grow t n)

let carry t ~from ~to_ c c' n =
  if Core.Tcp.write c t.buffer ~off:0 ~len:n <> n then Child.failed "no room to write";
  Pump.flush from.pump ~now:t.now;
  ignore (Pump.step to_.pump ~now:t.now : bool);
  if Core.Tcp.read c' t.buffer ~off:0 ~len:answer <> n then Child.failed "not all came"

let request t i =
  let c = t.client.connections.(i) and s = t.server.connections.(i) in
  carry t ~from:t.client ~to_:t.server c s question;
  carry t ~from:t.server ~to_:t.client s c answer;
  Pump.flush t.client.pump ~now:t.now

let visit t =
  let c, s = open_one t in
  Pump.close_connection t.client.pump ~now:t.now c;
  Pump.flush t.client.pump ~now:t.now;
  settle t;
  Pump.close_connection t.server.pump ~now:t.now s;
  Pump.flush t.server.pump ~now:t.now;
  settle t
