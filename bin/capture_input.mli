(** The packets of a capture file, of standard input or of a pipe, as they come. *)

val iter :
  follow:bool ->
  on_pause:(unit -> unit) ->
  string ->
  (Bytes.t -> Weir_wire.Pcap.packet -> [ `Go_on | `Stop ]) ->
  unit
(** [iter ~follow ~on_pause path f] is [f bytes packet] for each packet, until [f] says [`Stop] or
    the capture ends; [packet.off] counts in [bytes]. [path] is [-] for standard input. What is in
    memory is bounded, however long the capture. [on_pause ()] is called before each wait for more.

    With [follow] the end of a file is not the capture's: packets that are appended are read too,
    and when the file is cut shorter or another takes its name (rotation) it is read from its start,
    as a capture of its own. It is looked at ten times a second. Pipes end as without [follow].
    @raise Fail.Usage if it cannot be opened.
    @raise Fail.Failed if it is no capture, or ends inside a packet. *)
