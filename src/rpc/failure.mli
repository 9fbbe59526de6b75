(** The failure that a server sends in place of a value. *)

type code =
  | Unknown_method
  | Undecodable  (** the request is not of the method's type *)
  | Too_large  (** the answer is longer than the client's limit *)
  | Timed_out  (** the call's time, or the server's limit, was over before it was answered *)
  | Cancelled  (** the client gave the call up *)
  | Shutting_down
      (** not begun, because the server is shutting down: another server may be asked *)
  | Internal  (** the server failed *)
  | Application of int  (** the program's own, from 0 to 2{^ 60} - 1; others arrive as [Internal] *)

type t = { code : code; message : string  (** for people; may be empty *) }

exception Failed of t
(** A handler raises it to answer with a failure. *)

val fail : code -> string -> 'a
(** [fail code message] raises {!Failed}. *)

val make : code -> string -> t
val pp : Format.formatter -> t -> unit
val to_string : t -> string

(**/**)

val to_int : code -> int

val of_int : int -> code
(** [Internal] for an unknown number. *)
