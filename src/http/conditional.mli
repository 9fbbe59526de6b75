(** Conditional requests (RFC 9110 §13): whether the client's copy is still current. *)

type t = Proceed | Not_modified  (** 304 *) | Failed  (** 412 *)

val evaluate : Request.head -> etag:string -> modified:int -> t
(** [evaluate head ~etag ~modified] evaluates If-Match, If-Unmodified-Since, If-None-Match and
    If-Modified-Since in the order of §13.2.2. [etag] is the resource's entity tag with its quotes
    and [W/]; [modified] is the time of its last change in seconds since 1970. *)

val range_applies : Request.head -> etag:string -> modified:int -> bool
(** [range_applies head ~etag ~modified] is false if an If-Range field names another version of the
    resource (§13.1.5): then send the whole resource. *)
