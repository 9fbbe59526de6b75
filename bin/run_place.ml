module Enclosure = Weir_tap.Enclosure

type t = { members : Run_members.t option; number : int }

let ip = Ipaddr.of_string_exn
let gateway4 = ip "10.0.2.2"
let gateway6 = ip "fd00::2"
let resolver = ip "10.0.2.3"
let gateways = "10.0.2.2/24,10.0.2.3/24,fd00::2/64"
let v4_of number = ip (Printf.sprintf "10.0.2.%d" (15 + number))
let v6_of number = ip (Printf.sprintf "fd00::%x" (0x15 + number))
let make members = { members; number = Option.fold members ~none:0 ~some:Run_members.number }
let v4 t : Enclosure.address = { address = v4_of t.number; prefix = 24; gateway = gateway4 }
let v6 t : Enclosure.address = { address = v6_of t.number; prefix = 64; gateway = gateway6 }
let own t = [ v4_of t.number; v6_of t.number ]
let same a b = Ipaddr.compare a b = 0
let is_own t a = List.exists (same a) (own t)

let is_inside = function
  | Ipaddr.V4 a -> Ipaddr.V4.(Prefix.mem a (Prefix.of_string_exn "10.0.2.0/24"))
  | V6 a -> Ipaddr.V6.(Prefix.mem a (Prefix.of_string_exn "fd00::/64"))

let table t =
  List.concat_map
    (fun (name, n) -> [ (name, v4_of n); (name, v6_of n) ])
    (Option.fold t.members ~none:[] ~some:Run_members.all)

let member t a =
  List.find_map (fun (name, address) -> if same a address then Some name else None) (table t)

let is_there t a = (not (is_inside a)) || same a gateway4 || same a gateway6 || member t a <> None
