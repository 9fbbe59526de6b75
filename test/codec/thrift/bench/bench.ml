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

module P = Thrift_corpus.Payload_thrift
module T = Weir_thrift

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

let bin_write v =
  let size = Plain.bin_size_payload v in
  let buf = Bin_prot.Common.create_buf size in
  ignore (Plain.bin_write_payload buf ~pos:0 v);
  buf

let bin = bin_write plain
let bin_read () = Plain.bin_read_payload bin ~pos_ref:(ref 0)
let compact = P.Payload.encode T.Kind.Compact ours
let binary = P.Payload.encode T.Kind.Binary ours
let keep = ref (Obj.repr 0)
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
      Printf.printf "%-36s %8.1f ns %8.1f minor words  %5.2f of bin_prot read  %5.2f of its rw\n"
        name best.(i) words
        (best.(i) /. get "bin_prot read")
        (best.(i) /. get "bin_prot rw"))
    subjects;
  Printf.printf "sizes: bin_prot %d, compact %d, binary %d\n" (Bigarray.Array1.dim bin)
    (String.length compact) (String.length binary)
