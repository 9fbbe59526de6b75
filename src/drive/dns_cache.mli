(** Answers that are still valid (RFC 1035 §7.4, RFC 2308 §5). At most {!most_entries} and
    {!most_bytes} are kept; those not used for long go first. *)

open Weir_base
open Weir_wire

type answer = (Dns.record list, [ `No_data | `No_name ]) result
type t

val create : unit -> t

val find : t -> now:Time.t -> Dns.name -> Dns.Kind.t -> answer option
(** [find t ~now name kind] is what is known, without regard to case. The records have the seconds
    left. A name that does not exist has no record of any type. *)

val add : t -> now:Time.t -> seconds:int -> Dns.name -> Dns.Kind.t -> answer -> unit
(** [add t ~now ~seconds name kind a] keeps [a] for [seconds]; 0 does nothing. *)

val clear : t -> unit

val key_of : Dns.name -> Dns.Kind.t -> string
(** [key_of name kind] is equal for what differs by case only. *)

val length : t -> int
(** [length t] is the number of answers, also of those that are no longer valid. *)

val bytes : t -> int
(** [bytes t] is an estimate of their memory. *)

val most_entries : int
(** 1,024 *)

val most_bytes : int
(** 1 MiB. An answer above an eighth of it is not kept. *)
