(** What a suspended fiber waits in, read from its stack. *)

val summary : Printexc.raw_backtrace -> string * string option
(** [summary stack] is the operation of Eio that the fiber is in, as ["Eio.Net.accept"], and the
    innermost place outside Eio, Weir and the standard library, as ["f, file a.ml, line 3"]. Both
    need the debugging information of the program ([-g]). *)
