(** Shared strings for frequent methods and field names, so that parsing a message does not allocate
    them. *)

val field : Bytes.t -> off:int -> len:int -> string
(** [field b ~off ~len] is the string of these bytes; a shared one for a frequent field name in its
    usual spelling or in lower case. *)

val meth : Bytes.t -> off:int -> len:int -> Http.Method.t
(** [meth b ~off ~len] is the method of these bytes; methods are case-sensitive (RFC 9110 §9.1). *)

val same : Bytes.t -> off:int -> len:int -> string -> bool
(** [same b ~off ~len s] is whether these bytes are [s]. *)
