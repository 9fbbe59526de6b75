(** The plugin protocol of protoc: a request's bytes in, a response's out. *)

val answer : string -> string
(** [answer request] is the encoded CodeGeneratorResponse to an encoded CodeGeneratorRequest; what
    cannot be generated is an error within it. *)

val main : unit -> unit
(** [main ()] answers standard input on standard output. *)
