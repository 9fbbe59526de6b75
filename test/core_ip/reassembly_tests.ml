open Weir_base
open Weir_wire
open Weir_core
open Weir_test
open Net

let src = ip "192.0.2.1"
let dst = ip "192.0.2.2"
let header = { Ipv4.base with src; dst; protocol = Ipv4.protocol_udp; identification = 4711 }

(* The fragment [at, at + len) of a datagram whose bytes are [byte]. *)
let feed ?(h = header) ?(byte = fun i -> i * 7) ?(now = 0) t (at, len, more) =
  let h = { h with fragment_offset = at; more_fragments = more; data_length = len } in
  (* Some bytes in front, as there are in a frame. *)
  let b = bytes (34 + len) (fun i -> if i < 34 then 0xee else byte (at + i - 34)) in
  Reassembly.input t ~now (packet h b ~data:34)

let outcome = function
  | Reassembly.Pending -> "pending"
  | Complete b -> Fmt.str "complete %d" (Bytes.length b)
  | Dropped -> "dropped"

let run what fragments want =
  Suite.case what (fun () ->
      let t = Reassembly.create () in
      Alcotest.(check (list string)) what want (List.map (fun f -> outcome (feed t f)) fragments))

(* (at, length, more): every order of arrival and every way to be wrong. *)
let tables =
  [
    run "in order"
      [ (0, 8, true); (8, 16, true); (24, 3, false) ]
      [ "pending"; "pending"; "complete 47" ];
    run "backwards"
      [ (24, 3, false); (8, 16, true); (0, 8, true) ]
      [ "pending"; "pending"; "complete 47" ];
    run "with a copy"
      [ (0, 8, true); (0, 8, true); (8, 1, false) ]
      [ "pending"; "dropped"; "complete 29" ];
    run "with a copy of the last"
      [ (8, 1, false); (8, 1, false); (0, 8, true) ]
      [ "pending"; "dropped"; "complete 29" ];
    run "overlap from below"
      [ (8, 16, true); (0, 16, true); (24, 8, false); (0, 8, true) ]
      [ "pending"; "dropped"; "dropped"; "dropped" ];
    run "overlap from above"
      [ (0, 16, true); (8, 16, true); (0, 8, true) ]
      [ "pending"; "dropped"; "dropped" ];
    run "inside another"
      [ (0, 24, true); (8, 8, true); (24, 1, false) ]
      [ "pending"; "dropped"; "dropped" ];
    run "around another"
      [ (8, 8, true); (0, 24, true); (24, 1, false) ]
      [ "pending"; "dropped"; "dropped" ];
    run "same start, longer"
      [ (0, 8, true); (0, 16, true); (16, 1, false) ]
      [ "pending"; "dropped"; "dropped" ];
    run "two ends"
      [ (8, 8, false); (16, 8, false); (0, 8, true) ]
      [ "pending"; "dropped"; "dropped" ];
    run "an end below what was seen"
      [ (16, 8, true); (8, 4, false); (0, 8, true) ]
      [ "pending"; "dropped"; "dropped" ];
    run "more beyond the end"
      [ (8, 4, false); (16, 8, true); (0, 8, true) ]
      [ "pending"; "dropped"; "dropped" ];
    run "more at the end itself"
      [ (8, 8, false); (8, 8, true); (0, 8, true) ]
      [ "pending"; "dropped"; "dropped" ];
  ]

let same_place_other_bytes () =
  let t = Reassembly.create () in
  ignore (feed t (0, 8, true));
  Alcotest.(check string) "dropped" "dropped" (outcome (feed t (0, 8, true) ~byte:(fun _ -> 1)));
  Alcotest.(check string) "and lost" "dropped" (outcome (feed t (8, 8, false)));
  Alcotest.(check int) "counted" 1 (Reassembly.counters t).conflicts;
  Alcotest.(check int) "holding nothing" 0 (Reassembly.bytes t);
  ignore (Reassembly.tick t ~now:(Time.s 30));
  Alcotest.(check int) "forgotten in time" 0 (Reassembly.length t);
  Alcotest.(check string)
    "so the number can be used again" "pending"
    (outcome (feed t (0, 8, true) ~now:(Time.s 30)))

let keys_are_apart () =
  let t = Reassembly.create () in
  let others =
    [
      { header with src = dst };
      { header with dst = src };
      { header with protocol = Ipv4.protocol_icmp };
      { header with identification = 4712 };
    ]
  in
  ignore (feed t (0, 8, true));
  List.iter
    (fun h -> Alcotest.(check string) "pending" "pending" (outcome (feed t ~h (8, 8, false))))
    others;
  Alcotest.(check string) "complete" "complete 36" (outcome (feed t (8, 8, false)));
  Alcotest.(check int) "the others wait" 4 (Reassembly.length t)

let header_of_the_first () =
  let t = Reassembly.create () in
  let first = { header with options = "\x01\x01\x01\x01"; ttl = 9; header_length = 24 } in
  ignore (feed t ~h:{ header with dscp_ecn = 3; ttl = 8 } (8, 8, false));
  match feed t ~h:{ first with dscp_ecn = 0xa1 } (0, 8, true) with
  | Complete b -> (
      match Ipv4.decode b ~off:0 ~len:(Bytes.length b) with
      | Error e -> Alcotest.failf "%a" Error.pp e
      | Ok h ->
          Alcotest.(check int) "ttl" 9 h.ttl;
          Alcotest.(check string) "options" first.options h.options;
          Alcotest.(check int) "congested, by the second" 0xa3 h.dscp_ecn;
          Alcotest.(check bool) "whole" false (Ipv4.is_fragment h);
          Alcotest.(check int) "length" 16 h.data_length)
  | o -> Alcotest.fail (outcome o)

(* RFC 3168 §5.3: a mark is kept, or the datagram dropped; without marks it is the first's codepoint. *)
let codepoints () =
  let whole first second =
    let t = Reassembly.create () in
    ignore (feed t ~h:{ header with dscp_ecn = second } (8, 8, false));
    match feed t ~h:{ header with dscp_ecn = first } (0, 8, true) with
    | Complete b -> Bytes.get_uint8 b 1
    | Pending | Dropped ->
        Alcotest.(check int) "refused" 1 (Reassembly.counters t).refused;
        -1
  in
  List.iter
    (fun (first, second, want) ->
      Alcotest.(check int) (Printf.sprintf "%d and %d" first second) want (whole first second))
    [
      (0, 0, 0);
      (0, 1, 0);
      (0, 2, 0);
      (0, 3, -1);
      (1, 0, 1);
      (1, 1, 1);
      (1, 3, 3);
      (2, 0, 2);
      (2, 2, 2);
      (2, 3, 3);
      (3, 0, -1);
      (3, 1, 3);
      (3, 2, 3);
      (3, 3, 3);
    ]

let times_out () =
  let t = Reassembly.create () in
  let tick s = Reassembly.tick t ~now:(Time.s s) in
  let other = { header with identification = 1 } in
  ignore (feed t (0, 8, true));
  ignore (feed t (16, 8, true) ~now:(Time.s 20));
  ignore (feed t ~h:other (8, 8, true) ~now:(Time.s 1));
  Alcotest.(check int) "since the first to come" (Time.s 30) (Reassembly.deadline t);
  Alcotest.(check int) "not before" 0 (List.length (tick 29));
  (match tick 30 with
  | [ b ] -> (
      match Ipv4.decode b ~off:0 ~len:(Bytes.length b) with
      | Ok h ->
          Alcotest.(check bool) "the first fragment" true (h.more_fragments && h.fragment_offset = 0);
          Alcotest.(check int) "all of it" 8 h.data_length;
          Alcotest.(check string)
            "its data"
            (Bytes.to_string (bytes 8 (fun i -> i * 7)))
            (Bytes.sub_string b 20 8)
      | Error e -> Alcotest.failf "%a" Error.pp e)
  | l -> Alcotest.failf "%d packets" (List.length l));
  Alcotest.(check int) "the next" (Time.s 31) (Reassembly.deadline t);
  Alcotest.(check int) "no first fragment, no report" 0 (List.length (tick 31));
  Alcotest.(check int) "both counted" 2 (Reassembly.counters t).timed_out;
  Alcotest.(check int) "nothing held" 0 (Reassembly.bytes t);
  Alcotest.(check int) "idle" Time.never (Reassembly.deadline t)

let too_long () =
  let t = Reassembly.create ~config:{ Reassembly.default with max_fragments = 100 } () in
  let h = { header with options = String.make 40 '\x01'; header_length = 60 } in
  let piece = 8_000 in
  for i = 0 to 7 do
    ignore (feed t ~h (i * piece, piece, true))
  done;
  Alcotest.(check string)
    "65,515 bytes after a header of 60" "dropped"
    (outcome (feed t (64_000, 1_515, false)));
  Alcotest.(check int) "refused" 1 (Reassembly.counters t).refused;
  Alcotest.(check int) "nothing held" 0 (Reassembly.bytes t)

let too_many () =
  let t = Reassembly.create () in
  for i = 0 to 63 do
    Alcotest.(check string) "pending" "pending" (outcome (feed t (8 * i, 8, true)))
  done;
  Alcotest.(check string) "the 65th" "dropped" (outcome (feed t (512, 8, false)));
  Alcotest.(check int) "nothing held" 0 (Reassembly.bytes t)

let oldest_goes () =
  let t = Reassembly.create () in
  let h n = { header with identification = n } in
  for n = 1 to 65 do
    ignore (feed t ~h:(h n) (0, 8, true) ~now:n)
  done;
  Alcotest.(check int) "64 at most" 64 (Reassembly.length t);
  Alcotest.(check string)
    "the second is there" "complete 36"
    (outcome (feed t ~h:(h 2) (8, 8, false)));
  Alcotest.(check string) "the first is not" "pending" (outcome (feed t ~h:(h 1) (8, 8, false)))

(* Datagrams that all could become whole, of which there are more than fit. *)
let bytes_are_bounded () =
  let t = Reassembly.create () in
  let h n = { header with identification = n } in
  let most = ref 0 in
  for round = 0 to 9 do
    for n = 1 to 60 do
      ignore (feed t ~h:(h n) (round * 1_000, 1_000, true));
      most := Int.max !most (Reassembly.bytes t)
    done
  done;
  Alcotest.(check bool) (Fmt.str "%d bytes at most" !most) true (!most <= 262_144);
  Alcotest.(check bool) "not for want of trying" true (!most > 262_144 - 1_064);
  Alcotest.(check bool) "the oldest went" true ((Reassembly.counters t).evicted > 0);
  Alcotest.(check bool) "live words" true (live t < (262_144 / 8) + (64 * 40))

(* One that alone is more than fits. *)
let too_big_for_us () =
  let t = Reassembly.create ~config:{ Reassembly.default with max_bytes = 2_000 } () in
  Alcotest.(check (list string))
    "given up"
    [ "pending"; "dropped"; "pending" ]
    (List.map
       (fun f -> outcome (feed t f))
       [ (0, 1_000, true); (1_000, 1_000, true); (2_000, 8, false) ]);
  Alcotest.(check int) "the rest waits alone" 72 (Reassembly.bytes t)

let garbage_flood () =
  let t = Reassembly.create () in
  let random = random () in
  let int n = Random.State.int random n in
  let b = Bytes.make 1_500 'x' in
  let most_bytes = ref 0 and most_live = ref 0 in
  for i = 1 to Suite.iterations 50_000 do
    let more = int 4 > 0 in
    let h =
      {
        header with
        src = Ip.of_int (0x0a00_0000 + int 200);
        identification = int 3;
        fragment_offset = 8 * int 8_000;
        more_fragments = more;
        data_length = (if more then 8 * (1 + int 180) else 1 + int 1_400);
      }
    in
    ignore (Reassembly.input t ~now:(i * 1_000) (packet h b ~data:0));
    most_bytes := Int.max !most_bytes (Reassembly.bytes t);
    if i mod 500 = 0 then most_live := Int.max !most_live (live t);
    if Reassembly.length t > 64 then Alcotest.fail "too many datagrams"
  done;
  Alcotest.(check bool) "bytes" true (!most_bytes <= 262_144);
  (* 64 tables of datagrams beside what is counted. *)
  Alcotest.(check bool)
    (Fmt.str "%d words are live" !most_live)
    true
    (!most_live <= (262_144 / 8) + (64 * 40))

(* A datagram, the places where it is cut, and the order in which the pieces
   come, some of them twice. *)
type cut = { size : int; pieces : (int * int * bool) list; order : (int * int * bool) list }

let gen_cut =
  let open QCheck2.Gen in
  let* size = oneof [ int_range 9 200; int_range 9 3_000; return 65_515 ] in
  let units = (size - 1) / 8 in
  let* cuts = list_size (int_range 1 (Int.min 60 units)) (int_range 1 units) in
  let cuts = List.sort_uniq Int.compare cuts in
  let starts = 0 :: List.map (fun u -> 8 * u) cuts in
  let rec pieces = function
    | [] -> []
    | [ a ] -> [ (a, size - a, false) ]
    | a :: (b :: _ as rest) -> (a, b - a, true) :: pieces rest
  in
  let pieces = pieces starts in
  let* twice =
    map List.concat (flatten_list (List.map (fun p -> oneof_list [ [ p ]; [ p; p ] ]) pieces))
  in
  let+ order = shuffle_list twice in
  { size; pieces; order }

let print_cut c =
  Fmt.str "%d bytes, as %a" c.size
    Fmt.(list ~sep:comma (fun f (a, l, m) -> Fmt.pf f "%d+%d%s" a l (if m then "+" else "")))
    c.order

let whole =
  QCheck2.Test.make ~name:"any cut, any order, with copies: the same bytes, once all are there"
    ~count:500 ~print:print_cut gen_cut (fun c ->
      let t = Reassembly.create () in
      let missing = ref c.pieces in
      let rec from = function
        | [] -> QCheck2.Test.fail_report "never complete"
        | p :: rest -> (
            let fresh = List.mem p !missing in
            missing := List.filter (fun q -> q <> p) !missing;
            match feed t p with
            | Complete b ->
                !missing = []
                && Bytes.equal (Bytes.sub b 20 c.size) (Net.bytes c.size (fun i -> i * 7))
                && Result.is_ok (Ipv4.decode b ~off:0 ~len:(Bytes.length b))
                && Reassembly.bytes t = 0
                && Reassembly.length t = 0
            | Pending -> fresh && !missing <> [] && from rest
            | Dropped -> (not fresh) && from rest)
      in
      from c.order)

(* An intruder that overlaps one of the first [place] to come, and is no copy. *)
let gen_overlap =
  let open QCheck2.Gen in
  let* c = gen_cut in
  let* place = int_range 1 (List.length c.order) in
  let* victim = int_range 0 (place - 1) in
  let start, length, _ = List.nth c.order victim in
  let* at = int_range (Int.max 0 ((start / 8) - 4)) ((start + length - 1) / 8) in
  let at = 8 * at in
  let* more = map (( || ) (at = 0)) bool in
  let least = if start > at then start - at + 1 else 1 in
  let+ len = int_range least (least + 60) in
  let len = if more then (len + 7) land lnot 7 else len in
  (c, (at, len, more), place)

let print_overlap (c, (a, l, m), place) =
  Fmt.str "%s; %d+%d%s before number %d" (print_cut c) a l (if m then "+" else "") place

let overlap =
  QCheck2.Test.make ~name:"an overlap anywhere: the datagram does not come out" ~count:1_000
    ~print:print_overlap gen_overlap (fun (c, intruder, place) ->
      let at, len, _ = intruder in
      QCheck2.assume (at + len <= 65_535);
      QCheck2.assume (not (List.exists (fun (a, l, _) -> a = at && l = len) c.pieces));
      let t = Reassembly.create () in
      let before = List.filteri (fun i _ -> i < place) c.order in
      let after = List.filteri (fun i _ -> i >= place) c.order in
      let completes p = match feed t p with Complete _ -> true | _ -> false in
      QCheck2.assume (not (List.exists completes before));
      let lost = feed t intruder ~byte:(fun _ -> 0xbd) = Dropped in
      lost && (not (List.exists completes after)) && Reassembly.bytes t = 0)

let bad_config () =
  match Reassembly.create ~config:{ Reassembly.default with timeout = 0 } () with
  | _ -> Alcotest.fail "accepted"
  | exception Invalid_argument _ -> ()

let cases =
  tables
  @ Suite.
      [
        case "the same place with other bytes" same_place_other_bytes;
        case "source, destination, protocol and number are the key" keys_are_apart;
        case "the header is the first fragment's" header_of_the_first;
        case "marks of congestion" codepoints;
        case "time out" times_out;
        case "beyond 65,535 bytes" too_long;
        case "too many fragments" too_many;
        case "the oldest makes room" oldest_goes;
        case "bad settings" bad_config;
        case "bytes are bounded" bytes_are_bounded;
        case "larger than all room" too_big_for_us;
        case "a flood of garbage is bounded" garbage_flood;
        qcheck whole;
        qcheck overlap;
      ]
