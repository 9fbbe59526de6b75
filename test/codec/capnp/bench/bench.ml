(* Times and minor words an operation, subjects interleaved in rounds; the least round counts. *)
open Bin_prot.Std

module Plain = struct
  type words = { a : string option; b : string option; c : string option; d : string option }
  [@@deriving bin_io]

  type payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int;
    fifth : words list;
    sixth : int list;
  }
  [@@deriving bin_io]
end

module P = Capnp_corpus.Payload_capnp
module C = Weir_capnp

let rows =
  [
    (String.make 1000 'A', "deuxieme", "", "");
    ("", "", String.make 500 'B', "quatrieme");
    ("premier", "deuxieme", "", "");
    ("", "", "troisieme", "quatrieme");
  ]

let sixth = [ 1234; 2345; 3456; 4567; 5678; 6789; 7890 ]

let plain =
  {
    Plain.first = false;
    second = true;
    third = 12345678.117;
    fourth = 234567;
    fifth =
      List.map (fun (a, b, c, d) -> { Plain.a = Some a; b = Some b; c = Some c; d = Some d }) rows;
    sixth;
  }

let ours : P.Payload.t =
  {
    first = false;
    second = true;
    third = 12345678.117;
    fourth = 234567L;
    fifth = List.map (fun (a, b, c, d) : P.Words.t -> { a; b; c; d }) rows;
    sixth = List.map Int64.of_int sixth;
  }

(* More than 256 words, so that a message is born in the major heap. *)
let fourfold l = l @ l @ l @ l
let plain_long = { plain with Plain.fifth = fourfold plain.fifth }
let ours_long : P.Payload.t = { ours with fifth = fourfold ours.fifth }

let bin_write v =
  let size = Plain.bin_size_payload v in
  let buf = Bin_prot.Common.create_buf size in
  ignore (Plain.bin_write_payload buf ~pos:0 v);
  buf

let bin = bin_write plain
let bin_read () = Plain.bin_read_payload bin ~pos_ref:(ref 0)
let encoded = P.Payload.encode ours

(* Every field in place: numbers added, texts by their length. *)
let text _ t = C.Blob.length t

let visit m =
  let module R = P.Payload.R in
  let r = P.Payload.root m in
  let sum = ref (Bool.to_int (R.first m r) + Bool.to_int (R.second m r)) in
  if R.third m r > 1. then incr sum;
  sum := !sum + Int64.to_int (R.fourth m r);
  let l = R.fifth m r in
  for i = 0 to C.Items.length l - 1 do
    let w = C.Items.struct_ m l i in
    let module W = P.Words.R in
    sum := !sum + text m (W.a m w) + text m (W.b m w) + text m (W.c m w) + text m (W.d m w)
  done;
  let l = R.sixth m r in
  for i = 0 to C.Items.length l - 1 do
    sum := !sum + Int64.to_int (C.Items.int64 m l i)
  done;
  !sum

let message = C.Message.of_string encoded
let keep = ref (Obj.repr 0)
let reused = C.Builder.create ~words:1024 ()

let subjects =
  [
    ("nothing", fun () -> ());
    ("bin_prot read", fun () -> keep := Obj.repr (bin_read ()));
    ("bin_prot write", fun () -> keep := Obj.repr (bin_write plain));
    ( "capnp visit",
      fun () ->
        C.Message.set_traversal message 100000;
        keep := Obj.repr (visit message) );
    ("capnp open and visit", fun () -> keep := Obj.repr (visit (C.Message.of_string encoded)));
    ("capnp read", fun () -> keep := Obj.repr (P.Payload.decode encoded));
    ("capnp write (string)", fun () -> keep := Obj.repr (P.Payload.encode ours));
    ("capnp write (reused builder)", fun () -> P.Payload.write reused ours);
    ("bin_prot write, 4 times", fun () -> keep := Obj.repr (bin_write plain_long));
    ("capnp write, 4 times (string)", fun () -> keep := Obj.repr (P.Payload.encode ours_long));
    ("capnp write, 4 times (reused)", fun () -> P.Payload.write reused ours_long);
  ]

let time f n =
  let t = Unix.gettimeofday () in
  for _ = 1 to n do
    f ()
  done;
  (Unix.gettimeofday () -. t) /. float n *. 1e9

(* bench.exe NAME TIMES only runs that, for a profiler. *)
let () =
  if Array.length Sys.argv > 2 then (
    ignore (time (List.assoc Sys.argv.(1) subjects) (int_of_string Sys.argv.(2)));
    exit 0)

let () =
  let n = 20000 in
  let best = Array.make (List.length subjects) infinity in
  for _ = 1 to 15 do
    List.iteri (fun i (_, f) -> best.(i) <- Float.min best.(i) (time f n)) subjects
  done;
  let get name =
    let rec find i = function
      | [] -> nan
      | (n, _) :: rest -> if n = name then best.(i) else find (i + 1) rest
    in
    find 0 subjects
  in
  List.iteri
    (fun i (name, f) ->
      let w = Gc.minor_words () in
      for _ = 1 to 1000 do
        f ()
      done;
      let words = (Gc.minor_words () -. w) /. 1000. in
      Printf.printf "%-30s %8.1f ns %8.1f minor words  %5.2f of bin_prot read  %5.2f of its write\n"
        name best.(i) words
        (best.(i) /. get "bin_prot read")
        (best.(i) /. get "bin_prot write"))
    subjects;
  Printf.printf "sizes: bin_prot %d, capnp %d, packed %d\n" (Bigarray.Array1.dim bin)
    (String.length encoded)
    (String.length (C.Packed.pack encoded))
