(** Domain names in DNS messages (RFC 1035 §3.1, §4.1.4): labels of 1 to 63 bytes, at most 255 bytes
    together, of which the last ones may be a pointer to an earlier place in the message. *)

type t = [ `raw ] Domain_name.t

val decode : Bytes.t -> off:int -> len:int -> at:int -> (t * int, Error.t) result
(** [decode b ~off ~len ~at] is the name at byte [at] of the message of [len] bytes at [off], and
    where the byte after it is. A pointer must lead to before the labels that led to it, and there
    are at most {!most_pointers}, so the work is bounded.
    @raise Invalid_argument if [off], [len] are not within [b], or [at] is negative. *)

val most_pointers : int
(** 127: there are no more labels in a name. *)

type table
(** Where names were written in a message. *)

val table : unit -> table

val emit : table -> Buffer.t -> t -> unit
(** [emit table out name] adds [name] to the message that [out] holds from its first byte. The
    longest end of it that is in [table] becomes a pointer, and the rest is noted there. *)

val emit_whole : table -> Buffer.t -> t -> unit
(** [emit_whole table out name] is {!emit} without pointers (RFC 3597 §4). *)

val is_host : t -> bool
(** [is_host name] is true if a program may take [name] for a host's: letters, digits, hyphens and
    underscores only, no hyphen at either end of a label, and not the root. *)
