(** Straight lines through measurements, by least squares. *)

type line = { slope : float; intercept : float; r2 : float  (** 1 if the points are on the line *) }

val line : (float * float) array -> line
(** [line points] is the line nearest to the points [(x, y)] by the sum of squares in [y]; slope 0
    for fewer than two different [x]. A constant [y] has [r2 = 1]. *)

val interval : ?samples:int -> (float * float) array -> float * float
(** [interval points] bounds the slope at 95%: the bootstrap's percentiles over [samples] (default
    400) draws of the points, always the same draws. *)

val exponent : (float * float) list -> float
(** [exponent points] is the [e] that makes [y = a x^e] nearest, on logarithmic scales. Coordinates
    must be positive. *)

val exponent_interval : (float * float) list -> float * float
(** [exponent_interval points] bounds {!exponent} at 95%, as for errors that are alike and
    independent on the logarithmic scale: [(neg_infinity, infinity)] of fewer than three points. *)
