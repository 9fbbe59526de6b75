(** The load generator of the stack study, wrk. *)

val run : connections:int -> seconds:int -> Reading.t list
(** [run ~connections ~seconds] asks for [/] at {!Space.there}, with two threads if there are as
    many connections: requests and bytes, each also a second, the latency and the threads' rates as
    wrk sums them up ([_within]: the share within one deviation of the mean), and errors (of
    sockets, timeouts, and answers with another status than 2xx or 3xx).
    @raise Child.Failed if wrk fails or got no answer at all. *)
