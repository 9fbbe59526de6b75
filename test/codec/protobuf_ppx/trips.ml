open Weir_test
module C = Weir_protobuf.Codec
module G = QCheck2.Gen

let same a b = compare a b = 0

let round (Subjects.Subject { name; codec; gen }) =
  Suite.qcheck
    (QCheck2.Test.make ~count:300 ~name gen (fun v ->
         let s = C.encode codec v in
         let b = Bytes.make (String.length s + 6) '\255' in
         let stop = C.encode_into codec v b ~pos:3 in
         String.length s = C.size codec v
         && stop = String.length s + 3
         && Bytes.sub_string b 3 (String.length s) = s
         && Bytes.sub_string b stop 3 = "\255\255\255"
         && (match C.decode codec s with Ok w -> same v w | Error _ -> false)
         &&
         match C.decode_bytes codec b ~pos:3 ~len:(String.length s) with
         | Ok w -> same v w
         | Error _ -> false))

(* Types that have neither JSON nor text: one that uses itself at larger parameters, and one with a
   parameter that stands in an argument without a name. *)
let endless name = List.mem name [ "user"; "a5" ]

(* JSON holds text only, and U+FFFD in place of other bytes; a type whose description has no end has
   no JSON. *)
let replaced s =
  let rec from i =
    match String.index_from_opt s i '\xef' with
    | None -> false
    | Some i ->
        String.starts_with ~prefix:"\xef\xbf\xbd" (String.sub s i (String.length s - i))
        || from (i + 1)
  in
  from 0

let json (Subjects.Subject { name; codec; gen }) =
  Suite.qcheck
    (QCheck2.Test.make ~count:100 ~name gen (fun v ->
         match Weir_protobuf.Json.encode codec v with
         | exception Weir_protobuf.Error.Error _ -> endless name
         | s -> (
             match Weir_protobuf.Json.decode codec s with
             | Ok w -> replaced s || same v w
             | Error e -> QCheck2.Test.fail_reportf "%s\n%s" s (Weir_protobuf.Error.to_string e))))

let text (Subjects.Subject { name; codec; gen }) =
  Suite.qcheck
    (QCheck2.Test.make ~count:100 ~name gen (fun v ->
         match Weir_protobuf.Text.encode codec v with
         | exception Weir_protobuf.Error.Error _ -> endless name
         | s -> (
             match Weir_protobuf.Text.decode codec s with
             | Ok w -> same v w
             | Error e -> QCheck2.Test.fail_reportf "%s\n%s" s (Weir_protobuf.Error.to_string e))))

(* Behind a field that it does not know, a reader no longer looks for its fields
   where they would be: it must read the same. *)
let unknown = "\x80\xd0\xac\xf3\x0e\x01"

let behind_unknown codec s =
  match C.decode codec (unknown ^ s) with
  | Ok _ as v -> v
  | Error e -> Error { e with position = e.position - String.length unknown }

(* Decoding of anything ends in a value or an error; a value that was read is
   written and read again. *)
let survives codec s =
  let words = Gc.minor_words () in
  let result = C.decode codec s in
  if Gc.minor_words () -. words > 4000. +. (100. *. float (String.length s)) then
    failwith "too much memory";
  same result (behind_unknown codec s)
  &&
  match result with
  | Ok v -> (
      match C.decode codec (C.encode codec v) with
      | Ok w -> same v w
      | Error _ -> false
      | exception Invalid_argument _ -> true)
  | Error e -> e.position >= 0 && e.position <= String.length s && e.reason <> ""

let truncated (Subjects.Subject { name; codec; gen }) =
  Suite.qcheck
    (QCheck2.Test.make ~count:30 ~name gen (fun v ->
         let s = C.encode codec v in
         List.for_all
           (fun n -> survives codec (String.sub s 0 n))
           (List.init (min 400 (String.length s)) Fun.id)))

let mutate state s =
  let b = Bytes.of_string s in
  for _ = 0 to Random.State.int state 4 do
    if Bytes.length b > 0 then
      let i = Random.State.int state (Bytes.length b) in
      let c =
        match Random.State.int state 4 with
        | 0 -> Random.State.int state 256
        | 1 -> Char.code (Bytes.get b i) lxor (1 lsl Random.State.int state 8)
        | 2 -> 0xff
        | _ -> Random.State.int state 16
      in
      Bytes.set b i (Char.chr c)
  done;
  let s = Bytes.to_string b in
  match Random.State.int state 4 with
  | 0 -> s ^ s
  | 1 when s <> "" -> String.sub s 0 (Random.State.int state (String.length s))
  | _ -> s

let mutated (Subjects.Subject { name; codec; gen }) =
  let each = Suite.iterations 300_000 / List.length Subjects.all in
  Suite.case name (fun () ->
      let state = Random.State.make [| Suite.seed () |] in
      let seeds = Array.init 20 (fun _ -> C.encode codec (G.generate1 ~rand:state gen)) in
      for _ = 1 to each do
        let s = mutate state seeds.(Random.State.int state (Array.length seeds)) in
        if not (survives codec s) then Alcotest.failf "%S" s
      done)

let appended =
  Suite.qcheck
    (QCheck2.Test.make ~count:300
       ~name:"of two encodings the lists append and the last of the rest wins"
       (G.pair Subjects.numbers Subjects.numbers) (fun (a, b) ->
         let s = C.encode More.numbers_protobuf a ^ C.encode More.numbers_protobuf b in
         match C.decode More.numbers_protobuf s with
         | Ok c ->
             same c.n1 (a.n1 @ b.n1)
             && same c.n6 (Array.append a.n6 b.n6)
             && same c.n14 (Array.append a.n14 b.n14)
             && same c.n16 (a.n16 @ b.n16)
             && same c.n13 (Array.append a.n13 b.n13)
         | Error _ -> false))

let merged (Subjects.Subject { name; codec; gen }) =
  Suite.qcheck
    (QCheck2.Test.make ~count:50 ~name (G.pair gen gen) (fun (a, b) ->
         match (C.merge codec a b, C.decode codec (C.encode codec a ^ C.encode codec b)) with
         | c, Ok d -> same c d
         | _, Error _ -> false
         | exception Weir_protobuf.Error.Error e -> (
             match C.decode codec (C.encode codec a ^ C.encode codec b) with
             | Ok _ -> false
             | Error f -> f.reason = e.reason)))

let rec fields s pos =
  if pos >= String.length s then []
  else
    let module D = Weir_protobuf.Unsafe.Decode in
    let stop = String.length s in
    let tag = D.varint s pos stop in
    let next = D.skip s (D.value tag) (pos + D.width tag) stop 100 in
    (D.value tag lsr 3, String.sub s pos (next - pos)) :: fields s next

(* Any order of the fields in which those of one number keep theirs. *)
let shuffled (Subjects.Subject { name; codec; gen }) =
  Suite.qcheck
    (QCheck2.Test.make ~count:100 ~name
       (G.pair gen (G.array_size (G.pure 32) G.nat))
       (fun (v, keys) ->
         let key (number, _) = keys.(number land 31) in
         let l =
           List.stable_sort (fun a b -> compare (key a) (key b)) (fields (C.encode codec v) 0)
         in
         match C.decode codec (String.concat "" (List.map snd l)) with
         | Ok w -> same v w
         | Error _ -> false))

(* Those of lists in turn, so that none comes more than once in a row. *)
let scattered =
  Suite.qcheck
    (QCheck2.Test.make ~count:300 ~name:"fields of lists in turn" (Subjects.entry 0) (fun v ->
         let v = { v with e1 = Some "" } in
         let all = fields (C.encode More.entry_protobuf v) 0 in
         let of_number n = List.filter_map (fun (m, s) -> if m = n then Some s else None) all in
         let rec turns ls =
           match List.filter (fun l -> l <> []) ls with
           | [] -> []
           | ls -> List.map List.hd ls @ turns (List.map List.tl ls)
         in
         let s = String.concat "" (turns (List.map of_number [ 2; 6; 15; 16; 4; 1; 3; 17 ])) in
         match C.decode More.entry_protobuf s with Ok w -> same v w | Error _ -> false))

let ints_of hex =
  match C.decode More.entry_protobuf (Tables.of_hex ("20 00" ^ hex)) with
  | Ok e -> String.concat " " (List.map string_of_int e.e2)
  | Error e -> Weir_protobuf.Error.to_string e

(* Numbers longer than they need be, cut, of more than eight bytes; their tag too. *)
let runs =
  Suite.case "ints with a tag each" (fun () ->
      List.iter
        (fun (hex, said) -> Alcotest.(check string) hex said (ints_of hex))
        [
          ("10 01 10 02 10 03", "1 2 3");
          ("10 8100 10 82808000 10 03", "1 2 3");
          ("10 ac02 10 8180 01 10 05", "300 16385 5");
          ("10 ac02 10 ac02", "300 300");
          ("10 01 9000 02 10 03", "1 2 3");
          ("10 01 10 ffffffffffffffffff01 10 02", "1 -1 2");
          ("10 80808080808080 01 10 01", "562949953421312 1");
          ("10 01 12 0203 04 10 05", "1 3 4 5");
          ("10 01 10 02 10", "byte 7, in e2: truncated");
          ("10 01 10 80", "byte 5, in e2: truncated");
          ("10 01 10 ac", "byte 5, in e2: truncated");
          ("10 01 10 8080", "byte 5, in e2: truncated");
          ("10 01 10 ffffffffffffffff7f", "byte 5, in e2: number does not fit its type");
          ("10 01 10 ffffffffffffffffffff01", "byte 5, in e2: number longer than ten bytes");
          ("10 01 11 0000000000000000", "byte 4, in e2: field e2 does not have wire type 1");
        ])

let wide =
  Suite.case "more than sixty required fields" (fun () ->
      let s n =
        String.concat ""
          (List.init n (fun i ->
               if i < 15 then Printf.sprintf "%c\001" (Char.chr ((i + 1) lsl 3))
               else
                 Printf.sprintf "%c%c\001"
                   (Char.chr (((i + 1) lsl 3) land 127 lor 128))
                   (Char.chr ((i + 1) lsr 4))))
      in
      (match C.decode More.wide_protobuf (s 62) with
      | Ok w -> Alcotest.(check string) "same" (s 62) (C.encode More.wide_protobuf w)
      | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e));
      List.iter
        (fun n ->
          match C.decode More.wide_protobuf (s n) with
          | Ok _ -> Alcotest.fail "was read"
          | Error e ->
              Alcotest.(check string)
                "missing"
                (Printf.sprintf "required field More.wide.w%02d is missing" (n + 1))
                e.reason)
        [ 0; 5; 59; 60; 61 ])

let groups =
  [
    ("round trips", List.map round Subjects.all);
    ("JSON", List.map json Subjects.all);
    ("text format", List.map text Subjects.all);
    ("merging", List.map merged Subjects.all);
    ("truncation", List.map truncated Subjects.all);
    ("mutation", List.map mutated Subjects.all);
    ("any order", scattered :: List.map shuffled Subjects.all);
    ("concatenation", [ appended; wide; runs ]);
  ]
