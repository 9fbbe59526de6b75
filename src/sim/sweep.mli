(** The same scenario under many seeds. *)

val run :
  jobs:int ->
  on_done:(seed:int -> Failure.t option -> unit) ->
  first:int ->
  last:int ->
  (int -> Failure.t option) ->
  Failure.t list
(** [run ~jobs ~on_done ~first ~last one] is the failures of [one] under the seeds from [first] to
    [last], in order of seed. It runs in [jobs] domains, this one included. [on_done] is called
    after each seed, never by two domains at once. *)
