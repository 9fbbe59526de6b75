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
(** [found t ~now l] says that the name has the addresses [l]. It may be called again with more;
    known ones are left out. At most {!most} are tried. *)

val resolved : t -> unit
(** [resolved t] says that no more addresses will come. *)

val failed : t -> Ipaddr.t -> unit
(** [failed t a] says that the attempt at [a] has failed. The next begins at once. *)

type next =
  | Attempt of Ipaddr.t  (** begin to connect to it, then ask again *)
  | Wait of Time.t  (** ask again at this time, or when something has happened *)
  | Failed  (** every attempt has failed, or there is no address *)

val next : t -> now:Time.t -> next
(** [next t ~now] is what to do next. If the first addresses are of IPv4, they wait for those of
    IPv6, for the resolution delay. Later addresses join the waiting ones; these are sorted again,
    and the families alternate. *)

val most : int
(** 32 addresses. *)
