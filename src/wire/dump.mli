(** One line a packet, in tcpdump's manner:
    {v 10.0.0.1:1234 > 10.0.0.2:80 TCP S seq=1 win=65535 <mss 1460,sackOK,TS 1 0,ws 7> len 0 v}
    A packet that cannot be decoded is shown as far as possible, with the reason in brackets.
    Sequence numbers are those of the headers. For other numbers, such as relative ones, change them
    in the {!Layers}. *)

val pp : Format.formatter -> Layers.t -> unit
(** [pp f t] prints [t] without a line break. *)

val pp_frame : Format.formatter -> Bytes.t -> off:int -> len:int -> unit
(** [pp_frame f b ~off ~len] prints the Ethernet frame of [len] bytes at [off]. It accepts any bytes
    and never raises. *)

val pp_ip : Format.formatter -> Bytes.t -> off:int -> len:int -> unit
(** [pp_ip] is {!pp_frame} for an IPv4 or IPv6 packet without a link header. *)
