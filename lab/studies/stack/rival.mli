(** Other stacks over the same TAP: programs that [lab/peers/build] made. [lab/peers/README.md] says
    what they must do. *)

type t = { name : string;  (** the program's, and the subject's *) offload : bool }

val all : t list
(** The limit, a program in C that does what the wire demands and no more; smoltcp; gVisor's
    netstack; lwIP. *)

val unavailable : t -> string option
(** [unavailable t] is why it cannot be measured; [None] if it can. *)

val become : t -> test:string -> offload:bool -> bytes:int -> 'a
(** [become t ~test ~offload ~bytes] opens the TAP and makes this process the program, which has it
    as its standard input and says [ready] once it listens. [test] is [in], [out] or [http]. *)
