(** Other stacks over the same TAP: programs that [lab/peers/build] made. [lab/peers/README.md] says
    what they must do. *)

type t = { name : string;  (** the program's, and the subject's *) offload : bool }

val all : t list
(** A C program that does the minimum that the protocol requires, as the limit; smoltcp; gVisor's
    netstack; lwIP. *)

val unavailable : t -> string option
(** [unavailable t] is why it cannot be measured; [None] if it can. *)

val become : t -> test:string -> offload:bool -> bytes:int -> 'a
(** [become t ~test ~offload ~bytes] opens the TAP and executes the program in this process. The
    program has the TAP as its standard input and prints [ready] when it listens. [test] is [in],
    [out] or [http]. *)
