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
(** The line, and the reason. *)

val tokens : string -> t list
(** [tokens s] is the tokens of [s]; the last is [End].
    @raise Error if characters of [s] form no token. *)
