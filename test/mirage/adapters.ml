(* Weir's modules with the records that are Mirage's own: the lines of doc/mirage.md. *)

open Packages

(* $MDX part-begin=stack *)
module Stack = struct
  include Weir_lwt.Mirage_stack

  module TCP = struct
    include TCP

    let own (k : Tcpip.Tcp.Keepalive.t) : Keepalive.t =
      { after = k.after; interval = k.interval; probes = k.probes }

    let create_connection ?keepalive t = create_connection ?keepalive:(Option.map own keepalive) t
    let listen t ~port ?keepalive f = listen t ~port ?keepalive:(Option.map own keepalive) f
  end
end
(* $MDX part-end *)

(* $MDX part-begin=net *)
module Net = struct
  include Weir_lwt.Mirage_net

  let get_stats_counters t : Mirage_net.stats =
    let { rx_bytes; rx_pkts; tx_bytes; tx_pkts } = get_stats_counters t in
    { rx_bytes; rx_pkts; tx_bytes; tx_pkts }
end
(* $MDX part-end *)

(* The compiler's word that they fit, and that types stay known. *)
module _ :
  Tcpip.Stack.V4V6
    with type t = Weir_lwt.Mirage_stack.t
     and type TCP.flow = Weir_lwt.Connection.t
     and type UDP.error = Weir_lwt.Error.t =
  Stack

module _ : Mirage_net.S with type t = Weir_lwt.Mirage_net.t = Net

(* What fits as it is. *)
module _ : Mirage_flow.S with type flow = Weir_lwt.Connection.t = Weir_lwt.Mirage_flow
module _ : Mirage_flow.S with type flow = Weir_lwt.Connection.t = Weir_lwt.Mirage_tcp
module _ : Tcpip.Udp.S with type ipaddr = Ipaddr.t = Weir_lwt.Mirage_udp

module _ : Tcpip.Ip.S with type ipaddr = Ipaddr.t and type prefix = Ipaddr.Prefix.t =
  Weir_lwt.Mirage_ip
