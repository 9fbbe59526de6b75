(** Messages of the domain name system (RFC 1035 §4), with the records that a host asks for: A, AAAA
    (RFC 3596), CNAME, NS, PTR, SOA, MX, TXT, SRV (RFC 2782) and OPT (RFC 6891). Records of other
    types, and of classes other than IN, are kept as bytes (RFC 3597). Not supported: DNSSEC's
    types, TSIG, and names in records of unknown types. *)

(** {v
     0      7 8     15 16    23 24    31
    +--------+--------+--------+--------+
    |   identifier    |flags and rcode  |
    +--------+--------+--------+--------+
    |questions' number| answers' number |
    +--------+--------+--------+--------+
    |authority number |additional number|
    +--------+--------+--------+--------+
    | questions, then the records ...   |
    +--------+--------+--------+--------+
    v} *)

type name = Dns_name.t

module Kind = Dns_kind

type question = { name : name; kind : Kind.t; class_ : int }

type soa = {
  server : name;
  mailbox : name;
  serial : int;
  refresh : int;
  retry : int;
  expire : int;
  minimum : int;  (** seconds for which a negative answer is valid (RFC 2308 §4) *)
}

type data =
  | A of Ipaddr.V4.t
  | NS of name
  | CNAME of name
  | SOA of soa
  | PTR of name
  | MX of { preference : int; exchange : name }
  | TXT of string list  (** each at most 255 bytes *)
  | AAAA of Ipaddr.V6.t
  | SRV of { priority : int; weight : int; port : int; target : name }
  | OPT of (int * string) list  (** options, by their codes *)
  | Other of int * string  (** type and bytes *)

type record = {
  name : name;
  class_ : int;  (** an OPT record's is the size of UDP payloads *)
  ttl : int;  (** seconds; an OPT record's has flags *)
  data : data;
}

type t = {
  id : int;
  response : bool;
  opcode : int;
  authoritative : bool;
  truncated : bool;  (** the answer did not fit into the datagram: ask again over TCP *)
  recursion_desired : bool;
  recursion_available : bool;
  reserved : bool;  (** a bit that must be 0 *)
  authentic : bool;
  checking_disabled : bool;
  rcode : int;  (** the header's four bits: see {!val-rcode} *)
  questions : question list;
  answers : record list;
  authority : record list;
  additional : record list;
}

val header_length : int
(** 12 bytes. *)

val decode : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode b ~off ~len] is the message of [len] bytes at [off]. These are malformed: a name that
    {!Dns_name.decode} refuses, record data that do not have the length that they announce, a second
    OPT record, an OPT record whose name is not the root, and bytes after the last record. A message
    of 65,535 bytes has at most 5,956 records, and decoding takes memory in proportion to records
    times 255 bytes.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val emit : t -> string
(** [emit t] is the message, names compressed (RFC 1035 §4.1.4) except those of SRV (RFC 2782). A
    message's length is known only once it is written, so there is no [length].
    @raise Invalid_argument
      if a string of TXT, an option or a record is too long for its length field, or a section has
      more than 65,535 records. *)

val pp : Format.formatter -> t -> unit
val pp_record : Format.formatter -> record -> unit

(** {1 What a resolver needs} *)

val in_ : int
(** The class IN, 1. *)

val query : id:int -> edns:int option -> Kind.t -> name -> t
(** [query ~id ~edns kind name] is a question that asks for recursion. [edns] is the longest answer
    over UDP in bytes, which an OPT record announces (RFC 6891 §6.2.3). *)

val kind : data -> Kind.t

val edns : t -> (int * int) option
(** [edns t] is the UDP payload size and the version of [t]'s OPT record, if it has one. *)

val rcode : t -> int
(** [rcode t] is the response code, with the OPT record's upper bits (RFC 6891 §6.1.3). *)

val no_error : int

val format_error : int
(** The server cannot read the question. *)

val server_failure : int

val name_error : int
(** The name does not exist. *)

val not_implemented : int
val refused : int
