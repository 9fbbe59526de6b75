(** Tokens of Thrift IDL, each with its line and the documentation comment before it. *)

type token =
  | Word of string
  | Integer of int64
  | Decimal of float
  | Literal of string
  | Sign of char
  | End

type t = { token : token; line : int; doc : string }

exception Error of int * string
(** A line and what is wrong there. *)

val tokens : string -> t list
(** [tokens s] ends with [End].
    @raise Error on what is no token. *)
