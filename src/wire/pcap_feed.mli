(** Reads a capture as it arrives, from a pipe or a file that grows, in any format that {!Pcap}
    reads. It keeps bytes that were not read yet: at most one record or block ({!longest}) and the
    bytes of the last {!feed}. *)

type t

val create : unit -> t
(** [create ()] is at the start of a capture. *)

val longest : int
(** The longest record or block that is read, 64 MiB; a longer one is an error. *)

val feed : t -> Bytes.t -> off:int -> len:int -> unit
(** [feed t b ~off ~len] appends a copy of these bytes to the capture.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

type event =
  | Packet of Bytes.t * Pcap.packet
      (** a buffer that is not changed later, and the packet at [off] in it *)
  | Starved  (** more bytes are wanted *)

val next : t -> (event, Error.t) result
(** [next t] is the next packet. The [at] of an error counts from the start of the capture. After an
    error, [next] returns the same error again. *)

val finish : t -> (unit, Error.t) result
(** [finish t] checks the end of the capture; call it when [next t] is [Starved]. It is an error if
    the capture ends inside a record or the file header. *)
