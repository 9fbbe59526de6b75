(** The axes of figures, and the colours and text escaping that all figures use. *)

type t = { place : float -> float;  (** position on the axis, from 0 to 1 *) ticks : float list }

val linear : float -> t
(** [linear most] goes from 0 to a round number of at least [most], in about five steps. *)

val logarithmic : float -> float -> t
(** [logarithmic least most] goes from one power of ten to another. It needs [0 < least <= most]. *)

val number : float -> string
(** [number v] is a tick's text: ["0.1"], ["25k"]. *)

val colour : int -> string
(** [colour i] is the colour of series [i], as CSS. A page may set its own colours as [--c0] …
    [--c8]. Series 9 has the colour of series 0. *)

val series_colours : (string * string option) list -> int array
(** [series_colours l] is the colour of each series. An item is a series' label and, for published
    numbers, the label of the measured series with which they are compared and whose colour they
    get. *)

val escape : string -> string
(** [escape s] is [s] as XML text. *)
