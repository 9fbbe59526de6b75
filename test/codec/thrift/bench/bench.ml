(* The payload of the codecs study beside bin_prot. *)

open Payload
open Measure
module P = Thrift_corpus.Payload_thrift
module T = Weir_thrift

let some s = if s = "" then None else Some s

let ours : P.Payload.t =
  {
    first = false;
    second = true;
    third = 12345678.117;
    fourth = 234567L;
    fifth =
      List.map
        (fun (a, b, c, d) : P.Words.t -> { a = some a; b = some b; c = some c; d = some d })
        rows;
    sixth = List.map Int64.of_int sixth;
  }

let compact = P.Payload.encode T.Kind.Compact ours
let binary = P.Payload.encode T.Kind.Binary ours
let writer p = T.Writer.create ~size:4096 p
let for_compact = writer T.Kind.Compact
let for_binary = writer T.Kind.Binary

let write w () =
  T.Writer.reset w;
  P.Payload.write w ours

let read p s () = keep := Obj.repr (P.Payload.read (T.Reader.of_string p s))

let subjects =
  [
    ("nothing", fun () -> ());
    ("bin_prot read", fun () -> keep := Obj.repr (bin_read ()));
    ("bin_prot write", fun () -> keep := Obj.repr (bin_write plain));
    ( "bin_prot rw",
      fun () -> keep := Obj.repr (Plain.bin_read_payload (bin_write plain) ~pos_ref:(ref 0)) );
    ("compact read", read T.Kind.Compact compact);
    ("compact write (reused)", write for_compact);
    ("compact write (string)", fun () -> keep := Obj.repr (P.Payload.encode T.Kind.Compact ours));
    ( "compact rw (reused, string between)",
      fun () ->
        write for_compact ();
        read T.Kind.Compact (T.Writer.to_string for_compact) () );
    ("compact rw (string)", fun () -> read T.Kind.Compact (P.Payload.encode T.Kind.Compact ours) ());
    ("binary read", read T.Kind.Binary binary);
    ("binary write (reused)", write for_binary);
  ]

let () =
  run subjects ~against:[ "bin_prot read"; "bin_prot rw" ];
  Printf.printf "sizes: bin_prot %d, compact %d, binary %d\n" (Bigarray.Array1.dim bin)
    (String.length compact) (String.length binary)
