type 'm t = { writer : Writer.t; whole : Output.t -> 'm -> unit }

let create ?limit codec flow =
  { writer = Writer.create ?limit Varint flow; whole = (Protobuf.binary codec).encode }

let add t field v = Writer.send_bare t.writer (Field.encode field) v
let merge t m = Writer.send_bare t.writer t.whole m
