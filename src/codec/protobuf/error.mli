(** Why bytes or text could not be read. *)

type t = {
  position : int;  (** byte offset into what was given to the decoder *)
  path : string list;  (** the fields that lead there, outermost first; [[]] at the top *)
  reason : string;
      (** one line, lower case, no full stop; of the input at most 40 characters in a row *)
}

exception Error of t
(** The only exception that decoding raises, and only inside functions named [_exn] or meant for
    generated code. *)

val at : int -> string -> exn
(** [at position reason] is {!exception-Error} with an empty path. *)

val fail : int -> string -> 'a
(** [fail position reason] raises it. *)

val excerpt : string -> string
(** [excerpt s] is what an error shows of a part of the input: its first 40 characters, in UTF-8,
    control characters and bytes that are not UTF-8 escaped. *)

val to_string : t -> string
(** [to_string e] is ["byte 17, in phones.number: truncated"]. *)

val pp : Format.formatter -> t -> unit
