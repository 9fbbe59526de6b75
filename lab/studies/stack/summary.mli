(** Many rounds as one number: the median, and what bounds it. *)

type t = { median : float; low : float; high : float; n : int }

val of_list : float list -> t
(** [of_list xs] has the median of [xs] and, as bounds, the innermost pair of order statistics that
    holds it with 95% confidence whatever the distribution: from 6 values on the extremes suffice,
    with fewer the extremes stand for want of better.
    @raise Invalid_argument if [xs] is empty. *)
