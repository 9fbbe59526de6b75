(* What a handle may come to: used after its message is gone, beside another, or at the ends of
   what its bits hold. *)

open Weir_capnp
module Suite = Weir_test.Suite
open Samples
open Bounds

(* {1 Handles from before a reset} *)

(* What lies where the old list's tag and the old struct's pointers were says anything: whatever it
   is, a handle made of it must lie inside the message, or writing through it would not. *)
let stale_handles () =
  let refused = ref 0 in
  let inside b what make =
    match make () with
    | exception Invalid_argument reason ->
        Alcotest.(check string) what "Builder: a handle from before the last reset" reason;
        incr refused
    | h ->
        let h = Unsafe.Shape.int_of_builder h in
        let first = Unsafe.Pointer.data_at h
        and stop = Unsafe.Pointer.pointers_at h + Unsafe.Pointer.pointers h in
        if first < Builder.first || stop > Builder.words b + Builder.first then
          Alcotest.failf "%s: words %d to %d of %d" what first stop (Builder.words b)
  in
  List.iter
    (fun word ->
      let b = Builder.create () in
      let points = K.Kinds.B.init_points b (K.Kinds.init b) 4096 in
      K.Kinds.write b { K.Kinds.default with wides = many 500 word };
      for i = 0 to 4095 do
        inside b "an element" (fun () -> Builder.item b points i)
      done;
      let h = K.Tree.init b in
      let left = K.Tree.B.init_left b (K.Tree.B.init_left b h) in
      K.Kinds.write b { K.Kinds.default with wides = many 40 word };
      let get f () = match f b left with Some h -> h | None -> Builder.stale () in
      inside b "left" (get K.Tree.B.get_left);
      inside b "right" (get K.Tree.B.get_right);
      match K.Tree.B.get_children b left with
      | None -> ()
      | exception (Invalid_argument _ | Message.Error _) -> incr refused
      | Some l ->
          for i = 0 to Int.min 4096 (Builder.length l) - 1 do
            inside b "a child" (fun () -> Builder.item b l i)
          done)
    [
      -1L;
      (* Sizes that bring element 2049 back before the first word. *)
      0xffff_ffa2_0000_0000L;
      0x7fff_8000_8000_0000L;
      0x4000_4000_7fff_fffcL;
      0x3fff_3ffe_8000_0000L;
      0x0001_0001_8000_0000L;
      0x0001_0001_ffff_0000L;
      0x3fff_3fff_0000_0000L;
      0x0000_0001_7fff_fffcL;
      0xffff_ffff_0000_0001L;
      0xffff_ffff_8000_0001L;
      0x0000_002f_ffff_ff01L;
      0x0000_002f_8000_0001L;
      0x0000_0007_0000_0001L;
      0x0000_0000_8000_0002L;
    ];
  if !refused = 0 then Alcotest.fail "none was refused"

(* Of a list of the right length and another kind there is no tag to look at. *)
let elements_of_no_struct () =
  let b = Builder.create () in
  let h = K.Kinds.init b in
  let longs = K.Kinds.B.init_longs b h 4096 in
  Alcotest.(check string)
    "refused" "Builder: a list of another element type"
    (why "a number as a struct" (fun () -> Builder.item b longs 4095))

(* Any use of handles from before resets, among builders of one segment and of many: it is refused
   or lands inside, and what is built is still read or refused. *)
let mixed () =
  let module T = K.Tree.B in
  let module B = K.Kinds.B in
  let state = Random.State.make [| Suite.seed () |] in
  let int = Random.State.int state in
  let builders = [| Builder.create (); Builder.create ~words:1 ~segment_words:24 () |] in
  let trees = Array.make 24 (K.Tree.init builders.(0)) in
  let kinds = Array.make 24 (K.Kinds.init builders.(0)) in
  let children = Array.make 8 (T.init_children builders.(0) (K.Tree.init builders.(0)) 3) in
  let points = Array.make 8 (B.init_points builders.(0) (K.Kinds.init builders.(0)) 3) in
  let any a = a.(int (Array.length a)) in
  let keep a v = a.(int (Array.length a)) <- v in
  let word () =
    match int 4 with
    | 0 -> Random.State.int64 state Int64.max_int
    | 1 -> Int64.lognot (Random.State.int64 state Int64.max_int)
    | 2 -> Int64.of_int (int 1000 - 500)
    | _ -> Int64.shift_left (Int64.of_int (int 0x40000)) (int 48)
  in
  let inside b h =
    let h = Unsafe.Shape.int_of_builder h in
    let first = Unsafe.Pointer.data_at h
    and stop = Unsafe.Pointer.pointers_at h + Unsafe.Pointer.pointers h in
    if first < Builder.first || stop > Builder.words b + Builder.first then
      Alcotest.failf "words %d to %d of %d" first stop (Builder.words b)
  in
  let tree b v =
    inside b v;
    keep trees v
  in
  let found b = Option.iter (tree b) in
  let step b =
    match int 22 with
    | 0 when int 10 = 0 -> keep kinds (K.Kinds.init b)
    | 1 when int 10 = 0 -> tree b (K.Tree.init b)
    | 2 when int 10 = 0 ->
        K.Kinds.write b { K.Kinds.default with wides = List.init (int 60) (fun _ -> word ()) }
    | 3 -> tree b (T.init_left b (any trees))
    | 4 -> tree b (T.init_right b (any trees))
    | 5 -> found b (T.get_left b (any trees))
    | 6 -> found b (T.get_right b (any trees))
    | 7 -> keep children (T.init_children b (any trees) (int 5))
    | 8 -> Option.iter (keep children) (T.get_children b (any trees))
    | 9 | 10 -> tree b (Builder.item b (any children) (int 5))
    | 11 -> B.set_long b (any kinds) (word ())
    | 12 -> B.set_wide b (any kinds) (word ())
    | 13 -> B.set_tiny b (any kinds) (int 256)
    | 14 -> B.set_flag b (any kinds) (Random.State.bool state)
    | 15 -> B.set_text b (any kinds) (String.make (int 30) 'x')
    | 16 -> Option.iter (keep points) (B.get_points b (any kinds))
    | 17 -> keep points (B.init_points b (any kinds) (int 5))
    | 18 ->
        let p = Builder.item b (any points) (int 5) in
        inside b p;
        S.Point.B.set_x b p (int 1000)
    | 19 -> K.Tree.to_builder b (any trees) { K.Tree.default with left = Some K.Tree.default }
    | 20 ->
        let m = Builder.message builders.(int 2) in
        T.copy_left b (any trees) m (K.Tree.root m)
    | 21 -> K.Tree.Value.B.set_number b (T.init_value b (any trees)) (word ())
    | _ -> ()
  in
  for _ = 1 to Suite.iterations 60_000 do
    let b = any builders in
    if Builder.words b > 4096 then Builder.reset b;
    (try step b with Invalid_argument _ | Message.Error _ -> ());
    if int 16 = 0 then match K.Tree.decode (Builder.to_string b) with Ok _ | Error _ -> ()
  done;
  (* A store outside would have hit a neighbour's header. *)
  Gc.full_major ()

(* {1 Handles of another message} *)

(* A message of zeros in the midst of ones, or of pointers: what is read there is zero, or the
   handle is refused. *)
let waters = [ -1L; 0x0000_0007_0000_0003L; 0x0000_0012_0000_0001L; 0x0001_0000_ffff_fffcL; 2L; 6L ]

let copied m t =
  let b = Bytes.make (Blob.length t) '\000' in
  Blob.blit m t b ~off:0;
  if Bytes.exists (fun c -> c <> '\000') b then 1 else 0

let told : Any.what -> int = function Null -> 0 | Struct -> 1 | List -> 2 | Capability n -> 3 + n

let strangers () =
  let m = Message.of_string (K.Kinds.encode kinds) in
  let r = K.Kinds.root m in
  let each list get l = List.init (Items.length (list m r)) (fun i other -> get other l i) in
  let module R = K.Kinds.R in
  let elements =
    let ints list get = each list get (list m r) in
    ints R.flags (fun m l i -> Bool.to_int (Items.bool m l i))
    @ ints R.tinies Items.int8 @ ints R.shorts Items.int16 @ ints R.words Items.int32
    @ ints R.bytes Items.uint8 @ ints R.halves Items.uint16 @ ints R.unsigneds Items.uint32
    @ ints R.longs (fun m l i -> Int64.to_int (Items.int64 m l i))
    @ ints R.doubles (fun m l i -> Float.to_int (Items.float64 m l i))
    @ ints R.texts (fun m l i -> Blob.length (Items.text m l i))
    @ ints R.points (fun m l i -> S.Point.R.x m (Items.struct_ m l i))
    @ ints R.matrix (fun m l i -> Items.length (Items.list m l i))
  in
  let point = R.point m r and ones = String.make (Blob.length (R.text m r)) '\255' in
  let fields =
    [
      (fun m -> R.tiny m r);
      (fun m -> R.short m r);
      (fun m -> R.word m r);
      (fun m -> R.byte m r);
      (fun m -> R.half m r);
      (fun m -> R.unsigned m r);
      (fun m -> Bool.to_int (R.flag m r));
      (fun m -> Int64.to_int (R.wide m r));
      (fun m -> Float.to_int (R.double m r));
      (fun m -> Float.to_int (R.single m r));
      (fun m -> Blob.length (R.text m r));
      (fun m -> Items.length (R.words m r));
      (fun m -> Items.length (R.points m r));
      (fun m -> S.Point.R.x m point);
      (fun m -> S.Point.R.y m (R.point m r));
      (fun m -> List.length (Items.structs S.Point.of_reader m (R.points m r)));
      (fun other -> Bool.to_int (Reader.has other r 0));
      (fun other -> Bool.to_int (Reader.has other r 24));
      (fun other -> Bool.to_int (Blob.equal other (R.text m r) ones));
      (fun other -> copied other (R.text m r));
      (fun other -> told (Any.what other (Any.field m r 2)));
      (fun other -> Items.length (Any.list other (Any.field m r 3) Unsafe.Pointer.any));
      (fun other -> List.fold_left Int.logor 0 (Items.int32s other (R.words m r)));
      (fun other -> Int64.to_int (List.fold_left Int64.logor 0L (Items.int64s other (R.longs m r))));
    ]
  in
  let sea = Bytes.create 4096 in
  List.iter
    (fun word ->
      for words = 1 to 160 do
        for i = 0 to 511 do
          Bytes.set_int64_le sea (8 * i) word
        done;
        Bytes.fill sea 800 (8 * words) '\000';
        let other = Message.of_segment sea ~off:800 ~len:(8 * words) in
        List.iteri
          (fun n read ->
            match read other with
            | 0 -> ()
            | v -> Alcotest.failf "reader %d, %d words of zeros among %Lx: %d" n words word v
            | exception (Invalid_argument _ | Message.Error _) -> ())
          (fields @ elements)
      done)
    waters

(* {1 The largest message}

   2 GiB less a word, of which only what is looked at takes memory: places, sizes and counts at the
   ends of what handles hold. *)

let largest () =
  let n = (1 lsl 28) - 1 and most = (1 lsl 26) - 1 in
  let buf = Bytes.create (8 * n) in
  let word i v = Bytes.set_int64_le buf (8 * i) v in
  let pointer at kind target upper =
    let low = ((target - at - 1) lsl 2) lor kind land 0xffff_ffff in
    word at (Int64.logor (Int64.of_int low) (Int64.shift_left (Int64.of_int upper) 32))
  in
  let list at target kind count = pointer at 1 target ((count lsl 3) lor kind) in
  let struct_ at target d p = pointer at 0 target (d lor (p lsl 16)) in
  struct_ 0 1 0 6;
  list 1 (n - 3) Kind.eight_bytes 3;
  struct_ 2 (n - 2) 1 1;
  list 3 (n - 1) Kind.byte 8;
  list 4 8 Kind.struct_ (3 * most);
  word 8 (Int64.logor (Int64.of_int (most lsl 2)) 0x0001_0002_0000_0000L);
  list 5 8 Kind.byte ((1 lsl 29) - 1);
  list 6 8 Kind.eight_bytes most;
  (* The last struct of the list: its data and, backwards, a text. *)
  let last = 9 + (3 * (most - 1)) in
  word last 11L;
  word (last + 1) 12L;
  list (last + 2) (n - 1) Kind.byte 8;
  word (8 + most - 1) 13L;
  word (n - 3) 14L;
  (* The struct's pointer is to the last word, as a list's element it is text. *)
  word (n - 2) 15L;
  word (n - 1) 0x0067_6e69_7274_7321L;
  let m = Message.of_segment ~traversal:max_int buf ~off:0 ~len:(8 * n) in
  let r = Reader.root m in
  let check what want got = Alcotest.(check int64) what want got in
  let items i kind = Reader.list m r i kind in
  check "a number of the last words" 14L (Items.int64 m (items 0 Kind.eight_bytes) 0);
  check "the struct at the end" 15L (Reader.int64 m (Reader.struct_ m r 1) 0);
  Alcotest.(check string) "the last text" "!string" (Reader.string m r 2);
  Alcotest.(check string) "its handle" "!string" (Blob.to_string m (Reader.text m r 2));
  let structs = items 3 Kind.struct_ in
  Alcotest.(check int) "structs" most (Items.length structs);
  let s = Items.struct_ m structs (most - 1) in
  check "the last one's second word" 12L (Reader.int64 m s 8);
  Alcotest.(check string) "the last one's text" "!string" (Reader.string m s 0);
  let s = Items.last m structs in
  check "by another way" 11L (Reader.int64 m s 0);
  let before = Items.Unsafe.previous s (Items.step s) in
  Alcotest.(check int)
    "the one before" (last - 3)
    (Unsafe.Pointer.data_at (Unsafe.Shape.int_of_reader before));
  Alcotest.(check int) "bytes" ((1 lsl 29) - 1) (Blob.length (Reader.data m r 4));
  let longs = items 5 Kind.eight_bytes in
  Alcotest.(check int) "numbers" most (Items.length longs);
  check "the last number" 13L (Items.int64 m longs (most - 1));
  let refused what f =
    match f () with _ -> Alcotest.failf "%s was accepted" what | exception Message.Error _ -> ()
  in
  (* One word, byte or element more. *)
  list 1 (n - 3) Kind.eight_bytes 4;
  refused "a word past the end" (fun () -> items 0 Kind.eight_bytes);
  struct_ 2 (n - 2) 1 2;
  refused "a struct past the end" (fun () -> Reader.struct_ m r 1);
  list 3 (n - 1) Kind.byte 9;
  refused "a text past the end" (fun () -> Reader.string m r 2);
  refused "a text past the end" (fun () -> Reader.text m r 2);
  list 6 8 Kind.eight_bytes (most + 1);
  refused "an element too many" (fun () -> items 5 Kind.eight_bytes);
  word 8 (Int64.logor (Int64.of_int ((most + 1) lsl 2)) 0x0001_0001_0000_0000L);
  refused "a struct too many" (fun () -> items 3 Kind.struct_);
  refused "a word too many" (fun () ->
      Message.of_segment (Bytes.create (8 * (n + 1))) ~off:0 ~len:(8 * (n + 1)))

let cases =
  [
    Suite.case "handles from before a reset" stale_handles;
    Suite.case "elements of a list of no structs" elements_of_no_struct;
    Suite.case "handles of any age, of two builders" mixed;
    Suite.case "handles of another message" strangers;
    Suite.case "the largest message" largest;
  ]
