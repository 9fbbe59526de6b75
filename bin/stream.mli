(** Bulk transfers with their rate: what iperf and the demo run. *)

type result = { bytes : int; seconds : float }

val gbit_s : result -> float

val chunk : int
(** Bytes in each read or write. *)

val piece : int -> string
(** [piece n] is [n] bytes to send, at most {!chunk}. *)

val send : Weir_eio.Connection.t -> bytes:int -> unit
(** [send c ~bytes] writes [bytes] bytes of a fixed pattern and closes the sending direction. *)

val sink : Weir_eio.Host.t -> Weir_eio.Connection.t -> result
(** [sink host c] reads to the end of the stream; the time runs from the first byte. *)

val between :
  from:Weir_eio.host -> to_:Weir_eio.host -> to_address:string -> port:int -> bytes:int -> result
(** [between ~from ~to_ ~to_address ~port ~bytes] is one transfer. *)
