(** A plot of lines, drawn in SVG. *)

type series = {
  label : string;
  published_of : string option;
      (** as in {!Bars.series}; lines with [Some l] are dashed, in the colour of the series [l] *)
  points : (float * float) list;
}

type t = {
  title : string;
  x : string;  (** what the axis shows, with its unit *)
  y : string;
  log_y : bool;  (** a logarithmic axis; points that are not positive are left out *)
  series : series list;
}

val svg : t -> string
(** [svg t] is an [<svg>] element that needs no other file. *)
