(** A message type as a value, which the functions for decoding, encoding, JSON and text take. *)

type 'a t
(** Made by generated code only: see {!Unsafe}. *)

val descriptor : 'a t -> Descriptor.message

val types : 'a t -> Registry.t
(** What its file defines and imports. *)

val default : 'a t -> 'a

val size : 'a t -> 'a -> int
(** [size c m] is the length of [encode c m]. *)

val max_depth : int
(** Messages may nest this deep, 100, unless told otherwise. *)

val decode :
  ?max_depth:int -> ?memory:int -> ?pos:int -> ?len:int -> 'a t -> string -> ('a, Error.t) result
(** [decode c s] is the message that [s], or [len] bytes of it from [pos], encodes. Strings are
    copied, so [s] is not kept, unless the message has {!Slice}s. Reading may allocate [memory]
    words of 8 bytes (default: 16 times the bytes and 1 MB): records, cells of lists, boxed numbers
    and texts count, also those that are dropped on the way. Beyond that the error is "memory limit
    reached: ~memory allows more", at the field that is too much; [~memory:max_int] sets no limit.
    From half a megabyte on, the collector's work for what is allocated is done after reading
    ([Gc.ramp_up], OCaml 5.4). What a derived type's own default computes does not count, nor what
    stands in a type whose description has no end ({!Derived.endless}).
    @raise Invalid_argument if the range is not within [s]. *)

val decode_exn : ?max_depth:int -> ?memory:int -> ?pos:int -> ?len:int -> 'a t -> string -> 'a
(** @raise Error.Error where {!decode} is an [Error]. *)

val decode_bytes :
  ?max_depth:int -> ?memory:int -> 'a t -> Bytes.t -> pos:int -> len:int -> ('a, Error.t) result
(** [decode_bytes c b ~pos ~len] is {!decode} of bytes that are not changed meanwhile. They are
    copied first if the message has {!Slice}s.
    @raise Invalid_argument if the range is not within [b]. *)

val merge : 'a t -> 'a -> 'a -> 'a
(** [merge c a b] is the message that [a]'s encoding followed by [b]'s encodes: a singular field of
    [b] replaces [a]'s if it is set, messages are merged, repeated fields appended. *)

val encode : 'a t -> 'a -> string
(** [encode c m] is the encoding of [m]: fields by number, then unknown fields. Arrays and mutable
    fields in [m] should not change meanwhile. If another domain or thread changes them, each is
    written as before or after the change, or [encode] raises. The domain keeps a buffer of at most
    1.25 MB for the next message. A larger message is written to a buffer of the last one's size and
    then copied, unless it is mostly long blocks: until the next cycle of the major collector it
    takes twice its size.
    @raise Invalid_argument
      if an [int] does not fit its field, a [string] is not UTF-8, the whole is 2 GiB or more, or it
      changed. *)

val encode_into : 'a t -> 'a -> Bytes.t -> pos:int -> int
(** [encode_into c m b ~pos] writes the encoding from [pos] on and returns the position after it.
    @raise Invalid_argument
      if it does not fit ({!size} tells), or where {!encode} does: of the bytes from [pos] on some
      may then be written, those before [pos] never are. *)

val encode_before : 'a t -> 'a -> Bytes.t -> stop:int -> int
(** [encode_before c m b ~stop] writes the encoding so that it ends before [stop], and returns the
    position where it begins. It allocates nothing, and does not need the size first: messages are
    written from their end.
    @raise Invalid_argument
      if it does not fit, or where {!encode} does: of the bytes before [stop] some may then be
      written, those from [stop] on never are. *)

(** The parts of a codec, for generated code. These functions check no positions: a [write] beyond
    the end of the bytes, or a [read] of positions outside the string, accesses other memory. *)
module Unsafe : sig
  type 'a parts = {
    descriptor : Descriptor.message;
    types : Registry.t;
    default : 'a;
    size : 'a -> int;
    write : Bytes.t -> int -> 'a -> int;  (** see {!Encode}: backwards, of exactly [size] bytes *)
    read : 'a -> string -> int -> int -> int -> 'a;
        (** [read init s pos limit depth] is [init] with what stands between the positions merged
            into it. *)
    to_json : Json_out.t -> 'a -> unit;
    of_json : Json_in.t -> 'a;
  }

  external parts : 'a t -> 'a parts = "%identity"
  external make : 'a parts -> 'a t = "%identity"
end
