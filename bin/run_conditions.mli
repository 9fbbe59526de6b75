(** The state of the program's way out: which lane and which bottleneck a packet takes, what is cut,
    which connections meet a fault, now and later. *)

open Weir_link

type t

val make : Run_plan.t -> names:(Ipaddr.t -> string list) -> t
(** [names a] is the names by which the program knows [a]. *)

val is_plain : t -> bool
(** [is_plain t] is true if nothing ever happens to packets: {!wrap} is then not needed. *)

val start : t -> now:Weir_base.Time.t -> unit
(** [start t] begins the tables: time 0. *)

(** {1 Packets} *)

type watch =
  now:Weir_base.Time.t -> Run_scope.way -> Run_packet.t option -> Frame.t -> Lane.fate -> unit
(** Called for each frame with what became of it, after that; the frame's bytes are those from
    before. [None] is no TCP or UDP. The frame must not be kept. *)

val wrap : t -> ?watch:watch -> Link.t -> Link.t
(** [wrap t link], the program's device, applies the conditions. *)

(** {1 Connections and questions} *)

val fault : t -> now:Weir_base.Time.t -> Ipaddr.t * int -> Run_change.kind option
(** [fault t ~now destination] is drawn for each new connection and pair of UDP addresses. *)

val dns_fault : t -> now:Weir_base.Time.t -> string -> [ `Servfail | `Nxdomain | `Timeout ] option
(** [dns_fault t ~now name] is drawn for each question. *)

(** {1 For reports} *)

val cuts : t -> now:Weir_base.Time.t -> (Weir_base.Time.t * Weir_base.Time.t * string) list
(** [cuts t ~now] is when something was cut, up to [now] since the start, and its scope. *)

val queues : t -> (string * int * int) list
(** [queues t] is a line for each limited rate: what it is, the length of its queue, the longest
    that the queue was; bytes. *)
