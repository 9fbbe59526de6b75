(** The steps of a tutorial, as a reader carries them out. *)

type step =
  | Write of string * string  (** a block after "Write `FILE`:" *)
  | Append of string * string  (** a block after "Add to `FILE`:" *)
  | Run of string  (** a block of [sh] *)
  | Output of string  (** a block after "prints:" *)

val steps : string -> step list
(** [steps text] is the steps of a document in Markdown.
    @raise Failure if a block is none of these. *)

val script : folder:string -> step list -> string
(** [script ~folder steps] is a shell script that carries them out, and leaves what the [n]th step
    prints in [folder/n]. It ends at the first command that fails. *)

val with_outputs : string -> string list -> string
(** [with_outputs text outputs] is the document with [outputs] in place of those it has. *)
