(** Conditional requests (RFC 9110 §13): whether what a client has is still good. *)

type t = Proceed | Not_modified  (** 304 *) | Failed  (** 412 *)

val evaluate : Request.head -> etag:string -> modified:int -> t
(** [evaluate head ~etag ~modified] weighs If-Match, If-Unmodified-Since, If-None-Match and
    If-Modified-Since in the order of §13.2.2, for a resource with this entity tag, quotes and [W/]
    included, last modified at this second since 1970. *)

val range_applies : Request.head -> etag:string -> modified:int -> bool
(** [range_applies head ~etag ~modified] is false if an If-Range field says that the client's part
    is of another version (§13.1.5); then the whole is to be sent. *)
