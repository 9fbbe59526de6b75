(** Whether what the generator makes of [.proto] files compiles, by one protoc and one compiler for
    them all. *)

val run : string -> string -> string list -> unit
(** [run what program arguments] runs it; the case fails with what it says if it fails. *)

val generate :
  ?options:string list -> ?include_:string list -> dir:string -> out:string -> string list -> unit
(** [generate ~dir ~out protos] has protoc write what becomes of [protos], files in [dir], into
    [out]; the case fails if it cannot. *)

val check : dir:string -> string list -> unit
(** [check ~dir modules] types [dir]'s [modules], given in order of dependence; the case fails with
    what the compiler says. *)
