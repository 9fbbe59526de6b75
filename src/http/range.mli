(** The Range field (RFC 9110 §14.2): ranges of bytes. *)

type part = { first : int; last : int }
(** Inclusive, within the length. *)

type t =
  | Whole  (** send the whole: another unit, a malformed field, or more than {!most} ranges *)
  | Part of part
  | Parts of part list
      (** two or more, in the order of the request; none overlaps or touches another *)
  | Unsatisfiable

val most : int
(** 64 ranges. Ranges that overlap or touch are joined. So no request causes much more to be read or
    sent than the whole file (RFC 9110 §14.2). *)

val parse : string -> length:int -> t
(** [parse s ~length] is what the field value [s] asks of a representation of [length] bytes. Ranges
    beyond its end are left out; if no other range remains, the result is [Unsatisfiable]. *)
