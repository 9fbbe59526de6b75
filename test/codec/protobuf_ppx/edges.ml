open Weir_test
module C = Weir_protobuf.Codec
module D = Weir_protobuf.Unsafe.Derived

(* Tags of one to five bytes, each the first and the last of its width. *)
type item = { text : string; [@key 1] more : item list [@key 2] } [@@deriving protobuf]

type far = {
  a : int list; [@key 15]
  b : int list; [@key 16]
  c : int list; [@key 2047] [@packed]
  d : int list; [@key 2048] [@packed]
  e : string list; [@key 262143]
  f : string option; [@key 262144]
  g : bytes list; [@key 33554431]
  h : item list; [@key 33554432]
  i : int array; [@key 33554433] [@packed]
  j : item option; [@key 536870911]
}
[@@deriving protobuf]

(* Cases whose keys, and their payloads' one above, are of every width: of each, nothing, a text,
   numbers, a message and several things. *)
type bare =
  | Bare1 [@key 1]
  | Bare6 [@key 6]
  | Bare13 [@key 13]
  | Bare14 [@key 14]
  | Bare15 [@key 15]
  | Bare16 [@key 16]
  | Bare126 [@key 126]
  | Bare127 [@key 127]
  | Bare128 [@key 128]
  | Bare2045 [@key 2045]
  | Bare2046 [@key 2046]
  | Bare2047 [@key 2047]
  | Bare2048 [@key 2048]
  | Bare16382 [@key 16382]
  | Bare16383 [@key 16383]
  | Bare16384 [@key 16384]
  | Bare262142 [@key 262142]
  | Bare262143 [@key 262143]
  | Bare2097151 [@key 2097151]
  | Bare2097152 [@key 2097152]
  | Bare33554430 [@key 33554430]
  | Bare33554431 [@key 33554431]
  | Bare268435455 [@key 268435455]
  | Bare268435456 [@key 268435456]
  | Bare536870909 [@key 536870909]
[@@deriving protobuf]

type text =
  | Text1 of string [@key 1]
  | Text6 of string [@key 6]
  | Text13 of string [@key 13]
  | Text14 of string [@key 14]
  | Text15 of string [@key 15]
  | Text16 of string [@key 16]
  | Text126 of string [@key 126]
  | Text127 of string [@key 127]
  | Text128 of string [@key 128]
  | Text2045 of string [@key 2045]
  | Text2046 of string [@key 2046]
  | Text2047 of string [@key 2047]
  | Text2048 of string [@key 2048]
  | Text16382 of string [@key 16382]
  | Text16383 of string [@key 16383]
  | Text16384 of string [@key 16384]
  | Text262142 of string [@key 262142]
  | Text262143 of string [@key 262143]
  | Text2097151 of string [@key 2097151]
  | Text2097152 of string [@key 2097152]
  | Text33554430 of string [@key 33554430]
  | Text33554431 of string [@key 33554431]
  | Text268435455 of string [@key 268435455]
  | Text268435456 of string [@key 268435456]
  | Text536870909 of string [@key 536870909]
[@@deriving protobuf]

type many =
  | Many1 of int list [@key 1]
  | Many6 of int list [@key 6]
  | Many13 of int list [@key 13]
  | Many14 of int list [@key 14]
  | Many15 of int list [@key 15]
  | Many16 of int list [@key 16]
  | Many126 of int list [@key 126]
  | Many127 of int list [@key 127]
  | Many128 of int list [@key 128]
  | Many2045 of int list [@key 2045]
  | Many2046 of int list [@key 2046]
  | Many2047 of int list [@key 2047]
  | Many2048 of int list [@key 2048]
  | Many16382 of int list [@key 16382]
  | Many16383 of int list [@key 16383]
  | Many16384 of int list [@key 16384]
  | Many262142 of int list [@key 262142]
  | Many262143 of int list [@key 262143]
  | Many2097151 of int list [@key 2097151]
  | Many2097152 of int list [@key 2097152]
  | Many33554430 of int list [@key 33554430]
  | Many33554431 of int list [@key 33554431]
  | Many268435455 of int list [@key 268435455]
  | Many268435456 of int list [@key 268435456]
  | Many536870909 of int list [@key 536870909]
[@@deriving protobuf]

type sub =
  | Sub1 of item [@key 1]
  | Sub6 of item [@key 6]
  | Sub13 of item [@key 13]
  | Sub14 of item [@key 14]
  | Sub15 of item [@key 15]
  | Sub16 of item [@key 16]
  | Sub126 of item [@key 126]
  | Sub127 of item [@key 127]
  | Sub128 of item [@key 128]
  | Sub2045 of item [@key 2045]
  | Sub2046 of item [@key 2046]
  | Sub2047 of item [@key 2047]
  | Sub2048 of item [@key 2048]
  | Sub16382 of item [@key 16382]
  | Sub16383 of item [@key 16383]
  | Sub16384 of item [@key 16384]
  | Sub262142 of item [@key 262142]
  | Sub262143 of item [@key 262143]
  | Sub2097151 of item [@key 2097151]
  | Sub2097152 of item [@key 2097152]
  | Sub33554430 of item [@key 33554430]
  | Sub33554431 of item [@key 33554431]
  | Sub268435455 of item [@key 268435455]
  | Sub268435456 of item [@key 268435456]
  | Sub536870909 of item [@key 536870909]
[@@deriving protobuf]

type two =
  | Two1 of int * string [@key 1]
  | Two6 of int * string [@key 6]
  | Two13 of int * string [@key 13]
  | Two14 of int * string [@key 14]
  | Two15 of int * string [@key 15]
  | Two16 of int * string [@key 16]
  | Two126 of int * string [@key 126]
  | Two127 of int * string [@key 127]
  | Two128 of int * string [@key 128]
  | Two2045 of int * string [@key 2045]
  | Two2046 of int * string [@key 2046]
  | Two2047 of int * string [@key 2047]
  | Two2048 of int * string [@key 2048]
  | Two16382 of int * string [@key 16382]
  | Two16383 of int * string [@key 16383]
  | Two16384 of int * string [@key 16384]
  | Two262142 of int * string [@key 262142]
  | Two262143 of int * string [@key 262143]
  | Two2097151 of int * string [@key 2097151]
  | Two2097152 of int * string [@key 2097152]
  | Two33554430 of int * string [@key 33554430]
  | Two33554431 of int * string [@key 33554431]
  | Two268435455 of int * string [@key 268435455]
  | Two268435456 of int * string [@key 268435456]
  | Two536870909 of int * string [@key 536870909]
[@@deriving protobuf]

let edges =
  let widths = List.concat (List.init 9 (fun k -> [ (1 lsl (7 * k)) - 1; 1 lsl (7 * k) ])) in
  let all = [ max_int; 0x7fffffff; 0x80000000 ] @ widths in
  all @ List.map Int.neg all @ [ min_int; min_int / 2; (max_int / 2) + 1 ]

let lengths =
  [ 0; 1; 2; 3; 4; 7; 8; 9; 15; 16; 17; 31; 63; 64; 65; 126; 127; 128; 129; 16383; 16384 ]

let canary = '\xa5'

(* Neither shorter nor longer than [size] says, and nothing else is touched. *)
let exact name ~size write =
  let b = Bytes.make (size + 32) canary in
  let start = write b (size + 16) in
  Alcotest.(check int) name 16 start;
  let clean from n = Bytes.for_all (fun c -> c = canary) (Bytes.sub b from n) in
  if not (clean 0 16 && clean (16 + size) 16) then Alcotest.failf "%s: touched what is around" name;
  Bytes.sub_string b 16 size

let there_and_back codec v =
  let s =
    exact "written" ~size:(C.size codec v) (fun b stop -> (C.Unsafe.parts codec).write b stop v)
  in
  match C.decode codec s with
  | Ok w when compare v w = 0 -> ()
  | Ok _ -> Alcotest.fail "read as another"
  | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e)

let nothing =
  { a = []; b = []; c = []; d = []; e = []; f = None; g = []; h = []; i = [||]; j = None }

let tags () =
  there_and_back far_protobuf nothing;
  List.iter
    (fun n ->
      let l = [ n; 1; n; n ] in
      there_and_back far_protobuf { nothing with a = l; b = l; c = l; d = l; i = Array.of_list l };
      there_and_back D.int_protobuf n;
      (* One alone, since two are written a step. *)
      there_and_back far_protobuf { nothing with a = [ n ]; b = [ n ]; c = [ n ]; d = [ n ] })
    edges;
  List.iter
    (fun n ->
      let text = String.make n '\xff' in
      let item = { text; more = [ { text; more = [] }; { text = ""; more = [] } ] } in
      there_and_back far_protobuf
        {
          nothing with
          e = [ text; ""; text ];
          f = Some text;
          g = [ Bytes.of_string text; Bytes.empty ];
          h = [ item; item ];
          j = Some item;
        })
    lengths

let cases_of codec (make : (unit -> 'a) list) =
  List.iter (fun f -> there_and_back codec (f ())) make

let cases () =
  cases_of bare_protobuf [ (fun () -> Bare1); (fun () -> Bare6); (fun () -> Bare13); (fun () -> Bare14); (fun () -> Bare15); (fun () -> Bare16); (fun () -> Bare126); (fun () -> Bare127); (fun () -> Bare128); (fun () -> Bare2045); (fun () -> Bare2046); (fun () -> Bare2047); (fun () -> Bare2048); (fun () -> Bare16382); (fun () -> Bare16383); (fun () -> Bare16384); (fun () -> Bare262142); (fun () -> Bare262143); (fun () -> Bare2097151); (fun () -> Bare2097152); (fun () -> Bare33554430); (fun () -> Bare33554431); (fun () -> Bare268435455); (fun () -> Bare268435456); (fun () -> Bare536870909) ];
  List.iter
    (fun n ->
      let s = String.make n 'x' in
      let item = { text = s; more = [ { text = s; more = [] } ] } in
      cases_of text_protobuf [ (fun () -> Text1 s); (fun () -> Text6 s); (fun () -> Text13 s); (fun () -> Text14 s); (fun () -> Text15 s); (fun () -> Text16 s); (fun () -> Text126 s); (fun () -> Text127 s); (fun () -> Text128 s); (fun () -> Text2045 s); (fun () -> Text2046 s); (fun () -> Text2047 s); (fun () -> Text2048 s); (fun () -> Text16382 s); (fun () -> Text16383 s); (fun () -> Text16384 s); (fun () -> Text262142 s); (fun () -> Text262143 s); (fun () -> Text2097151 s); (fun () -> Text2097152 s); (fun () -> Text33554430 s); (fun () -> Text33554431 s); (fun () -> Text268435455 s); (fun () -> Text268435456 s); (fun () -> Text536870909 s) ];
      cases_of many_protobuf [ (fun () -> Many1 [ n; n ]); (fun () -> Many6 [ n; n ]); (fun () -> Many13 [ n; n ]); (fun () -> Many14 [ n; n ]); (fun () -> Many15 [ n; n ]); (fun () -> Many16 [ n; n ]); (fun () -> Many126 [ n; n ]); (fun () -> Many127 [ n; n ]); (fun () -> Many128 [ n; n ]); (fun () -> Many2045 [ n; n ]); (fun () -> Many2046 [ n; n ]); (fun () -> Many2047 [ n; n ]); (fun () -> Many2048 [ n; n ]); (fun () -> Many16382 [ n; n ]); (fun () -> Many16383 [ n; n ]); (fun () -> Many16384 [ n; n ]); (fun () -> Many262142 [ n; n ]); (fun () -> Many262143 [ n; n ]); (fun () -> Many2097151 [ n; n ]); (fun () -> Many2097152 [ n; n ]); (fun () -> Many33554430 [ n; n ]); (fun () -> Many33554431 [ n; n ]); (fun () -> Many268435455 [ n; n ]); (fun () -> Many268435456 [ n; n ]); (fun () -> Many536870909 [ n; n ]) ];
      cases_of sub_protobuf [ (fun () -> Sub1 item); (fun () -> Sub6 item); (fun () -> Sub13 item); (fun () -> Sub14 item); (fun () -> Sub15 item); (fun () -> Sub16 item); (fun () -> Sub126 item); (fun () -> Sub127 item); (fun () -> Sub128 item); (fun () -> Sub2045 item); (fun () -> Sub2046 item); (fun () -> Sub2047 item); (fun () -> Sub2048 item); (fun () -> Sub16382 item); (fun () -> Sub16383 item); (fun () -> Sub16384 item); (fun () -> Sub262142 item); (fun () -> Sub262143 item); (fun () -> Sub2097151 item); (fun () -> Sub2097152 item); (fun () -> Sub33554430 item); (fun () -> Sub33554431 item); (fun () -> Sub268435455 item); (fun () -> Sub268435456 item); (fun () -> Sub536870909 item) ];
      cases_of two_protobuf [ (fun () -> Two1 (n, s)); (fun () -> Two6 (n, s)); (fun () -> Two13 (n, s)); (fun () -> Two14 (n, s)); (fun () -> Two15 (n, s)); (fun () -> Two16 (n, s)); (fun () -> Two126 (n, s)); (fun () -> Two127 (n, s)); (fun () -> Two128 (n, s)); (fun () -> Two2045 (n, s)); (fun () -> Two2046 (n, s)); (fun () -> Two2047 (n, s)); (fun () -> Two2048 (n, s)); (fun () -> Two16382 (n, s)); (fun () -> Two16383 (n, s)); (fun () -> Two16384 (n, s)); (fun () -> Two262142 (n, s)); (fun () -> Two262143 (n, s)); (fun () -> Two2097151 (n, s)); (fun () -> Two2097152 (n, s)); (fun () -> Two33554430 (n, s)); (fun () -> Two33554431 (n, s)); (fun () -> Two268435455 (n, s)); (fun () -> Two268435456 (n, s)); (fun () -> Two536870909 (n, s)) ])
    lengths
[@@ocamlformat "disable"]

(* The pieces that writers are made of. *)
let pieces () =
  List.iter
    (fun tag ->
      List.iter
        (fun n ->
          let text = String.init n (fun i -> Char.chr (97 + (i mod 26))) in
          let module E = Weir_protobuf.Unsafe.Encode in
          let size = E.size_varint tag + E.size_text text in
          let name = Printf.sprintf "tag %d, %d bytes" tag n in
          let want = exact name ~size (fun b stop -> E.varint b (E.text b stop text) tag) in
          let same what write = Alcotest.(check string) what want (exact name ~size write) in
          same "string" (fun b stop -> E.string b stop tag text);
          same "bytes" (fun b stop -> E.bytes b stop tag text);
          same "block" (fun b stop -> E.block b stop (E.raw b stop text) tag);
          if n > 0 then same "filled" (fun b stop -> E.filled_string b stop tag text)
          else ignore (exact "empty" ~size:0 (fun b stop -> E.filled_string b stop tag text));
          if tag < 128 then (
            same "text" (fun b stop -> D.put_text b stop tag text);
            same "put_block" (fun b stop -> D.put_block b stop (E.raw b stop text) tag));
          let wide = text ^ "\xc3\xa9" in
          let size = E.size_varint tag + E.size_text wide in
          ignore (exact "not ASCII" ~size (fun b stop -> E.string b stop tag wide)))
        lengths)
    [ 0x0a; 0x7a; 0x82; 0x3ffa; 0x4002; 0x1f_fffa; 0x20_0002; 0xfff_fffa; 0x1000_0002; 0xffff_fffa ]

(* Runs of ints in any text, cut anywhere, with what would go on behind the limit. *)
let run_of_text () =
  let state = Random.State.make [| Suite.seed () |] in
  let byte () =
    match Random.State.int state 6 with
    | 0 | 1 -> 0x10
    | 2 -> 0x80 + Random.State.int state 128
    | 3 -> 0x80
    | _ -> Random.State.int state 256
  in
  let rec one_by_one s p limit acc =
    (* As the definition has it: a tag of one byte and a number that is whole and fits. *)
    if p >= limit || s.[p] <> '\x10' then (List.rev acc, p)
    else
      match Weir_protobuf.Unsafe.Decode.varint s (p + 1) limit with
      | exception Weir_protobuf.Error.Error _ -> (List.rev acc, p)
      | r when Weir_protobuf.Unsafe.Decode.width r > 8 -> (List.rev acc, p)
      | r ->
          let next = p + 1 + Weir_protobuf.Unsafe.Decode.width r in
          one_by_one s next limit (Weir_protobuf.Unsafe.Decode.value r :: acc)
  in
  for _ = 1 to Suite.iterations 100_000 do
    let s = String.init (1 + Random.State.int state 40) (fun _ -> Char.chr (byte ())) in
    let limit = Random.State.int state (String.length s + 1) in
    let p = Random.State.int state (limit + 1) in
    let at = ref (-1) in
    let l = D.run_int s p limit 0x10 at in
    let want, stop = one_by_one s p limit [] in
    if l <> want || (l <> [] && !at <> stop) then
      Alcotest.failf "%S from %d to %d: %d of %d, up to %d instead of %d" s p limit (List.length l)
        (List.length want) !at stop
  done

(* {1 What is around} *)

let around state =
  let piece () =
    match Random.State.int state 6 with
    | 0 -> "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"
    | 1 -> "\x10\x01\x10\x01\x10\x01\x10\x01"
    | 2 -> "\x01\x01\x01\x01\x01\x01\x01\x01"
    | 3 -> "\x10\x80\x01\x10\x80\x01\x10\x80"
    | 4 -> ""
    | _ -> String.init (Random.State.int state 12) (fun _ -> Char.chr (Random.State.int state 256))
  in
  piece ()

let neighbours (Subjects.Subject { name; codec; gen }) =
  let each = Suite.iterations 60_000 / List.length Subjects.all in
  Suite.case name (fun () ->
      let state = Random.State.make [| Suite.seed () |] in
      let seeds = Array.init 20 (fun _ -> C.encode codec (QCheck2.Gen.generate1 ~rand:state gen)) in
      for _ = 1 to each do
        let seed = seeds.(Random.State.int state (Array.length seeds)) in
        let s =
          if Random.State.bool state then Trips.mutate state seed
          else String.sub seed 0 (Random.State.int state (String.length seed + 1))
        in
        let cut = min (String.length seed) (String.length s) in
        let rest = String.sub seed cut (String.length seed - cut) in
        let before = around state in
        let behind = if Random.State.bool state then rest ^ seed else around state in
        let pos = String.length before and len = String.length s in
        let alone = C.decode codec s in
        let among = C.decode ~pos ~len codec (before ^ s ^ behind) in
        if compare alone among <> 0 then Alcotest.failf "%S between %S and %S" s before behind
      done)

(* {1 Very many} *)

let million = 1_000_000

let long_lists () =
  let l = List.init million (fun i -> i land 0x7fff) in
  there_and_back far_protobuf { nothing with a = l; b = l; c = l; d = l };
  let texts = List.map string_of_int l in
  there_and_back far_protobuf
    {
      nothing with
      e = texts;
      g = List.map Bytes.of_string texts;
      h = List.map (fun text -> { text; more = [] }) texts;
      i = Array.of_list l;
    };
  there_and_back More.entry_protobuf
    { e1 = None; e2 = l; e3 = None; e4 = 0; e5 = []; e6 = Array.of_list l; e7 = texts; e8 = l;
      e9 = None } [@ocamlformat "disable"]

(* The words allocated for [n] pieces in a row, a piece. *)
let words codec piece n =
  let s = "\x20\x00" ^ String.concat "" (List.init n (fun _ -> piece)) in
  let before = Gc.allocated_bytes () in
  (match C.decode ~memory:max_int codec s with
  | Ok _ -> ()
  | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e));
  (Gc.allocated_bytes () -. before) /. float n

(* However lists take turns, each element costs what it does among few. *)
let turns () =
  List.iter
    (fun piece ->
      let few = words More.entry_protobuf piece 1_000 in
      let many = words More.entry_protobuf piece 100_000 in
      if many > (2. *. few) +. 64. then
        Alcotest.failf "%S: %.0f bytes instead of %.0f" piece many few)
    [
      "\x10\x01\x30\x01";
      "\x30\x01\x10\x01";
      "\x10\x01\x12\x01\x05";
      "\x10\x01\x10\x80\x80\x80\x80\x80\x80\x80\x80\x01";
      "\x12\x00\x10\x01";
      "\x90\x00\x01";
      "\x10\x01\x98\x07\x01";
      "\x82\x01\x01\x05\x10\x01";
      "\x2a\x04\x20\x00\x10\x01\x10\x01";
    ]

let groups =
  [
    ( "edges",
      [
        Suite.case "numbers, lengths and tags of every width" tags;
        Suite.case "keys of cases of every width" cases;
        Suite.case "pieces of writers" pieces;
        Suite.case "runs of ints in any text" run_of_text;
        Suite.case "a million elements" long_lists;
        Suite.case "lists in turns" turns;
      ] );
    ("what is around", List.map neighbours Subjects.all);
  ]
