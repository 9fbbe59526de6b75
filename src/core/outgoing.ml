type via = Routed | On of int
type t = { frame : Bytes.t; frame_len : int; dst : Weir_wire.Ip.t; via : via }

let none = { frame = Bytes.empty; frame_len = 0; dst = Weir_wire.Ip.any; via = Routed }
