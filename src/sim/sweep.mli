(** The same scenario under many seeds. *)

val run :
  jobs:int ->
  on_done:(seed:int -> Failure.t option -> unit) ->
  first:int ->
  last:int ->
  (int -> Failure.t option) ->
  Failure.t list
(** [run ~jobs ~on_done ~first ~last one] is what [one] found under the seeds from [first] to
    [last], in their order. It runs in [jobs] domains, this one among them; [on_done], never in two
    at once, is told of each seed when it is done. *)
