(** Reno's congestion control (RFC 5681, with byte counting): the window grows by one segment for
    each acknowledged window, and a loss sets it to half of the bytes in flight. {!Hystart} ends
    slow start. *)

val algorithm : Congestion.algorithm
(** Its name is ["reno"]. *)
