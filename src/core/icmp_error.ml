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

let host_unreachable dst =
  if Ip.is_v4 dst then V4 (Destination_unreachable { code = Host; rest = 0; data_length = 0 })
  else V6 (Destination_unreachable { code = Address; data_length = 0 })

let pp f = function V4 m -> Icmpv4.pp_what f m | V6 m -> Icmpv6.pp_what f m
