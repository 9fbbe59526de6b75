let of_reader m r =
  let b = Builder.create ~words:(Message.words m + 1) () in
  Copy.struct_ ~canonical:true m (Shape.int_of_reader r) b Builder.first ~data:0 ~pointers:0;
  Bytes.sub_string b.Builder.buf (8 * Builder.first) (8 * Builder.words b)

let of_message m = of_reader m (Reader.root m)

let check m =
  Message.segments m = 1
  && of_message m = Bytes.sub_string m.Message.buf m.Message.base (8 * Message.words m)
