(** Reads a capture as it comes, from a pipe or a file that grows, in any format that {!Pcap} reads.
    It keeps what was given and not yet read: at most one record or block ({!longest}) and what
    {!feed} was last given. *)

type t

val create : unit -> t
(** [create ()] is at the start of a capture. *)

val longest : int
(** The longest record or block that is read, 64 MiB; a longer one is an error. *)

val feed : t -> Bytes.t -> off:int -> len:int -> unit
(** [feed t b ~off ~len] says that these bytes, which are copied, come next.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

type event =
  | Packet of Bytes.t * Pcap.packet
      (** the packet's bytes begin at [off] in those bytes, which are not changed later *)
  | Starved  (** more bytes are wanted *)

val next : t -> (event, Error.t) result
(** [next t] is the next packet. The [at] of an error counts from the start of the capture. After an
    error [next] gives it again. *)

val finish : t -> (unit, Error.t) result
(** [finish t] says that no more bytes come, when [next t] is [Starved]: an error if the capture
    ends inside a record or its header. *)
