(** A capture file stamped with virtual time. *)

open Weir_base

type t

val create : epoch:Time.t -> string -> t
(** [create ~epoch path] makes the file; a record's time is [epoch] plus the virtual time.
    @raise Sys_error if it cannot be made. *)

val add : t -> now:Time.t -> Weir_link.Frame.t -> unit
val close : t -> unit
