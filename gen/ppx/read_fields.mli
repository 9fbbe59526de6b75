(** Readers, as protoc-gen-weir writes them: positions in locals, one match on whole tags, fields in
    references that the compiler keeps in registers or on the stack. *)

open Ppxlib

type absence =
  | Never  (** an absent field has a value all the same *)
  | Bit of int  (** counted in a word of seen fields *)
  | None_  (** its local is an option *)

val with_local : Code.t -> Model.field * absence -> expression -> expression

val field_arms : ?before:(expression -> expression) -> Code.t -> Model.field * absence -> case list
(** The cases of the match on tags that read a field; [before] wraps what each does. *)

val result : within:string -> Model.field * absence -> expression
val let_ref : location -> string -> expression -> expression -> expression
val arm : location -> int -> expression -> case

val loop :
  ?steps:expression ->
  location ->
  case list ->
  names:(int * string) list ->
  expression ->
  expression
(** [loop loc arms ~names finish] reads all fields; [names] are the known ones. [steps] may read
    some before. *)

val fields_reader :
  Code.t -> location -> within:string -> Model.form -> Model.field list -> expression
(** The body of a reader of a message with these fields; [within] is its name, for errors. *)
