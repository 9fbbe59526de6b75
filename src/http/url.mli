(** [http://] URLs (RFC 9110 §4.2.1). *)

type t = {
  host : string;  (** a name or address, an IPv6 one without its brackets *)
  port : int;  (** 1 to 65535, 80 if not said *)
  target : string;  (** path and query, beginning with [/] *)
}

val parse : string -> (t, string) result
(** [parse s] is the URL [s]; its fragment is dropped, and bytes that a request may not carry
    (blanks, non-ASCII) are percent-encoded. The error is a sentence for the user; [https:] is one.
*)

val authority : t -> string
(** [authority u] is the Host field: the port left out if it is 80. *)

val to_string : t -> string
