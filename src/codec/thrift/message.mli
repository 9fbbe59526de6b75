(** The envelope of a call or reply: name, kind and sequence number before the struct of arguments
    or results (Thrift binary and compact protocol encodings, "Message"). Of the binary protocol the
    strict form only. *)

type kind = Call | Reply | Exception | Oneway
type t = { name : string; kind : kind; seqid : int  (** 32 bits *) }

val write : Writer.t -> Kind.protocol -> t -> unit

val read : Reader.t -> Kind.protocol -> t
(** @raise Error.Error if it is none. *)
