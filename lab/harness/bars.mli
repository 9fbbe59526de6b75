(** A figure of bars that lie in groups, drawn in SVG: the groups one below the other, in each a bar
    for every series that has a value there, with the value at its end. *)

type value = { value : float; low : float; high : float }
(** [low] and [high] bound the 95% interval, drawn as a whisker if they differ and are finite. *)

type series = {
  label : string;
  published_of : string option;
      (** [Some l] is a published number, or another's, hatched, in the colour of the series [l] if
          there is one: what is to be read beside it. [None] is measured here *)
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
