type t = { message : string; kind : int }

exception E of t

let unknown_method = 1
let missing_result = 5
let internal_error = 6
let protocol_error = 7

let write w t =
  let last = Writer.field w 0 1 Kind.string in
  Writer.string w t.message;
  let _ = Writer.field w last 2 Kind.i32 in
  Writer.i32 w t.kind;
  Writer.stop w

let read r =
  Reader.enter r;
  let message = ref "" and kind = ref 0 in
  let h = ref (Reader.field r 0) in
  while !h <> 0 do
    (match !h with
    | 0x18 -> message := Reader.string r
    | 0x25 -> kind := Reader.i32 r
    | h -> Reader.skip_field r h);
    h := Reader.field r (!h asr 4)
  done;
  Reader.leave r;
  { message = !message; kind = !kind }
