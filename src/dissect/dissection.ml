open Weir_wire

type t = {
  number : int;
  time : Weir_base.Time.t;
  link_type : int;
  captured : int;
  original : int;
  data : Bytes.t;
  decoded : Layers.t;
  shown : Layers.t;
  stream : Conversations.seen option;
}

let raw_ip = 101

let decode data (p : Pcap.packet) =
  if p.link_type = Pcap.ethernet then Layers.of_frame data ~off:p.off ~len:p.captured
  else if p.link_type = raw_ip then Layers.of_ip data ~off:p.off ~len:p.captured
  else Layers.none ~length:p.captured

let make conversations ~absolute ~number data (p : Pcap.packet) =
  let decoded = decode data p in
  let stream = Conversations.see conversations decoded in
  let shown = if absolute then decoded else Conversations.relative conversations decoded in
  let { Pcap.time; captured; original; link_type; _ } = p in
  { number; time; link_type; captured; original; data; decoded; shown; stream }

let pp f t =
  match t.shown with
  | { network = Other; ethernet = None; wrong = None; _ } ->
      Fmt.pf f "link type %d, %d bytes" t.link_type t.original
  | shown -> Dump.pp f shown
