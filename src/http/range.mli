(** The Range field (RFC 9110 §14.2): ranges of bytes. *)

type part = { first : int; last : int }
(** Inclusive, within the length. *)

type t =
  | Whole
      (** no range that is honoured: another unit, not well-formed, or more than {!most} ranges *)
  | Part of part
  | Parts of part list
      (** two or more, in the order in which they were asked for; none overlaps or touches another
      *)
  | Unsatisfiable

val most : int
(** 64 ranges. With them, and as ranges that overlap or touch are made one, no request makes much
    more be sent or read than the whole is (RFC 9110 §14.2). *)

val parse : string -> length:int -> t
(** [parse s ~length] is what a field [s] asks of [length] bytes. Ranges beyond them are left out as
    long as there are others. *)
