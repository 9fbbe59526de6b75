(** Cap'n Proto records as {!Codec}s. To read in place instead, take {!Reader.read}'s view to
    [Weir_capnp.Message.of_frame]. *)

(** What capnpc-weir generates for a struct. *)
module type RECORD = sig
  type t

  val root : Weir_capnp.Message.t -> t Weir_capnp.Reader.t
  val of_reader : Weir_capnp.Message.t -> t Weir_capnp.Reader.t -> t
  val write : Weir_capnp.Builder.t -> t -> unit
end

val record : name:string -> (module RECORD with type t = 'a) -> 'a Codec.t
(** [record ~name (module Payload)]: a message with its segment table, not packed, in one segment.
    What is read may unfold to four times its size, and no more. *)
