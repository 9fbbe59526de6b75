(* Auto-generated from "payload.atd" *)
[@@@ocaml.warning "-27-32-33-35-39"]

type fifth = Payload_t.fifth = {
  first: string option;
  second: string option;
  third: string option;
  fourth: string option
}

type payload = Payload_t.payload = {
  first: bool;
  second: bool;
  third: float;
  fourth: int;
  fifth: fifth list;
  sixth: int list
}

val write_fifth :
  Buffer.t -> fifth -> unit
  (** Output a JSON value of type {!type:fifth}. *)

val string_of_fifth :
  ?len:int -> fifth -> string
  (** Serialize a value of type {!type:fifth}
      into a JSON string.
      @param len specifies the initial length
                 of the buffer used internally.
                 Default: 1024. *)

val read_fifth :
  Yojson.Safe.lexer_state -> Lexing.lexbuf -> fifth
  (** Input JSON data of type {!type:fifth}. *)

val fifth_of_string :
  string -> fifth
  (** Deserialize JSON data of type {!type:fifth}. *)

val write_payload :
  Buffer.t -> payload -> unit
  (** Output a JSON value of type {!type:payload}. *)

val string_of_payload :
  ?len:int -> payload -> string
  (** Serialize a value of type {!type:payload}
      into a JSON string.
      @param len specifies the initial length
                 of the buffer used internally.
                 Default: 1024. *)

val read_payload :
  Yojson.Safe.lexer_state -> Lexing.lexbuf -> payload
  (** Input JSON data of type {!type:payload}. *)

val payload_of_string :
  string -> payload
  (** Deserialize JSON data of type {!type:payload}. *)

