(** Readers of messages that are fields, not cases. *)

open Ppxlib

val reader : Code.t -> location -> within:string -> Model.form -> Model.field list -> expression
(** [reader c loc ~within form fields] is the body of a reader of a message with these fields;
    [within] is its name, for errors. *)
