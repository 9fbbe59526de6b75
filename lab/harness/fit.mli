(** Straight lines through measurements, by least squares. *)

type line = { slope : float; intercept : float; r2 : float  (** 1 if the points are on the line *) }

val line : (float * float) array -> line
(** [line points] is the line nearest to the points [(x, y)] by the sum of squares in [y]; slope 0
    for fewer than two different [x]. A constant [y] has [r2 = 1]. *)

val median : float array -> float
(** [median values] is the value in the middle, or the mean of the two there. [values] is not empty.
*)

val steady_slope : (float * float) array -> float
(** [steady_slope points] is the median of the slopes between any two points, weighted by their
    distance in [x]. A few points far from the line move it little. 0 for fewer than two different
    [x]. *)

val least : (float * float) array array -> (float * float) array
(** [least passes] has for each [x] the least [y] of the passes. There is at least one, and all have
    the same [x] in the same order. *)

val z95 : float
(** 1.96: the number of standard deviations that holds 95% of a normal distribution. *)

val t95 : int -> float
(** [t95 free] is the same for Student's distribution of [free] degrees of freedom; infinite if
    there are none. *)

val exponent : (float * float) list -> float
(** [exponent points] is the [e] that makes [y = a x^e] nearest, on logarithmic scales. Coordinates
    must be positive. *)

val exponent_interval : (float * float) list -> float * float
(** [exponent_interval points] bounds {!exponent} at 95%, as for errors that are alike and
    independent on the logarithmic scale: [(neg_infinity, infinity)] of fewer than three points. *)
