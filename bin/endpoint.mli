(** Addresses with ports, as the commands read and print them. *)

val without_network : string -> string
(** [without_network "10.0.0.1/24"] is ["10.0.0.1"]. *)

val authority : string -> int -> string
(** [authority "10.0.0.1" 81] is ["10.0.0.1:81"]; an IPv6 address gets brackets. *)

val shown : string -> port:int -> string
(** [shown address ~port] is {!authority}, without the port if it is 80. *)

val of_string : string -> (Ipaddr.t * int) option
(** [of_string "[fd00::11]:5001"] reads what {!authority} writes. *)
