(** A router's advertisements (RFC 4861 §6.2): sent to all nodes of a link from time to time, and
    when a host solicits them.

    Not supported: answers to one host alone, checks of other routers' advertisements (§6.2.7). *)

open Weir_base
open Weir_wire

type t

val create : Control_queue.t -> Random.State.t -> t
(** [create control random] advertises nothing. *)

val set : t -> now:Time.t -> ?interval:Time.t -> Interface.t -> Nd.advertisement option -> unit
(** [set t ~now i (Some a)] advertises [a] on the link of [i], in place of what was advertised
    before: at once, twice more within 32 s (§6.2.4), and then after [interval] at most (10 minutes)
    and a third of that at least. The router's MAC is added, and the lifetimes are those of [a] each
    time. [set t ~now i None] ends that with an advertisement of router lifetime 0 (§6.2.5).
    @raise Invalid_argument
      unless [interval] is 1 s to 30 minutes, or if the MTU of [i] is too small for IPv6. *)

val solicited : t -> now:Time.t -> Interface.t -> unit
(** [solicited t ~now i]: a host on the link of [i] asks. The answer leaves within half a second, or
    3 s after the advertisement before (§6.2.6). *)

val tick : t -> now:Time.t -> unit

val deadline : t -> Time.t
(** [deadline t] is when {!tick} must be called. *)
