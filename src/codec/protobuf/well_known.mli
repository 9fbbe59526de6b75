(** The well-known types whose JSON is not that of their fields: how their values are spelt.
    Protocol Buffers documentation, "ProtoJSON Format". *)

val timestamp : seconds:int64 -> nanos:int -> string option
(** [timestamp ~seconds ~nanos] is RFC 3339 with 0, 3, 6 or 9 digits of fraction; [None] outside
    years 1 to 9999. *)

val read_timestamp : string -> (int64 * int) option
(** [read_timestamp s] is seconds and nanoseconds; any offset from UTC is taken. *)

val duration : seconds:int64 -> nanos:int -> string option
(** [duration ~seconds ~nanos] is ["1.500s"]; [None] beyond 10,000 years or if signs differ. *)

val read_duration : string -> (int64 * int) option

val mask_path : string -> string option
(** [mask_path "foo_bar.baz"] is ["fooBar.baz"]; [None] if that could not be undone. *)

val read_mask_path : string -> string option
(** [read_mask_path] is the inverse; [None] if there is an underscore. *)
