open Weir_base

type t =
  | No_answer of int
  | Unusable of string
  | Unconfirmed of Dhcp_lease.t
  | Being_checked of Dhcp_lease.t

let address (l : Dhcp_lease.t) = Ipaddr.V4.(to_string (Prefix.address l.address))
let server (l : Dhcp_lease.t) = Ipaddr.V4.to_string l.server

let explain t ~link ~after =
  let seconds = Fmt.str "%g s" (Time.to_float_s after) in
  match t with
  | No_answer sent ->
      Fmt.str "no DHCP server answered on %s within %s: %d %s sent; is a server on this link?" link
        seconds sent
        (if sent = 1 then "request was" else "requests were")
  | Unusable why ->
      Fmt.str
        "no DHCP server gave a usable address on %s within %s; the last answer was not used \
         because %s"
        link seconds why
  | Unconfirmed l ->
      Fmt.str "the DHCP server %s offered %s on %s, but did not confirm it within %s" (server l)
        (address l) link seconds
  | Being_checked l ->
      Fmt.str
        "the address %s, which the DHCP server %s gave, was still being checked on %s after %s"
        (address l) (server l) link seconds
