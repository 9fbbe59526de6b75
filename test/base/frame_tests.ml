(* Who owns a frame. *)

open Weir_base
open Weir_test

let refused what f =
  match f () with () -> Alcotest.failf "%s went through" what | exception Invalid_argument _ -> ()

let owners () =
  let pool = Frame.pool ~size:100 () in
  let f = Frame.alloc pool in
  Frame.set f ~off:10 ~len:90;
  Frame.set_checksum f Partial;
  Frame.set_segment_size f 1_460;
  Frame.enqueue f;
  refused "queued twice" (fun () -> Frame.enqueue f);
  refused "released in a queue" (fun () -> Frame.release f);
  Frame.dequeue f;
  Frame.release f;
  refused "released twice" (fun () -> Frame.release f);
  refused "sent after its release" (fun () -> Frame.check_owned f);
  let again = Frame.alloc pool in
  Alcotest.(check bool) "the buffer is used again" true (again == f);
  Alcotest.(check bool)
    "nothing is known of it" true
    (again.checksum = Unverified && again.segment_size = 0 && again.off = 0 && again.len = 0)

let bounds () =
  let f = Frame.alloc (Frame.pool ~size:100 ()) in
  refused "too long" (fun () -> Frame.set_length f 101);
  refused "beyond" (fun () -> Frame.set f ~off:50 ~len:51);
  refused "before" (fun () -> Frame.set f ~off:(-1) ~len:1);
  refused "huge" (fun () -> Frame.set f ~off:1 ~len:max_int);
  Frame.set f ~off:100 ~len:0

let tails () =
  let pool = Frame.pool ~size:16 () in
  let ring = Bytes.of_string "4567.123" in
  let f = Frame.alloc pool in
  Bytes.blit_string "ab" 0 f.data 1 2;
  Frame.set f ~off:1 ~len:2;
  Frame.set_tail f ring ~at:5 ~len:7;
  Alcotest.(check int) "whole length" 9 (Frame.length f);
  Frame.take_tail f;
  Alcotest.(check string) "around the ring's end" "ab1234567" (Bytes.sub_string f.data f.off f.len);
  Alcotest.(check int) "no tail is left" 0 f.tail_len;
  refused "beyond the ring" (fun () -> Frame.set_tail f ring ~at:0 ~len:9);
  Frame.set_tail f ring ~at:0 ~len:7;
  refused "without room" (fun () -> Frame.take_tail f);
  Frame.release f;
  let again = Frame.alloc pool in
  Alcotest.(check (pair int int)) "nor in the pool" (0, 0) (again.tail_at, again.tail_len)

let cases = [ Suite.case "owners" owners; Suite.case "bounds" bounds; Suite.case "tails" tails ]
