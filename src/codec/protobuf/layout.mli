(** Messages as generated code writes them down: constants that name each other, so that the
    compiler lays them out as data and a module of hundreds of messages starts without running code
    for each. {!link} makes descriptors of them. *)

type kind =
  | Value of Descriptor.kind  (** not a message *)
  | Message of string  (** full name *)
  | Delimited of string

type field = {
  number : int;
  name : string;
  json_name : string;
  kind : kind;
  label : Descriptor.label;
  oneof : string;
}
(** See {!Descriptor.field}. *)

type message = {
  full_name : string;
  fields : field list;
  map_entry : bool;
  message_set : bool;
  reserved : string list;
  extensible : (int * int) list;
}
(** See {!Descriptor.message}. *)

val link : imports:Registry.t list -> message list -> Descriptor.message array
(** [link ~imports messages] is their descriptors, in order; they refer to each other and to those
    of [imports].
    @raise Invalid_argument if a name is neither here nor there. *)

val types :
  imports:Registry.t list ->
  extensions:Descriptor.extension list ->
  Descriptor.message array ->
  Registry.t
(** [types ~imports ~extensions descriptors] is what a file defines and imports; maps' entries have
    no name there. *)
