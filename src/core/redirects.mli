(** Redirects: a router says that another host on the link is the better first hop for a destination
    (RFC 1122 §3.2.2.2, RFC 4861 §8).

    Anybody on the link can send one, so a host counts and ignores them unless [Config.redirects].
    Then they are believed only from the router that is the first hop now, about another one on the
    same link or a destination that is on it. Each lasts for {!lifetime}, or until its gateway does
    not answer; there are {!most} at most. A route that the program set for that very destination
    stays. *)

open Weir_base
open Weir_wire

type t

val create : Counters.t -> Routes.t -> enabled:bool -> t

val most : int
(** 64: a further one takes the place of the oldest. *)

val lifetime : Time.t
(** 10 minutes. *)

val heard : t -> now:Time.t -> router:Ip.t -> target:Ip.t -> Ip.t -> unit
(** [heard t ~now ~router ~target dst] processes a message from [router] that [target] is the first
    hop to [dst]; or [dst] itself, if that is on the link. *)

val unreachable : t -> Ip.t -> unit
(** [unreachable t a] forgets what leads through [a], which does not answer. *)

val length : t -> int
val tick : t -> now:Time.t -> unit
val deadline : t -> Time.t
