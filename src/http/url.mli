(** [http://] URLs (RFC 9110 §4.2.1). *)

type t = {
  host : string;  (** a name or address, an IPv6 one without its brackets *)
  port : int;  (** 1 to 65535; default 80 *)
  target : string;  (** path and query, beginning with [/] *)
}

val parse : string -> (t, string) result
(** [parse s] is the URL [s]; its fragment is dropped, and bytes not allowed in a request (blanks,
    non-ASCII) are percent-encoded. The error is a sentence for the user; an [https:] URL is an
    error. *)

val authority : t -> string
(** [authority u] is the value of the Host field, without the port if it is 80. *)

val to_string : t -> string
