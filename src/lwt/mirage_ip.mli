(** A host's IP in the shape of [Tcpip.Ip.S] (tcpip 9), with addresses of both versions, of which it
    has IPv4's. Mirage is not needed. *)

type t = Host.t

type error = [ `No_route of string | `Would_fragment | `Failed of Error.t ]
(** [`No_route] says why, also of IPv6 destinations. *)

val pp_error : error Fmt.t

type ipaddr = Ipaddr.t

val pp_ipaddr : ipaddr Fmt.t

type prefix = Ipaddr.Prefix.t

val pp_prefix : prefix Fmt.t

type callback = src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t

val input :
  t -> tcp:callback -> udp:callback -> default:(proto:int -> callback) -> Cstruct.t -> unit Lwt.t
(** [input] is rejected with [Invalid_argument]: packets come from the host's own link. *)

val write :
  t ->
  ?fragment:bool ->
  ?ttl:int ->
  ?src:ipaddr ->
  ipaddr ->
  [ `TCP | `UDP | `ICMP ] ->
  ?size:int ->
  (Cstruct.t -> int) ->
  Cstruct.t list ->
  (unit, error) result Lwt.t
(** [write t dst protocol ~size header payload] sends one packet: what [header] writes into a buffer
    of [size] bytes (0), of which it says how many count, and [payload]. Its answers are the host's
    to process. With [~fragment:false] the packet is not to be cut on its way, and is
    [`Would_fragment] if it must be here. [src] must be {!src}[ ~dst].
    @raise Invalid_argument unless [ttl] is 1 to 255 and [header]'s answer is 0 to [size]. *)

val pseudoheader : t -> ?src:ipaddr -> ipaddr -> [ `TCP | `UDP | `ICMP ] -> int -> Cstruct.t
(** [pseudoheader t dst protocol length] is the 12 bytes that a transport checksum begins with (RFC
    9293 §3.1).
    @raise Invalid_argument for IPv6. *)

val src : t -> dst:ipaddr -> ipaddr
(** [src t ~dst] is the address that packets to [dst] leave from; [::], no address, if that is an
    IPv6 one. *)

val get_ip : t -> ipaddr list
(** [get_ip t] is the one address. *)

val configured_ips : t -> prefix list
(** [configured_ips t] is the one address, with its network. *)

val mtu : t -> dst:ipaddr -> int
(** [mtu t ~dst] is how long a payload to [dst] may be: the link's MTU less the header; 0 for IPv6.
*)

val disconnect : t -> unit Lwt.t
(** [disconnect t] does nothing: see {!Mirage_stack.disconnect}. *)
