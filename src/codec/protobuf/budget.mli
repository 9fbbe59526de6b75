(** How much memory a message may still take while it is read.

    Readers pass on an integer: how many levels messages may still nest. Its bits above {!levels}
    name a budget, if there is one. So a short message, which has no budget, pays nothing, and a
    long one pays a subtraction for each message inside it. Charges are estimates, and too high.
    When they have used up the budget, [recount] of {!with_} finds out how much was really taken. *)

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
    numbers [byte]. When the budget is too small for a charge, [recount words pos] is called: it
    returns the new budget, or raises. Only sixty readers can have a budget at a time. Any other
    calls [none ()], and then [f] without a budget. *)

val charge_message : int -> int -> unit
(** [charge_message depth pos] takes a message that begins at [pos] from [depth]'s budget, if it has
    one. *)

val charge_block : int -> int -> int -> unit
(** [charge_block depth n pos] takes [n] bytes of packed numbers. *)
