module Ring = Weir_base.Byte_ring
module Suite = Weir_test.Suite

let check = Alcotest.(check string)
let bytes = Bytes.of_string
let write ring s = Ring.write ring (bytes s) ~off:0 ~len:(String.length s)
let ahead ring ~at s = Ring.blit_ahead ring ~at (bytes s) ~off:0 ~len:(String.length s)

let peek ring ~at ~len =
  let b = Bytes.create len in
  Ring.peek ring ~at b ~off:0 ~len;
  Bytes.to_string b

let read ring len =
  let b = Bytes.create len in
  let n = Ring.read ring b ~off:0 ~len in
  Bytes.sub_string b 0 n

(* A segment that came early, one in between, then the gap's bytes. *)
let out_of_order () =
  let ring = Ring.create ~capacity:100 () in
  write ring "one ";
  ahead ring ~at:8 "four ";
  ahead ring ~at:4 "tri ";
  ahead ring ~at:4 "thre";
  Alcotest.(check int) "not yet in" 4 (Ring.length ring);
  write ring "two ";
  Ring.extend ring 9;
  check "all" "one two threfour " (read ring 100)

let ahead_survives () =
  let ring = Ring.create ~capacity:5_000 () in
  write ring (String.make 700 'a');
  ahead ring ~at:1 "early";
  (* The queue empties, then the storage grows, with "early" still waiting. *)
  check "a" (String.make 700 'a') (read ring 700);
  Ring.trim ring;
  ahead ring ~at:3_000 "later";
  write ring "x";
  Ring.extend ring 5;
  check "in order" "xearly" (peek ring ~at:0 ~len:6);
  write ring (String.make 2_994 'b');
  Ring.extend ring 5;
  check "later" "later" (peek ring ~at:3_000 ~len:5);
  Alcotest.(check int) "length" 3_005 (Ring.length ring)

let wrapped () =
  let ring = Ring.create ~capacity:1_024 () in
  write ring (String.make 1_000 'x');
  Ring.drop ring 990;
  let s = String.init 1_000 (fun i -> Char.chr (i land 255)) in
  write ring s;
  Alcotest.(check int) "full" 14 (Ring.free ring);
  check "peeked over the end" (String.sub s 0 500) (peek ring ~at:10 ~len:500);
  let b = Bytes.make 1_010 '?' in
  let sum = Ring.peek_sum ring ~at:10 b ~off:3 ~len:999 in
  check "summed copy" (String.sub s 0 999) (Bytes.sub_string b 3 999);
  let want = Weir_base.Checksum.sum (bytes s) ~off:0 ~len:999 in
  Alcotest.(check int) "sum" want sum;
  Alcotest.(check int) "first run" 34 (Ring.head ring (fun _ _ len -> len))

(* Every length up to and over the place where the storage ends. *)
let to_the_end () =
  let ring = Ring.create ~capacity:1_024 () in
  let s = String.init 1_024 (fun i -> Char.chr (i * 3 land 255)) in
  write ring (String.make 1_000 'x' ^ String.sub s 0 24);
  Ring.drop ring 1_000;
  write ring (String.sub s 24 1_000);
  for len = 0 to 1_024 do
    let b = Bytes.create len in
    let sum = Ring.peek_sum ring ~at:0 b ~off:0 ~len in
    check "bytes" (String.sub s 0 len) (Bytes.to_string b);
    Alcotest.(check int) "sum" (Weir_base.Checksum.sum b ~off:0 ~len) sum;
    check "peek" (String.sub s 0 len) (peek ring ~at:0 ~len)
  done

let storage_is_given_back () =
  let words ring = Obj.reachable_words (Obj.repr ring) in
  let ring = Ring.create ~capacity:1_000_000 () in
  let empty = words ring in
  (* The budget of rings without one is shared. *)
  let both = Obj.reachable_words (Obj.repr (ring, Ring.create ~capacity:1 ())) in
  let own = both - empty - 3 in
  if own > 8 then Alcotest.failf "an empty ring has %d words" own;
  write ring (String.make 100_000 'x');
  if words ring > 17_000 then Alcotest.failf "%d words for 100,000 bytes" (words ring);
  Ring.drop ring 99_999;
  Ring.trim ring;
  check "trim keeps what is stored" "x" (peek ring ~at:0 ~len:1);
  Ring.drop ring 1;
  Ring.trim ring;
  Alcotest.(check int) "trimmed" empty (words ring);
  ahead ring ~at:50 "y";
  Ring.trim ring;
  if words ring = empty then Alcotest.fail "trim forgot what was written ahead";
  Ring.clear ring;
  Alcotest.(check int) "cleared" empty (words ring);
  Alcotest.(check int) "free" 1_000_000 (Ring.free ring)

let raises what f =
  match f () with
  | () -> Alcotest.failf "%s: no exception" what
  | exception Invalid_argument _ -> ()

let misuse () =
  let ring = Ring.create ~capacity:10 () in
  let b = Bytes.create 20 in
  write ring "1234";
  raises "write beyond the bound" (fun () -> Ring.write ring b ~off:0 ~len:7);
  raises "write of less than nothing" (fun () -> Ring.write ring b ~off:0 ~len:(-1));
  raises "write from outside" (fun () -> Ring.write ring b ~off:18 ~len:3);
  raises "ahead beyond the bound" (fun () -> Ring.blit_ahead ring ~at:5 b ~off:0 ~len:2);
  raises "ahead, far" (fun () -> Ring.blit_ahead ring ~at:max_int b ~off:0 ~len:2);
  raises "ahead, backwards" (fun () -> Ring.blit_ahead ring ~at:(-1) b ~off:0 ~len:2);
  raises "extend beyond the bound" (fun () -> Ring.extend ring 7);
  raises "extend backwards" (fun () -> Ring.extend ring (-1));
  raises "peek beyond the end" (fun () -> Ring.peek ring ~at:2 b ~off:0 ~len:3);
  raises "peek, far" (fun () -> Ring.peek ring ~at:max_int b ~off:0 ~len:2);
  raises "peek into too little" (fun () -> Ring.peek ring ~at:0 b ~off:18 ~len:3);
  raises "sum into too little" (fun () -> ignore (Ring.peek_sum ring ~at:0 b ~off:18 ~len:3));
  raises "drop beyond the end" (fun () -> Ring.drop ring 5);
  raises "drop backwards" (fun () -> Ring.drop ring (-1));
  check "nothing changed" "1234" (read ring 20);
  let large = Ring.create ~capacity:5_000 () in
  write large "1";
  raises "extend where there is no storage" (fun () -> Ring.extend large 2_000);
  let none = Ring.create ~capacity:0 () in
  Alcotest.(check int) "a tail of nothing" 0 (Ring.tail none (fun _ _ len -> len) ~want:5);
  Alcotest.(check string) "a ring of nothing" "" (read none 5)

let cases =
  [
    Suite.case "segments out of order" out_of_order;
    Suite.case "early bytes survive growth, emptying and trim" ahead_survives;
    Suite.case "bytes around the end of the storage" wrapped;
    Suite.case "every length up to and over it" to_the_end;
    Suite.native "OCaml's heap" (Suite.case "storage is given back" storage_is_given_back);
    Suite.case "misuse raises and changes nothing" misuse;
  ]
