(** The addresses of a host, and duplicate address detection (RFC 4862 §5.4, RFC 7527): a new IPv6
    address is tentative until nobody has claimed it; one that somebody has is removed. Addresses of
    both families are announced when they may be used, and two seconds later: neighbours may know
    them with the MAC of an earlier host (RFC 5227 §2.3, RFC 4861 §7.2.6).

    Not supported: the random delay before the first solicitation (RFC 4862 §5.4.2), anycast. *)

open Weir_base
open Weir_wire

type t

val create :
  Counters.t -> Routes.t -> Control_queue.t -> secret:Stable_address.secret -> transmits:int -> t
(** [create counters routes control ~secret ~transmits] probes no address. [transmits] is
    [Config.dad_transmits]; with 0 nothing is announced. *)

val random : t -> Random.State.t
(** [random t] makes numbers that others may see. *)

val add :
  t ->
  Interface.t ->
  ?state:Interface.state ->
  ?preferred_until:Time.t ->
  ?valid_until:Time.t ->
  Ip.t ->
  prefix_length:int ->
  unit
(** [add t i ip ~prefix_length] is {!Routes.add_address}. An IPv6 address that the interface did not
    have, and without [state], is tentative first, if [transmits] is not 0. *)

val add_stable :
  ?counter:int ->
  ?bits:int ->
  t ->
  Interface.t ->
  ?preferred_until:Time.t ->
  ?valid_until:Time.t ->
  Ip.t ->
  unit
(** [add_stable t i prefix] adds a {!Stable_address} in the /64 of [prefix]. If it is a duplicate,
    up to three others are tried (RFC 7217 §6). [bits] (64) is the prefix length of the network on
    the link, 128 if none comes with the address. Nothing is done if [i] has the address already,
    with another prefix length. *)

val find_stable : t -> Interface.t -> Ip.t -> bits:int -> Interface.address option
(** [find_stable t i prefix ~bits] is the address that {!add_stable} made of [prefix]. *)

val set_lifetimes :
  t ->
  Interface.t ->
  Interface.address ->
  now:Time.t ->
  preferred_until:Time.t ->
  valid_until:Time.t ->
  unit
(** [set_lifetimes t i a …] changes the lifetimes of an address of [i]; a deprecated one may become
    preferred again. A tentative one stays so. *)

val remove : t -> Interface.t -> Ip.t -> unit

val is_settling : t -> bool
(** [is_settling t] is true while an address is tentative. *)

val duplicates : t -> Ip.t list
(** [duplicates t] is the addresses that other hosts had already, at most 16. *)

(** {1 What others say} *)

val is_tentative : t -> Interface.t -> Ip.t -> bool

val asked : t -> Interface.t -> Ip.t -> nonce:string -> unit
(** [asked t i ip ~nonce] is for a solicitation from [::]: another host tests [ip] too, unless the
    nonce is this host's own. *)

val claimed : t -> Interface.t -> Ip.t -> unit
(** [claimed t i ip] is for an advertisement of [ip]. If it is tentative it is a duplicate. *)

(** {1 Time} *)

val tick : t -> now:Time.t -> unit

val deadline : t -> Time.t
(** [deadline t] is when {!tick} must be called. *)
