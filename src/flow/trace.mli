(** A flow that records its bytes in the pcap format: one record per read or write, with link type
    147 (user 0). A record's first byte is 0 for bytes read, 1 for bytes written. Wireshark and
    tshark open it. A read of 0 bytes, the end, is a record with that one byte. *)

val wrap : now:(unit -> Weir_base.Time.t) -> record:#Flow.writer -> #Flow.flow -> Flow.flow
(** [wrap ~now ~record f] is [f] with a recorder. It writes the file's header to [record] at once,
    and then a record, stamped [now ()], for each operation that succeeded. Records longer than
    262,144 bytes are split. [cast] is not passed on. *)
