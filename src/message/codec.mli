(** How values of a type become bytes and come back: what any serializer is to a flow.

    [encode] appends to what is there, and may raise for a value that has no encoding (protobuf's
    [Invalid_argument], say). [decode] is given a view that lasts for the call, so it copies what it
    keeps; it takes all of the view or is an error, and never raises. Both had better not wait:
    while an encoder waits, a {!Writer} refuses other fibers and a call channel lets them pass;
    while a decoder does, nothing more is read. *)

type 'a t = {
  name : string;  (** for messages to people *)
  encode : Output.t -> 'a -> unit;
  decode : Bytes.t -> off:int -> len:int -> ('a, string) result;
}

val read : 'a t -> Weir_flow.Slice.t -> ('a, string) result
(** [read c view] is [c.decode] of it; errors begin with [c]'s name, also what [c] raises though it
    should not, but for {!Weir_flow.Flow.is_cancellation}, which passes. *)

val to_string : 'a t -> 'a -> string
val of_string : 'a t -> string -> ('a, string) result

(** {1 Plain ones} *)

val string : string t
(** The bytes themselves. *)

val unit : unit t
(** Nothing: no bytes. *)

val result : 'a t -> 'e t -> ('a, 'e) result t
(** [result ok error] is one byte, 0 or 1, then the value of that side: errors with a type of their
    own. *)

val map : name:string -> ('a -> 'b) -> ('b -> 'a) -> 'a t -> 'b t

(** {1 From the pieces that other libraries give}

    None of them is named here, so none is needed to link this one. What their readers raise is
    [decode]'s error; {!Weir_flow.Flow.is_cancellation} passes. A reader's care for hostile input is
    its library's: the limit on messages bounds what it sees. *)

val of_strings : name:string -> ('a -> string) -> (string -> ('a, string) result) -> 'a t

val text : name:string -> (Buffer.t -> 'a -> unit) -> (string -> 'a) -> 'a t
(** [text ~name write read], where [read] may raise, fits
    - atdgen: [text ~name:"person" Person_j.write_person Person_j.person_of_string];
    - yojson: [text ~name:"json" Yojson.Safe.to_buffer Yojson.Safe.from_string]. *)

val through : name:string -> ('a -> 'b) -> ('b -> ('a, string) result) -> 'b t -> 'a t
(** [through ~name to_b of_b b] encodes by way of a ['b], and fits ppx_deriving_yojson:
    [through ~name:"person" person_to_yojson person_of_yojson json]. *)

type bigstring = (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t

val bigstring :
  name:string ->
  size:('a -> int) ->
  write:(bigstring -> pos:int -> 'a -> int) ->
  read:(bigstring -> pos_ref:int ref -> 'a) ->
  'a t
(** [bigstring ~name ~size ~write ~read] fits bin_prot: of a type class [c] they are
    [c.writer.size], [c.writer.write] and [c.reader.read]. Bytes are copied to and from a bigstring
    that is used again. *)
