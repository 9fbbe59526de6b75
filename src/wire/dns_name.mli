(** Domain names in DNS messages (RFC 1035 §3.1, §4.1.4): labels of 1 to 63 bytes, at most 255 bytes
    in all. A pointer to an earlier place in the message may stand for the last labels. *)

type t = [ `raw ] Domain_name.t

val decode : Bytes.t -> off:int -> len:int -> at:int -> (t * int, Error.t) result
(** [decode b ~off ~len ~at] is the name at byte [at] of the message of [len] bytes at [off], and
    where the byte after it is. A pointer must point before the labels that it ends, and a name may
    have at most {!most_pointers}, so the work is bounded.
    @raise Invalid_argument if [off], [len] are not within [b], or [at] is negative. *)

val most_pointers : int
(** 127, the most labels that a name can have. *)

type table
(** Where names were written in a message. *)

val table : unit -> table

val emit : table -> Buffer.t -> t -> unit
(** [emit table out name] adds [name] to the message that [out] holds from its first byte. The
    longest suffix of it in [table] becomes a pointer; the labels before that are added to [table].
*)

val emit_whole : table -> Buffer.t -> t -> unit
(** [emit_whole table out name] is {!emit} without pointers (RFC 3597 §4). *)

val is_host : t -> bool
(** [is_host name] is true if [name] can be a host name: it is not the root, has only letters,
    digits, hyphens and underscores, and no label begins or ends with a hyphen. *)
