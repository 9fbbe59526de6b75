(* Nasty inputs for derived types: whatever they say, reading takes at most 16 times their length and
   1 MB, counted in words. *)

open Weir_protobuf
module Suite = Weir_test.Suite
module Words = Weir_test.Words

type sub = { s1 : int option; [@key 1] s2 : string option [@key 2] }

and case =
  | Nothing [@key 1]
  | Number of int [@key 2]
  | Pair of int option * string option [@key 3]
  | Many of int list [@key 4]

and all = {
  ints : int list; [@key 1]
  packed : int list; [@key 2] [@packed]
  zigzags : (int[@encoding `zigzag]) list; [@key 3] [@packed]
  bools : bool list; [@key 4] [@packed]
  longs : (int64[@encoding `varint]) list; [@key 5] [@packed]
  words : (int32[@encoding `varint]) array; [@key 6] [@packed]
  doubles : float array; [@key 7] [@packed]
  texts : string list; [@key 8]
  bytes : bytes array; [@key 9]
  subs : sub list; [@key 10]
  pairs : (int * string) list; [@key 11]
  cases : case list; [@key 12]
  one : sub option; [@key 13]
  maybe : int option; [@key 14]
  others : int array; [@key 15]
  far : (int64[@encoding `varint]) list; [@key 16]
  trees : tree list; [@key 17]
}

and tree = Leaf [@key 1] | Node of tree * tree [@key 2] [@@deriving protobuf]

let limit_reached = Unsafe.Unfolding.limit_reached
let size = 600_000

let repeat ?(size = size) s =
  let n = size / String.length s in
  let b = Buffer.create size in
  for _ = 1 to n do
    Buffer.add_string b s
  done;
  Buffer.contents b

let varint n =
  let b = Buffer.create 5 in
  let rec go n =
    if n < 128 then Buffer.add_uint8 b n
    else (
      Buffer.add_uint8 b (n land 127 lor 128);
      go (n lsr 7))
  in
  go n;
  Buffer.contents b

let tag field wire = varint ((field lsl 3) lor wire)
let block field s = tag field 2 ^ varint (String.length s) ^ s

let shapes =
  let packed field =
    List.concat_map
      (fun (what, element) ->
        let name kind = Printf.sprintf "field %d, %s, %s" field what kind in
        [
          (name "one block", block field (repeat element));
          ( name "two blocks",
            block field (repeat ~size:300_000 element) ^ block field (repeat ~size:300_000 element)
          );
          ( name "small blocks",
            repeat (block field (String.concat "" (List.init 8 (fun _ -> element)))) );
          (name "empty blocks", repeat (block field ""));
          (name "each", repeat (tag field 0 ^ element));
          (name "each, others between", repeat (tag field 0 ^ element ^ tag 14 0 ^ "\001"));
          ( name "runs of two",
            repeat (tag field 0 ^ element ^ tag field 0 ^ element ^ tag 14 0 ^ "\001") );
          ( name "a run of 600",
            repeat (repeat ~size:1200 (tag field 0 ^ element) ^ tag 14 0 ^ "\001") );
        ])
      [
        ("a byte", "\001");
        ("two bytes", "\x80\x01");
        ("ten bytes", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
      ]
  in
  List.concat_map packed [ 1; 2; 3; 4; 5; 6; 15; 16 ]
  @ [
      ("doubles", block 7 (repeat "\001\001\001\001\001\001\001\001"));
      ("doubles each", repeat (tag 7 1 ^ "\001\001\001\001\001\001\001\001"));
      ("empty texts", repeat (block 8 ""));
      ("texts", repeat (block 8 "ab"));
      ("empty bytes", repeat (block 9 ""));
      ("bytes", repeat (block 9 "ab"));
      ("messages", repeat (block 10 ""));
      ("messages with a field", repeat (block 10 "\008\001"));
      ("pairs", repeat (block 11 "\008\001\018\000"));
      ("constants", repeat (block 12 "\008\001"));
      ("constructors", repeat (block 12 "\008\002\024\001"));
      ("payloads", repeat (block 12 "\008\003\034\000"));
      ("lists in constructors", repeat (block 12 "\008\004\040\001"));
      ("empty lists in constructors", repeat (block 12 "\008\004"));
      ("a message again", repeat (block 13 ""));
      ("an option again", repeat (tag 14 0 ^ "\001"));
      ("leaves", repeat (block 17 "\008\001"));
      ("small trees", repeat (block 17 "\008\002\026\008\010\002\008\001\018\002\008\001"));
      ("unknown", repeat (tag 30 0 ^ "\001"));
      ( "in turn",
        repeat (tag 1 0 ^ "\001" ^ block 8 "" ^ block 10 "" ^ block 13 "" ^ tag 16 0 ^ "\001") );
      ("cut off", repeat (tag 1 0 ^ "\001") ^ "\x08");
    ]

let elements () =
  let bad = ref [] and read = ref 0 in
  List.iter
    (fun (what, s) ->
      let bytes = String.length s in
      let result = ref None in
      let words = Words.allocated (fun () -> result := Some (all_from_protobuf s)) in
      let ratio = words /. Words.small ~bytes in
      let said =
        match !result with
        | Some (Ok _) ->
            incr read;
            "read"
        | Some (Error e) -> e.reason
        | None -> "none"
      in
      if ratio > 1. then bad := (ratio, what, said) :: !bad;
      if said = limit_reached then
        match Codec.decode ~memory:max_int all_protobuf s with
        | Error e when e.reason = limit_reached -> Alcotest.failf "%s: refused on request" what
        | Ok _ | Error _ -> ())
    shapes;
  (match List.sort (fun a b -> compare b a) !bad with
  | [] -> ()
  | (r, n, e) :: _ as l ->
      Alcotest.failf "%d shapes take too much; the worst, %s (%s), %.2f of what is allowed"
        (List.length l) n e r);
  if !read < 10 then Alcotest.failf "only %d were read" !read

(* What honest lists of a hundred thousand numbers come as. *)
let honest () =
  let empty = Result.get_ok (all_from_protobuf "") in
  let check what v =
    let s = all_to_protobuf v in
    match all_from_protobuf s with
    | Ok w -> if compare v w <> 0 then Alcotest.failf "%s differ" what
    | Error e -> Alcotest.failf "%s: %s" what (Error.to_string e)
  in
  let ints n = List.init n (fun i -> i land 16383) in
  check "ints" { empty with ints = ints 400_000 };
  check "small ints" { empty with ints = List.init 400_000 (fun i -> i land 127) };
  check "packed ints" { empty with packed = ints 400_000 };
  check "doubles" { empty with doubles = Array.init 100_000 float_of_int };
  check "texts" { empty with texts = List.init 100_000 string_of_int };
  check "pairs" { empty with pairs = List.init 50_000 (fun i -> (i, string_of_int i)) }

let cases = [ Suite.case "nasty inputs" elements; Suite.case "honest lists" honest ]
