(** One line a packet, in tcpdump's manner:
    {v 10.0.0.1:1234 > 10.0.0.2:80 TCP S seq=1 win=65535 <mss 1460,sackOK,TS 1 0,ws 7> len 0 v}
    Nothing is remembered from packet to packet: sequence numbers are absolute, and fragments are
    not put together. What cannot be decoded is shown as far as it can, with the reason in brackets.
*)

val pp_frame : Format.formatter -> Bytes.t -> off:int -> len:int -> unit
(** [pp_frame f b ~off ~len] prints the Ethernet frame of [len] bytes at [off], without a line
    break. It raises nothing, whatever the bytes. *)

val pp_ipv4 : Format.formatter -> Bytes.t -> off:int -> len:int -> unit
(** [pp_ipv4] is {!pp_frame} for an IPv4 packet without a link header. *)
