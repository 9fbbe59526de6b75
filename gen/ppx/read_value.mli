(** Readers of single values, as protoc-gen-weir writes them: code that reads has [s], [p] and
    [limit] in scope, and [depth] for messages. *)

open Ppxlib

val wire_type : Model.ty -> int

val value :
  Code.t ->
  location ->
  Model.ty ->
  store:(expression -> expression) ->
  go:(expression -> expression) ->
  expression
(** [value c loc ty ~store ~go] reads one value at [p], stores it and goes on behind it. *)

val go_on : location -> expression -> expression
(** [go_on loc next] sets [pos]. *)

val whole_block : location -> Model.ty -> expression option
(** [whole_block loc ty] is the runtime's function for a packed block of [ty], where it has one. *)

val has_block : Model.field -> bool
(** [has_block f] is whether [f] is a list or array of what {!whole_block} reads. *)
