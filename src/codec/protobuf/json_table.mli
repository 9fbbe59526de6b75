(** JSON of a message by where its fields stand in its record: what generated code has unless it was
    asked for code of its own ([json=fast]).

    A record's fields stand in the order of {!Layout.field.slot}; behind them is a string, the
    unknown fields, if {!Layout.message.keeps}; a record of no fields is unit. An option is OCaml's;
    a oneof is an option of a variant whose constructors all have one argument; an enum's
    constructors stand in the order of its descriptor's first names of each number, and an unknown
    number is a block. *)

type 'a way = { put : Json_out.t -> 'a -> unit; get : Json_in.t -> 'a }

val make :
  Layout.message ->
  Registry.t ->
  default:'a ->
  encode:('a -> string) ->
  decode:(string -> 'a) ->
  'a way
(** [make m types ~default ~encode ~decode] is JSON of [m]'s values; it also sets it in [types], for
    the messages that hold such values. The tables are made when first used. What JSON says in a way
    of its own goes through [encode] and [decode]: the well-known types, message sets, and reading
    what has extensions. *)

val set : Layout.message -> Registry.t -> 'a way -> unit
(** [set m types way] sets code made for [m] as its way. *)
