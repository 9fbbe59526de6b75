(* The ring against a string and an array of what lies ahead, over random runs. *)

module Ring = Weir_base.Byte_ring
module Suite = Weir_test.Suite

type op =
  | Write of int
  | Ahead of int * int  (** where, how many *)
  | Extend of int
  | Fill of int * int  (** wanted, of these taken *)
  | Read of int
  | Peek of int * int
  | Peek_sum of int * int
  | Head of int
  | Drop of int
  | Trim
  | Clear

let print = function
  | Write n -> Printf.sprintf "Write %d" n
  | Ahead (at, n) -> Printf.sprintf "Ahead (%d, %d)" at n
  | Extend n -> Printf.sprintf "Extend %d" n
  | Fill (want, n) -> Printf.sprintf "Fill (%d, %d)" want n
  | Read n -> Printf.sprintf "Read %d" n
  | Peek (at, n) -> Printf.sprintf "Peek (%d, %d)" at n
  | Peek_sum (at, n) -> Printf.sprintf "Peek_sum (%d, %d)" at n
  | Head n -> Printf.sprintf "Head %d" n
  | Drop n -> Printf.sprintf "Drop %d" n
  | Trim -> "Trim"
  | Clear -> "Clear"

(* Sizes are cut to what is allowed when an operation is run. *)
let op =
  let open QCheck2.Gen in
  let size = oneof [ int_bound 3; int_bound 60; int_bound 1_500; int_bound 20_000 ] in
  oneof_weighted
    [
      (6, map (fun n -> Write n) size);
      (8, map2 (fun at n -> Ahead (at, n)) size size);
      (6, map (fun n -> Extend n) size);
      (4, map2 (fun want n -> Fill (want, n)) size size);
      (6, map (fun n -> Read n) size);
      (2, map2 (fun at n -> Peek (at, n)) size size);
      (2, map2 (fun at n -> Peek_sum (at, n)) size size);
      (3, map (fun n -> Head n) size);
      (5, map (fun n -> Drop n) size);
      (3, pure Trim);
      (1, map (fun n -> if n = 0 then Clear else Trim) (int_bound 5));
    ]

let capacity =
  QCheck2.Gen.(
    oneof
      [ oneof_list [ 0; 1; 2; 1_023; 1_024; 1_025; 2_048; 4_096 ]; int_bound 50; int_bound 9_000 ])

type model = {
  ring : Ring.t;
  budget : Weir_base.Budget.t;
  capacity : int;
  mutable queue : string;
  mutable ahead : char option array;  (** from the tail on, [capacity] long *)
  mutable fresh : int;  (** makes every byte written differ from its neighbours *)
  mutable most : int;  (** bytes that storage was needed for since it was last given back *)
}

let fail fmt = Printf.ksprintf QCheck2.Test.fail_report fmt

let new_bytes m n =
  String.init n (fun _ ->
      m.fresh <- ((m.fresh * 5) + 3) land 0xffff_ffff;
      Char.chr ((m.fresh lsr 7) land 255))

let free m = m.capacity - String.length m.queue
let cut limit n = if limit <= 0 then 0 else n mod (limit + 1)

(* How many bytes from the tail on are there without a gap. *)
let ready m =
  let rec go i = if i < m.capacity && m.ahead.(i) <> None then go (i + 1) else i in
  go 0

let put_ahead m ~at s = String.iteri (fun i c -> m.ahead.(at + i) <- Some c) s

let last_ahead m =
  let rec go i = if i < 0 then 0 else if m.ahead.(i) <> None then i + 1 else go (i - 1) in
  go (m.capacity - 1)

let advance m n =
  m.queue <- m.queue ^ String.init n (fun i -> Option.get m.ahead.(i));
  let shifted i = if i + n < m.capacity then m.ahead.(i + n) else None in
  m.ahead <- Array.init m.capacity shifted

let forget m n = m.queue <- String.sub m.queue n (String.length m.queue - n)
let needs m n = m.most <- max m.most n

(* A buffer with a margin that must stay as it is. *)
let margin = 3
let target n = Bytes.make (n + (2 * margin)) '#'

let expect what ~want b =
  let n = String.length want in
  if Bytes.sub_string b margin n <> want then fail "%s: wrong bytes" what;
  let outside i = i < margin || i >= margin + n in
  Bytes.iteri (fun i c -> if outside i && c <> '#' then fail "%s: wrote outside" what) b

let source s = Bytes.of_string ("##" ^ s)

let fill m want taken =
  let limit = min want (free m) in
  let n, s =
    Ring.tail m.ring ~want (fun b off len ->
        if len > limit then fail "tail: longer than wanted or free";
        if len = 0 && limit > 0 then fail "tail: nothing although there is room";
        let s = new_bytes m (cut len taken) in
        Bytes.blit_string s 0 b off (String.length s);
        (String.length s, s))
  in
  needs m (String.length m.queue + limit);
  put_ahead m ~at:0 s;
  Ring.extend m.ring n;
  advance m n

let take_head m n =
  let size = String.length m.queue in
  let n =
    Ring.head m.ring (fun b off len ->
        if len > size || (len = 0 && size > 0) then fail "head: %d of %d bytes" len size;
        if Bytes.sub_string b off len <> String.sub m.queue 0 len then fail "head: wrong bytes";
        cut len n)
  in
  Ring.drop m.ring n;
  forget m n

let release m = m.most <- String.length m.queue + last_ahead m

let run m op =
  let length = String.length m.queue in
  match op with
  | Write n ->
      let s = new_bytes m (cut (free m) n) in
      Ring.write m.ring (source s) ~off:2 ~len:(String.length s);
      put_ahead m ~at:0 s;
      advance m (String.length s)
  | Ahead (at, n) ->
      let at = cut (free m) at in
      let s = new_bytes m (cut (free m - at) n) in
      Ring.blit_ahead m.ring ~at (source s) ~off:2 ~len:(String.length s);
      put_ahead m ~at s
  | Extend n ->
      let n = cut (ready m) n in
      Ring.extend m.ring n;
      advance m n
  | Fill (want, taken) -> fill m want taken
  | Read n ->
      let b = target n in
      let got = Ring.read m.ring b ~off:margin ~len:n in
      if got <> min n length then fail "read: %d bytes" got;
      expect "read" ~want:(String.sub m.queue 0 got) b;
      forget m got
  | Peek (at, n) ->
      let at = cut length at in
      let n = cut (length - at) n in
      let b = target n in
      Ring.peek m.ring ~at b ~off:margin ~len:n;
      expect "peek" ~want:(String.sub m.queue at n) b
  | Peek_sum (at, n) ->
      let at = cut length at in
      let n = cut (length - at) n in
      let b = target n in
      let sum = Ring.peek_sum m.ring ~at b ~off:margin ~len:n in
      expect "peek_sum" ~want:(String.sub m.queue at n) b;
      if sum <> Checksum_tests.naive b ~off:margin ~len:n then fail "peek_sum: wrong sum"
  | Head n -> take_head m n
  | Drop n ->
      let n = cut length n in
      Ring.drop m.ring n;
      forget m n
  | Trim ->
      Ring.trim m.ring;
      release m
  | Clear ->
      Ring.clear m.ring;
      m.queue <- "";
      m.ahead <- Array.make m.capacity None;
      release m

let agree m =
  let length = String.length m.queue in
  if Ring.length m.ring <> length then fail "length %d, not %d" (Ring.length m.ring) length;
  if Ring.free m.ring <> free m then fail "free";
  if Ring.capacity m.ring <> m.capacity then fail "capacity";
  let b = target length in
  Ring.peek m.ring ~at:0 b ~off:margin ~len:length;
  expect "contents" ~want:m.queue b;
  needs m (length + last_ahead m);
  (* A power of two not below 1 KiB, and less than twice what was needed. *)
  let storage = Ring.storage m.ring in
  if Weir_base.Budget.used m.budget <> storage then fail "the budget counts otherwise";
  if not (Ring.affords m.ring (storage - length)) then fail "what it has is not afforded";
  if Ring.affords m.ring (1 lsl 21) then fail "beyond the budget";
  if storage > if m.most = 0 then 0 else max 1_024 (2 * m.most) then
    fail "%d bytes of storage for %d" storage m.most

let model =
  QCheck2.Test.make ~name:"a string and what lies ahead of it" ~count:(Suite.iterations 3_000)
    ~print:QCheck2.Print.(pair int (list print))
    QCheck2.Gen.(pair capacity (list_size (int_bound 60) op))
    (fun (capacity, ops) ->
      let budget = Weir_base.Budget.create ~limit:(1 lsl 20) in
      let ring = Ring.create ~budget ~capacity () in
      let ahead = Array.make capacity None in
      let m = { ring; budget; capacity; queue = ""; ahead; fresh = 1; most = 0 } in
      List.iter
        (fun op ->
          run m op;
          agree m)
        ops;
      (* What is still ahead must be there too once it is admitted. *)
      run m (Extend (ready m));
      agree m;
      true)

let cases = [ Suite.qcheck model ]
