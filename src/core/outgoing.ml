type via = Routed | On of int
type t = { frame : Bytes.t; frame_len : int; dst : Weir_wire.Ip4.t; via : via }

let none = { frame = Bytes.empty; frame_len = 0; dst = Weir_wire.Ip4.any; via = Routed }
