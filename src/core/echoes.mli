(** ICMP echo of a host, both families (RFC 792, RFC 1122 §3.2.2.6, RFC 4443 §4): what it asks, and
    what it answers. *)

open Weir_base
open Weir_wire

type t

type pong = {
  from : Ip.t;
  identifier : int;
  sequence : int;
  data_length : int;
  ttl : int;
  outcome : (unit, string) result;
}
(** As {!Stack.pong}. *)

type request = {
  source : Ip.t;
  destination : Ip.t;
  identifier : int;
  sequence : int;
  ttl : int;
  data : string;
}
(** As {!Stack.echo}. *)

val create : Counters.t -> Routes.t -> Control_queue.t -> t

val set_handler : t -> (request -> unit) option -> unit
(** [set_handler t (Some f)] makes [t] call [f] on each request to an address that is not its own,
    if it is transparent; it is not answered then. *)

(** {1 Questions} *)

val ping :
  t ->
  Ipaddr.t ->
  identifier:int ->
  sequence:int ->
  data_length:int ->
  (unit, [ `No_room | `No_route | `Too_long ]) result
(** As {!Stack.ping}. *)

val pong : t -> pong option
(** [pong t] removes and returns the oldest answer to a {!ping}. *)

val pongs : t -> int
(** [pongs t] is the number of answers that wait. *)

val most_pongs : int
(** The most answers that wait; more are dropped. *)

val reply : t -> request -> unit
(** As {!Stack.reply_echo}. *)

val header : request -> Bytes.t
(** [header r] is the ICMP header of [r], for an error about it. *)

val protocol : Ip.t -> int
(** [protocol a] is the number of ICMP in packets to [a]. *)

(** {1 What comes in} *)

val asked : t -> now:Time.t -> Packet.t -> identifier:int -> sequence:int -> data_length:int -> unit
(** [asked t ~now p …] answers the request in [p], if it may be answered. *)

val answered : t -> Packet.t -> identifier:int -> sequence:int -> data_length:int -> unit
(** [answered t p …] makes a {!val-pong} of the answer in [p]. *)

val failed : t -> dst:Ip.t -> identifier:int -> sequence:int -> string -> unit
(** [failed t ~dst … why] makes a {!val-pong} of an error about a request to [dst]. *)
