type protocol = Tcp | Udp | Icmp

type ending =
  | Closed
  | Reset_by_client
  | Reset_by_server
  | Refused
  | Unreachable of string
  | Timed_out
  | Denied
  | Abandoned
  | Limited
  | Stopped

let pp_ending f e =
  match e with
  | Closed -> Format.pp_print_string f "closed"
  | Reset_by_client -> Format.pp_print_string f "reset by the client"
  | Reset_by_server -> Format.pp_print_string f "reset by the server"
  | Refused -> Format.pp_print_string f "refused by the server"
  | Unreachable why -> Format.fprintf f "unreachable: %s" why
  | Timed_out -> Format.pp_print_string f "the server did not answer"
  | Denied -> Format.pp_print_string f "denied"
  | Abandoned -> Format.pp_print_string f "the client gave up"
  | Limited -> Format.pp_print_string f "ended by its limit"
  | Stopped -> Format.pp_print_string f "the gateway ended"

type kernel = Relay.kernel = { rtt_ns : int; retransmitted : int }
type info = { client : Weir_flow.Flow.tcp_info; server : kernel option }

type t = {
  protocol : protocol;
  number : int;
  source : Ipaddr.t * int;
  destination : Ipaddr.t * int;
  began_ns : int64;
  mutable connected_ns : int64;
  mutable ended_ns : int64;
  mutable client_closed : bool;
  mutable sent : int;
  mutable received : int;
  mutable ending : ending option;
  mutable info : unit -> info option;
}

let make protocol ~number ~source ~destination ~began_ns =
  {
    protocol;
    number;
    source;
    destination;
    began_ns;
    connected_ns = -1L;
    ended_ns = -1L;
    client_closed = false;
    sent = 0;
    received = 0;
    ending = None;
    info = (fun () -> None);
  }
