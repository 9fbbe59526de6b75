type Eio.Exn.Backend.t +=
  | Tcp_error of Weir_core.Tcb.error
  | Closed_locally
  | Unsupported of string
  | Address_in_use of int
  | No_free_port
  | Bad_address of string
  | Message_too_long of int
  | Queue_full
  | Icmp_error of string

let print f = function
  | Tcp_error e -> Weir_core.Tcb.pp_error f e
  | Closed_locally -> Fmt.string f "the socket was closed here"
  | Unsupported what -> Fmt.pf f "%s not supported by Weir" what
  | Address_in_use port -> Fmt.pf f "port %d is in use" port
  | No_free_port -> Fmt.string f "no free port or connection slot"
  | Bad_address a -> Fmt.pf f "%s cannot be used as an address here" a
  | Message_too_long n -> Fmt.pf f "a datagram of %d bytes is too long" n
  | Queue_full -> Fmt.string f "the output queue is full"
  | Icmp_error e -> Fmt.string f e
  | _ -> raise_notrace Not_found

let () =
  Eio.Exn.Backend.register_pp (fun f e ->
      match print f e with () -> true | exception Not_found -> false)

let reset e = Eio.Net.err (Connection_reset e)
let refused e = Eio.Net.err (Connection_failure (Refused e))

let of_open ~what ~port = function
  | `In_use -> refused (Address_in_use port)
  | `No_port -> refused No_free_port
  | `Bad_address -> refused (Bad_address what)

let ipv4 ip =
  match Ipaddr.of_octets_exn (ip : Eio.Net.Ipaddr.v4v6 :> string) with
  | Ipaddr.V4 a -> a
  | V6 a when Ipaddr.V6.compare a Ipaddr.V6.unspecified = 0 -> Ipaddr.V4.any
  | V6 a -> (
      match Ipaddr.v4_of_v6 a with Some a -> a | None -> raise (refused (Unsupported "IPv6 is")))

let eio_address a = Eio.Net.Ipaddr.of_raw (Ipaddr.V4.to_octets a)
