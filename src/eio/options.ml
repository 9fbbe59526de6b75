open Weir_base
open Weir_core
module Sockopt = Eio.Net.Sockopt
open Tcp_options

type t = {
  mutable reuse_addr : bool;
  mutable reuse_port : bool;
  mutable broadcast : bool;
  mutable debug : bool;
  mutable dont_route : bool;
  mutable port_later : bool;
  mutable oob_inline : bool;
  mutable linger : int option;
  mutable receive_timeout : float;
  mutable send_timeout : float;
  mutable receive_low_water : int;
  mutable nodelay : bool;
  mutable keepalive_on : bool;
  mutable keepalive : Config.keepalive;
  mutable user_timeout_ms : int;
  mutable announce_timeout : bool;
  mutable congestion : Congestion.algorithm;
  mutable send_buffer : int option;
  mutable receive_buffer : int option;
  mutable time_to_live : int;
  mutable mtu_discover : [ `Want | `Dont | `Do | `Probe ];
  config : Config.t;
}

(* Linux's defaults. *)
let default_keepalive : Config.keepalive = { idle = Time.s 7200; interval = Time.s 75; probes = 9 }

let create (c : Config.t) =
  {
    reuse_addr = false;
    reuse_port = false;
    broadcast = false;
    debug = false;
    dont_route = false;
    port_later = false;
    oob_inline = false;
    linger = None;
    receive_timeout = 0.;
    send_timeout = 0.;
    receive_low_water = 1;
    nodelay = c.nodelay;
    keepalive_on = Option.is_some c.keepalive;
    keepalive = Option.value c.keepalive ~default:default_keepalive;
    user_timeout_ms =
      (match c.user_timeout with None -> 0 | Some u -> Int.max 1 (u.limit / Time.ms 1));
    announce_timeout = (match c.user_timeout with None -> false | Some u -> u.announced);
    congestion = List.hd c.congestion;
    send_buffer = None;
    receive_buffer = None;
    time_to_live = Weir_wire.Ipv4.base.ttl;
    mtu_discover = `Want;
    config = c;
  }

let create_datagram c = create { c with Config.receive_buffer = Udp_sockets.default_buffer }
let copy t = { t with reuse_addr = t.reuse_addr }
let invalid () = raise (Eio.Net.err Invalid_option)
let not_supported () = raise (Errors.v EOPNOTSUPP "getsockopt" "")
let not_connected () = Errors.v ENOTCONN "getsockopt" ""

(* Linux's bounds of the keepalive options. *)
let most_seconds = 32_767
let most_probes = 127
let most_milliseconds = 0x7fff_ffff
let refuse v = raise (Errors.v EINVAL "setsockopt" v)

(* Eio says before the system does that a number is negative. *)
let within low high name v =
  if v < 0 then Fmt.invalid_arg "%s must be non-negative, got %d" name v;
  if v < low || v > high then refuse (string_of_int v);
  v

let seconds name v = Time.s (within 1 most_seconds name v)

(* The system takes whole negative seconds for none. *)
let timeout v =
  if v >= 0. then v
  else if Float.is_integer v then 0.
  else raise (Errors.v EDOM "setsockopt" (string_of_float v))

let linger = function Some n when n < 0 -> refuse (string_of_int n) | v -> v

let time_to_live v =
  if v < 1 || v > 255 then Fmt.invalid_arg "IP_TTL must be between 1 and 255, got %d" v;
  v

(* As small as the kernel lets a buffer be made. *)
let smallest_send_buffer = 4_608
let smallest_receive_buffer = 2_304
let largest_buffer = 1 lsl 26

let within_buffer least v =
  if v < 0 then largest_buffer else Int.min largest_buffer (Int.max least v)

let send_buffer t = Option.value t.send_buffer ~default:t.config.send_buffer
let receive_buffer t = Option.value t.receive_buffer ~default:t.config.receive_buffer

let low_water t v =
  let most = receive_buffer t / 2 in
  if v < 0 then most else Int.max 1 (Int.min v most)

let congestion t name =
  let known = match name with "newreno" -> "reno" | name -> name in
  match Congestion.named known t.config.congestion with
  | Some a -> a
  | None -> raise (Errors.v ENOENT "setsockopt" name)

let rec set : type a. t -> a Sockopt.t -> a -> unit =
 fun t option v ->
  match option with
  | Sockopt.SO_REUSEADDR -> t.reuse_addr <- v
  | Sockopt.SO_REUSEPORT -> t.reuse_port <- v
  | Sockopt.SO_BROADCAST -> t.broadcast <- v
  | Sockopt.SO_DEBUG -> t.debug <- v
  | Sockopt.SO_DONTROUTE -> t.dont_route <- v
  | Sockopt.SO_OOBINLINE -> t.oob_inline <- v
  | Sockopt.SO_LINGER -> t.linger <- linger v
  | Sockopt.SO_RCVTIMEO -> t.receive_timeout <- timeout v
  | Sockopt.SO_SNDTIMEO -> t.send_timeout <- timeout v
  | Sockopt.SO_RCVLOWAT -> t.receive_low_water <- low_water t v
  | Sockopt.SO_SNDBUF -> t.send_buffer <- Some (within_buffer smallest_send_buffer v)
  | Sockopt.SO_RCVBUF -> t.receive_buffer <- Some (within_buffer smallest_receive_buffer v)
  | Sockopt.SO_KEEPALIVE -> t.keepalive_on <- v
  | Sockopt.TCP_NODELAY -> t.nodelay <- v
  | Sockopt.TCP_KEEPIDLE -> t.keepalive <- { t.keepalive with idle = seconds "TCP_KEEPIDLE" v }
  | Sockopt.TCP_KEEPINTVL ->
      t.keepalive <- { t.keepalive with interval = seconds "TCP_KEEPINTVL" v }
  | Sockopt.TCP_KEEPCNT ->
      t.keepalive <- { t.keepalive with probes = within 1 most_probes "TCP_KEEPCNT" v }
  | Sockopt.TCP_CONGESTION -> t.congestion <- congestion t v
  | TCP_USER_TIMEOUT -> t.user_timeout_ms <- within 0 most_milliseconds "TCP_USER_TIMEOUT" v
  | TCP_UTO -> t.announce_timeout <- v
  | Sockopt.IP_TTL -> t.time_to_live <- time_to_live v
  | Sockopt.IP_MTU_DISCOVER -> t.mtu_discover <- v
  | Sockopt.IP_BIND_ADDRESS_NO_PORT -> t.port_later <- v
  | Sockopt.IP_MTU -> invalid_arg "IP_MTU is a read-only socket option"
  | Eio_unix.Net.Sockopt_bool o -> set_bool t o v
  | Eio_unix.Net.Sockopt_int SO_SNDBUF -> set t Sockopt.SO_SNDBUF v
  | Eio_unix.Net.Sockopt_int SO_RCVBUF -> set t Sockopt.SO_RCVBUF v
  | Eio_unix.Net.Sockopt_int SO_RCVLOWAT -> set t Sockopt.SO_RCVLOWAT v
  | Eio_unix.Net.Sockopt_optint SO_LINGER -> set t Sockopt.SO_LINGER v
  | Eio_unix.Net.Sockopt_float SO_RCVTIMEO -> set t Sockopt.SO_RCVTIMEO v
  | Eio_unix.Net.Sockopt_float SO_SNDTIMEO -> set t Sockopt.SO_SNDTIMEO v
  | _ -> invalid ()

and set_bool : t -> Unix.socket_bool_option -> bool -> unit =
 fun t option v ->
  match option with
  | SO_REUSEADDR -> set t Sockopt.SO_REUSEADDR v
  | SO_REUSEPORT -> set t Sockopt.SO_REUSEPORT v
  | SO_BROADCAST -> set t Sockopt.SO_BROADCAST v
  | SO_KEEPALIVE -> set t Sockopt.SO_KEEPALIVE v
  | SO_DONTROUTE -> set t Sockopt.SO_DONTROUTE v
  | SO_OOBINLINE -> set t Sockopt.SO_OOBINLINE v
  | TCP_NODELAY -> set t Sockopt.TCP_NODELAY v
  | SO_DEBUG -> set t Sockopt.SO_DEBUG v
  | SO_ACCEPTCONN | IPV6_ONLY -> invalid ()

(* Every packet of a connection has the host's time to live, and follows its path. *)
let set_stream : type a. t -> a Sockopt.t -> a -> unit =
 fun t option v ->
  match option with
  | Sockopt.IP_TTL -> if time_to_live v <> t.time_to_live then invalid ()
  | Sockopt.IP_MTU_DISCOVER -> (
      match v with `Want | `Do -> t.mtu_discover <- v | `Dont | `Probe -> invalid ())
  | _ -> set t option v

let is_tcps : type a. a Sockopt.t -> bool = function
  | Sockopt.TCP_NODELAY | Sockopt.TCP_KEEPIDLE | Sockopt.TCP_KEEPINTVL | Sockopt.TCP_KEEPCNT
  | Sockopt.TCP_CONGESTION | Sockopt.TCP_MAXSEG | TCP_USER_TIMEOUT | TCP_UTO
  | Eio_unix.Net.Sockopt_bool TCP_NODELAY ->
      true
  | _ -> false

let set_datagram : type a. t -> a Sockopt.t -> a -> unit =
 fun t option v -> if is_tcps option then invalid () else set t option v

let rec get : type a. t -> a Sockopt.t -> a =
 fun t option ->
  match option with
  | Sockopt.SO_REUSEADDR -> t.reuse_addr
  | Sockopt.SO_REUSEPORT -> t.reuse_port
  | Sockopt.SO_BROADCAST -> t.broadcast
  | Sockopt.SO_DEBUG -> t.debug
  | Sockopt.SO_DONTROUTE -> t.dont_route
  | Sockopt.SO_OOBINLINE -> t.oob_inline
  | Sockopt.SO_LINGER -> t.linger
  | Sockopt.SO_RCVTIMEO -> t.receive_timeout
  | Sockopt.SO_SNDTIMEO -> t.send_timeout
  | Sockopt.SO_RCVLOWAT -> t.receive_low_water
  | Sockopt.SO_SNDLOWAT -> 1
  | Sockopt.SO_SNDBUF -> send_buffer t
  | Sockopt.SO_RCVBUF -> receive_buffer t
  | Sockopt.SO_KEEPALIVE -> t.keepalive_on
  | Sockopt.TCP_NODELAY -> t.nodelay
  | Sockopt.TCP_KEEPIDLE -> t.keepalive.idle / Time.s 1
  | Sockopt.TCP_KEEPINTVL -> t.keepalive.interval / Time.s 1
  | Sockopt.TCP_KEEPCNT -> t.keepalive.probes
  | Sockopt.TCP_CONGESTION -> Congestion.name t.congestion
  | TCP_USER_TIMEOUT -> t.user_timeout_ms
  | TCP_UTO -> t.announce_timeout
  | Sockopt.IP_TTL -> t.time_to_live
  | Sockopt.IP_MTU_DISCOVER -> t.mtu_discover
  | Sockopt.IP_BIND_ADDRESS_NO_PORT -> t.port_later
  | Sockopt.IPV6_ONLY -> not_supported ()
  | Eio_unix.Net.Sockopt_bool o -> get_bool t o
  | Eio_unix.Net.Sockopt_int SO_SNDBUF -> send_buffer t
  | Eio_unix.Net.Sockopt_int SO_RCVBUF -> receive_buffer t
  | Eio_unix.Net.Sockopt_int SO_RCVLOWAT -> t.receive_low_water
  | Eio_unix.Net.Sockopt_int SO_SNDLOWAT -> 1
  | Eio_unix.Net.Sockopt_optint SO_LINGER -> t.linger
  | Eio_unix.Net.Sockopt_float SO_RCVTIMEO -> t.receive_timeout
  | Eio_unix.Net.Sockopt_float SO_SNDTIMEO -> t.send_timeout
  | _ -> invalid ()

and get_bool : t -> Unix.socket_bool_option -> bool =
 fun t option ->
  match option with
  | SO_REUSEADDR -> t.reuse_addr
  | SO_REUSEPORT -> t.reuse_port
  | SO_BROADCAST -> t.broadcast
  | SO_KEEPALIVE -> t.keepalive_on
  | SO_DONTROUTE -> t.dont_route
  | SO_OOBINLINE -> t.oob_inline
  | TCP_NODELAY -> t.nodelay
  | SO_DEBUG -> t.debug
  | IPV6_ONLY -> not_supported ()
  | SO_ACCEPTCONN -> invalid ()

(* [None] costs no words. *)
let ttl t = if t.time_to_live = Weir_wire.Ipv4.base.ttl then None else Some t.time_to_live
let dont_fragment t = match t.mtu_discover with `Do -> true | `Want | `Dont | `Probe -> false
let probe t = match t.mtu_discover with `Probe -> true | `Want | `Dont | `Do -> false
let get_datagram t option = if is_tcps option then not_supported () else get t option

let rec set_all t : Sockopt.settings -> unit = function
  | [] -> ()
  | (option, v) :: rest ->
      set_stream t option v;
      set_all t rest

let user_timeout t : Config.user_timeout option =
  if t.user_timeout_ms = 0 then None
  else Some { limit = Time.ms t.user_timeout_ms; announced = t.announce_timeout }

let apply t c =
  Tcp.set_sharing c ~reuse:t.reuse_addr ~share:t.reuse_port;
  if Tcp.nodelay c <> t.nodelay then Tcp.set_nodelay c t.nodelay;
  let keepalive = if t.keepalive_on then Some t.keepalive else None in
  if Tcp.keepalive c <> keepalive then Tcp.set_keepalive c keepalive;
  let user_timeout = user_timeout t in
  if Tcp.user_timeout c <> user_timeout then Tcp.set_user_timeout c user_timeout;
  Tcp.set_congestion c t.congestion;
  Option.iter (Tcp.set_send_buffer c) t.send_buffer;
  Option.iter (Tcp.set_receive_buffer c) t.receive_buffer

let unix_error_number : Unix.error -> int = function
  | EPIPE -> 32
  | EMSGSIZE -> 90
  | ENOPROTOOPT -> 92
  | EOPNOTSUPP -> 95
  | EHOSTDOWN -> 112
  | ECONNABORTED -> 103
  | ECONNRESET -> 104
  | ETIMEDOUT -> 110
  | ECONNREFUSED -> 111
  | EHOSTUNREACH -> 113
  | ENOBUFS -> 105
  | ENETUNREACH -> 101
  | _ -> 0
