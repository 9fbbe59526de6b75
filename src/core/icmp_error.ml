open Weir_wire

type t = V4 of Icmpv4.t | V6 of Icmpv6.t

let is_hard = function
  | V4
      (Destination_unreachable
         { code = Net | Host | Fragmentation_needed _ | Other_code (5 | 11 | 12); _ }) ->
      false
  | V4 (Destination_unreachable _) -> true
  | V6 (Destination_unreachable { code = Prohibited | Port | Other_code (5 | 6); _ }) -> true
  (* Code 1 is an unknown next header: the peer does not support the protocol. *)
  | V6 (Parameter_problem { code = 1; _ }) -> true
  | V4 _ | V6 _ -> false

let is_unreachable = function
  | V4 (Destination_unreachable _) | V6 (Destination_unreachable _ | Parameter_problem _) -> true
  | V4 _ | V6 _ -> false

type reason = Network | Host | Port | Prohibited | Code of int

let of_code_v4 code : Icmpv4.unreachable =
  match code with
  | 0 -> Net
  | 1 -> Host
  | 2 -> Protocol
  | 3 -> Port
  | 4 -> Fragmentation_needed 0
  | n -> Other_code n

let of_code_v6 code : Icmpv6.unreachable =
  match code with
  | 0 -> No_route
  | 1 -> Prohibited
  | 2 -> Beyond_scope
  | 3 -> Address
  | 4 -> Port
  | n -> Other_code n

let unreachable ~like reason =
  if Ip.is_v4 like then
    let code =
      match reason with Network -> 0 | Host -> 1 | Port -> 3 | Prohibited -> 13 | Code n -> n
    in
    V4 (Destination_unreachable { code = of_code_v4 code; rest = 0; data_length = 0 })
  else
    let code =
      match reason with Network -> 0 | Host -> 3 | Port -> 4 | Prohibited -> 1 | Code n -> n
    in
    V6 (Destination_unreachable { code = of_code_v6 code; data_length = 0 })

let quoting_v4 (m : Icmpv4.t) data_length : Icmpv4.t =
  match m with
  | Echo_request m -> Echo_request { m with data_length }
  | Echo_reply m -> Echo_reply { m with data_length }
  | Destination_unreachable m -> Destination_unreachable { m with data_length }
  | Time_exceeded m -> Time_exceeded { m with data_length }
  | Parameter_problem m -> Parameter_problem { m with data_length }
  | Other m -> Other { m with data_length }

let quoting_v6 (m : Icmpv6.t) data_length : Icmpv6.t =
  match m with
  | Echo_request m -> Echo_request { m with data_length }
  | Echo_reply m -> Echo_reply { m with data_length }
  | Destination_unreachable m -> Destination_unreachable { m with data_length }
  | Packet_too_big m -> Packet_too_big { m with data_length }
  | Time_exceeded m -> Time_exceeded { m with data_length }
  | Parameter_problem m -> Parameter_problem { m with data_length }
  | Other m -> Other { m with data_length }

let host_unreachable dst =
  if Ip.is_v4 dst then V4 (Destination_unreachable { code = Host; rest = 0; data_length = 0 })
  else V6 (Destination_unreachable { code = Address; data_length = 0 })

let pp f = function V4 m -> Icmpv4.pp_what f m | V6 m -> Icmpv6.pp_what f m
