(** Straight lines through measurements, by least squares. *)

type line = { slope : float; intercept : float; r2 : float  (** 1 if the points are on the line *) }

val line : (float * float) array -> line
(** [line points] is the line nearest to the points [(x, y)] by the sum of squares in [y]; slope 0
    for fewer than two different [x]. A constant [y] has [r2 = 1]. *)

val interval : ?samples:int -> (float * float) array -> float * float
(** [interval points] bounds the slope at 95%: the bootstrap's percentiles over [samples] (default
    400) draws of the points, always the same draws. *)

val median : float array -> float
(** [median values] is the value in the middle, the mean of two if their number is even. There must
    be one. *)

val steady_slope : (float * float) array -> float
(** [steady_slope points] is the median of the slopes between any two of the points, those far apart
    weighing more: a few points far off the line move it little. 0 for fewer than two different [x].
*)

val least : (float * float) array array -> (float * float) array
(** [least rounds] has for each [x] the least [y] of the rounds. All rounds have the same [x], in
    the same order; there is one. *)

val least_interval : ?samples:int -> (float * float) array array -> float * float
(** [least_interval rounds] bounds [steady_slope (least rounds)] as {!interval} does, by draws of
    rounds. *)

val exponent : (float * float) list -> float
(** [exponent points] is the [e] that makes [y = a x^e] nearest, on logarithmic scales. Coordinates
    must be positive. *)

val exponent_interval : (float * float) list -> float * float
(** [exponent_interval points] bounds {!exponent} at 95%, as for errors that are alike and
    independent on the logarithmic scale: [(neg_infinity, infinity)] of fewer than three points. *)
