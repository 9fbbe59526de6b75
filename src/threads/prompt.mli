(** Delimited control with many prompts.

    {!push} marks a place on the stack with a prompt. {!take} removes the stack down to the nearest
    mark of its prompt and passes that part as a value, a piece, which includes marks of other
    prompts. A piece can be used only once, by {!resume} or {!discard}. If it is never used,
    resources that it holds (open files, locks) are not released.

    Not supported: resuming a piece twice, or without its prompt below it. *)

type 'a t
(** A prompt under which an ['a] is computed. *)

type ('b, 'a) piece
(** A piece of stack that is resumed with a ['b] and returns an ['a]. Its prompt is at its base. *)

exception No_prompt
(** Raised by {!take} and {!shift} when the prompt is not on the stack. *)

exception Used
(** Raised when a piece is used a second time. *)

exception Discarded
(** The exception that {!discard} raises by default. *)

val create : unit -> 'a t
(** [create ()] is a new prompt, different from all others. *)

val push : 'a t -> (unit -> 'a) -> 'a
(** [push p f] is [f ()], run with [p] on the stack. *)

val take : 'a t -> (('b, 'a) piece -> 'a) -> 'b
(** [take p body] removes the stack down to the nearest [p], with that mark, and continues with
    [body piece], whose value is that of [push]. [take] returns [v] when [resume piece v] is called.
    @raise No_prompt if [p] is not on the stack. *)

val shift : 'a t -> (('b, 'a) piece -> 'a) -> 'b
(** [shift p body] is {!take}, but leaves [p] on the stack, so that [body] can [take] from [p]
    again. *)

val resume : ('b, 'a) piece -> 'b -> 'a
(** [resume piece v] puts the piece, with its prompt, back on the stack, and its [take] returns [v].
    @raise Used if the piece was used before. *)

val resume_error : ('b, 'a) piece -> exn -> Printexc.raw_backtrace -> 'a
(** [resume_error piece e bt] is {!resume}, but [take] raises [e], with a backtrace that begins with
    [bt].
    @raise Used if the piece was used before. *)

val discard : ?exn:exn -> ('b, 'a) piece -> unit
(** [discard piece] raises [exn] (default {!Discarded}) where the piece waits, so that its
    finalisers run. The piece's result is dropped, and so is [exn] if the piece raises it again;
    other exceptions pass.
    @raise Used if the piece was used before. *)
