let v = Eio_unix.Err.v

(* As Linux has it (RFC 1122 §4.2.3.9 leaves the names to us). *)
let code_of_icmp : Weir_wire.Icmpv4.t -> Unix.error = function
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

let code_of_tcp : Weir_core.Tcp.error -> Unix.error = function
  | Refused -> ECONNREFUSED
  | Reset -> ECONNRESET
  | Timed_out -> ETIMEDOUT
  | Unreachable message -> code_of_icmp message
  | Aborted -> ECONNABORTED
  | No_memory -> ENOBUFS

let of_tcp (e : Weir_core.Tcp.error) call =
  v (code_of_tcp e) call
    (match e with Unreachable m -> Fmt.str "%a" Weir_wire.Icmpv4.pp_what m | _ -> "")

let closed call = Invalid_argument (call ^ ": socket used after calling close!")
let closed_meanwhile call = v ECONNABORTED call "another fiber closed the socket during the call"
let flow_timeout call = v ETIMEDOUT call ""

let ipv4 call ip =
  match Ipaddr.of_octets_exn (ip : Eio.Net.Ipaddr.v4v6 :> string) with
  | Ipaddr.V4 a -> a
  | V6 a when Ipaddr.V6.compare a Ipaddr.V6.unspecified = 0 -> Ipaddr.V4.any
  | V6 a -> (
      match Ipaddr.v4_of_v6 a with
      | Some a -> a
      | None -> raise (v EAFNOSUPPORT call "Weir has no IPv6"))

let port call p =
  if p < 0 || p > 0xffff then raise (v EINVAL call (string_of_int p));
  p

let no_unix_domain call = v EAFNOSUPPORT call "Weir has no Unix-domain sockets"

let is_ipv6 (ip : Eio.Net.Ipaddr.v4v6) =
  Eio.Net.Ipaddr.fold ip ~v4:(Fun.const false) ~v6:(Fun.const true)

let eio_address ?(ipv6 = false) a =
  let octets =
    if not ipv6 then Ipaddr.V4.to_octets a
    else if Ipaddr.V4.compare a Ipaddr.V4.any = 0 then Ipaddr.V6.(to_octets unspecified)
    else Ipaddr.V6.to_octets (Ipaddr.v6_of_v4 a)
  in
  Eio.Net.Ipaddr.of_raw octets
