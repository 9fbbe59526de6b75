(** A link with recorded frames, as with [--pcap]. *)

val with_ : pcap:string option -> Weir_link.Link.t -> (Weir_link.Link.t -> 'a) -> 'a
(** [with_ ~pcap link f] is [f link]. If [pcap] is given, the frames of [link] are recorded to that
    file. *)
