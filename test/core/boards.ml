(* The scoreboard against a list that does it the slow way; RACK by times; the
   receiver's blocks against a set of bytes. *)

open Weir_base
open Weir_core
open Weir_test

(* -- a model of the scoreboard ------------------------------------------- *)

type record = {
  first : int;
  upto : int;
  mutable at : int;  (** order of sending *)
  mutable state : [ `In_flight | `Sacked | `Lost ];
}

type step =
  | Send of int
  | Ack of int  (** of what is there, in per mille *)
  | Sack of int * int
  | Lose of int  (** what was sent up to this share of time ago *)
  | Again  (** the first lost one *)
  | Probe
  | Timeout
  | Forgive

let pp_step = function
  | Send n -> Printf.sprintf "send %d" n
  | Ack n -> Printf.sprintf "ack %d" n
  | Sack (a, b) -> Printf.sprintf "sack %d-%d" a b
  | Lose n -> Printf.sprintf "lose %d" n
  | Again -> "again"
  | Probe -> "probe"
  | Timeout -> "timeout"
  | Forgive -> "forgive"

let steps =
  let open QCheck2.Gen in
  let mille = int_bound 1_000 in
  list_size (int_range 1 200)
    (oneof_weighted
       [
         (8, map (fun n -> Send (1 + n)) (int_bound 1_400));
         (4, map (fun n -> Ack n) (int_bound 400));
         (6, map2 (fun a b -> Sack (a, b)) mille mille);
         (3, map (fun n -> Lose n) mille);
         (4, pure Again);
         (1, pure Probe);
         (1, pure Timeout);
         (1, pure Forgive);
       ])

let iss = 0xffff_0000 (* numbers wrap on the way *)
let unseq s = Seq.diff s iss

type both = {
  board : Scoreboard.t;
  rack : Rack.t;
  mutable records : record list;
  mutable una : int;
  mutable nxt : int;
  mutable now : int;
}

let in_flight b = List.filter (fun r -> r.state = `In_flight) b.records
let oldest rs = List.sort (fun a b -> compare a.at b.at) rs
let size rs = List.fold_left (fun n r -> n + r.upto - r.first) 0 rs
let at_share b mille = b.una + ((b.nxt - b.una) * mille / 1_000)

let send b n =
  let first = Seq.add iss b.nxt and upto = Seq.add iss (b.nxt + n) in
  Scoreboard.sent b.board ~seq:first ~upto ~now:b.now;
  b.records <- b.records @ [ { first = b.nxt; upto = b.nxt + n; at = b.now; state = `In_flight } ];
  b.nxt <- b.nxt + n

let ack b upto =
  if upto > b.una then (
    Scoreboard.ack b.board b.rack ~upto:(Seq.add iss upto);
    b.una <- upto;
    b.records <-
      List.filter_map
        (fun r -> if r.upto <= upto then None else Some { r with first = Int.max r.first upto })
        b.records)

let sack b left right =
  Scoreboard.sack b.board b.rack ~left:(Seq.add iss left) ~right:(Seq.add iss right);
  List.iter (fun r -> if left <= r.first && r.upto <= right then r.state <- `Sacked) b.records

(* Time stands for order here: what was sent before [limit] is late if something
   later has been delivered. *)
let lose b limit =
  let newest = Rack.rtt b.rack in
  if newest >= 0 then (
    ignore (Scoreboard.detect b.board b.rack ~now:(limit + newest) ~reo_wnd:0);
    List.iter
      (fun r -> if Rack.is_past b.rack ~sent_at:r.at && r.at <= limit then r.state <- `Lost)
      (in_flight b))

let again b =
  let i = Scoreboard.next_lost b.board in
  if i >= 0 then (
    let first = unseq (Scoreboard.first_of b.board i) in
    let r = List.find (fun r -> r.first = first) b.records in
    Alcotest.(check bool) "is lost" true (r.state = `Lost);
    r.state <- `In_flight;
    r.at <- b.now;
    Scoreboard.sent_again b.board i ~now:b.now)

let probe b =
  let i = Scoreboard.newest b.board in
  match List.rev (oldest (in_flight b)) with
  | [] -> Alcotest.(check int) "none" (-1) i
  | r :: _ ->
      Alcotest.(check int) "newest" r.first (unseq (Scoreboard.first_of b.board i));
      r.at <- b.now;
      Scoreboard.sent_again b.board i ~now:b.now

let timeout b =
  let limit = b.now - 20 in
  Scoreboard.on_timeout b.board ~sent_before:limit;
  List.iteri
    (fun i r -> if i = 0 || r.state <> `In_flight || r.at <= limit then r.state <- `Lost)
    b.records

let forgive b =
  Scoreboard.forgive b.board;
  List.iter (fun r -> if r.state = `Lost then r.state <- `In_flight) b.records

let apply b step =
  b.now <- b.now + 10;
  Rack.begin_ack b.rack ~now:b.now ~echo_at:max_int;
  match step with
  | Send n -> send b n
  | Ack n -> ack b (at_share b n)
  | Sack (x, y) -> sack b (at_share b (Int.min x y)) (at_share b (Int.max x y))
  | Lose n -> lose b (b.now * n / 1_000)
  | Again -> again b
  | Probe -> probe b
  | Timeout -> timeout b
  | Forgive -> forgive b

let same b =
  let seen = ref [] in
  Scoreboard.iter (fun f u s -> seen := (unseq f, unseq u, s) :: !seen) b.board;
  let want = List.map (fun r -> (r.first, r.upto, r.state)) b.records in
  if List.rev !seen <> want then Alcotest.fail "other records than the model";
  Alcotest.(check int) "in flight" (size (in_flight b)) (Scoreboard.in_flight b.board);
  let of_state s = List.filter (fun r -> r.state = s) b.records in
  Alcotest.(check int) "lost" (size (of_state `Lost)) (Scoreboard.lost b.board);
  Alcotest.(check int)
    "sacked"
    (List.length (of_state `Sacked))
    (Scoreboard.sacked_segments b.board)

let model =
  QCheck2.Test.make ~name:"as a list would have it" ~count:(Suite.iterations 3_000)
    ~print:(fun l -> String.concat "; " (List.map pp_step l))
    steps
    (fun steps ->
      let board = Scoreboard.create () in
      Scoreboard.set_bounds board ~mss:1_460 ~buffer:(1 lsl 20);
      let b = { board; rack = Rack.create ~iss; records = []; una = 0; nxt = 0; now = 0 } in
      List.iter
        (fun s ->
          apply b s;
          same b)
        steps;
      true)

(* Tiny segments join once there are many, and the number stays below a bound. *)
let bounded () =
  let board = Scoreboard.create () in
  let rack = Rack.create ~iss in
  Scoreboard.set_bounds board ~mss:1_000 ~buffer:100_000;
  let nxt = ref iss in
  while (not (Scoreboard.is_full board)) && unseq !nxt < 100_000 do
    let upto = Seq.add !nxt 1 in
    Scoreboard.sent board ~seq:!nxt ~upto ~now:(unseq upto);
    (* What is sacked can join with nothing. *)
    Scoreboard.sack board rack ~left:!nxt ~right:upto;
    nxt := upto
  done;
  let n = Scoreboard.records board in
  if n > 2 * (64 + 200) then Alcotest.failf "%d records" n;
  Alcotest.(check bool) "the sender has to wait" true (Scoreboard.is_full board);
  Scoreboard.ack board rack ~upto:!nxt;
  for i = 1 to 100_000 do
    let upto = Seq.add !nxt 1 in
    Scoreboard.sent board ~seq:!nxt ~upto ~now:(200_000 + i);
    nxt := upto
  done;
  if Scoreboard.is_full board then Alcotest.fail "full of segments that could join"

(* -- RACK ---------------------------------------------------------------- *)

let ms = Time.ms

let rack_with_rtt n =
  let r = Rack.create ~iss:0 in
  Rack.begin_ack r ~now:(ms 1_000) ~echo_at:max_int;
  Rack.delivered r ~sent_at:(ms (1_000 - n)) ~end_seq:100 ~retransmitted:false;
  r

let window r ?(in_recovery = false) ?(sacked = 0) ?(srtt = ms 40) () =
  Rack.reo_wnd r ~in_recovery ~sacked ~srtt

(* Without SACK: how many arrived is known, and which is guessed. *)
let by_duplicates () =
  let board = Scoreboard.create () and rack = Rack.create ~iss:0 in
  Scoreboard.set_bounds board ~mss:1_000 ~buffer:100_000;
  Rack.begin_ack rack ~now:100 ~echo_at:max_int;
  for i = 0 to 6 do
    Scoreboard.sent board ~seq:(i * 1_000) ~upto:((i + 1) * 1_000) ~now:i
  done;
  let check what want =
    let seen = Buffer.create 10 in
    Scoreboard.iter
      (fun _ _ s ->
        Buffer.add_char seen (match s with `In_flight -> '.' | `Sacked -> 's' | `Lost -> 'l'))
      board;
    Alcotest.(check string) what want (Buffer.contents seen);
    let in_flight = List.length (String.split_on_char '.' want) - 1 in
    Alcotest.(check int) (what ^ ": in flight") (1_000 * in_flight) (Scoreboard.in_flight board)
  in
  let upto = 6_000 in
  let duplicates n =
    for _ = 1 to n do
      Scoreboard.duplicate board rack ~upto
    done
  in
  duplicates 3;
  check "three" ".sss...";
  Scoreboard.lose_first board ~upto;
  check "the first is lost" "lsss...";
  Scoreboard.sent_again board 0 ~now:10;
  duplicates 9;
  check "no more than were sent by then" ".sssss.";
  Scoreboard.begin_ack board;
  Scoreboard.ack board rack ~upto:2_000;
  Alcotest.(check int) "the hole only: of the other one was told" 1_000 (Scoreboard.delivered board);
  Scoreboard.lose_first board ~upto:7_000;
  check "the next hole, and its mark to another" "lssss";
  Scoreboard.ack board rack ~upto:3_000;
  Scoreboard.forget_duplicates board;
  check "forgotten" "....";
  duplicates 1;
  Scoreboard.on_timeout board ~sent_before:Time.never;
  check "timed out" "llll"

let late r =
  Rack.delivered r ~sent_at:(ms 960) ~end_seq:300 ~retransmitted:false;
  Rack.delivered r ~sent_at:(ms 959) ~end_seq:200 ~retransmitted:false

let reordering_windows () =
  let check what want got = Alcotest.(check int) what want got in
  let r = rack_with_rtt 40 in
  check "a quarter of the least round trip" (ms 10) (window r ());
  check "none after three blocks" 0 (window r ~sacked:3 ());
  check "none in recovery" 0 (window r ~in_recovery:true ());
  late r;
  check "reordering seen: even so" (ms 10) (window r ~sacked:3 ~in_recovery:true ());
  Rack.on_dsack r ~snd_nxt:500;
  Rack.on_dsack r ~snd_nxt:600;
  check "one D-SACK a round trip" (ms 20) (window r ());
  Rack.on_advance r ~snd_una:500;
  Rack.on_dsack r ~snd_nxt:700;
  check "two round trips" (ms 30) (window r ());
  check "not beyond the smoothed one" (ms 25) (window r ~srtt:(ms 25) ());
  for _ = 1 to 15 do
    Rack.on_recovered r
  done;
  check "kept for sixteen recoveries" (ms 30) (window r ());
  Rack.on_recovered r;
  check "then forgotten" (ms 10) (window r ())

let ambiguous () =
  let r = rack_with_rtt 40 in
  let past sent_at = Rack.is_past r ~sent_at in
  Rack.begin_ack r ~now:(ms 1_100) ~echo_at:max_int;
  Rack.delivered r ~sent_at:(ms 1_090) ~end_seq:200 ~retransmitted:true;
  Alcotest.(check bool) "faster than can be: of the first copy" false (past (ms 1_000));
  Rack.delivered r ~sent_at:(ms 1_050) ~end_seq:200 ~retransmitted:true;
  Alcotest.(check bool) "slow enough" true (past (ms 1_000));
  Alcotest.(check int) "but no sample" (-1) (Rack.sample r);
  Rack.begin_ack r ~now:(ms 1_200) ~echo_at:(ms 1_120);
  Rack.delivered r ~sent_at:(ms 1_130) ~end_seq:300 ~retransmitted:true;
  Alcotest.(check bool) "the echo is older" false (past (ms 1_125));
  Rack.delivered r ~sent_at:(ms 1_110) ~end_seq:400 ~retransmitted:true;
  Alcotest.(check int) "the echo is of this copy" (ms 90) (Rack.sample r)

let reductions () =
  let p = Prr.create () in
  let window pipe delivered safe =
    Prr.window p ~pipe ~ssthresh:10_000 ~delivered ~safe ~mss:1_000
  in
  Prr.start p ~flight:20_000;
  Alcotest.(check int) "one at once" 20_000 (window 19_000 0 false);
  Prr.on_sent p 1_000;
  Alcotest.(check int) "then one for two" 18_000 (window 18_000 2_000 false);
  Alcotest.(check int) "and one more" 17_000 (window 16_000 2_000 false);
  Prr.on_sent p 1_000;
  Alcotest.(check int) "below: what is owed and one more if safe" 9_000 (window 5_000 1_000 true);
  Alcotest.(check int) "what is owed if not" 9_000 (window 5_000 1_000 false);
  Alcotest.(check int) "not above" 10_000 (window 9_500 5_000 true)

(* -- the receiver's blocks ------------------------------------------------ *)

let blocks_of_bytes =
  QCheck2.Test.make ~name:"blocks are what the queue holds" ~count:(Suite.iterations 3_000)
    QCheck2.Gen.(list_size (int_range 1 60) (pair (int_bound 400) (int_range 1 40)))
    (fun segments ->
      let have = Array.make 500 false in
      let add t (at, n) =
        Array.fill have at n true;
        let first = Seq.add iss at in
        let t = Option.get (Out_of_order.add t first (Seq.add first n)) in
        let blocks = List.map (fun (l, r) -> (unseq l, unseq r)) (Out_of_order.blocks t) in
        let whole (l, r) =
          (l = 0 || not have.(l - 1))
          && (not have.(r))
          && Array.for_all Fun.id (Array.sub have l (r - l))
        in
        if not (List.for_all whole blocks) then Alcotest.fail "a block is no range of the queue";
        let l, r = List.hd blocks in
        if not (l <= at && at + n <= r) then Alcotest.fail "the latest is not first";
        if List.length (List.sort_uniq compare blocks) <> List.length blocks then
          Alcotest.fail "a block twice";
        if List.length blocks > 4 then Alcotest.fail "five blocks";
        t
      in
      ignore (List.fold_left add Out_of_order.empty segments);
      true)

let cases =
  [
    Suite.qcheck model;
    Suite.case "a bound on records" bounded;
    Suite.case "by duplicates" by_duplicates;
    Suite.case "reordering windows" reordering_windows;
    Suite.case "whose ACK it is" ambiguous;
    Suite.case "proportional reduction" reductions;
    Suite.qcheck blocks_of_bytes;
  ]
