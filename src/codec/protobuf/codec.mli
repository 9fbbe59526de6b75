(** A message type as a value: what its generated functions share. *)

type 'a t = {
  descriptor : Descriptor.message;
  types : Registry.t;  (** what its file defines and imports *)
  default : 'a;
  size : 'a -> int;
  write : Bytes.t -> int -> 'a -> int;
      (** see {!Encode}: backwards; where there is no room it only counts *)
  read : 'a -> string -> int -> int -> int -> 'a;
      (** [read init s pos limit depth] is [init] with what stands between the positions merged into
          it. *)
  to_json : Json_out.t -> 'a -> unit;
  of_json : Json_in.t -> 'a;
}

val max_depth : int
(** Messages may nest this deep, 100, unless told otherwise. *)

val decode :
  ?max_depth:int -> ?memory:int -> ?pos:int -> ?len:int -> 'a t -> string -> ('a, Error.t) result
(** [decode c s] is the message that [s], or [len] bytes of it from [pos], encodes. Nothing of [s]
    is kept, as strings are copied, unless the message has {!Slice}s: these keep [s]. Reading takes
    at most [memory] words of 8 bytes, by default 16 times the bytes and 1 MB ({!Unfolding.read}),
    or it is "memory limit reached"; a derived type's reading is not bounded so.
    @raise Invalid_argument if the range is not within [s]. *)

val decode_exn : ?max_depth:int -> ?memory:int -> ?pos:int -> ?len:int -> 'a t -> string -> 'a
(** @raise Error.Error where {!decode} is an [Error]. *)

val decode_bytes :
  ?max_depth:int -> ?memory:int -> 'a t -> Bytes.t -> pos:int -> len:int -> ('a, Error.t) result
(** [decode_bytes c b ~pos ~len] is {!decode} of bytes that are not changed meanwhile. They are
    copied first if the message has {!Slice}s.
    @raise Invalid_argument if the range is not within [b]. *)

val merge : 'a t -> 'a -> 'a -> 'a
(** [merge c a b] is what decoding [a]'s encoding followed by [b]'s gives: singular fields of [b]
    win where set, messages merge, repeated fields append. *)

val encode : 'a t -> 'a -> string
(** [encode c m] is the encoding of [m]: fields by number, then unknown fields. What is mutable in
    [m] (arrays, fields of derived types) should not be changed meanwhile, by another domain or
    thread: then it is written before or after the change, or refused. Up to 1.25 MB that were
    written to are kept by the domain for the next message; a larger message with others within is
    written to bytes of the last one's size and then copied, so that it takes twice its size for a
    moment.
    @raise Invalid_argument
      if an [int] does not fit its field, a [string] is not UTF-8, the whole is 2 GiB or more, or it
      changed. *)

val encode_into : 'a t -> 'a -> Bytes.t -> pos:int -> int
(** [encode_into c m b ~pos] writes the encoding from [pos] on and is the position behind it.
    @raise Invalid_argument
      if it does not fit ([c.size m] tells), or where {!encode} does: some bytes may then be
      written, and if [m] changed meanwhile also some of those before [pos]. *)
