(** What every generated message module offers beside its type. A signature only, so this file has
    no interface of its own. *)

module type S = sig
  type t

  val default : t
  (** All fields absent. *)

  val codec : t Codec.t
  (** The message type as a value, for [Codec], [Json] and [Text], which take more options. *)

  val decode : string -> (t, Error.t) result
  (** [decode s] is [Codec.decode codec s]. *)

  val encode : t -> string
  (** [encode m] is [Codec.encode codec m]. *)

  val of_json : string -> (t, Error.t) result
  (** [of_json s] is [Json.decode codec s]. *)

  val to_json : t -> string
  (** [to_json m] is [Json.encode codec m]. *)

  val of_text : string -> (t, Error.t) result
  (** [of_text s] is [Text.decode codec s]. *)

  val to_text : t -> string
  (** [to_text m] is [Text.encode codec m]. *)
end
