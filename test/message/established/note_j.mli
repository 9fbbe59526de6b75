(* Auto-generated from "note.atd" *)
[@@@ocaml.warning "-27-32-33-35-39"]

type note = Note_t.note = { title : string; pages : int list; author : string option }

val write_note : Buffer.t -> note -> unit
(** Output a JSON value of type {!type:note}. *)

val string_of_note : ?len:int -> note -> string
(** Serialize a value of type {!type:note} into a JSON string.
    @param len specifies the initial length of the buffer used internally. Default: 1024. *)

val read_note : Yojson.Safe.lexer_state -> Lexing.lexbuf -> note
(** Input JSON data of type {!type:note}. *)

val note_of_string : string -> note
(** Deserialize JSON data of type {!type:note}. *)
