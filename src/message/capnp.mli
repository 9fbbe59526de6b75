(** Cap'n Proto records as {!Codec}s. To read without decoding, give the view of {!Reader.read} to
    [Weir_capnp.Message.of_frame]. *)

(** The module that capnpc-weir generates for a struct. *)
module type RECORD = sig
  type t

  val root : Weir_capnp.Message.t -> t Weir_capnp.Reader.t
  val of_reader : Weir_capnp.Message.t -> t Weir_capnp.Reader.t -> t
  val write : Weir_capnp.Builder.t -> t -> unit
end

val record : name:string -> (module RECORD with type t = 'a) -> 'a Codec.t
(** [record ~name (module Payload)] encodes a message with its segment table, not packed, in one
    segment. Decoding follows pointers to at most four times the message's size and 32 KiB. *)
