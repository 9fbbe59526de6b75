open Weir_test
module C = Weir_protobuf.Codec
module D = Weir_protobuf.Derived

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
  let s = exact "written" ~size:(codec.C.size v) (fun b stop -> codec.write b stop v) in
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

(* The pieces that writers are made of. *)
let pieces () =
  List.iter
    (fun tag ->
      List.iter
        (fun n ->
          let text = String.init n (fun i -> Char.chr (97 + (i mod 26))) in
          let module E = Weir_protobuf.Encode in
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
      match Weir_protobuf.Decode.varint s (p + 1) limit with
      | exception Weir_protobuf.Error.Error _ -> (List.rev acc, p)
      | r when Weir_protobuf.Decode.width r > 8 -> (List.rev acc, p)
      | r ->
          let next = p + 1 + Weir_protobuf.Decode.width r in
          one_by_one s next limit (Weir_protobuf.Decode.value r :: acc)
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
  (match C.decode codec s with
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
        Suite.case "pieces of writers" pieces;
        Suite.case "runs of ints in any text" run_of_text;
        Suite.case "a million elements" long_lists;
        Suite.case "lists in turns" turns;
      ] );
    ("what is around", List.map neighbours Subjects.all);
  ]
