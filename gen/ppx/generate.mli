(** What a group of type declarations becomes. *)

open Ppxlib

val structure : path:string -> proto:bool -> rec_flag -> type_declaration list -> structure
(** [structure ~path ~proto flag declarations] is the code after them; [proto] asks for the text of
    a [.proto] file too. *)

val signature : proto:bool -> type_declaration list -> signature
