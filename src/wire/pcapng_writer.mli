(** Writing pcapng (draft-ietf-opsawg-pcapng): one section, one Ethernet interface, times in
    nanoseconds, comments. Files are little endian. Each function is a whole block, to append. *)

val header : snaplen:int -> interface:string -> application:string -> string
(** [header ~snaplen ~interface ~application] is the section's and the interface's header. *)

val packet :
  time:Weir_base.Time.t ->
  original:int ->
  ?comments:string list ->
  Bytes.t ->
  off:int ->
  len:int ->
  string
(** [packet ~time ~original b ~off ~len] is a packet of [original] bytes, of which the [len] at
    [off] are captured, at [time] since 1970, with comments. *)

val names : (Ipaddr.t * string) list -> string
(** [names l] is a name resolution block; readers show the names. *)

val statistics :
  time:Weir_base.Time.t -> received:int -> dropped:int -> ?comments:string list -> unit -> string
(** [statistics ~time ~received ~dropped ()] is the interface's statistics at the end. *)
