(** Pointers whose type the schema leaves open: [AnyPointer], the parameters of generic types, and
    the defaults of pointer fields. *)

type t [@@immediate]
(** A pointer where it lies. *)

type what = Pointer.what = Null | Struct | List | Capability of int

val root : Message.t -> t
(** [root m] is the message's root pointer. *)

val field : Message.t -> 'a Reader.t -> int -> t
val item : Message.t -> [ `Any ] Items.t -> int -> t
val what : Message.t -> t -> what
val struct_ : Message.t -> t -> 'a Reader.t
val list : Message.t -> t -> int -> 'a Items.t

val list_of : Message.t -> t -> 'a Items.t
(** [list_of m t] is a list whose element type is looked at when an element is. *)

val text : Message.t -> t -> Blob.t
val data : Message.t -> t -> Blob.t

(** {1 Copies} *)

type detached = string
(** A value of its own: the one segment of a message whose root it is; [""] for null. *)

val none : detached

val detach : Message.t -> t -> detached
(** [detach m t] copies what [t] points to, all the way down. *)

val message : detached -> Message.t
(** [message d] opens a copy; its {!root} is the value. *)

val constant : detached -> Message.t
(** [constant d] is {!message} without limits of traversal and memory. *)

val of_builder : Builder.t -> detached
(** [of_builder b] is a copy of what was built under [b]'s root. *)

val set : Builder.t -> 'a Builder.struct_ -> int -> detached -> unit
(** [set b h i d] copies [d] into pointer [i] of [h].
    @raise Message.Error if [d] is malformed. *)

val put : Builder.t -> [ `Any ] Builder.items -> int -> detached -> unit

val copy_struct :
  Message.t ->
  'a Reader.t ->
  Builder.t ->
  'b Builder.struct_ ->
  int ->
  data:int ->
  pointers:int ->
  unit
(** [copy_struct m r b h i ~data ~pointers] copies [r] into pointer [i] of [h], with at least the
    sizes that the schema gives the struct now. *)

(**/**)

val position : t -> int

(**/**)

(** {1 For generated code} *)

val get_struct :
  Builder.t -> 'a Builder.struct_ -> int -> data:int -> pointers:int -> 'b Builder.struct_ option
(** [get_struct b h i ~data ~pointers] is the struct at pointer [i] of [h], moved first if it was
    copied from a message of an older schema and is smaller than these sizes. *)

val details : Message.t -> [ `Any ] Items.t -> detached list

val size : detached -> int
(** As the functions of {!Size}. @raise Message.Error if the value is malformed. *)

val write : Bytes.t -> int -> detached -> int -> int
(** As the functions of {!Put}, but checked.
    @raise Invalid_argument if the bytes have no room for it. *)
