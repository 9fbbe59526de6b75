(** What `weir lab` does: runs studies, prints their tables, and writes the files asked for. *)

open Weir_lab_harness

val names : string list
(** The studies there are. *)

val be_worker_if_asked : unit -> unit
(** The studies start this program again for each round and measurement. In such a process this
    function measures and exits. Call it first in [main]. *)

val outcomes :
  ?quick:bool ->
  ?rounds:int ->
  ?progress:(string -> unit) ->
  string list ->
  ((Study.t * Study.outcome) list, string) result
(** [outcomes studies] runs the named studies (all, if none is named). [quick] (default false)
    measures less. [rounds] is how many processes a study is measured in, at least 2; the stack
    study has its own number. [progress] is told what is being measured. [Error] says which name is
    unknown, or which process failed. *)

val run :
  ?quick:bool ->
  ?rounds:int ->
  ?json:string ->
  ?html:string ->
  ?baseline:Row.t list ->
  string list ->
  (unit, string) result
(** [run studies] is {!outcomes}, printed on standard output, with progress on standard error if
    that is a terminal. [json] is a file for the numbers, [html] a folder for the page [index.html]
    and a JSON file for each study, made if need be. The changes from [baseline] are printed too. *)
