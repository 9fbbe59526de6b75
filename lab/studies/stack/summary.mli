(** The median of many rounds and its interval. *)

type t = { median : float; low : float; high : float; n : int }

val of_list : float list -> t
(** [of_list xs] is the median of [xs]. Its bounds are the innermost pair of order statistics that
    contain the median with 95% confidence, for any distribution. This needs at least 6 values; with
    fewer, the bounds are the extremes.
    @raise Invalid_argument if [xs] is empty. *)
