(** What `weir lab` does: runs studies, prints their tables, and writes what else is asked for. *)

val names : string list
(** The studies there are. *)

val run :
  ?quick:bool ->
  ?json:string ->
  ?html:string ->
  ?baseline:Weir_lab_harness.Row.t list ->
  string list ->
  (unit, string) result
(** [run studies] runs the named studies (all, if none is named) and prints them on standard output,
    with progress on standard error if that is a terminal. [json] is a file for the numbers, [html]
    a folder for the page [index.html], made if need be. What differs from [baseline] is printed
    too. [quick] (default false) measures less. [Error] says what to do. *)
