(** Neighbour discovery (RFC 4861): the ICMPv6 messages by which hosts find MAC addresses, routers,
    prefixes and name servers (RFC 8106). *)

type prefix = {
  prefix : Ip.t;  (** its host bits are 0 *)
  length : int;  (** bits, 0 to 128 *)
  on_link : bool;
  autonomous : bool;  (** hosts may form addresses from it *)
  valid : int;
  preferred : int;  (** at most [valid] *)
}
(** A prefix of the link (RFC 4861 §4.6.2). Lifetimes are seconds; [0xffff_ffff] has no end. *)

type preference = Low | Medium | High  (** RFC 4191 §2.1 *)

type route = { network : Ip.t; bits : int; preference : preference; lifetime : int }
(** RFC 4191 §2.3; [lifetime] is seconds. *)

type advertisement = {
  hop_limit : int;  (** 0 if unspecified *)
  managed : bool;  (** addresses are available by DHCPv6 *)
  other : bool;  (** other configuration is available by DHCPv6 *)
  preference : preference;
  lifetime : int;  (** seconds; 0 if it is not a default router *)
  reachable : int;  (** milliseconds, 0 if it does not say *)
  retransmit : int;  (** milliseconds, 0 if it does not say *)
  router_mac : Mac.t option;
  mtu : int;  (** 0 if it does not say *)
  prefixes : prefix list;
  routes : route list;
  servers : (int * Ip.t list) list;  (** lifetime in seconds, DNS servers *)
  domains : (int * string list) list;  (** lifetime in seconds, DNS search domains *)
}

type t =
  | Router_solicitation of { source_mac : Mac.t option }
  | Router_advertisement of advertisement
  | Neighbour_solicitation of { target : Ip.t; source_mac : Mac.t option; nonce : string }
      (** [nonce] (RFC 7527) is [""] if there is none *)
  | Neighbour_advertisement of {
      target : Ip.t;
      target_mac : Mac.t option;
      router : bool;
      solicited : bool;
      override : bool;
    }
  | Redirect of { target : Ip.t; destination : Ip.t; target_mac : Mac.t option }

val neighbour_solicitation : int
(** The type 135. *)

val redirect : int
(** The type 137. *)

val is_type : int -> bool
(** [is_type n] is true if [n], an ICMPv6 type, is one of these messages. *)

val decode : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode b ~off ~len] is the ICMPv6 message of [len] bytes at [off], whose checksum the caller
    has verified. The caller must also check that the hop limit is 255 and that the packet had no
    fragment header (RFC 6980). These are malformed: a code other than 0, an option of length 0 or
    beyond the end, a target that is a group (RFC 4861 §6.1, §7.1, §8.1), and more than
    {!most_options} options. Unknown options, prefixes of more than 128 bits and link-layer
    addresses that are not MAC addresses are ignored.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val most_options : int
(** 64 *)

val length : t -> int
(** [length t] is the bytes of the message with its options. *)

val emit : t -> pseudo:int -> Bytes.t -> off:int -> unit
(** [emit t ~pseudo b ~off] writes the message, checksum included. [pseudo] is {!Ip.pseudo_sum} for
    [length t] bytes. Needs [length t] bytes. *)

val pp : Format.formatter -> t -> unit
