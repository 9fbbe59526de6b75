(** Byte streams in direct style: each call blocks until it is done.

    A function takes the smallest type that it needs: [#reader], [#writer] or [#flow]. An
    implementation is an object that inherits {!class-reader}, {!class-writer} or {!class-flow} and
    defines at least [read_into], [write] or both. New methods come with defaults, so
    implementations keep compiling. In a record, store the closed types [reader], [writer] or
    [flow].

    {b Bytes.} A flow may use the caller's buffer until the call returns; to keep bytes, it must
    copy them. The bytes that {!read} returns belong to the flow and are valid until the next
    operation on its reading side.

    {b Partial reads and writes.} A read returns the bytes that are available, at least one; a short
    read does not mean the end. At the end, every read returns 0 bytes. A write takes all bytes or
    raises; if the flow knows how many a failed write took, its error says so.

    {b Close.} The base types have no [close], because a function that copies a stream should not
    close it. The code that creates a flow decides how it is closed. Four ways are in use: a switch
    that ends it ([Weir_flow_unix.Unix_flow.of_fd]), a constructor that returns [close]
    ({!Pipe.create}), a type with [close] ({!closable}), and nothing to close ({!Null.flow}).
    {e Shutdown} is different: it tells the peer that no more bytes will be written ({!half_close});
    reading continues. After a close, both directions fail with {!Closed}; after a shutdown, only
    writes do.

    {b Cancellation.} A blocked call that is cancelled raises the scheduler's exception. A cancelled
    read loses no bytes. A cancelled write may have sent some of its bytes, so nothing more can be
    written.

    {b Concurrent use.} One fiber may read while one other fiber writes. More readers or writers
    need a lock. *)

(** {1 Errors} *)

type flow_error = ..
(** Each flow adds its own errors. *)

type error = flow_error * (Format.formatter -> unit)
(** An error and its printer. *)

type flow_error +=
  | Closed  (** the flow was closed, or shut down for writing *)
  | Reset  (** the peer reset the stream: bytes may be lost *)
  | Timeout
  | Truncated of int  (** the stream ended early: how many bytes were still expected *)
  | Too_long of int  (** the stream is longer than this many bytes *)

exception Error of error

val fail : flow_error -> (Format.formatter -> unit) -> 'a
(** [fail e pp] raises {!Error}. *)

val register_cancellation : (exn -> bool) -> unit
(** [register_cancellation f] declares that [f] is true of the exceptions with which a scheduler
    cancels a fiber or promise. Each driver here registers its own when it is linked;
    [Out_of_memory] and [Sys.Break] are known. *)

val is_cancellation : exn -> bool
(** [is_cancellation e] is true for a cancellation. Code that converts exceptions to values must let
    [e] pass. *)

val closed : error
val reset : error
val timeout : error
val pp_error : Format.formatter -> error -> unit

(** {1 Extensions found at run time} *)

type _ ty = ..
(** A name for an interface. [type _ ty += Key_flow : key_flow ty] adds one. *)

(** {1 The types} *)

class virtual reader : object
  method virtual read_into : Bytes.t -> off:int -> len:int -> int

  method read : Slice.t
  (** By default, {!read_into} a fresh buffer of 4096 bytes. A reader whose bytes are in memory
      returns a view of them. *)

  method copy_to : writer -> int
  (** [r#copy_to w] moves all remaining bytes to [w] and returns their number. By default it is
      [w#copy_from r]. A reader whose bytes are in memory writes views of them. *)

  method cast : 'a. 'a ty -> 'a option
  (** By default [None] for all. *)
end

and virtual writer : object
  method virtual write : Bytes.t -> off:int -> len:int -> unit

  method write_string : string -> off:int -> len:int -> unit
  (** By default it is [write]. A flow may keep the string in place of a copy of its bytes. *)

  method writev : Slice.t list -> unit
  (** [w#writev slices] writes the slices in order. By default it calls [write] for each. *)

  method copy_from : reader -> int
  (** [w#copy_from r] moves all remaining bytes of [r] to [w] and returns their number. By default
      it reads into one buffer and calls [write], until the end. A writer with a buffer reads
      directly into it. *)

  method cast : 'a. 'a ty -> 'a option
end

class virtual flow : object
  inherit reader
  inherit writer
end

(** {1 Use} *)

val read_into : #reader -> Bytes.t -> off:int -> len:int -> int
(** [read_into r b ~off ~len] waits for at least one byte, stores at most [len] bytes, and returns
    their number; 0 at the end of the stream. [len] must be positive.
    @raise Invalid_argument if [off] and [len] do not lie inside [b].
    @raise Error if the stream failed. *)

val read : #reader -> Slice.t
(** [read r] waits for at least one byte and is a view of the next bytes, of length 0 at the end.
    The view is valid until the next operation on [r]'s reading side.
    @raise Error if the stream failed. *)

val write : #writer -> Bytes.t -> off:int -> len:int -> unit
(** [write w b ~off ~len] returns when the flow has taken all the bytes.
    @raise Invalid_argument if [off] and [len] do not lie inside [b].
    @raise Error if they could not all be taken. *)

val write_string : #writer -> string -> unit
(** [write_string w s] is {!write} of all of [s]. As [s] never changes, a flow may keep it until it
    has sent it, instead of copying it. *)

val writev : #writer -> Slice.t list -> unit
(** [writev w slices] is {!write} for each in order, in one operation if the flow supports that. *)

val copy : #reader -> #writer -> int
(** [copy r w] moves all remaining bytes of [r] to [w] and returns their number. It uses the fastest
    method that both support: write views of the reader's bytes, read into the writer's own memory,
    or copy through a buffer. Neither end is closed or shut down.
    @raise Error if either end fails: some bytes may have been moved. *)

val read_exactly : #reader -> Bytes.t -> off:int -> len:int -> unit
(** [read_exactly r b ~off ~len] reads exactly [len] bytes into [b].
    @raise Error with {!Truncated} if the stream ends before. *)

val read_all : #reader -> max:int -> string
(** [read_all r ~max] is the rest of the stream.
    @raise Error
      with {!Too_long} if it is more than [max] bytes; [max + 1] of them have then been read. *)

val cast : < cast : 'a. 'a ty -> 'a option ; .. > -> 'b ty -> 'b option
(** [cast flow Key_flow] is [flow] with the interface that [Key_flow] names; [None] if [flow] does
    not have it. *)

(** {1 Extensions in common use} *)

type half_close = < flow ; shutdown_send : unit >
(** [shutdown_send] ends the stream after the bytes written so far and tells the peer. Idempotent.
*)

type closable = < flow ; close : unit >
(** [close] releases the flow's resources. Idempotent. Later calls fail with {!Closed}. *)

type tcp_info = {
  rtt_ns : int;  (** smoothed round-trip time; 0 if none was measured *)
  cwnd : int;  (** congestion window, bytes *)
  retransmits : int;  (** segments sent again *)
  path_mtu : int;  (** the longest IP packet for the path, as far as is known *)
}

type tcp = < tcp_info : tcp_info >

type nodelay = < set_nodelay : bool -> unit >
(** After [set_nodelay true] each write is sent at once. After [set_nodelay false] a short segment
    waits until all data sent before are acknowledged (Nagle's algorithm, RFC 9293 §3.7.4). No
    effect on a closed connection. *)

type buffered = < write_by : want:int -> (Bytes.t -> int -> int -> int) -> int >
(** [write_by ~want f] waits for room in the flow's own buffer, and is [f b off len], which puts
    between 1 and [len] bytes at [off] in [b] and returns their number. [len] is at most [want]. If
    [f] raises, nothing is written. [f] must not wait, nor use the flow or what it belongs to. *)

type _ ty +=
  | Half_close : half_close ty
  | Closable : closable ty
  | Tcp : tcp ty
  | Nodelay : nodelay ty
  | Buffered : buffered ty

val send_at_once : < cast : 'a. 'a ty -> 'a option ; .. > -> unit
(** [send_at_once f] is [set_nodelay true] if [f] supports {!Nodelay}. A program that joins its
    output into few writes, such as an HTTP server, calls it once for each connection. *)
