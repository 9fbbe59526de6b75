(** Messages from records: the exact size first, then one pass over bytes that need no growing, no
    check and no copy. What generated [encode], [write] and [to_builder] are made of; [data] and
    [pointers] are the struct's sizes in words, [size] and [write] generated functions, see {!Size}
    and {!Put}. Each raises {!Message.Error} for a message of 2 GiB or more. *)

val start : int -> int -> int -> Bytes.t
(** [start data pointers bytes] is a framed message of one segment, whose root struct is to be
    written to byte 16, and [bytes] that it points to after it. *)

val finish : Bytes.t -> int -> string
(** [finish buf stop] is the message, written up to [stop]. *)

val restart : Builder.t -> int -> int -> int -> Bytes.t
(** [restart b data pointers bytes] resets [b] and is its storage, with room for what {!start}
    makes; empty if its segments are too short. *)

val built : Builder.t -> Bytes.t -> int -> int -> int -> unit
(** [built b buf data pointers stop] makes what was written to [buf] up to [stop] the message of
    [b]. *)

val write :
  int -> int -> ('a -> int) -> (Bytes.t -> int -> 'a -> int -> int) -> Builder.t -> 'a -> unit
(** [write data pointers size write b v] resets [b] and writes [v] under its root. *)

val fill :
  int ->
  int ->
  ('a -> int) ->
  (Bytes.t -> int -> 'a -> int -> int) ->
  Builder.t ->
  'a Builder.struct_ ->
  'a ->
  unit
(** [fill data pointers size write b h v] writes [v] to [h], none of whose pointers is set. *)
