(** The messages and extensions that a program knows by name: what [google.protobuf.Any] in JSON and
    text, and extensions in either, are looked up in. A registry is a value, never changed. *)

type t

val empty : t

val make :
  imports:t list -> messages:Descriptor.message list -> extensions:Descriptor.extension list -> t
(** [make ~imports ~messages ~extensions] holds these and all of [imports]. *)

val message : t -> string -> Descriptor.message option
(** [message t name] looks up a full name without a leading dot. *)

val extension : t -> extendee:string -> int -> Descriptor.extension option
val extension_by_name : t -> extendee:string -> string -> Descriptor.extension option

val message_in_set : t -> extendee:string -> string -> Descriptor.extension option
(** [message_in_set t ~extendee name] is the extension of the message set [extendee] that message
    type [name] holds for itself: text names it by the type. *)

val union : t -> t -> t

val with_defaults : t -> (string * int * string) list -> t
(** [with_defaults t l] knows also, of each message's full name and field's number in [l], the
    field's default as a [.proto] file would write it. Only {!Proto_file} asks: generated code holds
    its defaults itself. *)

val default : t -> message:string -> int -> string option

val with_meant : t -> (string * Descriptor.message) list -> t
(** [with_meant t l] knows what stands behind {!Derived.endless} descriptors of these names. *)

val resolve : t -> Descriptor.message -> Descriptor.message
(** [resolve t m] is what [m] stands for if it is endless and [t] knows, or [m]. *)

type way = ..
(** How values of a message are reached: {!Json_table} says more. *)

type way += Unknown

val way : t -> string -> way
(** [way t name] is what was set for a message of [t]. *)

val set_way : t -> string -> way -> unit
(** [set_way t name w] sets it, also for the registries that hold [t]. It is called once, while a
    generated module starts. *)
