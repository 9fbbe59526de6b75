(* Flows that lie about how much they read, and slices of ranges that are not there, given to all
   that uses flows. *)

open Attack
module Flow = Weir_flow.Flow
module Slice = Weir_flow.Slice
module Message = Weir_message
module All = Weir_test_arrays.Test_messages_proto3_pb.Test_all_types_proto3

(* Right most of the time, for a while. *)
class liar random s =
  object
    inherit Flow.flow
    val mutable pos = 0
    val mutable left = 30

    method read_into b ~off ~len =
      left <- left - 1;
      let n = Int.min (1 + int random 40) (Int.min len (String.length s - pos)) in
      if left < 0 then 0
      else if int random 12 = 0 then nasty random
      else (
        Bytes.blit_string s pos b off n;
        pos <- pos + n;
        n)

    method! read =
      let view = Slice.of_string s in
      if int random 3 = 0 then
        Slice.set view (Bytes.create 10) ~off:(near random 10) ~len:(near random 10);
      left <- left - 1;
      if left < 0 then Slice.empty () else view

    method write b ~off ~len = ignore (Bytes.sub b off len)
  end

let liar random s : Flow.flow = new liar random s

let flows random =
  let s = string random (length random) in
  attempt (fun () -> ignore (Flow.copy (liar random s) (Weir_flow.Memory.sink ~max:5_000 ())));
  attempt (fun () ->
      ignore (Flow.copy (Weir_flow.Wrap.limit (near random 100) (liar random s)) (liar random s)));
  attempt (fun () -> ignore (Flow.read_all (liar random s) ~max:(near random 1_000)));
  attempt (fun () ->
      Flow.read_exactly (liar random s) (Bytes.create 64) ~off:(near random 64)
        ~len:(near random 64));
  attempt (fun () ->
      let n = length random in
      let a = bytes random n in
      let b = if Random.State.bool random then a else bytes random n in
      Slice.blit a (near random n) b (near random n) (near random (min n 40)));
  attempt (fun () ->
      let w = Weir_flow.Memory.sink ~max:5_000 () in
      w#write (Bytes.create 100) ~off:(near random 100) ~len:(near random 100);
      w#writev [ (liar random s)#read ];
      ignore w#contents)

let messages random =
  let b = Buffer.create 100 in
  for _ = 1 to 1 + int random 3 do
    let s =
      All.encode { All.default with packed_int32 = Array.init (int random 40) (fun i -> i * 77) }
    in
    Buffer.add_uint8 b (String.length s land 127);
    Buffer.add_string b s
  done;
  let s = Buffer.contents b in
  let framing = Message.Framing.Varint in
  attempt (fun () ->
      let r = Message.Reader.create ~limit:(near random 1_000) framing (liar random s) in
      ignore (Message.Reader.iter r (Message.Protobuf.binary All.codec) ignore));
  attempt (fun () ->
      let open Message in
      let numbers = Field.int All.codec "packed_int32" in
      let r =
        Field_reader.create All.codec
          [ Each (numbers, Fun.id) ]
          (liar random
             (All.encode { All.default with packed_int32 = Array.init 50 (fun i -> i * i) }))
      in
      ignore (Field_reader.iter r ignore));
  attempt (fun () ->
      let f = Message.Field.text All.codec "repeated_string" in
      ignore
        (Message.Field.decode f s (near random (String.length s)) (near random (String.length s))))

let request =
  "POST /a HTTP/1.1\r\n\
   Host: x\r\n\
   Transfer-Encoding: chunked\r\n\
   \r\n\
   5\r\n\
   hello\r\n\
   0\r\n\
   \r\n\
   GET / HTTP/1.1\r\n\
   Host: x\r\n\
   Connection: close\r\n\
   \r\n"

module Http = Weir_http

let http random =
  let s = if Random.State.bool random then request else damaged random request in
  let b = Bytes.of_string s in
  let n = Bytes.length b in
  attempt (fun () ->
      let server = Http.Server.create () in
      Http.Server.serve_connection server (liar random s) Http.Handler.not_found);
  attempt (fun () -> ignore (Http.Chars.skip Http.Chars.token b (near random n) (near random n)));
  attempt (fun () -> ignore (Http.Names.field b ~off:(near random n) ~len:(near random 20)));
  attempt (fun () ->
      let out = Http.Output.create (Http.Buffers.create ()) in
      for _ = 1 to 20 do
        attempt (fun () ->
            match int random 6 with
            | 0 -> Http.Output.truncate out (near random (Http.Output.length out))
            | 1 -> Http.Output.decimal out (nasty random)
            | 2 -> Http.Output.field out "Name" (text random (length random))
            | 3 -> Http.Output.string out (text random 3_000)
            | 4 ->
                ignore (Http.Output.lend out ~want:(near random 100) ~chunked:true);
                Http.Output.filled out (near random 100) ~chunked:true
            | _ -> Http.Output.char out 'c')
      done)

let groups =
  [
    ( "flows",
      [ property "flows" flows; property ~count:300 "messages" messages; property "http" http ] );
  ]
