(* The queue against a string, over random runs of copied and lent bytes. *)

module Queue = Weir_base.Send_queue
module Suite = Weir_test.Suite

type op =
  | Write of int
  | Fill of int * int  (** wanted, of these taken *)
  | Lend of int
  | Lend_more of int  (** of the string that was lent last *)
  | Peek of int * int
  | Tail of int * int  (** as a frame takes it *)
  | Drop of int
  | Trim
  | Clear

let print = function
  | Write n -> Printf.sprintf "Write %d" n
  | Fill (want, n) -> Printf.sprintf "Fill (%d, %d)" want n
  | Lend n -> Printf.sprintf "Lend %d" n
  | Lend_more n -> Printf.sprintf "Lend_more %d" n
  | Peek (at, n) -> Printf.sprintf "Peek (%d, %d)" at n
  | Tail (at, n) -> Printf.sprintf "Tail (%d, %d)" at n
  | Drop n -> Printf.sprintf "Drop %d" n
  | Trim -> "Trim"
  | Clear -> "Clear"

(* Sizes are cut to what is allowed when an operation is run. *)
let op =
  let open QCheck2.Gen in
  let size = oneof [ int_bound 3; int_bound 60; int_bound 1_500 ] in
  oneof_weighted
    [
      (4, map (fun n -> Write n) size);
      (2, map2 (fun want n -> Fill (want, n)) size size);
      (5, map (fun n -> Lend n) size);
      (3, map (fun n -> Lend_more n) size);
      (5, map2 (fun at n -> Peek (at, n)) size size);
      (5, map2 (fun at n -> Tail (at, n)) size size);
      (6, map (fun n -> Drop n) size);
      (1, pure Trim);
      (1, map (fun n -> if n = 0 then Clear else Trim) (int_bound 9));
    ]

type model = {
  queue : Queue.t;
  mutable bytes : string;
  mutable lent : string;  (** the last *)
  mutable lent_upto : int;
  mutable fresh : int;
}

let fail fmt = Printf.ksprintf QCheck2.Test.fail_report fmt
let cut limit n = if limit <= 0 then 0 else n mod (limit + 1)

let new_bytes m n =
  String.init n (fun _ ->
      m.fresh <- ((m.fresh * 5) + 3) land 0xffff_ffff;
      Char.chr ((m.fresh lsr 7) land 255))

let add m s = m.bytes <- m.bytes ^ s

let lend m s ~off n =
  let n = cut (min (Queue.free m.queue) (String.length s - off)) n in
  Queue.lend m.queue s ~off ~len:n;
  if n > 0 && not (Queue.continues m.queue s ~off:(off + n)) then fail "it could not go on";
  add m (String.sub s off n);
  m.lent <- s;
  m.lent_upto <- off + n

let within m at n =
  let length = String.length m.bytes in
  let at = cut length at in
  (at, cut (length - at) n)

let margin = 3

let peek m at n =
  let want = String.make margin '#' ^ String.sub m.bytes at n ^ String.make margin '#' in
  let look f =
    let b = Bytes.make (n + (2 * margin)) '#' in
    let v = f b in
    if Bytes.to_string b <> want then fail "peek %d %d: wrong bytes" at n;
    v
  in
  look (fun b -> Queue.peek m.queue ~at b ~off:margin ~len:n);
  let sum = look (fun b -> Queue.peek_sum m.queue ~at b ~off:margin ~len:n) in
  if sum <> Checksum_tests.naive (Bytes.of_string (String.sub m.bytes at n)) ~off:0 ~len:n then
    fail "peek_sum %d %d: wrong sum" at n

(* What lies in one place, read around the end of its source. *)
let tail m at n =
  let last = Queue.in_one_place m.queue ~at ~len:n in
  if last > n || (n > 0 && last < 1) then fail "%d of %d bytes in one place" last n;
  if last > 0 then
    let at = at + n - last in
    let source = Queue.source m.queue ~at and place = Queue.place m.queue ~at ~len:last in
    let size = Bytes.length source in
    let there = String.init last (fun i -> Bytes.get source ((place + i) mod size)) in
    if there <> String.sub m.bytes at last then fail "tail %d %d: wrong bytes" at last

let run m = function
  | Write n ->
      let s = new_bytes m (cut (Queue.free m.queue) n) in
      Queue.write m.queue (Bytes.of_string ("##" ^ s)) ~off:2 ~len:(String.length s);
      add m s
  | Fill (want, taken) ->
      let limit = min want (Queue.free m.queue) and s = ref "" in
      let n =
        Queue.fill m.queue ~want (fun b off len ->
            if len > limit then fail "fill: longer than wanted or free";
            s := new_bytes m (cut len taken);
            Bytes.blit_string !s 0 b off (String.length !s);
            String.length !s)
      in
      if n <> String.length !s then fail "fill: %d bytes" n;
      add m !s
  | Lend n -> lend m (new_bytes m (n + 5)) ~off:2 n
  | Lend_more n -> lend m m.lent ~off:m.lent_upto n
  | Peek (at, n) ->
      let at, n = within m at n in
      peek m at n
  | Tail (at, n) ->
      let at, n = within m at n in
      tail m at n
  | Drop n ->
      let n = cut (String.length m.bytes) n in
      Queue.drop m.queue n;
      m.bytes <- String.sub m.bytes n (String.length m.bytes - n)
  | Trim -> Queue.trim m.queue
  | Clear ->
      Queue.clear m.queue;
      m.bytes <- ""

let capacity = 9_000

let agree m =
  let n = String.length m.bytes in
  if Queue.length m.queue <> n then fail "length %d, not %d" (Queue.length m.queue) n;
  if Queue.free m.queue <> capacity - n then fail "free";
  peek m 0 n

let property ops =
  let queue = Queue.create ~capacity () in
  let m = { queue; bytes = ""; lent = ""; lent_upto = 0; fresh = 1 } in
  List.iter
    (fun op ->
      run m op;
      agree m)
    ops;
  true

let model =
  QCheck2.Test.make ~name:"as a string" ~count:(Suite.iterations 500)
    ~print:(fun ops -> String.concat "; " (List.map print ops))
    QCheck2.Gen.(list_size (int_bound 80) op)
    property

(* Bytes that are lent take no storage, and are forgotten once they are dropped. *)
let nothing_kept () =
  let q = Queue.create ~capacity:(1 lsl 20) () in
  let weak = Weak.create 1 in
  let lend () =
    let s = String.make 100_000 'x' in
    Weak.set weak 0 (Some s);
    Queue.lend q s ~off:0 ~len:100_000
  in
  lend ();
  Alcotest.(check int) "storage" 0 (Queue.storage q);
  Gc.full_major ();
  Alcotest.(check bool) "kept" true (Weak.check weak 0);
  Queue.write q (Bytes.make 10 'y') ~off:0 ~len:10;
  ignore (Queue.in_one_place q ~at:0 ~len:50_000 : int);
  Queue.drop q 100_000;
  Gc.full_major ();
  Alcotest.(check bool) "forgotten" false (Weak.check weak 0);
  Alcotest.(check int) "what was copied" 10 (Queue.length q)

let refused what f =
  match f () with () -> Alcotest.failf "%s was taken" what | exception Invalid_argument _ -> ()

let bounds () =
  let q = Queue.create ~capacity:10 () in
  refused "a string that is too long" (fun () -> Queue.lend q (String.make 11 ' ') ~off:0 ~len:11);
  refused "a range beyond a string" (fun () -> Queue.lend q "abc" ~off:2 ~len:2);
  Queue.lend q "abcdef" ~off:0 ~len:6;
  refused "bytes beyond the capacity" (fun () -> Queue.write q (Bytes.create 5) ~off:0 ~len:5);
  Queue.write q (Bytes.create 4) ~off:0 ~len:4;
  refused "a place in two sources" (fun () -> ignore (Queue.place q ~at:5 ~len:2 : int));
  refused "a look beyond the end" (fun () -> Queue.peek q ~at:8 (Bytes.create 9) ~off:0 ~len:3);
  refused "to drop more" (fun () -> Queue.drop q 11)

let cases =
  [
    Suite.qcheck model;
    Suite.native "OCaml's heap" (Suite.case "nothing is kept" nothing_kept);
    Suite.case "out of bounds" bounds;
  ]
