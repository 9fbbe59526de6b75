(** What a DHCP client sends: messages and their options (RFC 2131 §4.4.1, table 5). *)

open Weir_wire

type who = private {
  mac : Mac.t;
  identifier : string;
  host_name : string option;
  mtu : int;  (** of the link *)
}

val who : Dhcp_config.t -> mac:Mac.t -> mtu:int -> who

val message :
  who -> Dhcpv4.kind -> xid:int -> secs:int -> src:Ip.t -> (int * string) list -> Dhcpv4.t
(** [message who kind ~xid ~secs ~src options] is from [src], which is [ciaddr] too. From 0.0.0.0 it
    asks for a broadcast reply (§4.1). *)

val common : who -> (int * string) list
(** [common who] is the options of every question: who asks, and for what. *)

val identifier : who -> int * string
val requested : Ip.t -> int * string
val server : Dhcp_lease.t -> int * string
