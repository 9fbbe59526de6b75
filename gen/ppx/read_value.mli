(** Readers of single values, as protoc-gen-weir writes them: code that reads has in scope [s],
    [from] behind the tag, the number [v] there or a block's length, [p] behind that, [limit], and
    [depth] for messages. *)

open Ppxlib

val wire_type : Model.ty -> int

val value :
  Code.t ->
  location ->
  Model.ty ->
  store:(expression -> expression) ->
  go:(expression -> expression) ->
  expression
(** [value c loc ty ~store ~go] is going on behind a value, and storing it. *)

val go_on : location -> expression -> expression
(** [go_on loc next] sets [pos]. *)

val whole_block : location -> Model.ty -> expression option
(** [whole_block loc ty] is the runtime's function for a packed block of [ty], where it has one. *)

val has_block : Model.field -> bool
(** [has_block f] is whether [f] is written packed and {!whole_block} reads it, or {!has_run}: then
    the last block is kept as it is, in order. *)

val has_run : Model.field -> bool
(** [has_run f] is whether the runtime reads all of [f]'s elements, each with its tag, in one call.
*)
