(** A flow that records its bytes in the pcap format: one record per read or write, with link type
    147 (user 0). A record's first byte is 0 for bytes read, 1 for bytes written. Wireshark and
    tshark can open the file. The end of the stream, a read of 0 bytes, is a record of that one
    byte. *)

val wrap : now:(unit -> Weir_base.Time.t) -> record:#Flow.writer -> #Flow.flow -> Flow.flow
(** [wrap ~now ~record f] is [f] with a recorder. It writes the file header to [record] at once, and
    then a record with the time [now ()] for each successful operation. Records longer than 262,144
    bytes are split. It does not pass on [cast]. *)
