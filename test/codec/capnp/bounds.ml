(* What the writers refuse, move or write otherwise, so that no message is malformed, nor refused by
   [decode]. *)

open Weir_capnp
module Suite = Weir_test.Suite
open Samples

let bytes s = Message.of_segment (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s)

let message l =
  let b = Bytes.create (8 * List.length l) in
  List.iteri (fun i w -> Bytes.set_int64_le b (8 * i) w) l;
  bytes (Bytes.to_string b)

let why what f =
  match f () with
  | _ -> Alcotest.failf "%s was accepted" what
  | exception Message.Error e -> e.what
  | exception Invalid_argument e -> e

(* {1 Values that are large or take no room} *)

let long_bytes_in_any () =
  let long = String.make (64 * 1024 * 1024) 'x' in
  let any set =
    let b = Builder.create () in
    set b (K.Kinds.init b);
    Any.of_builder b
  in
  List.iter
    (fun (name, set, get) ->
      let v = { kinds with anything = any set } in
      let back = (ok (K.Kinds.decode (K.Kinds.encode v))).anything in
      let m = Any.constant back in
      Alcotest.(check bool) name true (Blob.equal m (get m (K.Kinds.root m)) long);
      let canonical = bytes (Canonical.of_reader m (K.Kinds.root m)) in
      Message.set_traversal canonical max_int;
      let t = get canonical (K.Kinds.root canonical) in
      Alcotest.(check int) (name ^ ", canonical") (String.length long) (Blob.length t))
    [ ("text", (fun b h -> K.Kinds.B.set_text b h long), K.Kinds.R.text) ]

let many n v = List.init n (fun _ -> v)
let weightless n = { K.Kinds.default with voids = n; empties = many n () }

let no_room () =
  List.iter
    (fun n ->
      let v = weightless n in
      let s = K.Kinds.encode v in
      let same what v' =
        if v' <> v then Alcotest.failf "%d elements without a size: %s differ" n what
      in
      same "decoded" (ok (K.Kinds.decode s));
      let b = Builder.create ~segment_words:16 () in
      K.Kinds.write b v;
      same "over segments" (ok (K.Kinds.decode (Builder.to_string b)));
      same "in an Any"
        (let m = Message.of_string ~traversal:max_int s in
         let inner = { K.Kinds.default with anything = Any.detach m (Any.root m) } in
         let inner = (ok (K.Kinds.decode (K.Kinds.encode inner))).anything in
         let m = Any.constant inner in
         K.Kinds.of_reader m (K.Kinds.root m)))
    [ 0; 1; 2; 3; 4; 5; 7; 8; 9; 100; 1_000_000 ];
  (* Built in place. *)
  let b = Builder.create () in
  let h = K.Kinds.init b in
  ignore (K.Kinds.B.init_voids b h 100_000);
  ignore (K.Kinds.B.init_empties b h 100_000);
  let back = ok (K.Kinds.decode (Builder.to_string b)) in
  Alcotest.(check bool) "built in place" true (back = weightless 100_000);
  (* The tool takes them for what they are. *)
  let shown = Tool.decode "kinds" "Kinds" (K.Kinds.encode (weightless 4)) in
  let holds part =
    let n = String.length part in
    let rec at i = i + n <= String.length shown && (String.sub shown i n = part || at (i + 1)) in
    if not (at 0) then Alcotest.failf "%s is not in %s" part shown
  in
  holds "voids = [void, void, void, void]";
  holds "empties = [(), (), (), ()]"

(* As other writers have them, they are read in place and do not unfold. *)
let no_room_of_others () =
  let frame list = [ 0x0001_0000_0000_0000L; list ] in
  let count = 1_000_000L in
  let voids = frame (Int64.logor 1L (Int64.shift_left count 35)) in
  let empties = frame 0x0000_0007_0000_0001L @ [ Int64.shift_left count 2 ] in
  List.iter
    (fun (name, l, kind) ->
      let m = message l in
      let list m = Any.list m (Any.field m (Reader.root m) 0) kind in
      Alcotest.(check int) name 1_000_000 (Items.length (list m));
      Message.set_traversal m ((4 * Message.words m) + 4096);
      Alcotest.(check string) name "traversal limit reached" (why name (fun () -> list m)))
    [ ("voids", voids, Kind.void); ("empties", empties, Kind.struct_) ]

(* {1 What was copied from a message of an older schema} *)

let tree pointers rest = message ((0x0004_0000_0000_0000L :: pointers) @ rest)

let copied m =
  let b = Builder.create () in
  let h = K.Tree.init b in
  K.Tree.B.copy_right b h m (K.Tree.root m);
  (b, h, Option.get (K.Tree.B.get_right b h))

let leaf : K.Tree.t = K.Tree.default

let shorter_struct () =
  (* Whose left has one pointer, where a tree has four. *)
  let m = tree [ 0L; 0x0001_0000_0000_0008L; 0L; 0L ] [ 0L ] in
  let b, h, right = copied m in
  let left = Option.get (K.Tree.B.get_left b right) in
  ignore (K.Tree.B.init_right b left);
  ignore (K.Tree.B.init_left b h);
  let want =
    {
      leaf with
      left = Some leaf;
      right = Some { leaf with left = Some { leaf with right = Some leaf } };
    }
  in
  Alcotest.(check bool) "moved" true (ok (K.Tree.decode (Builder.to_string b)) = want)

let shorter_elements () =
  let m = tree [ 0L; 0L; 0L; 0x0000_0017_0000_0001L ] [ 0x0001_0000_0000_0008L; 0L; 0L ] in
  let b, _, right = copied m in
  let children = Option.get (K.Tree.B.get_children b right) in
  let before = Builder.to_string b in
  let element = Builder.item b children 0 in
  Alcotest.(check string)
    "refused" "Builder: the struct was copied, and is too short for this field"
    (why "a field that is not there" (fun () -> ignore (K.Tree.B.init_left b element)));
  Alcotest.(check string) "untouched" before (Builder.to_string b);
  ignore (K.Tree.B.init_value b element);
  Alcotest.(check int)
    "two" 2
    (List.length (Option.get (ok (K.Tree.decode (Builder.to_string b))).right).children)

let other_elements () =
  let m = tree [ 0L; 0L; 0L; 0x0000_001a_0000_0001L ] [ 0x030201L ] in
  let b, _, right = copied m in
  Alcotest.(check string)
    "refused" "list of another element type"
    (why "bytes as structs" (fun () -> ignore (K.Tree.B.get_children b right)))

(* {1 Lists that are not what is put there} *)

let wrong_lists () =
  let b = Builder.create () in
  let h = K.Kinds.init b in
  let points = K.Kinds.B.init_points b h 2 in
  let words = K.Kinds.B.init_words b h 40 and texts = K.Kinds.B.init_texts b h 40 in
  let before = Builder.to_string b in
  Alcotest.(check string)
    "structs as enums" "Builder: a list of another element type"
    (why "an enum among structs" (fun () -> Builder.put_uint16 b points 1 2));
  Alcotest.(check string) "untouched" before (Builder.to_string b);
  Builder.reset b;
  List.iter
    (fun (name, put) ->
      Alcotest.(check string) name "Builder: a handle from before the last reset" (why name put))
    [
      ("a number", fun () -> Builder.put_uint32 b words 39 1);
      ("a text", fun () -> Builder.put_text b texts 39 "lost");
    ]

(* {1 A write that fails} *)

let half_written () =
  let b = Builder.create () in
  K.Kinds.write b kinds;
  Alcotest.(check bool) "room" true (Bytes.length (Unsafe.Record.restart b 6 25 800) > 0);
  (* Here the writer raises. *)
  Alcotest.(check string)
    "nothing is there" "\000\000\000\000\001\000\000\000\000\000\000\000\000\000\000\000"
    (Builder.to_string b)

let cases =
  [
    Suite.case "64 MiB of bytes in an AnyPointer" long_bytes_in_any;
    Suite.case "elements without a size" no_room;
    Suite.case "elements without a size, by others" no_room_of_others;
    Suite.case "a copied struct that is too short" shorter_struct;
    Suite.case "copied elements that are too short" shorter_elements;
    Suite.case "copied elements of another kind" other_elements;
    Suite.case "lists that are not what is put there" wrong_lists;
    Suite.case "a write that fails" half_written;
  ]
