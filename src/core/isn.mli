(** The initial numbers of a connection. *)

val initial :
  secret:string ->
  now:Weir_base.Time.t ->
  local:Weir_wire.Ip.t ->
  local_port:int ->
  remote:Weir_wire.Ip.t ->
  remote_port:int ->
  Seq.t * int
(** [initial ~secret ~now …] is the initial sequence number (RFC 6528) and the timestamp offset for
    a four-tuple. They cannot be predicted without [secret]. *)
