(** Many rounds as one number: the median, and what bounds it. *)

type t = { median : float; low : float; high : float; n : int }

val of_list : float list -> t
(** [of_list xs] has the median of [xs]. Its bounds are the innermost pair of order statistics that
    holds the median with 95% confidence, for any distribution. That takes at least 6 values; with
    fewer, the bounds are the extremes.
    @raise Invalid_argument if [xs] is empty. *)
