let v = Eio_unix.Err.v

(* As Linux has it (RFC 1122 §4.2.3.9 leaves the names to us). *)
let code_of_icmpv4 : Weir_wire.Icmpv4.t -> Unix.error = function
  | Destination_unreachable { code; _ } -> (
      match code with
      | Net | Other_code (6 | 9 | 11) -> ENETUNREACH
      | Protocol -> ENOPROTOOPT
      | Port -> ECONNREFUSED
      | Fragmentation_needed _ -> EMSGSIZE
      | Other_code 5 -> EOPNOTSUPP
      | Other_code 7 -> EHOSTDOWN
      | Host | Other_code _ -> EHOSTUNREACH)
  | _ -> EHOSTUNREACH

let code_of_icmpv6 : Weir_wire.Icmpv6.t -> Unix.error = function
  | Destination_unreachable { code; _ } -> (
      match code with
      | No_route -> ENETUNREACH
      | Prohibited | Other_code (5 | 6) -> EACCES
      | Port -> ECONNREFUSED
      | Beyond_scope | Address | Other_code _ -> EHOSTUNREACH)
  | Packet_too_big _ -> EMSGSIZE
  | Parameter_problem _ -> EUNKNOWNERR 71 (* EPROTO *)
  | _ -> EHOSTUNREACH

let code_of_icmp : Weir_core.Icmp_error.t -> Unix.error = function
  | V4 m -> code_of_icmpv4 m
  | V6 m -> code_of_icmpv6 m

let code_of_tcp : Weir_core.Tcp.error -> Unix.error = function
  | Refused -> ECONNREFUSED
  | Reset -> ECONNRESET
  | Timed_out -> ETIMEDOUT
  | Unreachable message -> code_of_icmp message
  | Aborted -> ECONNABORTED
  | No_memory -> ENOBUFS

let of_tcp (e : Weir_core.Tcp.error) call =
  v (code_of_tcp e) call
    (match e with Unreachable m -> Fmt.str "%a" Weir_core.Icmp_error.pp m | _ -> "")

let closed call = Invalid_argument (call ^ ": socket used after calling close!")
let closed_meanwhile call = v ECONNABORTED call "another fiber closed the socket during the call"
let flow_timeout call = v ETIMEDOUT call ""
let address (ip : Eio.Net.Ipaddr.v4v6) = Ipaddr.of_octets_exn (ip :> string)
let is_any a = Ipaddr.(compare a (V4 V4.any) = 0 || compare a (V6 V6.unspecified) = 0)

let port call p =
  if p < 0 || p > 0xffff then raise (v EINVAL call (string_of_int p));
  p

let no_unix_domain call = v EAFNOSUPPORT call "Weir has no Unix-domain sockets"

let is_ipv6 (ip : Eio.Net.Ipaddr.v4v6) =
  Eio.Net.Ipaddr.fold ip ~v4:(Fun.const false) ~v6:(Fun.const true)

let eio_address ?(ipv6 = false) a =
  let module Ip = Weir_wire.Ip in
  let shown = if not ipv6 then a else if Ip.is_any a then Ip.any_v6 else Ip.mapped a in
  Eio.Net.Ipaddr.of_raw (shown :> string)
