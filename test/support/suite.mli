(** Test suites on Alcotest. Each executable ends with one line
    [suite NAME: N passed, N failed, N skipped], which [scripts/test] adds up. *)

type case

val case : string -> (unit -> unit) -> case
(** [case name f] passes if [f ()] returns. *)

val slow : string -> (unit -> unit) -> case
(** [slow] is {!case}, left out when WEIR_QUICK is set. *)

val native : string -> case -> case
(** [native why c] is [c], left out where the suite runs as JavaScript, as it needs [why], such as
    ["the kernel"]. *)

val since_1970 : string
(** What {!native} says of cases with times of day in nanoseconds. *)

val in_javascript : bool
(** [in_javascript] says that the suite runs as JavaScript. *)

val seed : unit -> int
(** [seed ()] is WEIR_SEED, or a fixed number. *)

val qcheck : QCheck2.Test.t -> case
(** [qcheck t] runs a property under a seed taken from WEIR_SEED or fixed; a failure prints it. *)

val bits : int -> int QCheck2.Gen.t
(** [bits n] is an integer of [n] bits, at most 53. Unlike [int_bound] it has more than 30 as
    JavaScript too. *)

val skip : string -> 'a
(** [skip why] ends the running case as skipped. *)

val needs_program : string -> unit
(** [needs_program p] skips unless [p] is on the PATH. *)

val expected : file:string -> string -> unit
(** [expected ~file s] checks that [s] is what [file] holds (a path from the project's root); with
    WEIR_PROMOTE=1 it writes the file instead. *)

val read : string -> string
(** [read file] is what [file] holds. *)

val project_root : unit -> string
(** [project_root ()] is the folder of the source tree. *)

val iterations : int -> int
(** [iterations n] is WEIR_FUZZ if set, else [n]: how many inputs a fuzz loop tries. *)

val run : string -> (string * case list) list -> unit
(** [run name groups] runs them as Alcotest does (its command line works), prints the counts and
    exits 1 if any failed. *)
