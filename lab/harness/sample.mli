(** A quantity that is measured once in each round of a run, with the interval in which a second run
    would find it.

    Rounds are separate processes, spread over the whole run. In round [r] of a run, the logarithm
    of a time is modelled as

    [centre + common_r + process_r + noise_r + drift]

    - [common_r] is the machine's speed, the same for all quantities of a round. It changes slowly.
      So its mean differs between two runs about as much as between two rounds, and more rounds do
      not help.
    - [process_r] and [noise_r] (the layout of code, stack and heap in a process; other
      disturbances) are independent from round to round. Their effect on the mean decreases with the
      number of rounds.
    - [drift] is a slow change of one quantity, apart from the machine's. {!settle} estimates its
      usual size from the difference between the first and the second half of the rounds.

    A ratio of two quantities of the same rounds has no [common_r]. *)

type t

type interval = {
  value : float;
  low : float;
  high : float;
      (** [low] and [high] bound a 95% interval. Both are [value] if it is known exactly, and
          infinite for fewer than two rounds. *)
}

val of_rounds : float array -> t
(** [of_rounds values] has one value for each round, in order; [nan] if the round has none. *)

val rounds : t -> float array

val settle : t list -> t list
(** [settle samples] adds estimates of [common_r] and [drift] to [samples], which were measured in
    the same rounds. Both are estimated from all samples with a positive value in each round. With
    fewer than four rounds it changes nothing. *)

val interval : t -> interval
(** [interval t] is the centre of the rounds' values and its 95% interval. The centre is the trimmed
    mean, without the least and the greatest fifth of the values, on a logarithmic scale if all are
    positive. The interval is Yuen's (Student's with the Winsorized variance), widened by the
    variances that {!settle} estimated. The value is [nan] for an empty sample. *)

val relative : (float list -> float) -> t list -> t
(** [relative f samples] applies [f] to the values of each round. [f] must not depend on a common
    factor of the values, like a ratio, because the result has no [common_r]. *)

val over : t -> t -> t
(** [over a b] is the ratio [a / b], round by round. *)

val exactly : float -> interval
(** [exactly v] is [v] with an empty interval. *)

val apart : interval -> interval -> bool
(** [apart a b] is true if the intervals do not overlap. *)

val text : ?digits:int -> interval -> string
(** [text i] is ["0.48 (0.46 to 0.50)"], or the value alone if the interval is not finite or is
    exact. [digits] is the number of digits after the point: by default 3 below 0.1, 1 from 10, else
    2. *)
