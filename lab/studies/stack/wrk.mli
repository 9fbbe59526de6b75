(** The load generator of the stack study, wrk. *)

val run : connections:int -> seconds:int -> Reading.t list
(** [run ~connections ~seconds] requests [/] at {!Space.there}, with two threads if there are at
    least two connections. The readings are requests and bytes, in all and per second; latency and
    the threads' rates as wrk summarises them ([_within]: the share within one standard deviation of
    the mean); and errors (of sockets, timeouts, and responses with another status than 2xx or 3xx).
    @raise Child.Failed if wrk fails or got no response. *)
