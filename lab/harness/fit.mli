(** Straight lines through measurements, by least squares. *)

type line = { slope : float; intercept : float; r2 : float  (** 1 if the points are on the line *) }

val line : (float * float) array -> line
(** [line points] is the least-squares line through the points [(x, y)]. Its slope is 0 for fewer
    than two different [x]. If all [y] are equal, [r2] is 1. *)

val median : float array -> float
(** [median values] is the middle value, or the mean of the two middle values. [values] must not be
    empty. *)

val steady_slope : (float * float) array -> float
(** [steady_slope points] is the median of the slopes between all pairs of points, weighted by their
    distance in [x]. A few outliers change it little. 0 for fewer than two different [x]. *)

val least : (float * float) array array -> (float * float) array
(** [least passes] has the least [y] of all passes for each [x]. There must be at least one pass,
    and all must have the same [x] in the same order. *)

val z95 : float
(** 1.96: 95% of a normal distribution lies within this many standard deviations of the mean. *)

val t95 : int -> float
(** [t95 free] is the same for Student's distribution with [free] degrees of freedom; infinite for
    0. *)

val exponent : (float * float) list -> float
(** [exponent points] is the [e] for which [y = a x^e] fits the points best, on logarithmic scales.
    Coordinates must be positive. *)

val exponent_interval : (float * float) list -> float * float
(** [exponent_interval points] is the 95% interval of {!exponent}, if errors on the logarithmic
    scale are independent and equally distributed: [(neg_infinity, infinity)] for fewer than three
    points. *)
