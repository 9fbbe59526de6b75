(** Values of DHCP options (RFC 2132), as {!Dhcpv4.t} carries them. A function returns [None] for a
    value that is not well formed, as if the option were absent. *)

(** {1 Codes} *)

val subnet_mask : int
(** 1 *)

val routers : int
(** 3 *)

val name_servers : int
(** 6 *)

val host_name : int
(** 12 *)

val domain_name : int
(** 15 *)

val interface_mtu : int
(** 26 *)

val requested_address : int
(** 50 *)

val lease_time : int
(** 51 *)

val server_identifier : int
(** 54 *)

val parameter_list : int
(** 55 *)

val message : int
(** 56: a server's reason for refusing, as text *)

val longest_message : int
(** 57 *)

val renewal_time : int
(** 58 *)

val rebinding_time : int
(** 59 *)

val client_identifier : int
(** 61 *)

val domain_search : int
(** 119 (RFC 3397) *)

val classless_routes : int
(** 121 (RFC 3442) *)

(** {1 Values} *)

val address : string -> Ip.t option
val of_address : Ip.t -> string

val addresses : string -> Ip.t list option
(** [addresses s] is at least one address. *)

val of_addresses : Ip.t list -> string

val number : string -> bytes:int -> int option
(** [number s ~bytes] is an unsigned number of exactly that many bytes, at most 4. *)

val of_number : int -> bytes:int -> string

val prefix_length : string -> int option
(** [prefix_length s] is the number of ones in a subnet mask (§3.3). They must precede all zeros. *)

val of_prefix_length : int -> string

val name : string -> string option
(** [name s] is a host or domain name: labels of letters, digits, hyphens and underscores, at most
    63 bytes each and 253 in all. Zeros and a dot at the end are removed. *)

val text : string -> string option
(** [text s] is a text of printable ASCII, without zeros at the end, cut to 100 bytes; [None] if
    there is nothing or another byte in it. *)

type route = { network : Ip.t; length : int;  (** of the prefix *) gateway : Ip.t }

val routes : string -> route list option
(** [routes s] is the value of option 121; bits of a network beyond its prefix are 0. A gateway
    0.0.0.0 means that the network is on the link. *)

val of_routes : route list -> string

val names : string -> string list option
(** [names s] is the value of option 119: a list of {!val-name}s as in DNS, compressed (RFC 1035
    §4.1.4). Pointers must point backwards. At most 64 names are read. *)

val of_names : string list -> string
(** [of_names l] does not compress. *)
