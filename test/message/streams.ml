(* Flows as tests want them, and readers and writers over them. *)

open Weir_flow
open Weir_message

let framings = [ ("varint", Framing.Varint); ("length", Framing.Length32) ]
let error = Alcotest.testable Error.pp (fun a b -> a = b)

(* Gives at most the next of [sizes] bytes each time, in turn. *)
let chunked sizes s : Flow.reader =
  let sizes = Array.of_list (if sizes = [] then [ max_int ] else sizes) in
  object
    inherit Flow.reader
    val mutable at = 0
    val mutable turn = 0

    method read_into b ~off ~len =
      let most = Int.max 1 sizes.(turn mod Array.length sizes) in
      turn <- turn + 1;
      let n = Int.min (Int.min len most) (String.length s - at) in
      Bytes.blit_string s at b off n;
      at <- at + n;
      n
  end

(* What was written, and by how many calls. *)
class sink =
  object
    inherit Flow.writer
    val out = Buffer.create 256
    val mutable calls = 0
    method contents = Buffer.contents out
    method calls = calls

    method write b ~off ~len =
      calls <- calls + 1;
      Buffer.add_subbytes out b off len

    method! writev slices =
      calls <- calls + 1;
      List.iter
        (fun ({ bytes; off; len } : Slice.t) -> Buffer.add_subbytes out bytes off len)
        slices
  end

let written ?limit framing codec values =
  let sink = new sink in
  let w = Writer.create ?limit framing sink in
  List.iter (Writer.send w codec) values;
  sink#contents

(* All messages, and why there are no more. *)
let received ?limit ?(sizes = []) framing codec s =
  let r = Reader.create ?limit framing (chunked sizes s) in
  let all = ref [] in
  let why = Reader.iter r codec (fun v -> all := v :: !all) in
  (List.rev !all, why)

(* Words allocated by [f], in both heaps. *)
let words f =
  let count () =
    let minor, promoted, major = Gc.counters () in
    minor +. major -. promoted
  in
  let before = count () in
  let v = f () in
  (v, count () -. before)
