(* The payload of the codecs study beside bin_prot. *)

open Payload
open Measure
module P = Capnp_corpus.Payload_capnp
module C = Weir_capnp

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

let () =
  run subjects ~against:[ "bin_prot read"; "bin_prot write" ];
  Printf.printf "sizes: bin_prot %d, capnp %d, packed %d\n" (Bigarray.Array1.dim bin)
    (String.length encoded)
    (String.length (C.Packed.pack encoded))
