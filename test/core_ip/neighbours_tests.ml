open Weir_base
open Weir_wire
open Weir_core
open Weir_test
open Net

let own = ip "10.0.0.1"
let own_mac = mac 1
let peer = ip "10.0.0.2"
let peer_mac = mac 2
let own_now = ref own

let make ?config () : int Neighbours.t =
  Neighbours.create ?config (random ()) ~mac:own_mac
    ~is_own:(fun a -> Ip.equal a !own_now)
    ~source_for:(fun _ -> !own_now)

let arp operation ~from:(sender_ip, sender_mac) target_ip : Arp.t =
  { operation; sender_mac; sender_ip; target_mac = own_mac; target_ip }

let answer ?(from = (peer, peer_mac)) t ~now = Neighbours.input t ~now (arp Reply ~from own)

(* What happened, in words that compare. *)
let request (r : Neighbours.request) =
  Fmt.str "%s %a" (if Mac.is_group r.dst then "ask all for" else "ask") Ip.pp r.arp.target_ip

let verdict = function
  | Neighbours.Ask r -> request r
  | Wait -> "wait"
  | Unreachable -> "unreachable"

let action = function
  | Neighbours.Request r -> request r
  | Failed { address; packets } ->
      Fmt.str "failed %a [%a]" Ip.pp address Fmt.(list ~sep:(any " ") int) packets

let wait t ~now a p = verdict (Neighbours.wait t ~now a p)
let tick t ~now = List.map action (Neighbours.tick t ~now)
let host n = Ip.of_int (0x0a01_0000 + n)
let lookup ?(now = 0) t a = Neighbours.lookup t ~now a
let check_string = Alcotest.(check string)
let check_list = Alcotest.(check (list string))
let check_ints = Alcotest.(check (list int))
let check_int = Alcotest.(check int)

let resolves () =
  let t = make () in
  check_int "unknown" (-1) (lookup t peer);
  (match Neighbours.wait t ~now:0 peer 100 with
  | Ask { dst; arp } ->
      Alcotest.(check bool) "to all" true (Mac.equal dst Mac.broadcast);
      Alcotest.(check bool) "is a request" true (arp.operation = Request);
      Alcotest.check address "from us" own arp.sender_ip;
      Alcotest.(check bool) "by our MAC" true (Mac.equal arp.sender_mac own_mac);
      Alcotest.check address "for the peer" peer arp.target_ip
  | _ -> Alcotest.fail "no request");
  check_string "the second waits" "wait" (wait t ~now:10 peer 101);
  check_int "still unknown" (-1) (lookup t peer);
  check_ints "in order" [ 100; 101 ] (answer t ~now:20);
  check_int "known" (peer_mac :> int) (lookup t peer);
  check_ints "once" [] (answer t ~now:30);
  check_int "none waits" 0 (Neighbours.waiting t);
  Alcotest.check_raises "wait for a known one"
    (Invalid_argument "Neighbours.wait: the MAC of this address is known") (fun () ->
      ignore (Neighbours.wait t ~now:40 peer 102))

let asks_once_a_second () =
  let t = make () in
  check_string "first" "ask all for 10.0.0.2" (wait t ~now:0 peer 0);
  for i = 1 to 9 do
    check_string "no flood" "wait" (wait t ~now:(Time.ms (100 * i)) peer i)
  done;
  check_int "deadline" (Time.s 1) (Neighbours.deadline t);
  check_list "too early" [] (tick t ~now:(Time.s 1 - 1));
  check_list "second" [ "ask all for 10.0.0.2" ] (tick t ~now:(Time.s 1));
  check_list "third" [ "ask all for 10.0.0.2" ] (tick t ~now:(Time.s 2));
  check_list "failure" [ "failed 10.0.0.2 [0 1 2 3 4 5 6 7 8 9]" ] (tick t ~now:(Time.s 3));
  check_string "held down" "unreachable" (wait t ~now:(Time.s 4) peer 10);
  check_int "the packet is not kept" 0 (Neighbours.waiting t);
  check_string "asked again after it" "ask all for 10.0.0.2" (wait t ~now:(Time.s 6) peer 11);
  check_ints "answered" [ 11 ] (answer t ~now:(Time.s 6))

let failure_is_forgotten () =
  let t = make () in
  ignore (wait t ~now:0 peer 0);
  List.iter (fun s -> ignore (tick t ~now:(Time.s s))) [ 1; 2; 3 ];
  check_ints "an answer in the hold-down counts" [] (answer t ~now:(Time.s 4));
  check_int "known" (peer_mac :> int) (lookup t peer);
  let t = make () in
  ignore (wait t ~now:0 peer 0);
  List.iter (fun s -> ignore (tick t ~now:(Time.s s))) [ 1; 2; 3; 6 ];
  check_int "empty" 0 (Neighbours.length t);
  check_int "and idle" Time.never (Neighbours.deadline t)

let unused_is_forgotten () =
  let t = make () in
  ignore (wait t ~now:0 peer 0);
  ignore (answer t ~now:0);
  check_list "not yet" [] (tick t ~now:(Time.s 59));
  check_list "silently" [] (tick t ~now:(Time.s 60));
  check_int "gone" (-1) (lookup t peer);
  check_int "idle" Time.never (Neighbours.deadline t)

let used_is_asked_again () =
  let t = make () in
  let known what = check_int what (peer_mac :> int) (lookup t peer) in
  ignore (wait t ~now:0 peer 0);
  ignore (answer t ~now:0);
  known "fresh";
  check_list "by unicast" [ "ask 10.0.0.2" ] (tick t ~now:(Time.s 60));
  known "serves meanwhile";
  ignore (answer t ~now:(Time.s 60 + 1));
  known "confirmed";
  check_list "again" [ "ask 10.0.0.2" ] (tick t ~now:(Time.s 120 + 1));
  check_list "then all" [ "ask all for 10.0.0.2" ] (tick t ~now:(Time.s 121 + 1));
  check_list "twice" [ "ask all for 10.0.0.2" ] (tick t ~now:(Time.s 122 + 1));
  known "until the last";
  check_list "given up" [] (tick t ~now:(Time.s 123 + 1));
  check_int "gone" (-1) (lookup t peer);
  check_string "from the start" "ask all for 10.0.0.2" (wait t ~now:(Time.s 124) peer 1)

(* The host has another MAC, and told nobody. *)
let new_mac_is_found () =
  let t = make () in
  ignore (wait t ~now:0 peer 0);
  ignore (answer t ~now:0);
  ignore (lookup t peer);
  check_list "the old one" [ "ask 10.0.0.2" ] (tick t ~now:(Time.s 60));
  check_list "all" [ "ask all for 10.0.0.2" ] (tick t ~now:(Time.s 61));
  ignore (answer t ~now:(Time.s 61 + 1) ~from:(peer, mac 77));
  check_int "found" (mac 77 :> int) (lookup t peer)

let bounds_for_one () =
  let t = make () in
  for i = 1 to 70 do
    ignore (wait t ~now:0 peer i)
  done;
  check_int "waiting" 64 (Neighbours.waiting t);
  check_int "dropped" 6 (Neighbours.counters t).dropped;
  check_ints "the newest are kept" (List.init 64 (fun i -> i + 7)) (answer t ~now:1)

let bounds_in_all () =
  let t = make () in
  for i = 1 to 300 do
    ignore (wait t ~now:i (host i) i)
  done;
  check_int "waiting" 256 (Neighbours.waiting t);
  check_int "dropped" 44 (Neighbours.counters t).dropped;
  check_int "nobody waits for the first any more" 256 (Neighbours.length t);
  check_ints "the newest are kept" [ 300 ] (answer t ~now:301 ~from:(host 300, mac 9));
  check_ints "the oldest are not" [] (answer t ~now:301 ~from:(host 44, mac 9))

(* Outsiders (RFC 826): who may be stored, and what changes a known one. *)
let who_is_stored () =
  let other = ip "10.0.0.3" in
  let stored ?(from = (peer, peer_mac)) operation target =
    let t = make () in
    ignore (Neighbours.input t ~now:0 (arp operation ~from target));
    Neighbours.length t = 1
  in
  let check what want got = Alcotest.(check bool) what want got in
  check "a request for us" true (stored Request own);
  check "a request for another" false (stored Request other);
  check "an answer we did not ask for" false (stored Reply own);
  check "an announcement" false (stored Request peer);
  let not_hosts = [ "0.0.0.0"; "224.0.0.1"; "255.255.255.255"; "127.0.0.1"; "10.0.0.1" ] in
  List.iter
    (fun a -> check ("from " ^ a) false (stored Request own ~from:(ip a, peer_mac)))
    not_hosts;
  List.iter
    (fun m -> check "from a MAC of no host" false (stored Request own ~from:(peer, m)))
    [ Mac.broadcast; Mac.of_int 0; Mac.of_int 0x0100_5e00_0001 ]

let conflict_is_counted () =
  let t = make () in
  ignore (Neighbours.input t ~now:0 (arp Reply ~from:(own, mac 66) peer));
  ignore (Neighbours.input t ~now:0 (arp Reply ~from:(own, own_mac) peer));
  check_int "another host only" 1 (Neighbours.counters t).conflicts;
  check_int "nothing stored" 0 (Neighbours.length t)

let replies () =
  let t = make () in
  (match Neighbours.reply t (arp Request ~from:(peer, peer_mac) own) with
  | Some { dst; arp } ->
      Alcotest.(check bool) "to the asker" true (Mac.equal dst peer_mac);
      Alcotest.(check bool) "a reply" true (arp.operation = Reply);
      Alcotest.(check bool) "our MAC" true (Mac.equal arp.sender_mac own_mac);
      Alcotest.check address "our address" own arp.sender_ip;
      Alcotest.check address "for it" peer arp.target_ip
  | None -> Alcotest.fail "no reply");
  let answers what want a =
    Alcotest.(check bool) what want (Option.is_some (Neighbours.reply t a))
  in
  answers "a probe" true (arp Request ~from:(Ip.any, peer_mac) own);
  answers "for another" false (arp Request ~from:(peer, peer_mac) (ip "10.0.0.3"));
  answers "a reply" false (arp Reply ~from:(peer, peer_mac) own);
  answers "our own announcement, echoed" false (Neighbours.announcement t own).arp;
  answers "a group" false (arp Request ~from:(peer, Mac.broadcast) own);
  own_now := ip "10.0.0.9";
  answers "the former address" false (arp Request ~from:(peer, peer_mac) own);
  own_now := own

let flood n t =
  for i = 0 to n - 1 do
    let from = (Ip.of_int (0x0b00_0000 + i), mac i) in
    ignore (Neighbours.input t ~now:i (arp Request ~from own));
    ignore (Neighbours.input t ~now:i (arp Reply ~from own))
  done

let spoofed_flood () =
  let t = make () in
  ignore (wait t ~now:0 peer 0);
  ignore (answer t ~now:0);
  flood 1_000 t;
  let live_before = live t in
  flood 100_000 t;
  check_int "half of the table at most" 512 (Neighbours.length t);
  check_int "no growth" live_before (live t);
  check_int "the known one stays" (peer_mac :> int) (lookup t peer);
  check_int "nothing was evicted" 0 (Neighbours.counters t).evicted;
  ignore (tick t ~now:(Time.s 61));
  check_int "the flood ages out" 1 (Neighbours.length t)

(* Packets to many absent hosts: bounded, and the gateway in use is not pushed out. *)
let own_scan () =
  let t = make () in
  ignore (wait t ~now:0 peer 0);
  ignore (answer t ~now:0);
  for i = 0 to 20_000 do
    let now = Time.ms i in
    if i mod 10 = 0 && lookup t peer < 0 then Alcotest.fail "the gateway was evicted";
    ignore (Neighbours.tick t ~now);
    ignore (Neighbours.wait t ~now (host i) i);
    if Neighbours.length t > 1_024 then Alcotest.fail "the table grew";
    if Neighbours.waiting t > 256 then Alcotest.fail "the queue grew"
  done;
  Alcotest.(check bool) "drops are counted" true ((Neighbours.counters t).dropped > 0)

let evicts_least_recently_used () =
  let config = { Neighbours.default with max_entries = 8; max_waiting_total = 4 } in
  let t = make ~config () in
  for i = 1 to 8 do
    ignore (wait t ~now:0 (host i) i);
    ignore (answer t ~now:0 ~from:(host i, mac i))
  done;
  ignore (lookup t (host 1));
  ignore (wait t ~now:0 (host 9) 9);
  let known i = lookup t (host i) >= 0 in
  Alcotest.(check (list bool)) "the second went" [ true; false; true ] (List.map known [ 1; 2; 3 ]);
  check_int "counted" 1 (Neighbours.counters t).evicted

let lookup_is_free () =
  let t = make () in
  ignore (wait t ~now:0 peer 0);
  ignore (answer t ~now:0);
  no_allocation "a hit" (fun () -> ignore (Sys.opaque_identity (lookup t peer)));
  no_allocation "a miss" (fun () -> ignore (Sys.opaque_identity (lookup t own)))

(* A run of random events, with every packet accounted for. *)
type event = Send of int | Answer of int | Unasked of int | Pass of Time.t

let gen_events =
  let open QCheck2.Gen in
  let host = int_range 0 11 in
  list_size (int_range 0 300)
    (oneof_weighted
       [
         (6, map (fun h -> Send h) host);
         (2, map (fun h -> Answer h) host);
         (1, map (fun h -> Unasked h) host);
         (3, map (fun ms -> Pass (Time.ms ms)) (oneof [ int_range 0 900; int_range 0 40_000 ]));
       ])

let print_event = function
  | Send h -> Fmt.str "send %d" h
  | Answer h -> Fmt.str "answer %d" h
  | Unasked h -> Fmt.str "unasked %d" h
  | Pass span -> Fmt.str "pass %a" Time.pp span

type run = {
  t : int Neighbours.t;
  mutable now : Time.t;
  mutable sent : int;
  mutable back : int list;  (** packets given back, newest first *)
  mutable refused : int;
  asked_at : (int, Time.t) Hashtbl.t;
}

(* RFC 1122 §2.3.2.1: no more than one request a second to one address. *)
let note_request run (r : Neighbours.request) =
  let key = Ip.key r.arp.target_ip in
  let last = Option.value (Hashtbl.find_opt run.asked_at key) ~default:(-Time.s 1) in
  if run.now - last < Time.s 1 && (Neighbours.counters run.t).evicted = 0 then
    QCheck2.Test.fail_report "two requests in a second";
  Hashtbl.replace run.asked_at key run.now

let step run = function
  | Send h when Neighbours.lookup run.t ~now:run.now (host h) >= 0 -> ()
  | Send h -> (
      run.sent <- run.sent + 1;
      match Neighbours.wait run.t ~now:run.now (host h) run.sent with
      | Ask r -> note_request run r
      | Wait -> ()
      | Unreachable -> run.refused <- run.refused + 1)
  | Answer h ->
      let packets = answer run.t ~now:run.now ~from:(host h, mac h) in
      run.back <- List.rev_append packets run.back;
      (* A host that answers and is asked for again later was forgotten or is stale. *)
      Hashtbl.remove run.asked_at (Ip.key (host h))
  | Unasked h ->
      let from = (host (100 + h), mac h) in
      run.back <- Neighbours.input run.t ~now:run.now (arp Request ~from own) @ run.back
  | Pass span ->
      run.now <- run.now + span;
      List.iter
        (function
          | Neighbours.Request r -> note_request run r
          | Failed { packets; _ } -> run.back <- List.rev_append packets run.back)
        (Neighbours.tick run.t ~now:run.now);
      if Neighbours.deadline run.t <= run.now then QCheck2.Test.fail_report "due after a tick"

let model =
  QCheck2.Test.make ~name:"random runs: bounds hold, every packet is accounted for once" ~count:500
    ~print:QCheck2.Print.(list print_event)
    gen_events
    (fun events ->
      let config =
        { Neighbours.default with max_entries = 10; max_waiting = 3; max_waiting_total = 8 }
      in
      let t = make ~config () in
      let run = { t; now = 0; sent = 0; back = []; refused = 0; asked_at = Hashtbl.create 16 } in
      List.iter
        (fun e ->
          step run e;
          if Neighbours.length t > 10 || Neighbours.waiting t > 8 then
            QCheck2.Test.fail_report "a bound was passed")
        events;
      let dropped = (Neighbours.counters t).dropped in
      List.length (List.sort_uniq Int.compare run.back) = List.length run.back
      && List.length run.back + run.refused + dropped + Neighbours.waiting t = run.sent)

let cases =
  Suite.
    [
      case "resolves and hands over in order" resolves;
      case "asks once a second, three times, then fails and holds down" asks_once_a_second;
      case "a failure ends by an answer or by time" failure_is_forgotten;
      case "an unused neighbour is forgotten after a minute" unused_is_forgotten;
      case "a used one is asked again by unicast" used_is_asked_again;
      case "bounds what waits for one" bounds_for_one;
      case "bounds what waits for all" bounds_in_all;
      case "who is stored unasked" who_is_stored;
      case "a MAC that changed in silence is found" new_mac_is_found;
      case "another claims our address" conflict_is_counted;
      case "replies" replies;
      case "100,000 spoofed senders" spoofed_flood;
      case "20,000 absent hosts" own_scan;
      case "evicts the least recently used" evicts_least_recently_used;
      native "OCaml's heap" (case "lookup allocates nothing" lookup_is_free);
      qcheck model;
    ]
