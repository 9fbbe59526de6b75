(** The failure that a server sends in place of a value. *)

type code =
  | Unknown_method
  | Undecodable  (** the request is not of the method's type *)
  | Too_large  (** the answer is longer than the client's limit *)
  | Timed_out  (** the client's or the server's time limit passed before the call was answered *)
  | Cancelled  (** the client cancelled the call *)
  | Shutting_down
      (** the call was not begun, because the server is shutting down; another server can be called
      *)
  | Internal  (** the server failed *)
  | Application of int
      (** a code of the program, from 0 to 2{^ 60} - 1; others arrive as [Internal] *)

type t = { code : code; message : string  (** for people; may be empty *) }

exception Failed of t
(** Raised by a handler to answer with a failure. *)

val fail : code -> string -> 'a
(** [fail code message] raises {!Failed}. *)

val make : code -> string -> t
val pp : Format.formatter -> t -> unit
val to_string : t -> string

(**/**)

val to_int : code -> int

val of_int : int -> code
(** [Internal] for an unknown number. *)
