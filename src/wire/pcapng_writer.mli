(** Writing pcapng (draft-ietf-opsawg-pcapng): one section, one Ethernet interface, times in
    nanoseconds, comments. Files are little endian. Each function is a whole block, to append. *)

val header : snaplen:int -> interface:string -> application:string -> string
(** [header ~snaplen ~interface ~application] is the section header and the interface description.
*)

val packet :
  time:Weir_base.Time.t ->
  original:int ->
  ?comments:string list ->
  Bytes.t ->
  off:int ->
  len:int ->
  string
(** [packet ~time ~original b ~off ~len] is the block of a packet of [original] bytes, of which the
    [len] at [off] were captured. [time] is in nanoseconds since 1970. *)

val names : (Ipaddr.t * string) list -> string
(** [names l] is a name resolution block: readers show the names for the addresses. *)

val statistics :
  time:Weir_base.Time.t -> received:int -> dropped:int -> ?comments:string list -> unit -> string
(** [statistics ~time ~received ~dropped ()] is the interface's statistics at the end. *)
