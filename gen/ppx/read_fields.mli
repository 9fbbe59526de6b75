(** Readers of fields, as protoc-gen-weir writes them: positions in locals, one match on whole tags,
    fields in references that the compiler keeps in registers or on the stack. Their code has in
    scope what {!Read_value}'s has, and [start], the position of the [tag]. *)

open Ppxlib

type absence =
  | Never  (** an absent field has a value all the same *)
  | Bit of int  (** counted in a word of seen fields *)
  | None_  (** its local is an option *)

val absence : Code.t -> Model.field list -> (Model.field * absence) list

val bits_a_word : int
(** How many seen fields a word counts. *)

val local : Model.field -> string
val let_ref : location -> string -> expression -> expression -> expression
val with_local : Code.t -> Model.field * absence -> expression -> expression
val own_tag : Model.field -> int
val packed_tag : Model.field -> int

val element : Code.t -> Model.field * absence -> expression
(** One value behind its own tag. *)

val packed_body : Code.t -> Model.field * absence -> before:(expression -> expression) -> expression
(** A packed block. *)

val run : Model.field * absence -> start:expression -> otherwise:expression -> expression
(** Elements in a row ({!Read_value.has_run}), from the first one's tag at [start]; [otherwise] if
    there is none that the runtime reads. *)

val with_number : location -> first:expression -> long:expression -> expression -> expression
(** [with_number loc ~first ~long body] is [body] with the number behind the tag in scope: [first]
    is its first byte, [long] reads it if it is longer. *)

val tags :
  ?before:(expression -> expression) -> Code.t -> Model.field * absence -> (int * expression) list
(** The tags by which a field may come, and what reads it then; [before] wraps that. *)

val field_arms : ?before:(expression -> expression) -> Code.t -> Model.field * absence -> case list
(** {!tags} as cases of the match on tags. *)

val arm : location -> int -> expression -> case

val one_field : location -> case list -> names:(int * string) list -> expression
(** [one_field loc arms ~names] reads a field at [pos]; [names] are the known ones. *)

val loop : location -> case list -> names:(int * string) list -> expression -> expression
(** [loop loc arms ~names finish] reads all fields. *)

val result : within:string -> Model.field * absence -> expression
