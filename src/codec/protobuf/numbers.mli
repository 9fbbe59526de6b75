(** Numbers as JSON and text write them. *)

val double : float -> string
(** [double x] is the shortest decimal that reads back as [x]; for a finite [x]. *)

val float : float -> string
(** [float x] is the shortest decimal that reads back as [x] in single precision. *)

val integer : string -> int64 option
(** [integer s] is the whole number that the JSON number [s] writes, in whatever form (["1e3"],
    ["2.0"]), if it fits 64 bits signed. *)

val unsigned : string -> int64 option
(** [unsigned s] is likewise for 64 bits unsigned. *)

val joined : int -> int -> int -> int64
(** [joined high low digits] is the number of at most 20 digits whose first 18 are [high], and whose
    others are [low], if {!in_64_bits}; else what is left of it in 64 bits. *)

val in_64_bits : int -> int -> int -> bool
(** [in_64_bits high low digits] is whether it is below 2^64. *)

val single : float -> float option
(** [single x] is [x] rounded to single precision; [None] if that makes a finite number infinite. *)
