(** Records the frames of any link, both directions, as a capture file with nanosecond times. *)

val record :
  ?snaplen:int ->
  ?recorded:(unit -> unit) ->
  epoch_ns:Weir_base.Time.t ->
  write:(Bytes.t -> off:int -> len:int -> unit) ->
  Link.t ->
  Link.t
(** [record ~epoch_ns ~write link] is [link], and appends to a capture through [write]: the file's
    header at once, then a record for each frame received (when [receive] gives it) and each one
    given to [send] (even if the link then drops it), of which at most [snaplen] bytes (default
    262,144) are kept. [epoch_ns] is the time of day, in nanoseconds since 1970, at the instant 0 of
    [now]: records are stamped [epoch_ns + now] (at least 0).

    [write b ~off ~len] must have copied the bytes when it returns and should not raise
    ([Weir_link_unix.File_writer.write] is one); it is called twice a frame, with no allocation, and
    [recorded ()] after it ([Weir_link_unix.File_writer.end_record]). Closing the link does not
    close what [write] writes to. *)

val longest : int
(** 262,144: the snap length of a capture of whole frames. *)

val record_by :
  ?snaplen:int ->
  epoch_ns:Weir_base.Time.t ->
  append:(head:Bytes.t -> Bytes.t -> off:int -> len:int -> unit) ->
  Link.t ->
  Link.t
(** [record_by ~epoch_ns ~append link] is as {!record}, for who writes the file's header
    ({!Weir_wire.Pcap.header}) itself: [append ~head b ~off ~len] is called once a frame, with the
    record's header and what is kept of the frame, and must have copied both when it returns
    ([Weir_link_unix.Capture_writer.append]). *)
