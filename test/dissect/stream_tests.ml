open Weir_wire
open Weir_dissect
open Packets
module Suite = Weir_test.Suite

let pp_piece f (p : Stream_bytes.piece) =
  let side = if p.from_client then '>' else '<' in
  match p.what with
  | Data s -> Fmt.pf f "%c%d %s" side p.offset s
  | Missing n -> Fmt.pf f "%c%d [%d]" side p.offset n

let pieces frames =
  let found = ref [] and conversations = Conversations.create () in
  let stream = Stream_bytes.create (fun p -> found := p :: !found) in
  List.iter (fun b -> Stream_bytes.add stream (dissect conversations b)) frames;
  Stream_bytes.finish stream;
  List.rev !found

let syn = from_client { Tcp.base with syn = true; seq = 999 }
let syn_ack = from_server { Tcp.base with syn = true; seq = 4_999; ack = 1_000 }

let client ?(fin = false) at data =
  from_client { Tcp.base with seq = 1_000 + at; ack = 5_000; fin } ~data

let server ?(ack = 0) at data =
  from_server { Tcp.base with seq = 5_000 + at; ack = 1_000 + ack } ~data

let stories =
  [
    ("in order", [ syn; syn_ack; client 0 "ab"; server 0 "xy"; client 2 "cd" ], ">0 ab <0 xy >2 cd");
    ("sent again", [ syn; client 0 "ab"; client 0 "ab"; client 1 "bc" ], ">0 ab >2 c");
    ("overtaken", [ syn; client 2 "cd"; client 4 "ef"; client 0 "ab" ], ">0 ab >2 cd >4 ef");
    ("overlapping", [ syn; client 2 "cdef"; client 3 "de"; client 0 "abc" ], ">0 abc >3 def");
    ("the first copy counts", [ syn; client 0 "ab"; client 0 "XY"; client 2 "c" ], ">0 ab >2 c");
    ( "a longer copy of what waits",
      [ syn; client 1 "b"; client 1 "bcd"; client 0 "a" ],
      ">0 a >1 bcd" );
    ("a hole at the end", [ syn; client 0 "ab"; client 5 "fg" ], ">0 ab >2 [3] >5 fg");
    ( "a hole that was acknowledged",
      [ syn; syn_ack; client 0 "ab"; client 5 "fg"; server ~ack:7 0 "ok" ],
      ">0 ab <0 ok >2 [3] >5 fg" );
    ( "acknowledged, and nothing behind it was seen",
      [ syn; syn_ack; client 0 "ab"; server ~ack:900 0 "ok"; client 2 "cd" ],
      ">0 ab <0 ok >2 cd" );
    ("an end", [ syn; syn_ack; client ~fin:true 0 "ab"; server ~ack:3 0 "ok" ], ">0 ab <0 ok");
    ("a keepalive of one old byte", [ syn; client 0 "ab"; client 1 "?" ], ">0 ab");
    ( "begun before the capture",
      [ client 70 "ab"; server 30 "xy"; client 72 "cd" ],
      ">0 ab >2 cd <0 [30] <30 xy" );
    ( "data with the SYN",
      [ from_client { Tcp.base with syn = true; seq = 999 } ~data:"ab"; client 2 "cd" ],
      ">0 ab >2 cd" );
    ( "the old connection's ACK",
      [ syn; from_server { Tcp.base with seq = 77; ack = 5 }; syn_ack; client 0 "a"; server 0 "x" ],
      ">0 a <0 x" );
  ]

let tell () =
  List.iter
    (fun (name, frames, want) ->
      let got = String.concat " " (List.map (Fmt.str "%a" pp_piece) (pieces frames)) in
      Alcotest.(check string) name want got)
    stories

(* A capture whose packets were cut has the beginnings only. *)
let cut () =
  let found = ref [] and conversations = Conversations.create () in
  let stream = Stream_bytes.create (fun p -> found := Fmt.str "%a" pp_piece p :: !found) in
  let add b captured =
    let packet = { (packet ~original:(Bytes.length b) b) with captured } in
    Stream_bytes.add stream (Dissection.make conversations ~absolute:false ~number:1 b packet)
  in
  let whole = client 0 "abcdefgh" in
  add whole (Bytes.length whole - 5);
  add (client 8 "ij") 56;
  Stream_bytes.finish stream;
  Alcotest.(check (list string)) "pieces" [ ">0 abc"; ">3 [5]"; ">8 ij" ] (List.rev !found)

(* Cut into segments that overlap, sent in any order, some twice: the same bytes. *)
let any_order =
  let open QCheck2.Gen in
  let gen =
    let* text = string_size ~gen:printable (int_range 1 300) in
    let n = String.length text in
    let* segments = list_size (int_range 1 40) (pair (int_bound (n - 1)) (int_range 1 60)) in
    (* These cover all. *)
    let cover = List.init ((n + 9) / 10) (fun i -> (10 * i, 10)) in
    let+ order = shuffle_list (cover @ segments) in
    (text, order)
  in
  QCheck2.Test.make ~name:"any order" ~count:500 gen (fun (text, order) ->
      let n = String.length text in
      let segment (at, length) = client at (String.sub text at (min length (n - at))) in
      let data (p : Stream_bytes.piece) = match p.what with Data s -> s | Missing _ -> "[]" in
      String.concat "" (List.map data (pieces (syn :: List.map segment order))) = text)

(* What waits for a hole that is never filled is bounded. *)
let bounded () =
  let given = ref 0 and missing = ref 0 and conversations = Conversations.create () in
  let stream =
    Stream_bytes.create (fun p ->
        match p.what with
        | Data s -> given := !given + String.length s
        | Missing n -> missing := !missing + n)
  in
  let add b = Stream_bytes.add stream (dissect conversations b) in
  let data = String.make 1_000 'x' and n = 60_000 in
  add syn;
  for i = 0 to n - 1 do
    (* Each leaves a byte out in front of it. *)
    add (client ((1_001 * i) + 1) data);
    if i mod 10_000 = 9_999 then
      let words = Obj.reachable_words (Obj.repr stream) in
      if words * 8 > 2 * Stream_bytes.most_held then Alcotest.failf "%d words wait" words
  done;
  Stream_bytes.finish stream;
  Alcotest.(check (pair int int)) "given" (1_000 * n, n) (!given, !missing)

let cases =
  [
    Suite.case "stories" tell;
    Suite.case "cut packets" cut;
    Suite.qcheck any_order;
    Suite.case "bounded memory" bounded;
  ]
