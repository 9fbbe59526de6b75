(** Packets as JSON, for programs: one object on each line. *)

val of_packet : Weir_dissect.Dissection.t -> Yojson.Safe.t
(** [of_packet d] has the fields of {!Weir_dissect.Fields.all} that [d] has, grouped by protocol:
    [tcp.seq] is [.tcp.seq]. Fields that stand for source or destination are left out. Fields with
    any number of values are arrays. Addresses and times are strings. *)

val time : Weir_base.Time.t -> Yojson.Safe.t
(** [time t] is seconds with nine decimals, as a string, because a float has too few digits. *)
