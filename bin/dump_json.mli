(** Packets for programs: one JSON object a line. *)

val of_packet : Weir_dissect.Dissection.t -> Yojson.Safe.t
(** [of_packet d] has the fields of {!Weir_dissect.Fields.all} that [d] has, those of a protocol in
    an object of its own: [tcp.seq] is [.tcp.seq]. Fields for source or destination are left out;
    those with any number of values are arrays; addresses and times are strings. *)

val time : Weir_base.Time.t -> Yojson.Safe.t
(** [time t] is seconds with nine decimals, as a string: a float would not hold them. *)
