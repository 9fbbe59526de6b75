(** Time tables: a line is a time, a change and its value, as [10s impair loss=5%/in@10.0.0.0/8].
    The last line may be [TIME repeat]. Times do not decrease. A file of whole numbers only is a
    trace of a rate: see {!Weir_link.Delivery_trace}. *)

type t = {
  changes : (Weir_base.Time.t * Run_change.t) list;  (** in order of time *)
  period : Weir_base.Time.t option;  (** after which the table begins again *)
}

val of_string : string -> (t, string) result
(** The error names the line. *)

val read : string -> (t, string) result
(** [read s] is the table or trace in the file [s], or [FILE/in] or [FILE/out] for a trace. *)
