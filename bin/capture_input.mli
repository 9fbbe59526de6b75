(** Reads the packets of a capture from a file, standard input or a pipe. *)

val iter :
  follow:bool ->
  on_pause:(unit -> unit) ->
  string ->
  (Bytes.t -> Weir_wire.Pcap.packet -> [ `Go_on | `Stop ]) ->
  unit
(** [iter ~follow ~on_pause path f] is [f bytes packet] for each packet, until [f] returns [`Stop]
    or the capture ends; [packet.off] is an offset in [bytes]. [path] is [-] for standard input. The
    memory used is bounded, whatever the size of the capture. [on_pause ()] is called before each
    wait for more bytes.

    With [follow], reading goes on at the end of a file: appended packets are read too. When the
    file is truncated, or replaced under its name (rotation), the new content is read from its start
    as a new capture. The file is checked ten times a second. [follow] does not change pipes.
    @raise Fail.Usage if it cannot be opened.
    @raise Fail.Failed if it is no capture, or ends inside a packet. *)
