(** Passive opening: segments that no connection takes, as a listener sees them. A SYN makes a
    half-open connection, is held for the interceptor's user, or is answered with a cookie
    ({!Syn_cookies}) when there are too many; an ACK may be the answer to a cookie. *)

open Weir_wire

val unconnected :
  Tcp_state.t -> src:Ip.t -> dst:Ip.t -> mss:int -> Segment.t -> Bytes.t -> data:int -> unit
(** [unconnected t ~src ~dst ~mss s b ~data] processes [s] in LISTEN, or, without a listener, in
    CLOSED (RFC 9293 §3.10.7.2, §3.10.7.1). Its data are in [b] from [data] on; the caller keeps
    [b]. [mss] is the longest segment that the link to [src] allows. *)

val other_handshake : Tcp_state.t -> Tcb.t -> mss:int -> Segment.t -> Bytes.t -> data:int -> unit
(** [other_handshake t c ~mss s b ~data] processes [s], which begins or ends another handshake than
    that of [c] though [c] has its addresses and ports: see {!Tcp_input.segment}. *)
