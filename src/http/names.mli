(** Method and field names that are met all the time, so that reading a message does not allocate
    them again. *)

val field : Bytes.t -> off:int -> len:int -> string
(** [field b ~off ~len] is a string of these bytes, shared if it is a well-known field name in its
    usual or in lower case. *)

val meth : Bytes.t -> off:int -> len:int -> Http.Method.t
(** [meth b ~off ~len] is the method of these bytes; methods are case-sensitive (RFC 9110 §9.1). *)

val same : Bytes.t -> off:int -> len:int -> string -> bool
(** [same b ~off ~len s] is whether these bytes are [s]. *)
