(** A chart of horizontal bars in SVG. Bars are in groups, one below the other. A group has a bar
    for each series with a value in it; the value is written at the bar's end. *)

type value = Sample.interval = { value : float; low : float; high : float }
(** [low] and [high] bound the 95% interval, drawn as a whisker if they differ and are finite. *)

type series = {
  label : string;
  published_of : string option;
      (** [None] for measured numbers. [Some l] for published ones: they are hatched, in the colour
          of the measured series [l] if there is one *)
  values : value option list;  (** one for each group, in order *)
}

type t = {
  title : string;
  unit_ : string;  (** what the axis shows, with its unit *)
  log : bool;  (** a logarithmic axis; values that are not positive are left out *)
  show : float -> string;  (** the text at a bar's end, such as [Axis.number] *)
  groups : string list;
  series : series list;
}

val exactly : float -> value
(** [exactly v] is [v] without an interval. *)

val svg : t -> string
(** [svg t] is an [<svg>] element that needs no other file. Series and groups without a value are
    left out. *)
