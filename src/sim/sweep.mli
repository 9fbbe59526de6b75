(** The same scenario under many seeds. *)

val seeds : shard:int * int -> first:int -> last:int -> int * int * int
(** [seeds ~shard:(i, n) ~first ~last] is the first seed of the [i]th of [n] shards (counted from
    1), the step to its next seed, and how many it has. A shard takes every [n]th seed. *)

val run :
  jobs:int ->
  stop:(unit -> bool) ->
  on_done:(seed:int -> Failure.t option -> unit) ->
  shard:int * int ->
  first:int ->
  last:int ->
  (int -> Failure.t option) ->
  Failure.t list
(** [run ~jobs ~stop ~on_done ~shard ~first ~last one] is the failures of [one] under the
    {!val-seeds} of the shard, in order of seed. It runs in [jobs] domains, this one included.
    [on_done] is called after each seed, never by two domains at once. No seed begins once [stop ()]
    is true. *)
