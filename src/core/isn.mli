(** What an incarnation of a connection begins with. *)

val initial :
  secret:string ->
  now:Weir_base.Time.t ->
  local:Weir_wire.Ip.t ->
  local_port:int ->
  remote:Weir_wire.Ip.t ->
  remote_port:int ->
  Seq.t * int
(** [initial ~secret ~now …] is the initial sequence number (RFC 6528) and the offset of the
    timestamps' clock for a four-tuple; nobody can tell them without [secret]. *)
