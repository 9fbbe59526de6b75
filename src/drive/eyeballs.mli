(** Which address of a name to connect to next, and when (RFC 8305): attempts begin one after
    another, before the earlier ones have failed, so that a dead address costs a quarter of a
    second. It does no input or output: the caller resolves the name, makes the attempts and tells
    the time. *)

open Weir_base

type t

val create :
  ?resolution_delay:Time.t ->
  ?attempt_delay:Time.t ->
  source:(Ipaddr.t -> Ipaddr.t option) ->
  unit ->
  t
(** [create ~source ()] has no addresses. [source] is for {!Address_order.sort}. The delays are 50
    ms (§3) and 250 ms (§5). *)

val found : t -> now:Time.t -> Ipaddr.t list -> unit
(** [found t ~now l]: the name has these addresses. It may be called again with more; those that are
    known already are left out. At most {!most} are tried. *)

val resolved : t -> unit
(** [resolved t]: no more addresses will come. *)

val failed : t -> Ipaddr.t -> unit
(** [failed t a]: the attempt at [a] is over. The next begins at once. *)

type next =
  | Attempt of Ipaddr.t  (** begin to connect to it, then ask again *)
  | Wait of Time.t  (** ask again at this time, or when something has happened *)
  | Failed  (** every attempt has failed, or there is no address *)

val next : t -> now:Time.t -> next
(** [next t ~now]: addresses wait for those of the other family for the resolution delay only if the
    first are IPv4's. Later ones join the waiting ones, sorted anew, families taking turns. *)

val most : int
(** 32 addresses. *)
