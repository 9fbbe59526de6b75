open Weir_base

type via = Routed | On of int

type t = {
  frame : Bytes.t;
  frame_len : int;
  dst : Weir_wire.Ip.t;
  via : via;
  checksum : Frame.checksum;
}

let plain frame ~len ~dst via = { frame; frame_len = len; dst; via; checksum = Unverified }
let none = plain Bytes.empty ~len:0 ~dst:Weir_wire.Ip.any Routed
