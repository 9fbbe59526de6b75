(* The client's states one by one (RFC 2131 figure 5). *)

open Weir_base
open Weir_wire
open Weir_core
open Bench
module Suite = Weir_test.Suite

let discover = "discover from 0.0.0.0 to 255.255.255.255, broadcast"
let request = "request for 10.0.0.50 from 0.0.0.0 to 255.255.255.255, broadcast"

let four_messages () =
  let t = make () in
  check_words "at once" [ discover ] (words t);
  check_state t "SELECTING";
  check_words "an offer" [ request ] (give t (answer t Offer));
  check_state t "REQUESTING";
  check_words "an ACK" [ "assign 10.0.0.50/24"; "announce 10.0.0.50" ] (give t (answer t Ack));
  check_state t "BOUND";
  let took, said = step t in
  Alcotest.(check int) "2 s later" (Time.s 2) took;
  check_words "again" [ "announce 10.0.0.50" ] said;
  Alcotest.(check int) "then T1" (Time.s 500) (Dhcp_client.deadline t.client)

let options () =
  let config = { quick with host_name = Some "weir"; identifier = Some "\000me" } in
  let t = make ~config () in
  ignore (words t);
  let get code = Dhcpv4.option (last t) code in
  Alcotest.(check (option string)) "identifier" (Some "\000me") (get Options.client_identifier);
  Alcotest.(check (option string)) "name" (Some "weir") (get Options.host_name);
  Alcotest.(check (option string)) "size" (Some "\005\192") (get Options.longest_message);
  Alcotest.(check bool)
    "classless routes before routers (RFC 3442)" true
    (let l = Option.get (get Options.parameter_list) in
     String.index l '\121' < String.index l '\003');
  ignore (give t (answer t Offer));
  Alcotest.(check (option string))
    "the server chosen" (Some "\010\000\000\001") (get Options.server_identifier);
  Alcotest.(check string)
    "RFC 4361" "\255\000\000\000\007duid"
    (Dhcp_config.rfc4361 ~iaid:7 ~duid:"duid");
  List.iter
    (fun config ->
      match make ~config () with
      | _ -> Alcotest.fail "accepted"
      | exception Invalid_argument _ -> ())
    [
      { quick with host_name = Some "a b" };
      { quick with identifier = Some "x" };
      { quick with retry = 0 };
    ]

(* §4.1: 4, 8, 16, 32, 64 s, each a second more or less, and no two clients alike. *)
let back_off () =
  let waits seed =
    let t = make ~seed () in
    ignore (words t);
    List.map
      (fun nominal ->
        let took, said = step t in
        check_words "again" [ discover ] said;
        check_between "wait" (nominal -. 1.) (nominal +. 1.) took;
        took)
      [ 4.; 8.; 16.; 32.; 64.; 64. ]
  in
  if waits 1 = waits 2 then Alcotest.fail "all clients at the same time";
  let t = make () in
  ignore (words t);
  let xid = (last t).xid in
  ignore (step t);
  Alcotest.(check int) "the same transaction" xid (last t).xid;
  check_between "secs" 3. 5. (Time.s (last t).secs)

(* §3.1 (4): four requests, then another offer is looked for. *)
let request_unanswered () =
  let t = make () in
  ignore (words t);
  ignore (give t (answer t Offer));
  for _ = 1 to 3 do
    check_words "again" [ request ] (snd (step t))
  done;
  let _, said = step t in
  check_words "a new one" [ discover ] said;
  check_between "within a minute or so" 55. 70. t.now

let renewing () =
  let t = bound () in
  ignore (step t);
  let took, said = step t in
  check_words "T1: unicast" [ "request from 10.0.0.50 to 10.0.0.1" ] said;
  Alcotest.(check int) "half of the lease" (Time.s 498) took;
  check_state t "RENEWING";
  let m = last t in
  Alcotest.(check bool) "ciaddr" true (Ip.equal m.ciaddr address);
  Alcotest.(check (option string)) "no server" None (Dhcpv4.option m Options.server_identifier);
  let took, said = step t in
  check_words "again" [ "request from 10.0.0.50 to 10.0.0.1" ] said;
  Alcotest.(check int) "half of what is left" ((Time.s 875 - Time.s 500) / 2) took;
  check_words "renewed" [ "assign 10.0.0.50/24" ] (give t (answer t Ack));
  check_state t "BOUND";
  (* From when the request was first sent. *)
  Alcotest.(check int) "T1 again" (Time.s 1_000) (Dhcp_client.deadline t.client)

(* The server is silent: any server is asked, then the address goes. *)
let rebinding () =
  let t = bound () in
  let sent = ref [] in
  while t.now < Time.s 1_000 do
    let _, said = step t in
    sent := !sent @ List.map (fun w -> (t.now / Time.s 1, w)) said
  done;
  let unicast = "request from 10.0.0.50 to 10.0.0.1" in
  let any = "request from 10.0.0.50 to 255.255.255.255" in
  Alcotest.(check (list (pair int string)))
    "all of it"
    [
      (2, "announce 10.0.0.50");
      (500, unicast);
      (687, unicast);
      (781, unicast);
      (841, unicast);
      (875, any);
      (937, any);
      (997, any);
      (1_000, "withdraw 10.0.0.50/24");
      (1_000, "discover for 10.0.0.50 from 0.0.0.0 to 255.255.255.255, broadcast");
    ]
    !sent;
  check_state t "SELECTING";
  let t = bound () in
  while state t <> "REBINDING" do
    ignore (step t)
  done;
  let second = Options.of_address (v4 "10.0.0.2") in
  let options = (Options.server_identifier, second) :: List.tl standard in
  check_words "another server" [ "assign 10.0.0.50/24" ] (give t (answer t Ack ~options));
  Alcotest.(check string)
    "is the one from now on" "10.0.0.2"
    (Ipaddr.V4.to_string (Option.get (Dhcp_client.lease t.client)).server)

let refused () =
  let t = make () in
  ignore (words t);
  ignore (give t (answer t Offer));
  check_words "" [] (give t (answer t Nak));
  check_words "at once again" [ discover ] (snd (step t ~at_most:0));
  let t = bound () in
  ignore (step t);
  ignore (step t);
  check_words "the address is gone" [ "withdraw 10.0.0.50/24" ] (give t (answer t Nak));
  check_words "and not asked for" [ discover ] (snd (step t ~at_most:0))

let for_ever () =
  let options = List.map (fun (c, v) -> (c, if c = 51 then "\255\255\255\255" else v)) standard in
  let t = bound ~options () in
  ignore (step t);
  Alcotest.(check int) "nothing to do" Time.never (Dhcp_client.deadline t.client)

(* -- probes (RFC 5227) --------------------------------------------------- *)

let probing = Dhcp_config.default

let probes () =
  let t = make ~config:probing () in
  ignore (words t);
  ignore (give t (answer t Offer));
  check_words "not yet" [] (give t (answer t Ack));
  check_state t "CHECKING";
  let probe what low high =
    let took, said = step t in
    check_words what [ "probe 10.0.0.50" ] said;
    check_between what low high took
  in
  probe "first" 0. 1.;
  probe "second" 1. 2.;
  probe "third" 1. 2.;
  let took, said = step t in
  Alcotest.(check int) "then two seconds" (Time.s 2) took;
  check_words "then it is used" [ "assign 10.0.0.50/24"; "announce 10.0.0.50" ] said;
  (* The lease runs since the request. *)
  ignore (step t);
  Alcotest.(check int) "T1" (Time.s 500) (Dhcp_client.deadline t.client)

let arp ?(from = other) operation ~sender ~target : Arp.t =
  {
    operation;
    sender_mac = from;
    sender_ip = sender;
    target_mac = Mac.of_int 0;
    target_ip = target;
  }

let heard t a =
  Dhcp_client.heard t.client ~now:t.now a;
  words t

let conflicts () =
  let declined = [ "decline for 10.0.0.50 from 0.0.0.0 to 255.255.255.255" ] in
  let peer = v4 "10.0.0.7" in
  List.iter
    (fun (what, expected, a) ->
      let t = make ~config:probing () in
      ignore (words t);
      ignore (give t (answer t Offer));
      ignore (give t (answer t Ack));
      ignore (step t);
      check_words what expected (heard t a);
      if expected <> [] then (
        let took, said = step t in
        Alcotest.(check int) "10 s (RFC 2131 §3.1)" (Time.s 10) took;
        check_words "from the start" [ discover ] said))
    [
      ("an answer", declined, arp Reply ~sender:address ~target:Ip.any);
      ("its request for another", declined, arp Request ~sender:address ~target:peer);
      ("another's probe", declined, arp Request ~sender:Ip.any ~target:address);
      ( "our own probe, repeated by a bridge",
        [],
        arp Request ~from:mac ~sender:Ip.any ~target:address );
      ("who asks for it", [], arp Request ~sender:peer ~target:address);
      ("other addresses", [], arp Reply ~sender:peer ~target:Ip.any);
    ]

(* RFC 5227 §2.4 (c): defended, but not at the pace of who claims it. *)
let defended () =
  let t = bound () in
  let claim = arp Reply ~sender:address ~target:Ip.any in
  check_words "once" [ "announce 10.0.0.50" ] (heard t claim);
  let n = ref 0 in
  for _ = 1 to 10_000 do
    t.now <- t.now + Time.ms 10;
    n := !n + List.length (heard t claim)
  done;
  if !n > 10 then Alcotest.failf "%d announcements in 100 s" !n;
  check_state t "BOUND"

(* Each conflict is declined, ever more slowly. *)
let all_in_use () =
  let t = make ~config:probing () in
  let declined = ref 0 in
  while t.now < Time.s 3_600 do
    (match (state t, t.last) with
    | "SELECTING", Some _ -> ignore (give t (answer t Offer))
    | "REQUESTING", _ -> ignore (give t (answer t Ack))
    | "CHECKING", _ ->
        if heard t (arp Reply ~sender:address ~target:Ip.any) <> [] then incr declined
    | _ -> ());
    ignore (drain t []);
    if state t = "INIT" then ignore (step t)
  done;
  if !declined > 10 + (3_600 / 60) + 1 then Alcotest.failf "%d in an hour" !declined;
  if !declined < 30 then Alcotest.failf "only %d in an hour" !declined

(* -- other ways in and out ----------------------------------------------- *)

let reboot () =
  let config = { quick with previous = Some (Ipaddr.V4.of_string_exn "10.0.0.50") } in
  let t = make ~config () in
  check_words "asks for it" [ request ] (words t);
  check_state t "REBOOTING";
  Alcotest.(check (option string))
    "any server" None
    (Dhcpv4.option (last t) Options.server_identifier);
  check_words "it is there" [ "assign 10.0.0.50/24"; "announce 10.0.0.50" ] (give t (answer t Ack));
  let t = make ~config () in
  ignore (words t);
  ignore (give t (answer t Nak));
  check_words "refused" [ discover ] (snd (step t ~at_most:0));
  let t = make ~config () in
  ignore (words t);
  ignore (step t);
  check_words "silence"
    [ "discover for 10.0.0.50 from 0.0.0.0 to 255.255.255.255, broadcast" ]
    (snd (step t))

let release () =
  let t = bound () in
  Dhcp_client.release t.client;
  check_words "given back" [ "release from 10.0.0.50 to 10.0.0.1" ] (words t);
  Dhcp_client.release t.client;
  check_words "once" [] (words t);
  Alcotest.(check int) "the end" Time.never (Dhcp_client.deadline t.client);
  let t = make () in
  ignore (words t);
  Dhcp_client.release t.client;
  check_words "nothing to give back" [] (words t);
  check_words "nothing accepted" [] (give t (answer t Offer))

let explanations () =
  let t = make () in
  let says expected =
    Alcotest.(check string)
      "says" expected
      (Dhcp_client.explain ~link:"tap0" ~after:(Time.s 10) t.client)
  in
  ignore (words t);
  ignore (step t);
  says
    "no DHCP server answered on tap0 within 10 s: 2 requests were sent; is a server on this link?";
  ignore (give t (answer t Offer ~options:[ List.hd standard ]));
  says
    "no DHCP server gave a usable address on tap0 within 10 s; the last answer was not used \
     because it has no lease time";
  ignore (give t (answer t Offer));
  says "the DHCP server 10.0.0.1 offered 10.0.0.50 on tap0, but did not confirm it within 10 s"

let cases =
  Suite.
    [
      case "four messages" four_messages;
      case "options that are sent" options;
      case "back-off" back_off;
      case "no answer to the request" request_unanswered;
      case "renewing" renewing;
      case "rebinding, and the end" rebinding;
      case "refused" refused;
      case "a lease for ever" for_ever;
      case "probes before use" probes;
      case "an address in use is declined" conflicts;
      case "an address is defended" defended;
      case "every address is in use" all_in_use;
      case "an earlier address" reboot;
      case "release" release;
      case "what is said when there is none" explanations;
    ]
