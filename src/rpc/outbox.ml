module Output = Weir_message.Output
module Framing = Weir_message.Framing
module Slice = Weir_flow.Slice

type t = { mutable filling : Output.t; mutable taken : Output.t; view : Slice.t }

let create () = { filling = Output.create (); taken = Output.create (); view = Slice.empty () }
let header = Framing.header_room Length32

let add t ~limit write =
  let out = t.filling in
  let before = Output.length out in
  Output.limit out (before + header + limit);
  match
    let content = Output.reserve out header + header in
    write out;
    let len = Output.length out - content in
    ignore (Framing.put_header Length32 (Output.bytes out) content len)
  with
  | () -> ()
  | exception e ->
      Output.truncate out before;
      raise e

let length t = Output.length t.filling

let sent t =
  Output.clear t.taken;
  Slice.set t.view Bytes.empty ~off:0 ~len:0

let take t =
  let out = t.filling in
  Output.clear t.taken;
  t.filling <- t.taken;
  t.taken <- out;
  Slice.set t.view (Output.bytes out) ~off:0 ~len:(Output.length out);
  t.view
