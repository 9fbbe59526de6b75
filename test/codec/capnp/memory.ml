(* What a message unfolds to: whatever it says, reading it makes at most 16 times its length and 1 MB.
   Each input here made far more: each asks for all that it can of one kind of value. *)

open Weir_capnp
module Suite = Weir_test.Suite
module Words = Weir_test.Words
open Samples

(* {1 Inputs} *)

let pointers = 25 (* of Kinds, and 6 words of data before them *)

(* Kinds whose pointer [field] is [list], what it points to [target] words after the struct; the
   rest is [body]. *)
let kinds_with field ~kind ~count body =
  let n = 1 + 6 + pointers in
  let b = Bytes.make (8 * (n + Array.length body)) '\000' in
  let word i v = Bytes.set_int64_le b (8 * i) v in
  word 0 (Int64.of_int ((6 lor (pointers lsl 16)) lsl 32));
  let at = 7 + field in
  word at (Int64.of_int (((n - at - 1) lsl 2) lor 1 lor (((count lsl 3) lor kind) lsl 32)));
  Array.iteri (fun i v -> word (n + i) v) body;
  let table = Bytes.make 8 '\000' in
  Bytes.set_int32_le table 4 (Int32.of_int (Bytes.length b / 8));
  Bytes.to_string table ^ Bytes.to_string b

(* Where each list's pointer is, as the schema's compiler lays them out. *)
let place set =
  let m = Message.of_string (K.Kinds.encode (set K.Kinds.default)) in
  let r = K.Kinds.root m in
  let rec find i = if Reader.has m r i then i else find (i + 1) in
  find 0

let all_pointing n words ~upper =
  (* [n] pointers to what lies behind them all. *)
  Array.append
    (Array.init n (fun i ->
         Int64.logor
           (Int64.of_int (((n - i - 1) lsl 2) lor 1))
           (Int64.shift_left (Int64.of_int upper) 32)))
    words

let inputs n : (string * string) list =
  let list name set kind per body = (name, kinds_with (place set) ~kind ~count:(per * n) body) in
  let ones = Array.make n (-1L) and zeros = Array.make n 0L in
  let tag count data ptrs = Int64.of_int ((count lsl 2) lor ((data lor (ptrs lsl 16)) lsl 32)) in
  let flags v : K.Kinds.t = { v with flags = Bits.of_list [ true ] } in
  let words v : K.Kinds.t = { v with words = [ 1 ] } in
  let points v : K.Kinds.t = { v with points = [ point 1 2 ] } in
  let empties v : K.Kinds.t = { v with empties = [ () ] } in
  let matrix v : K.Kinds.t = { v with matrix = [ [ 1 ] ] } in
  let grids v : K.Kinds.t = { v with grids = [ [ [ point 1 2 ] ] ] } in
  [
    list "bits" flags Kind.bit 64 ones;
    list "bits as words" words Kind.bit 64 ones;
    list "bytes" (fun v -> { v with bytes = "1" }) Kind.byte 8 ones;
    list "numbers as bytes" (fun v -> { v with bytes = "1" }) Kind.eight_bytes 1 ones;
    list "tinies" (fun v -> { v with tinies = "1" }) Kind.byte 8 ones;
    list "shorts" (fun v -> { v with shorts = [ 1 ] }) Kind.two_bytes 4 ones;
    list "words" words Kind.four_bytes 2 ones;
    list "longs" (fun v -> { v with longs = [ 1L ] }) Kind.eight_bytes 1 ones;
    list "singles" (fun v -> { v with singles = [ 1. ] }) Kind.four_bytes 2 ones;
    list "doubles" (fun v -> { v with doubles = [ 1. ] }) Kind.eight_bytes 1 ones;
    list "enums" (fun v -> { v with colours = [ Red ] }) Kind.two_bytes 4 ones;
    list "voids" (fun v -> { v with voids = 1 }) Kind.void 0x100 [||];
    list "voids in bytes" (fun v -> { v with voids = 1 }) Kind.byte 8 ones;
    list "null texts" (fun v -> { v with texts = [ "" ] }) Kind.pointer 1 zeros;
    list "one text"
      (fun v -> { v with texts = [ "" ] })
      Kind.pointer 1
      (all_pointing n (Array.make 64 0L) ~upper:((512 lsl 3) lor Kind.byte));
    list "one text a byte"
      (fun v -> { v with texts = [ "" ] })
      Kind.pointer 1
      (all_pointing n [| 0x00ffL |] ~upper:((2 lsl 3) lor Kind.byte));
    list "one string of data"
      (fun v -> { v with datas = [ "" ] })
      Kind.pointer 1
      (all_pointing n (Array.make 64 0L) ~upper:((512 lsl 3) lor Kind.byte));
    list "one list in lists" matrix Kind.pointer 1
      (all_pointing n (Array.make 64 0L) ~upper:((256 lsl 3) lor Kind.two_bytes));
    list "lists of nothing in lists" grids Kind.pointer 1
      (all_pointing n (Array.make 64 0L) ~upper:((0x1fff_ffff lsl 3) lor Kind.void));
    ( "points of no words",
      kinds_with (place points) ~kind:Kind.struct_ ~count:0 [| tag 0x1000_0000 0 0 |] );
    ("points in bytes", kinds_with (place points) ~kind:Kind.byte ~count:(8 * n) ones);
    ("empty structs in bytes", kinds_with (place empties) ~kind:Kind.byte ~count:(8 * n) ones);
    ( "points",
      kinds_with (place points) ~kind:Kind.struct_ ~count:n (Array.append [| tag n 1 0 |] ones) );
  ]

(* A tree in which each level's two branches are one. *)
let branches depth =
  let node = 4 in
  let b = Bytes.make (8 * (1 + (node * depth))) '\000' in
  Bytes.set_int64_le b 0 0x0004_0000_0000_0000L;
  for level = 0 to depth - 2 do
    (* Its left and right, pointers 1 and 2, go to the next. *)
    List.iter
      (fun i ->
        let at = 1 + (node * level) + i in
        let target = 1 + (node * (level + 1)) in
        Bytes.set_int64_le b (8 * at) (Int64.of_int (((target - at - 1) lsl 2) lor (4 lsl 48))))
      [ 1; 2 ]
  done;
  let table = Bytes.make 8 '\000' in
  Bytes.set_int32_le table 4 (Int32.of_int (Bytes.length b / 8));
  Bytes.to_string table ^ Bytes.to_string b

(* {1 Readers} *)

let tried f = match f () with () -> () | exception Message.Error _ -> ()
let opened s = Message.of_string s

let readers : (string * (string -> unit)) list =
  [
    ("decode", fun s -> ignore (K.Kinds.decode s));
    ( "of_reader",
      fun s ->
        let m = opened s in
        ignore (K.Kinds.of_reader m (K.Kinds.root m)) );
    ("tree", fun s -> ignore (K.Tree.decode s));
    ( "tree, of_reader",
      fun s ->
        let m = opened s in
        ignore (K.Tree.of_reader m (K.Tree.root m)) );
    ("canonical", fun s -> ignore (Canonical.of_message (opened s)));
    ( "detach",
      fun s ->
        let m = opened s in
        ignore (Any.detach m (Any.root m)) );
    ( "copy",
      fun s ->
        let m = opened s and b = Builder.create () in
        Any.copy_struct m (K.Kinds.root m) b (K.Tree.init b) 0 ~data:0 ~pointers:0 );
    ( "bools",
      fun s ->
        let m = opened s in
        let flags =
          Reader.list m (K.Kinds.root m)
            (place (fun v -> { v with flags = Bits.of_list [ true ] }))
            Kind.bit
        in
        ignore (Items.bools m flags) );
  ]

let bounded () =
  let all n = ("branches", branches 40) :: inputs n in
  List.iter
    (fun n ->
      List.iter
        (fun (shape, s) ->
          List.iter
            (fun (reader, read) ->
              Words.check_small (Printf.sprintf "%s, %s" shape reader) ~bytes:(String.length s)
                (fun () -> tried (fun () -> read s)))
            readers)
        (all n))
    [ 10; 4_000; 130_000 ]

(* What is read is still what was written: a megabyte of each kind that used to unfold. *)
let still_read () =
  let n = 8_000_000 in
  let check what (v : K.Kinds.t) =
    let s = K.Kinds.encode v in
    Words.check_small what ~bytes:(String.length s) (fun () ->
        match K.Kinds.decode s with
        | Ok v' -> if v' <> v then Alcotest.failf "%s differ" what
        | Error e -> Alcotest.failf "%s: %a" what Message.pp_error e)
  in
  check "bits" { K.Kinds.default with flags = Bits.init n (fun i -> i mod 3 = 0) };
  check "bytes"
    { K.Kinds.default with bytes = String.init (n / 8) (fun i -> Char.chr (i land 255)) };
  check "tinies" { K.Kinds.default with tinies = String.make (n / 8) '\200' };
  check "voids" { K.Kinds.default with voids = n };
  check "shorts" { K.Kinds.default with shorts = List.init (n / 16) (fun i -> i land 1023) };
  check "longs" { K.Kinds.default with longs = List.init (n / 64) Int64.of_int };
  check "points" { K.Kinds.default with points = List.init (n / 64) (fun i -> point i i) };
  check "texts" { K.Kinds.default with texts = List.init (n / 64) string_of_int }

let more_on_request () =
  let s = List.assoc "enums" (inputs 130_000) in
  (match K.Kinds.decode s with
  | Ok _ -> Alcotest.fail "unknown enums, 20 times their room"
  | Error e -> Alcotest.(check string) "why" "memory limit reached" e.what);
  let m = Message.of_string ~memory:10_000_000 s in
  Alcotest.(check int)
    "with more memory" 520_000
    (List.length (K.Kinds.of_reader m (K.Kinds.root m)).colours)

(* Two bytes may stand for 2 KiB. *)
let packed () =
  let zeros = String.concat "" (List.init 10_000 (fun _ -> "\000\255")) in
  let framed =
    "\x10\x04\xff" (* a segment of 0xff04 words and more *) ^ "\xff\xff\x01\x00" ^ zeros
  in
  List.iter
    (fun (what, s) ->
      let bytes = String.length s in
      Words.check_small (what ^ ", unpacked") ~bytes (fun () ->
          tried (fun () -> ignore (Packed.unpack s)));
      Words.check_small (what ^ ", as a message") ~bytes (fun () ->
          tried (fun () -> ignore (Packed.message (Bytes.of_string s) ~off:0 ~len:bytes))))
    [ ("zeros", zeros); ("a frame", framed); ("a large one", "\xf0\xff\xff\xff\x00" ^ zeros) ];
  let sparse = String.make 40_000 '\000' in
  Alcotest.(check bool) "within the limit" true (Packed.unpack (Packed.pack sparse) = sparse);
  let large = String.make 4_000_000 '\000' in
  Alcotest.(check bool)
    "on request" true
    (Packed.unpack ~limit:4_000_000 (Packed.pack large) = large)

let cases =
  [
    Suite.case "what a message unfolds to" bounded;
    Suite.case "bits, bytes and voids by the million" still_read;
    Suite.case "more on request" more_on_request;
    Suite.case "packed" packed;
  ]
