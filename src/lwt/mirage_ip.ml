open Weir_core

type t = Host.t
type error = [ `No_route of string | `Would_fragment | `Failed of Error.t ]
type ipaddr = Ipaddr.t
type prefix = Ipaddr.Prefix.t
type callback = src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t

let pp_error f : error -> unit = function
  | `No_route why -> Fmt.pf f "no route: %s" why
  | `Would_fragment -> Fmt.string f "the packet is longer than the link's MTU allows"
  | `Failed e -> Error.pp f e

let pp_ipaddr = Ipaddr.pp
let pp_prefix = Ipaddr.Prefix.pp

let input _ ~tcp:_ ~udp:_ ~default:_ _ =
  Lwt.fail (Invalid_argument "Weir_lwt: packets come from the host's own link")

let number = function
  | `TCP -> Weir_wire.Ipv4.protocol_tcp
  | `UDP -> Weir_wire.Ipv4.protocol_udp
  | `ICMP -> Weir_wire.Ipv4.protocol_icmp

let addresses t = (Stack.interface (Host.stack t) 0).addresses

let src t ~dst : ipaddr =
  match Ipaddr.to_v4 dst with
  | Some dst -> V4 (Stack.source_for (Host.stack t) dst)
  | None -> V6 Ipaddr.V6.unspecified

let configured_ips t : prefix list =
  List.map
    (fun (a : Interface.address) ->
      Ipaddr.V4 (Ipaddr.V4.Prefix.make a.prefix_length (Weir_wire.Ip.to_v4 a.ip)))
    (Array.to_list (addresses t))

let get_ip t : ipaddr list = [ V4 (Stack.address (Host.stack t)) ]

let mtu t ~dst =
  match Ipaddr.to_v4 dst with
  | Some dst -> Stack.path_mtu (Host.stack t) dst - Weir_wire.Ipv4.shortest
  | None -> 0

let has_route t dst = Stack.has_route (Host.stack t) dst

(* Of one version, or nothing can be sent. *)
let route t src_given dst : (Ipaddr.V4.t, error) result =
  match Error.ipv4 dst with
  | Error e -> Error (`No_route (Fmt.str "%a" Error.pp e))
  | Ok v4 when not (has_route t v4) -> Error (`No_route (Ipaddr.to_string dst))
  | Ok v4 -> (
      match src_given with
      | Some a when Ipaddr.compare a (src t ~dst) <> 0 ->
          Error (`Failed (Error.Bad_address (Ipaddr.to_string a)))
      | _ -> Ok v4)

let packet ~size header payload =
  let buf = Cstruct.create size in
  let length = header buf in
  if length < 0 || length > size then invalid_arg "Weir_lwt: a header longer than its buffer";
  Cstruct.concat (Cstruct.sub buf 0 length :: payload) |> Cstruct.to_bytes

let send t ~fragment ?ttl dst protocol b : (unit, error) result =
  let len = Bytes.length b in
  match
    Stack.send_ip (Host.stack t) ~now:(Host.now t) ?ttl ~dont_fragment:(not fragment) dst
      ~protocol:(number protocol) b ~off:0 ~len
  with
  | Ok () -> Ok (Host.flush t)
  | Error `Would_fragment -> Error `Would_fragment
  | Error `Too_long -> Error (`Failed (Message_too_long len))
  | Error `No_room -> Error (`Failed Queue_full)
  | Error `Bad_address -> Error (`Failed (Bad_address (Ipaddr.V4.to_string dst)))

let write t ?(fragment = true) ?ttl ?src dst protocol ?(size = 0) header payload =
  Lwt.return
    (Result.bind (route t src dst) (fun dst ->
         send t ~fragment ?ttl dst protocol (packet ~size header payload)))

let pseudoheader t ?src:given dst protocol length =
  match (Ipaddr.to_v4 (Option.value given ~default:(src t ~dst)), Ipaddr.to_v4 dst) with
  | Some src, Some dst ->
      let b = Bytes.make 12 '\000' in
      Weir_wire.Ip.(set b 0 (of_v4 src));
      Weir_wire.Ip.(set b 4 (of_v4 dst));
      Bytes.set_uint8 b 9 (number protocol);
      Bytes.set_uint16_be b 10 length;
      Cstruct.of_bytes b
  | _ -> invalid_arg "Weir_lwt: IPv6 is not supported"

let disconnect _ = Lwt.return_unit
