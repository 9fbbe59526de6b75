(** Codecs: how values of one type are encoded to bytes and decoded, by any serializer.

    [encode] appends to the output. It may raise for a value without an encoding, as protobuf does
    with [Invalid_argument]. [decode] gets a view that is valid during the call, so it must copy the
    bytes that it keeps. It must decode all bytes of the view, or return an error; it never raises.
    Neither function should wait. While [encode] waits, a {!Writer} refuses other fibers, and an RPC
    client sends the messages of other fibers first. While [decode] waits, nothing more is read. *)

type 'a t = {
  name : string;  (** for error messages *)
  encode : Output.t -> 'a -> unit;
  decode : Bytes.t -> off:int -> len:int -> ('a, string) result;
}

val read : 'a t -> Weir_flow.Slice.t -> ('a, string) result
(** [read c view] decodes [view] with [c]. Errors begin with [c.name]. An exception of [c.decode]
    becomes an error too, except for cancellations ({!Weir_flow.Flow.is_cancellation}), which pass.
*)

val to_string : 'a t -> 'a -> string
val of_string : 'a t -> string -> ('a, string) result

(** {1 Basic codecs} *)

val string : string t
(** The bytes themselves. *)

val unit : unit t
(** Encodes to no bytes. *)

val result : 'a t -> 'e t -> ('a, 'e) result t
(** [result ok error] encodes one byte, 0 for [Ok] or 1 for [Error], then the value. *)

val map : name:string -> ('a -> 'b) -> ('b -> 'a) -> 'a t -> 'b t

(** {1 From functions of other libraries}

    This library does not depend on those libraries. An exception of their readers becomes
    [decode]'s error, except for cancellations ({!Weir_flow.Flow.is_cancellation}). Their readers
    must accept hostile input; only its length is bounded, by the limit on messages. *)

val of_strings : name:string -> ('a -> string) -> (string -> ('a, string) result) -> 'a t

val text : name:string -> (Buffer.t -> 'a -> unit) -> (string -> 'a) -> 'a t
(** [text ~name write read] is a codec from a writer and a reader, which may raise. It fits
    - atdgen: [text ~name:"person" Person_j.write_person Person_j.person_of_string];
    - yojson: [text ~name:"json" Yojson.Safe.to_buffer Yojson.Safe.from_string]. *)

val through : name:string -> ('a -> 'b) -> ('b -> ('a, string) result) -> 'b t -> 'a t
(** [through ~name to_b of_b b] encodes through a ['b]. It fits ppx_deriving_yojson:
    [through ~name:"person" person_to_yojson person_of_yojson json]. *)

type bigstring = (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t

val bigstring :
  name:string ->
  size:('a -> int) ->
  write:(bigstring -> pos:int -> 'a -> int) ->
  read:(bigstring -> pos_ref:int ref -> 'a) ->
  'a t
(** [bigstring ~name ~size ~write ~read] fits bin_prot: for a type class [c] the functions are
    [c.writer.size], [c.writer.write] and [c.reader.read]. Bytes are copied to and from a bigstring
    that is reused. *)
