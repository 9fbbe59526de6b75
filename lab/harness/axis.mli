(** A scale of a figure, and what all figures share: colours that follow the page's, text that is
    XML. *)

type t = { place : float -> float;  (** where on the axis, from 0 to 1 *) ticks : float list }

val linear : float -> t
(** [linear most] goes from 0 to a round number that is [most] or a little above, in about five
    steps. *)

val logarithmic : float -> float -> t
(** [logarithmic least most] goes from a power of ten to another; [0 < least <= most]. *)

val number : float -> string
(** [number v] is a tick's text: ["0.1"], ["25k"]. *)

val colour : int -> string
(** [colour i] is the [i]th series', as CSS. A page may name its own as [--c0] … [--c8]; the tenth
    series has the first's. *)

val series_colours : (string * string option) list -> int array
(** [series_colours l] is the colour of each series, a label and, for a published one, the label of
    the measured one that it is to be read beside, whose colour it then has. *)

val escape : string -> string
(** [escape s] is [s] as text of XML. *)
