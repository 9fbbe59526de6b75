(* ARP packets that nobody asked for, honest or forged: what is known serves on
   while it is asked. *)

open Weir_base
open Weir_wire
open Weir_core
open Weir_test
open Net
open Neighbours_tests

let state t a =
  match List.find_opt (fun (b, _, _) -> Ip.equal a b) (Neighbours.entries t) with
  | None -> "none"
  | Some (_, state, _) -> (
      match (state : Neighbours.state) with
      | Incomplete -> "incomplete"
      | Reachable -> "reachable"
      | Stale -> "stale"
      | Probe -> "probe"
      | Failed_lately -> "failed")

(* As forged packets are: a reply, a request for us, an announcement. *)
let claims from = [ arp Reply ~from own; arp Request ~from own; arp Request ~from (fst from) ]

let known_since t now =
  ignore (wait t ~now peer 0);
  ignore (answer t ~now);
  ignore (lookup t ~now peer)

let claim_is_asked_about () =
  List.iter
    (fun claim ->
      let t = make () in
      known_since t 0;
      let now = Time.s 10 in
      check_ints "nothing waits" [] (Neighbours.input t ~now claim);
      if Neighbours.deadline t > now then Alcotest.fail "not due at once";
      check_string "under probe" "probe" (state t peer);
      check_int "the known one serves" (peer_mac :> int) (lookup t ~now peer);
      check_list "and is asked" [ "ask 10.0.0.2" ] (tick t ~now);
      (* The claim again, as a reply too, is no answer: only the known one was asked. *)
      List.iter (fun c -> ignore (Neighbours.input t ~now:(now + 1) c)) (claims (peer, mac 66));
      check_int "it still serves" (peer_mac :> int) (lookup t ~now peer);
      ignore (answer t ~now:(now + 2));
      check_string "it answered" "reachable" (state t peer);
      check_int "and stays" (peer_mac :> int) (lookup t ~now peer);
      check_int "counted" 4 (Neighbours.counters t).challenged)
    (claims (peer, mac 66))

(* The host has moved and says so: the old MAC is silent for a second. *)
let move_is_believed () =
  List.iter
    (fun claim ->
      let t = make () in
      known_since t 0;
      let now = Time.s 10 in
      ignore (Neighbours.input t ~now claim);
      check_list "the old one" [ "ask 10.0.0.2" ] (tick t ~now);
      check_list "nothing in between" [] (tick t ~now:(now + Time.ms 999));
      check_list "all" [ "ask all for 10.0.0.2" ] (tick t ~now:(now + Time.s 1));
      ignore (answer t ~now:(now + Time.s 1 + 1) ~from:(peer, mac 77));
      check_int "moved" (mac 77 :> int) (lookup t peer);
      check_string "for sure" "reachable" (state t peer))
    (claims (peer, mac 77))

(* However often somebody claims it, the known one is asked once a second. *)
let claims_in_a_flood () =
  let t = make () in
  known_since t 0;
  let asked = ref 0 in
  for i = 1 to 100_000 do
    let now = Time.s 10 + Time.us (100 * i) in
    ignore (Neighbours.input t ~now (arp Reply ~from:(peer, mac (1 + (i mod 200))) own));
    List.iter
      (fun _ ->
        incr asked;
        ignore (answer t ~now))
      (tick t ~now);
    if lookup t ~now peer <> (peer_mac :> int) then Alcotest.fail "another MAC"
  done;
  if !asked > 11 then Alcotest.failf "asked %d times in 10 s" !asked

(* Nothing was known: what a request for us claims serves until it is probed. *)
let unasked_is_stale () =
  let t = make () in
  let claim now = ignore (Neighbours.input t ~now (arp Request ~from:(peer, mac 66) own)) in
  claim 0;
  check_string "stale" "stale" (state t peer);
  check_list "left alone while nobody needs it" [] (tick t ~now:(Time.s 30));
  claim (Time.s 30);
  ignore (Neighbours.input t ~now:(Time.s 30) (arp Reply ~from:(peer, mac 66) own));
  check_string "saying it again proves nothing" "stale" (state t peer);
  check_int "it serves" (mac 66 :> int) (lookup t ~now:(Time.s 40) peer);
  check_int "for a second" (Time.s 41) (Neighbours.deadline t);
  ignore (lookup t ~now:(Time.ms 40_500) peer);
  check_list "then it is asked" [ "ask 10.0.0.2" ] (tick t ~now:(Time.s 41));
  check_list "then all" [ "ask all for 10.0.0.2" ] (tick t ~now:(Time.s 42));
  ignore (answer t ~now:(Time.s 42 + 1));
  check_int "and the right one found" (peer_mac :> int) (lookup t ~now:(Time.s 42 + 1) peer);
  check_string "for sure" "reachable" (state t peer);
  let t = make () in
  claim 0;
  ignore (Neighbours.input t ~now:0 (arp Request ~from:(host 1, mac 1) own));
  check_list "what is never used is forgotten" [] (tick t ~now:(Time.s 60));
  check_int "empty" 0 (Neighbours.length t)

(* While an address is asked for, somebody else speaks first. *)
let unasked_while_incomplete () =
  let t = make () in
  ignore (wait t ~now:0 peer 7);
  check_ints "what waits is sent" [ 7 ]
    (Neighbours.input t ~now:1 (arp Request ~from:(peer, mac 66) (ip "10.0.0.9")));
  check_int "there" (mac 66 :> int) (lookup t peer);
  check_ints "the answer comes" [] (answer t ~now:2);
  check_int "and counts" (peer_mac :> int) (lookup t peer);
  let t = make () in
  ignore (wait t ~now:0 peer 7);
  ignore (Neighbours.input t ~now:1 (arp Request ~from:(peer, mac 66) (ip "10.0.0.9")));
  check_list "no answer" [ "ask all for 10.0.0.2" ] (tick t ~now:(Time.s 1));
  check_list "again" [ "ask all for 10.0.0.2" ] (tick t ~now:(Time.s 2));
  check_list "not there" [] (tick t ~now:(Time.s 3));
  check_int "forgotten" 0 (Neighbours.length t)

let cases =
  Suite.
    [
      case "a claim of another MAC is asked about" claim_is_asked_about;
      case "a move is believed once the old MAC is silent" move_is_believed;
      case "100,000 claims" claims_in_a_flood;
      case "what nobody asked for is stale" unasked_is_stale;
      case "somebody else speaks first" unasked_while_incomplete;
    ]
