(** A play as JSON, for the page. Times are ns. *)

val text : string -> string
val list : string list -> string

val of_play : Play.t -> string
(** [of_play t] is an object: [hosts], [finish], [digest] (hexadecimal), [frames], [delivered],
    [outcome] (null or a text); [packets], each
    [[at, kind, flags, marked, length, [[from, to, enter, leave, arrive or -1, fate], …]]], hosts by
    their numbers and -1 for what is none; and [samples], each
    [[host, at, state, cwnd, ssthresh or -1, in flight, peer's window, unsent, acknowledged,
     received, unread, mss, srtt or -1, rto, recovery, retransmitted, [[timer, at], …]]]. *)

val fields : (string * string) list -> string
(** [fields l] is an array of pairs. *)
