let v = Eio_unix.Err.v

let code_of_tcp : Weir_core.Tcb.error -> Unix.error = function
  | Refused -> ECONNREFUSED
  | Reset -> ECONNRESET
  | Timed_out -> ETIMEDOUT
  | Unreachable _ -> EHOSTUNREACH
  | Aborted -> ECONNABORTED

let of_tcp (e : Weir_core.Tcb.error) call =
  v (code_of_tcp e) call (match e with Unreachable why -> why | _ -> "")

let closed call = Invalid_argument (call ^ ": socket used after calling close!")
let closed_meanwhile call = v ECONNABORTED call "the socket was closed meanwhile"
let flow_timeout call = v ETIMEDOUT call ""

let ipv4 call ip =
  match Ipaddr.of_octets_exn (ip : Eio.Net.Ipaddr.v4v6 :> string) with
  | Ipaddr.V4 a -> a
  | V6 a when Ipaddr.V6.compare a Ipaddr.V6.unspecified = 0 -> Ipaddr.V4.any
  | V6 a -> (
      match Ipaddr.v4_of_v6 a with
      | Some a -> a
      | None -> raise (v EAFNOSUPPORT call "Weir has no IPv6"))

let no_unix_domain call = v EAFNOSUPPORT call "Weir has no Unix-domain sockets"
let eio_address a = Eio.Net.Ipaddr.of_raw (Ipaddr.V4.to_octets a)
