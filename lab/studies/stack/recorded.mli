(** A link whose frames are recorded, as [--pcap] has it. *)

val with_ : pcap:string option -> Weir_link.Link.t -> (Weir_link.Link.t -> 'a) -> 'a
(** [with_ ~pcap link f] is [f link], [link] recorded to the file [pcap] if one is given. *)
