(* What the modules of {!Tcp} share: the connections and listeners of a host, and the output at
   hand. *)

open Weir_wire

type t = {
  shared : Tcb.shared;
  connections : Connections.t;
  listeners : (int, Tcb.listener list) Hashtbl.t;  (** by port *)
  time_waits : Time_waits.t;
  secret : string;
  reply : src:Ip.t -> dst:Ip.t -> Segment.t -> unit;  (** a segment of no connection, or its last *)
  mutable last_src : Ip.t;
  mutable last_dst : Ip.t;
  mutable burst : int;  (** segments in a row from the first in the output queue *)
  ports : Ports.part;
  mutable stray : unit -> bool;
  mutable interceptor : Tcb.listener option;
}

(* The connection between these two ends. *)
let find t ~local ~local_port ~remote ~remote_port =
  let p = Packet.between ~source:remote ~destination:local in
  Connections.find t.connections p ~local_port ~remote_port

(* An ephemeral port for which [is_free] is true, at random (RFC 6056 §3.3.1). *)
let free_port t is_free =
  match Ports.choose ~part:t.ports t.shared.random is_free with 0 -> None | port -> Some port

let find_wait t ~local ~local_port ~remote ~remote_port =
  let p = Packet.between ~source:remote ~destination:local in
  Time_waits.find t.time_waits p ~local_port ~remote_port

let length t = Connections.length t.connections + Time_waits.length t.time_waits

(* Whether there may be one more connection. The oldest in TIME-WAIT gives way to it. *)
let make_room t =
  length t < t.shared.config.max_connections || Time_waits.forget_oldest t.time_waits
