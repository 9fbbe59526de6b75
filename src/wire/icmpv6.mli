(** ICMP for IPv6 (RFC 4443): echo and the errors. Neighbour discovery is in {!Nd}; here it and all
    other types are {!Other}. *)

(** {v
     0      7 8     15 16    23 24    31
    +--------+--------+--------+--------+
    |  type  |  code  |    checksum     |
    +--------+--------+--------+--------+
    |     depends on type and code      |
    +--------+--------+--------+--------+
    v} *)

type unreachable =
  | No_route
  | Prohibited
  | Beyond_scope  (** of the source address *)
  | Address
  | Port
  | Other_code of int  (** 5 and above *)

(** An error's data are as much as fits of the packet that caused it: see {!Ipv6.decode_quoted}. *)

type t =
  | Echo_request of { identifier : int; sequence : int; data_length : int }
  | Echo_reply of { identifier : int; sequence : int; data_length : int }
  | Destination_unreachable of { code : unreachable; data_length : int }
  | Packet_too_big of { mtu : int; data_length : int }  (** the next hop's MTU in bytes *)
  | Time_exceeded of { reassembly : bool; data_length : int }
      (** [reassembly]: fragments were missing; else the hop limit reached 0 *)
  | Parameter_problem of { code : int; pointer : int; data_length : int }
      (** code 0: a wrong field; 1: an unknown header; 2: an unknown option; 3: a first fragment
          without all headers. [pointer] is its offset in the quoted packet. *)
  | Other of { kind : int; code : int; rest : int; data_length : int }
      (** any other type or code; [rest] is the second word *)

val decode : pseudo:int -> Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode ~pseudo b ~off ~len] is the message of [len] bytes at [off]; its data begin at
    [off + length]. [pseudo] is {!Ip.pseudo_sum} for [len] bytes; a negative [pseudo] means that the
    checksum was verified elsewhere. An error that quotes less than 40 bytes is truncated.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val echo_request : int
(** The type 128. *)

val echo_reply : int
(** The type 129. *)

val length : int
(** The header's length, 8 bytes. *)

val data_length : t -> int
(** [data_length t] is the number of bytes that follow the header. *)

val kind : t -> int
(** [kind t] is the type in [t]'s header: errors have types below 128. *)

val code : t -> int
(** [code t] is the code in [t]'s header. *)

val emit : t -> pseudo:int -> Bytes.t -> off:int -> unit
(** [emit t ~pseudo b ~off] writes the header at [off], with the checksum of header and data.
    [pseudo] is {!Ip.pseudo_sum} for [length + data_length t] bytes. The data must already be at
    [off + length]. Needs [length] bytes. *)

val set_checksum : Bytes.t -> off:int -> len:int -> pseudo:int -> unit
(** [set_checksum b ~off ~len ~pseudo] writes the checksum of the message of [len] bytes at [off].
*)

val pp_what : Format.formatter -> t -> unit
(** [pp_what] is {!pp} without the length, for error messages. *)

val pp : Format.formatter -> t -> unit
