open Weir_core

type t = Host.t
type error = [ `No_route of string | `Would_fragment | `Failed of Error.t ]
type ipaddr = Ipaddr.t
type prefix = Ipaddr.Prefix.t
type callback = src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t

let pp_error f : error -> unit = function
  | `No_route why -> Fmt.pf f "no route: %s" why
  | `Would_fragment -> Fmt.string f "the packet is longer than the path's MTU"
  | `Failed e -> Error.pp f e

let pp_ipaddr = Ipaddr.pp
let pp_prefix = Ipaddr.Prefix.pp

let input _ ~tcp:_ ~udp:_ ~default:_ _ =
  Lwt.fail (Invalid_argument "Weir_lwt: packets come from the host's own link")

let number ~(dst : ipaddr) = function
  | `TCP -> Weir_wire.Ipv4.protocol_tcp
  | `UDP -> Weir_wire.Ipv4.protocol_udp
  | `ICMP -> (
      match dst with V4 _ -> Weir_wire.Ipv4.protocol_icmp | V6 _ -> Weir_wire.Ipv6.protocol_icmp)

let addresses t = (Stack.interface (Host.stack t) 0).addresses
let src t ~dst : ipaddr = Stack.source_for (Host.stack t) dst

let configured_ips t : prefix list =
  List.map
    (fun (a : Interface.address) : prefix ->
      match Weir_wire.Ip.to_ipaddr a.ip with
      | V4 ip -> V4 (Ipaddr.V4.Prefix.make a.prefix_length ip)
      | V6 ip -> V6 (Ipaddr.V6.Prefix.make a.prefix_length ip))
    (Array.to_list (addresses t))

let get_ip t : ipaddr list =
  List.map
    (fun (a : Interface.address) -> Weir_wire.Ip.to_ipaddr a.ip)
    (Array.to_list (addresses t))

let mtu t ~dst =
  Stack.path_mtu (Host.stack t) dst - Weir_wire.Ip.(header_length (unmapped (of_ipaddr dst)))

let has_route t dst = Stack.has_route (Host.stack t) dst

let route t src_given dst : (Ipaddr.t, error) result =
  if not (has_route t dst) then Error (`No_route (Ipaddr.to_string dst))
  else
    match src_given with
    | Some a when Ipaddr.compare a (src t ~dst) <> 0 ->
        Error (`Failed (Error.Bad_address (Ipaddr.to_string a)))
    | _ -> Ok dst

let packet ~size header payload =
  let buf = Cstruct.create size in
  let length = header buf in
  if length < 0 || length > size then invalid_arg "Weir_lwt: a header longer than its buffer";
  Cstruct.concat (Cstruct.sub buf 0 length :: payload) |> Cstruct.to_bytes

let send t ~fragment ?ttl dst protocol b : (unit, error) result =
  let len = Bytes.length b in
  match
    Stack.send_ip (Host.stack t) ~now:(Host.now t) ?ttl ~dont_fragment:(not fragment) dst
      ~protocol:(number ~dst protocol) b ~off:0 ~len
  with
  | Ok () -> Ok (Host.flush t)
  | Error `Would_fragment -> Error `Would_fragment
  | Error `Too_long -> Error (`Failed (Message_too_long len))
  | Error `No_room -> Error (`Failed Queue_full)
  | Error (`Bad_address | `No_route) -> Error (`Failed (Bad_address (Ipaddr.to_string dst)))

let write t ?(fragment = true) ?ttl ?src dst protocol ?(size = 0) header payload =
  Lwt.return
    (Result.bind (route t src dst) (fun dst ->
         send t ~fragment ?ttl dst protocol (packet ~size header payload)))

(* RFC 768, RFC 8200 §8.1. *)
let pseudoheader t ?src:given dst protocol length =
  let ip a = Weir_wire.Ip.of_ipaddr a in
  let src = ip (Option.value given ~default:(src t ~dst)) and number = number ~dst protocol in
  let dst = ip dst in
  if Weir_wire.Ip.is_v4 src <> Weir_wire.Ip.is_v4 dst then
    invalid_arg "Weir_lwt: addresses of both families in one header";
  let addresses = 2 * Weir_wire.Ip.length dst in
  let b = Bytes.make (addresses + if Weir_wire.Ip.is_v4 dst then 4 else 8) '\000' in
  Weir_wire.Ip.set b 0 src;
  Weir_wire.Ip.set b (addresses / 2) dst;
  if Weir_wire.Ip.is_v4 dst then (
    Bytes.set_uint8 b (addresses + 1) number;
    Bytes.set_uint16_be b (addresses + 2) length)
  else (
    Bytes.set_int32_be b addresses (Int32.of_int length);
    Bytes.set_uint8 b (addresses + 7) number);
  Cstruct.of_bytes b

let disconnect _ = Lwt.return_unit
