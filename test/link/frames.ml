open Weir_base
open Weir_link

let pool () = Frame.pool ~size:2048 ()

let make ?(dst = 0xffff_ffff_ffff) ?(src = 0x0200_0000_0001) ?(len = 64) pool id =
  let f = Frame.alloc pool in
  Frame.set_length f len;
  Bytes.fill f.data 0 len '\000';
  Weir_wire.Mac.set f.data 0 (Weir_wire.Mac.of_int dst);
  Weir_wire.Mac.set f.data 6 (Weir_wire.Mac.of_int src);
  Bytes.set_uint16_be f.data 12 0x88b5;
  Bytes.set_int64_be f.data 14 (Int64.of_int id);
  f

let id (f : Frame.t) = Int64.to_int (Bytes.get_int64_be f.data (f.off + 14))

(* A run of one frame. *)
let send (l : #Link.t) ~now f =
  l#send ~now f;
  l#flush

let rec drain ~now (l : Link.t) =
  let f = l#receive ~now in
  if f == Frame.none then []
  else
    let n = id f in
    Frame.release f;
    n :: drain ~now l

let until_idle ?(from = min_int) links f =
  let deadline () = List.fold_left (fun t (l : Link.t) -> min t l#deadline) Time.never links in
  let rec go last stuck =
    let now = deadline () in
    if now = Time.never then last
    else (
      if now < last then Alcotest.failf "the deadline went back from %d to %d" last now;
      if now = last && stuck > 100_000 then Alcotest.failf "the deadline stays at %d" now;
      f now;
      go now (if now = last then stuck + 1 else 0))
  in
  go from 0

(* What a pool gives out again are the buffers that came back to it. *)
let all_released f =
  let count = 10_000 in
  let pool = Frame.pool ~keep:count ~size:2048 () in
  let address (frame : Frame.t) = frame.data in
  let first = List.init count (fun _ -> Frame.alloc pool) in
  let buffers = List.map address first in
  List.iter Frame.release first;
  f pool;
  let again = List.map address (List.init count (fun _ -> Frame.alloc pool)) in
  let mark byte = List.iter (fun b -> Bytes.set b 0 byte) in
  mark '\000' buffers;
  let distinct =
    List.fold_left
      (fun n b ->
        if Bytes.get b 0 = '\000' then (
          Bytes.set b 0 '\001';
          n + 1)
        else n)
      0 again
  in
  let back = List.length (List.filter (fun b -> Bytes.get b 0 = '\001') buffers) in
  Alcotest.(check int) "no frame released twice" count distinct;
  Alcotest.(check int) "every frame released" count back
