(** IPv6 addresses whose interface identifier is opaque and stable (RFC 7217, RFC 8064): it tells
    nothing of the MAC, it is the same each time a host is on the same network, and another one on
    every other network. *)

open Weir_wire

type secret = private string

val secret : Random.State.t -> secret
(** [secret random] is a secret from [random], whose state does not change. *)

val secret_of_string : string -> secret
(** [secret_of_string s] is the same for the same [s], in every run of a program. [s] must be hard
    to guess. *)

val no_secret : secret
(** [no_secret] is for tests: addresses that anybody can compute. *)

val make : secret:secret -> prefix:Ip.t -> interface:int -> counter:int -> Ip.t
(** [make ~secret ~prefix ~interface ~counter] is an address in the network of 64 bits of [prefix],
    not one that RFC 5453 reserves. [counter] is how many addresses were found to be duplicates (RFC
    7217 §5). *)

val generator : secret -> Random.State.t
(** [generator s] makes numbers that others may see. *)

val link_local : Ip.t
(** [link_local] is [fe80::], the prefix of link-local addresses. *)
