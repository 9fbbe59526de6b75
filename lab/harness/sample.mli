(** One quantity, measured once in each round of a run, and the interval in which a second run would
    find it.

    Rounds are separate processes, spread over the whole run. In round [r] of a run, the logarithm
    of a time is modelled as

    [centre + common_r + process_r + noise_r + drift]

    - [common_r] is the machine's speed, the same for all quantities of the round. It changes
      slowly, so its mean over a run differs from that of a later run about as much as one round's
      speed differs from another's. More rounds do not help.
    - [process_r] and [noise_r] (the layout of code, stack and heap in a process; other
      disturbances) are independent from round to round. Their effect on the mean shrinks with the
      rounds.
    - [drift] is a quantity's own slow change, apart from the machine's. {!settle} estimates its
      usual size from the difference between the first and the second half of the rounds.

    A ratio of two quantities of the same rounds has no [common_r]. *)

type t

type interval = {
  value : float;
  low : float;
  high : float;
      (** [low] and [high] bound a 95% interval. They are [value] for what is known exactly, and
          infinitely far away for fewer than two rounds. *)
}

val of_rounds : float array -> t
(** [of_rounds values] has one value for each round, in order; [nan] where the round has none. *)

val rounds : t -> float array

val settle : t list -> t list
(** [settle samples] is [samples], which were measured in the same rounds, each with the estimates
    of [common_r] and [drift]: both come from all samples together, but those that have a round
    without a positive value. It changes nothing if there are fewer than four rounds. *)

val interval : t -> interval
(** [interval t] is the centre of the rounds' values and its 95% interval. The centre is the mean
    without the least fifth and the greatest fifth of the values, on a logarithmic scale if all are
    positive. The interval is Student's with the Winsorized variance (Yuen's), widened by the
    variances that {!settle} estimated. The value is [nan] if there is none. *)

val relative : (float list -> float) -> t list -> t
(** [relative f samples] is [f] of the values of each round. [f] must not change when all values are
    multiplied by the same factor, as a ratio does not: the machine's speed is taken to cancel. *)

val over : t -> t -> t
(** [over a b] is the ratio [a / b], round by round. *)

val exactly : float -> interval
(** [exactly v] is [v] without doubt. *)

val apart : interval -> interval -> bool
(** [apart a b] says that the intervals do not overlap. *)

val text : ?digits:int -> interval -> string
(** [text i] is ["0.48 (0.46 to 0.50)"], or the value alone if the interval is not finite or is
    exact. [digits] are those after the point; by default 3 below 0.1, 1 from 10, else 2. *)
