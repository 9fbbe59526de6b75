(** A bar chart in SVG. Bars are horizontal and in groups, one group below the other. A group has a
    bar for each series that has a value there, and the value stands at the bar's end. *)

type value = Sample.interval = { value : float; low : float; high : float }
(** [low] and [high] bound the 95% interval, drawn as a whisker if they differ and are finite. *)

type series = {
  label : string;
  published_of : string option;
      (** [None] for numbers measured here. [Some l] for published numbers: they are hatched, in the
          colour of the measured series [l] if there is one *)
  values : value option list;  (** one for each group, in order *)
}

type t = {
  title : string;
  unit_ : string;  (** what the axis shows, with its unit *)
  log : bool;  (** a logarithmic axis; values that are not positive are left out *)
  show : float -> string;  (** the value at a bar's end; [Axis.number] will do *)
  groups : string list;
  series : series list;
}

val exactly : float -> value
(** [exactly v] is [v] with no interval. *)

val svg : t -> string
(** [svg t] is an [<svg>] element, complete in itself. Series without a value are left out, and
    groups without one too. *)
