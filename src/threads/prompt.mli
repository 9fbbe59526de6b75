(** Delimited control with many prompts.

    A prompt marks a place on the stack. {!take} cuts the stack at the nearest mark of its prompt,
    and returns that part as a value, a piece, with the marks of other prompts in it. A piece can be
    used only once, by {!resume} or {!discard}. If it is never used, it never runs again, and the
    resources it holds (open files, locks) are not released.

    Not supported: resuming a piece twice, or without its prompt below it. *)

type 'a t
(** A prompt under which an ['a] is computed. *)

type ('b, 'a) piece
(** A piece of stack that is resumed with a ['b] and returns an ['a]; its prompt is at its base. *)

exception No_prompt
(** Raised by {!take} and {!shift} when the prompt is not on the stack. *)

exception Used
(** Raised when a piece is used a second time. *)

exception Discarded
(** What {!discard} raises inside a piece unless told otherwise. *)

val create : unit -> 'a t
(** [create ()] is a prompt unlike any other. *)

val push : 'a t -> (unit -> 'a) -> 'a
(** [push p f] is [f ()], run with the mark [p] below it. *)

val take : 'a t -> (('b, 'a) piece -> 'a) -> 'b
(** [take p body] removes the stack down to the nearest [p], that mark included, and continues with
    [body piece] in the place of [push]. [take] returns [v] when [resume piece v] is called.
    @raise No_prompt if [p] is not on the stack. *)

val shift : 'a t -> (('b, 'a) piece -> 'a) -> 'b
(** [shift p body] is {!take}, but [body] runs with [p] still below it, so that [body] can itself
    take from [p]. *)

val resume : ('b, 'a) piece -> 'b -> 'a
(** [resume piece v] puts the piece, with its prompt, back on the stack; [take] returns [v] there.
    @raise Used if the piece was used before. *)

val resume_error : ('b, 'a) piece -> exn -> Printexc.raw_backtrace -> 'a
(** [resume_error piece e bt] is {!resume}, but [take] raises [e], with a backtrace that begins with
    [bt].
    @raise Used if the piece was used before. *)

val discard : ?exn:exn -> ('b, 'a) piece -> unit
(** [discard piece] raises [exn] (default {!Discarded}) where the piece waits, so that its
    finalisers run. What the piece then returns is dropped, and so is [exn] if it comes out again;
    another exception passes on.
    @raise Used if the piece was used before. *)
