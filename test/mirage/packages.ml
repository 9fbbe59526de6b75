(* What mirage-flow 5.0, tcpip 9.0 and mirage-net 4.0 ask of those who fit them: names and types. A
   record is a type of its own here as it is there, so nothing fits it but an adapter. *)

module Mirage_flow = struct
  type write_error = [ `Closed ]
  type 'a or_eof = [ `Data of 'a | `Eof ]

  module type S = sig
    type error

    val pp_error : error Fmt.t

    type nonrec write_error = private [> write_error ]

    val pp_write_error : write_error Fmt.t

    type flow

    val read : flow -> (Cstruct.t or_eof, error) result Lwt.t
    val write : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
    val writev : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t
    val shutdown : flow -> [ `read | `write | `read_write ] -> unit Lwt.t
    val close : flow -> unit Lwt.t
  end
end

module Tcpip = struct
  module Tcp = struct
    type error = [ `Timeout | `Refused ]
    type write_error = [ error | Mirage_flow.write_error ]

    module Keepalive = struct
      type t = { after : int64; interval : int64; probes : int }
    end

    module type S = sig
      type nonrec error = private [> error ]
      type nonrec write_error = private [> write_error ]
      type ipaddr
      type flow
      type t

      val disconnect : t -> unit Lwt.t

      include
        Mirage_flow.S
          with type flow := flow
           and type error := error
           and type write_error := write_error

      val dst : flow -> ipaddr * int
      val src : flow -> ipaddr * int
      val write_nodelay : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
      val writev_nodelay : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t

      val create_connection :
        ?keepalive:Keepalive.t -> t -> ipaddr * int -> (flow, error) result Lwt.t

      val listen : t -> port:int -> ?keepalive:Keepalive.t -> (flow -> unit Lwt.t) -> unit
      val unlisten : t -> port:int -> unit
      val input : t -> src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t
    end
  end

  module Udp = struct
    module type S = sig
      type error

      val pp_error : error Fmt.t

      type ipaddr
      type t

      val disconnect : t -> unit Lwt.t

      type callback = src:ipaddr -> dst:ipaddr -> src_port:int -> Cstruct.t -> unit Lwt.t

      val listen : t -> port:int -> callback -> unit
      val unlisten : t -> port:int -> unit
      val input : t -> src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t

      val write :
        ?src:ipaddr ->
        ?src_port:int ->
        ?ttl:int ->
        dst:ipaddr ->
        dst_port:int ->
        t ->
        Cstruct.t ->
        (unit, error) result Lwt.t
    end
  end

  module Ip = struct
    type error = [ `No_route of string | `Would_fragment ]
    type proto = [ `TCP | `UDP | `ICMP ]

    module type S = sig
      type nonrec error = private [> error ]

      val pp_error : error Fmt.t

      type ipaddr

      val pp_ipaddr : ipaddr Fmt.t

      type prefix

      val pp_prefix : prefix Fmt.t

      type t

      val disconnect : t -> unit Lwt.t

      type callback = src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t

      val input :
        t ->
        tcp:callback ->
        udp:callback ->
        default:(proto:int -> callback) ->
        Cstruct.t ->
        unit Lwt.t

      val write :
        t ->
        ?fragment:bool ->
        ?ttl:int ->
        ?src:ipaddr ->
        ipaddr ->
        proto ->
        ?size:int ->
        (Cstruct.t -> int) ->
        Cstruct.t list ->
        (unit, error) result Lwt.t

      val pseudoheader : t -> ?src:ipaddr -> ipaddr -> proto -> int -> Cstruct.t
      val src : t -> dst:ipaddr -> ipaddr
      val get_ip : t -> ipaddr list [@@ocaml.deprecated "use configured_ips"]
      val configured_ips : t -> prefix list
      val mtu : t -> dst:ipaddr -> int
    end
  end

  module Stack = struct
    module type V4V6 = sig
      type t

      val disconnect : t -> unit Lwt.t

      module UDP : Udp.S with type ipaddr = Ipaddr.t
      module TCP : Tcp.S with type ipaddr = Ipaddr.t
      module IP : Ip.S with type ipaddr = Ipaddr.t and type prefix = Ipaddr.Prefix.t

      val udp : t -> UDP.t
      val tcp : t -> TCP.t
      val ip : t -> IP.t
      val listen : t -> unit Lwt.t
    end
  end
end

module Mirage_net = struct
  module Net = struct
    type error = [ `Invalid_length | `Disconnected ]
  end

  type stats = {
    mutable rx_bytes : int64;
    mutable rx_pkts : int32;
    mutable tx_bytes : int64;
    mutable tx_pkts : int32;
  }

  module type S = sig
    type error = private [> Net.error ]

    val pp_error : error Fmt.t

    type t

    val disconnect : t -> unit Lwt.t
    val write : t -> size:int -> (Cstruct.t -> int) -> (unit, error) result Lwt.t
    val listen : t -> header_size:int -> (Cstruct.t -> unit Lwt.t) -> (unit, error) result Lwt.t
    val mac : t -> Macaddr.t
    val mtu : t -> int
    val get_stats_counters : t -> stats
    val reset_stats_counters : t -> unit
  end
end
