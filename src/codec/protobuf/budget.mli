(** Memory that a message being read may still take.

    A reader hands on an integer, how deep messages may still nest; the bits above {!levels} name a
    budget, if there is one. So a short message, which needs none, pays nothing for those that do,
    and a long one pays a subtraction for each message within. Charges are rough and high; when they
    have used the budget up, {!with_}'s [recount] finds out what was really taken. *)

val levels : int -> int
(** [levels depth] is how deep messages may nest, at most 2^32 - 1. *)

val depth : int -> int
(** [depth n] is [n] levels, 0 if [n] is negative, without a budget. *)

val is_free : int -> bool
(** [is_free depth] is whether a message may be entered and nothing has to be charged for it. *)

val with_ :
  left:int ->
  message:int ->
  byte:int ->
  recount:(int -> int -> int) ->
  depth:int ->
  none:(unit -> unit) ->
  (int -> 'a) ->
  'a
(** [with_ ~left ~message ~byte ~recount ~depth ~none f] is [f depth'], where [depth'] is [depth]
    with a budget of [left] words, from which each message takes [message], and each byte of packed
    numbers [byte]. Where it is too small for a charge, [recount words pos] is what is left of it
    behind that, or raises. If there is no budget to be had, as sixty readers have one, [none ()]
    comes first and [f] has none. *)

val charge_message : int -> int -> unit
(** [charge_message depth pos] takes a message that begins at [pos] from [depth]'s budget, if it has
    one. *)

val charge_block : int -> int -> int -> unit
(** [charge_block depth n pos] takes [n] bytes of packed numbers. *)
