(** How a host finds the addresses of a name, and the name of an address: by its tables ({!Names}),
    then by its DNS servers, if it has any ({!Resolver}). Drivers wait for the answers. *)

open Weir_base
open Weir_wire

type failure =
  [ `No_name  (** nobody has the name, or it cannot be one *)
  | `No_data  (** the name has no address *)
  | `Try_again  (** no server answered, or they failed *)
  | `Refused  (** the servers refuse the question *) ]

val pp_failure : Format.formatter -> failure -> unit

type 'a later = now:Time.t -> ('a -> unit) -> unit -> unit
(** [p ~now f] sends the queries. A function of {!Pump.next_call} calls [f] with each result, so
    without the lock. The function that [p ~now f] returns ends the wait: call it under the lock, at
    the latest when nobody waits any more. A second call does nothing. *)

type 'a answer = Now of 'a | Later of 'a later

val addresses : Pump.t -> string -> (Ipaddr.t list, failure) result answer
(** [addresses p node] is [node]'s addresses, sorted by {!Address_order.sort} if DNS has them. Both
    families are asked for. Numbers and names of the tables are never asked for. *)

val getaddrinfo :
  Pump.t ->
  service:string ->
  string ->
  ((Names.protocol * Ipaddr.t * int) list, [ failure | `No_service ]) result answer
(** [getaddrinfo p ~service node] is {!Names.lookup}, and {!addresses} for what it does not know. *)

type progress = Some_of of Ipaddr.t list | All of (Ipaddr.t list, failure) result

val for_connect : Pump.t -> string -> progress answer
(** [for_connect p node] is {!addresses} for {!Eyeballs}: those of the family that is answered first
    come without waiting for the other's. Nothing follows [All]. *)

val tell : Eyeballs.t -> now:Time.t -> progress -> failure option
(** [tell eyes ~now p] passes the addresses in [p] to [eyes]. It is the failure if [p] is one. *)

val name : Pump.t -> Ipaddr.t -> string answer
(** [name p a] is [a]'s name, or [a] in digits. A name that is no host's is not believed. *)

val records : Pump.t -> Dns.Kind.t -> string -> (Dns.record list, failure) result answer
(** [records p kind name] are the records of that type, only from DNS. *)

val source : Pump.t -> Ipaddr.t -> Ipaddr.t option
(** [source p a] is the source of packets to [a], if there is a route. *)
