(* IPv6 neighbour discovery of a whole host, and duplicate address detection. *)

open Weir_base
open Weir_wire
open Weir_core
open Weir_test
open V6_net

(* -- neighbour discovery ---------------------------------------------------- *)

let answer = "fd00::1 > fd00::2 ICMPv6 fd00::1 is-at 02:00:00:00:00:01"

let solicitations () =
  let answers what want frame =
    let t = host () in
    give t frame;
    lines what want (sent t)
  in
  answers "to the group" [ answer ] (solicit ());
  answers "to the address" [ answer ] (solicit ~dst:own ());
  answers "from who tests the address"
    [ "fd00::1 > ff02::1 ICMPv6 fd00::1 is-at 02:00:00:00:00:01, unsolicited" ]
    (solicit ~src:Ip.any_v6 ~mac:None ());
  answers "without a MAC"
    [ "fd00::1 > ff02::1:ff00:2 ICMPv6 who-has fd00::2 tell 02:00:00:00:00:01" ]
    (solicit ~mac:None ());
  answers "through a router" [] (solicit ~hop_limit:254 ());
  answers "for another" [] (solicit ~target:(v6 "fd00::1:1") ());
  answers "from no one, with a MAC" [] (solicit ~src:Ip.any_v6 ());
  answers "from no one, to the address" [] (solicit ~src:Ip.any_v6 ~mac:None ~dst:own ());
  answers "in a fragment" [] (solicit ~next:44 ~chain:"\x3a\x00\x00\x00\x00\x00\x00\x07" ());
  let wrong = solicit () in
  Bytes.set_uint8 wrong 60 1;
  answers "with a wrong checksum" [] wrong

let known t = List.length (Neighbours.entries (Stack.interface t 0).neighbours)
let mac_known t = Neighbours.stored (Stack.interface t 0).neighbours peer

let advertisements () =
  let t = host () in
  give t (advertise ());
  give t (advertise ~solicited:false ~dst:Ip.all_nodes ());
  check_int "nobody asked" 0 (known t);
  ignore (Stack.ping t ~now:0 (address "fd00::2") ~identifier:1 ~sequence:1 ~data_length:0);
  lines "asks" [ "fd00::1 > ff02::1:ff00:2 ICMPv6 who-has fd00::2 tell 02:00:00:00:00:01" ] (sent t);
  give t (advertise ~mac:None ());
  check_int "an answer without a MAC" (-1) (mac_known t);
  give t (advertise ());
  check_int "the answer" (Net.mac 2 :> int) (mac_known t);
  lines "the packet leaves" [ "fd00::1 > fd00::2 ICMPv6 echo request id=1 seq=1 len 0" ] (sent t);
  give t (advertise ~mac:(Some (Net.mac 9)) ());
  give t (advertise ~mac:(Some (Net.mac 9)) ~solicited:false ~dst:Ip.all_nodes ());
  check_int "a forged one changes nothing" (Net.mac 2 :> int) (mac_known t);
  Stack.tick t ~now:(Time.s 1);
  lines "but the known MAC is asked"
    [ "fd00::1 > fd00::2 ICMPv6 who-has fd00::2 tell 02:00:00:00:00:01" ]
    (sent ~now:(Time.s 1) t);
  give ~now:(Time.s 1) t (advertise ~mac:None ());
  check_int "its answer may leave it out" (Net.mac 2 :> int) (mac_known t)

let floods () =
  let t = host () in
  for n = 1 to 5_000 do
    let src = v6 (Fmt.str "fd00::%x:%x" (1 + (n / 0xffff)) (n land 0xffff)) in
    give t (solicit ~src ~mac:(Some (Net.mac n)) ());
    if n mod 500 = 0 then ignore (sent t)
  done;
  check_bool "the table is bounded" true (known t <= 512)

let cases_of_nd =
  [
    Suite.case "solicitations" solicitations;
    Suite.case "advertisements" advertisements;
    Suite.case "a flood of solicitations" floods;
  ]

(* -- duplicate address detection -------------------------------------------- *)

let probed () = host ~transmits:1 ()
let uses t = Stack.is_local t (address "fd00::1")

(* Neither a report nor an announcement. *)
let is_question b =
  let shown = show b ~len:(Bytes.length b) in
  not (List.exists (Weir_test.Text.contains shown) [ "group report"; "unsolicited" ])

let start t =
  Stack.tick t ~now:0;
  List.filter is_question (frames t)

let no_one_has_it () =
  let t = probed () in
  check_bool "not yet" false (uses t);
  check_bool "settling" true (Stack.is_settling t);
  check_int "a question for each address" 2 (List.length (start t));
  give t (solicit ());
  lines "who asks gets no answer" [] (sent t);
  Stack.tick t ~now:(Time.s 1);
  check_bool "used" true (uses t);
  check_bool "settled" false (Stack.is_settling t);
  give ~now:(Time.s 1) t (solicit ());
  let questions = List.filter is_question (frames ~now:(Time.s 1) t) in
  lines "and an answer now" [ answer ] (List.map (fun b -> show b ~len:(Bytes.length b)) questions);
  check_int "nothing more" Time.never (Stack.deadline (host ()))

let somebody_has_it () =
  let lost what frame =
    let t = probed () in
    ignore (start t);
    give t frame;
    Stack.tick t ~now:(Time.s 5);
    check_bool what false (uses t);
    lines what [ "fd00::1" ] (List.map Ipaddr.to_string (Stack.duplicates t));
    check_int what 1 (counters t).dad_conflicts
  in
  lost "an answer" (advertise ~src:own ~target:own ~dst:Ip.all_nodes ~solicited:false ());
  lost "another who tests it" (solicit ~src:Ip.any_v6 ~mac:None ~nonce:"abcdef" ())

(* Neighbours may know an address with the MAC of an earlier host. *)
let announced () =
  let t = host ~transmits:1 ~addresses:"10.0.0.1/24,fd00::1/64" () in
  let told now =
    Stack.tick t ~now;
    List.filter
      (fun l -> List.exists (Weir_test.Text.contains l) [ "ARP"; "unsolicited" ])
      (List.map (fun b -> show b ~len:(Bytes.length b)) (frames ~now t))
  in
  let own = Fmt.str "%a" Ip.pp (link_local t) in
  let v4 = [ "ARP announce 10.0.0.1" ] in
  let v6 a = Fmt.str "%s > ff02::1 ICMPv6 %s is-at 02:00:00:00:00:01, unsolicited" a a in
  let v6 = List.sort compare [ v6 "fd00::1"; v6 own ] in
  lines "IPv4 at once" v4 (told 0);
  lines "IPv6 when it is tested" v6 (List.sort compare (told (Time.s 1)));
  lines "again" v4 (told (Time.s 2));
  lines "again" v6 (List.sort compare (told (Time.s 3)));
  lines "and no more" [] (told (Time.s 60));
  Stack.add_address t (Stack.interface t 0) (Ipaddr.Prefix.of_string_exn "10.0.0.2/24");
  Stack.remove_address t (Stack.interface t 0) (address "10.0.0.2");
  lines "one that has gone" [] (told (Time.s 61));
  let quiet = host ~addresses:"10.0.0.1/24,fd00::1/64" () in
  Stack.tick quiet ~now:0;
  lines "not where addresses are not tested" [] (sent quiet)

let own_question_comes_back () =
  let t = probed () in
  List.iter (give t) (start t);
  Stack.tick t ~now:(Time.s 1);
  check_bool "used" true (uses t)

(* The link-local address is the host's own choice: it takes another. *)
let another_is_made () =
  let t = probed () in
  let seen = ref [] in
  for n = 0 to 3 do
    let now = Time.ms n in
    Stack.tick t ~now;
    ignore (frames ~now t);
    let ip = link_local t in
    check_bool "a new one" false (List.exists (Ip.equal ip) !seen);
    seen := ip :: !seen;
    if n < 3 then give ~now t (advertise ~src:ip ~target:ip ~dst:Ip.all_nodes ~solicited:false ())
  done;
  Stack.tick t ~now:(Time.s 2);
  check_bool "the last is used" true (Stack.is_local t (Ip.to_ipaddr (link_local t)));
  check_int "three were not" 3 (counters t).dad_conflicts

let cases_of_dad =
  [
    Suite.case "nobody has it" no_one_has_it;
    Suite.case "announcements" announced;
    Suite.case "somebody has it" somebody_has_it;
    Suite.case "the question comes back" own_question_comes_back;
    Suite.case "another is made" another_is_made;
  ]
