(** A small DNS server over UDP and TCP, an ordinary Eio program for any network: for hosts of
    worlds, and for tests. It answers from a list of records as a recursive server would: aliases
    are followed, and what is absent has an SOA record. *)

open Weir_wire

type record = string * int * Dns.data
(** Name, seconds and data. *)

val name : string -> Dns.name
(** @raise Invalid_argument if it is no name. *)

val a : string -> string -> record
(** [a "host.example" "10.0.0.1"] is valid for a minute, as is {!aaaa}. *)

val aaaa : string -> string -> record

val answer : ?payload:int -> record list -> Dns.t -> Dns.t
(** [answer zone query] is the right answer. One that is longer than [payload] bytes (by default
    what the query allows) is truncated. *)

val serve :
  sw:Eio.Switch.t ->
  net:_ Eio.Net.t ->
  ?address:string ->
  ?udp:(Dns.t -> Dns.t list) ->
  ?tcp:(Dns.t -> Dns.t list) ->
  record list ->
  unit
(** [serve ~sw ~net zone] answers at port 53 of [address] (default: all) until [sw] ends. [udp] and
    [tcp] are the answers to a query, by default {!answer}; they may wait. *)

val follow : record list -> Dns.Kind.t -> Dns.name -> Dns.record list * bool
(** [follow zone kind name] is the answer section, and whether the last name exists. *)
