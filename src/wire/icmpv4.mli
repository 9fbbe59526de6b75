(** ICMP for IPv4 (RFC 792, RFC 1191): echo and the errors. Redirects, timestamps and all other
    types are {!Other}. *)

(** {v
     0      7 8     15 16    23 24    31
    +--------+--------+--------+--------+
    |  type  |  code  |    checksum     |
    +--------+--------+--------+--------+
    |     depends on type and code      |
    +--------+--------+--------+--------+
    v} *)

type unreachable =
  | Net
  | Host
  | Protocol
  | Port
  | Fragmentation_needed of int
      (** the next hop's MTU in bytes; 0 from routers older than RFC 1191 *)
  | Other_code of int  (** 5 and above *)

(** An error's data begin with the header of the packet that caused it and at least 8 bytes that
    followed it: see {!Ipv4.decode_quoted}. [rest] is the value of the second word without the named
    fields (RFC 4884 puts a length there); 0 in messages to send. *)

type t =
  | Echo_request of { identifier : int; sequence : int; data_length : int }
  | Echo_reply of { identifier : int; sequence : int; data_length : int }
  | Destination_unreachable of { code : unreachable; rest : int; data_length : int }
  | Time_exceeded of { reassembly : bool; rest : int; data_length : int }
      (** [reassembly]: fragments were missing; else the TTL reached 0 *)
  | Parameter_problem of { code : int; pointer : int; rest : int; data_length : int }
      (** if [code] is 0, [pointer] is the offset of the wrong byte in the quoted packet *)
  | Other of { kind : int; code : int; rest : int; data_length : int }
      (** any other type or code; [rest] is the whole second word *)

val decode : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode b ~off ~len] is the message of [len] bytes at [off], its checksum verified; its data
    begin at [off + length]. An error that quotes less than 28 bytes is truncated.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val length : int
(** The header's length, 8 bytes. *)

val data_length : t -> int
(** [data_length t] is the number of bytes that follow the header. *)

val kind : t -> int
(** [kind t] is the type in [t]'s header. *)

val code : t -> int
(** [code t] is the code in [t]'s header. *)

val is_error : t -> bool
(** [is_error t] is true if [t] is an ICMP error or of an unknown type: such a message must not be
    answered with an ICMP error (RFC 1122 §3.2.2). *)

val emit : t -> Bytes.t -> off:int -> unit
(** [emit t b ~off] writes the header at [off], with the checksum of header and data. The data must
    already be at [off + length]. Needs [length] bytes. *)

val pp_what : Format.formatter -> t -> unit
(** [pp_what] is {!pp} without the length, for error messages. *)

val pp : Format.formatter -> t -> unit
