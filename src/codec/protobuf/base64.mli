(** Base64 (RFC 4648). *)

val add : Buffer.t -> string -> int -> int -> unit
(** [add b s first last] appends these bytes in the standard alphabet, padded. *)

val decode : string -> string option
(** [decode s] takes either alphabet, with or without padding. *)
