(* Servers that are wrong, or mean harm: nothing that they send is believed, costs much, or ends
   the client. *)

open Weir_base
open Weir_wire
open Weir_core
open Bench
module Suite = Weir_test.Suite

let with_option code value = (code, value) :: List.remove_assoc code standard
let without code = List.remove_assoc code standard
let seconds n = Options.of_number n ~bytes:4

let offers_refused () =
  let refused what ?options ?yiaddr ?(change = Fun.id) () =
    let t = make () in
    ignore (words t);
    check_words what [] (give t (change (answer t Offer ?options ?yiaddr)));
    check_state t "SELECTING";
    Alcotest.(check int) (what ^ ", counted") 1 (Dhcp_client.counters t.client).ignored;
    check_words "a good one still counts" [ Client_tests.request ] (give t (answer t Offer))
  in
  refused "another transaction" ~change:(fun m -> { m with xid = m.xid lxor 1 }) ();
  refused "another client's" ~change:(fun m -> { m with chaddr = other }) ();
  refused "a request" ~change:(fun m -> { m with reply = false }) ();
  refused "an ACK nobody asked for" ~change:(fun m -> { m with kind = Ack }) ();
  refused "a NAK nobody asked for" ~change:(fun m -> { m with kind = Nak }) ();
  refused "no server" ~options:(without Options.server_identifier) ();
  refused "a server that is a group"
    ~options:(with_option Options.server_identifier (Options.of_address (v4 "224.0.0.1")))
    ();
  refused "no lease time" ~options:(without Options.lease_time) ();
  refused "no time at all" ~options:(with_option Options.lease_time (seconds 0)) ();
  refused "9 s" ~options:(with_option Options.lease_time (seconds 9)) ();
  refused "a lease time of 3 bytes" ~options:(with_option Options.lease_time "\000\001\000") ();
  refused "a network of 7 bits"
    ~options:(with_option Options.subnet_mask (Options.of_prefix_length 7))
    ();
  List.iter
    (fun a -> refused a ~yiaddr:(v4 a) ())
    [
      "0.0.0.0";
      "0.1.2.3";
      "127.0.0.1";
      "224.0.0.1";
      "240.0.0.1";
      "255.255.255.255";
      "10.0.0.0";
      "10.0.0.255";
    ]

let acks_refused () =
  let refused what ?options ?yiaddr ?(change = Fun.id) kind =
    let t = make () in
    ignore (words t);
    ignore (give t (answer t Offer));
    check_words what [] (give t (change (answer t kind ?options ?yiaddr)));
    check_state t "REQUESTING"
  in
  let from_other = with_option Options.server_identifier (Options.of_address (v4 "10.0.0.2")) in
  refused "another address" Ack ~yiaddr:(v4 "10.0.0.51");
  refused "another server" Ack ~options:from_other;
  refused "another server's NAK" Nak ~options:from_other;
  refused "a NAK of nobody" Nak ~options:[];
  refused "an offer again" Offer;
  refused "a bad one" Ack ~options:(without Options.lease_time);
  let t = bound () in
  ignore (step t);
  ignore (step t);
  check_state t "RENEWING";
  check_words "renewed to another" [] (give t (answer t Ack ~yiaddr:(v4 "10.0.0.51")));
  check_words "by another" [] (give t (answer t Nak ~options:from_other));
  check_state t "RENEWING"

(* What is odd in the rest of a lease is left out. *)
let odd_options () =
  let lease ?(yiaddr = address) options =
    let t = make () in
    ignore (words t);
    match Dhcp_lease.of_message (answer t Ack ~options ~yiaddr) ~sent:0 with
    | Ok l -> l
    | Error why -> Alcotest.fail why
  in
  let times what t1 t2 ?(lease_time = 1_000) expected =
    let options =
      (Options.renewal_time, seconds t1)
      :: (Options.rebinding_time, seconds t2)
      :: with_option Options.lease_time (seconds lease_time)
    in
    let l = lease options in
    Alcotest.(check (pair int int)) what expected (l.renew_at / Time.s 1, l.rebind_at / Time.s 1)
  in
  times "given" 100 200 (100, 200);
  times "T1 after T2" 200 100 (500, 875);
  times "T2 after the end" 100 1_000 (500, 875);
  times "0" 0 0 (500, 875);
  times "136 years" 100 200 ~lease_time:0xffff_fffe (100, 200);
  Alcotest.(check int)
    "a year at most" Dhcp_lease.longest
    (lease (with_option Options.lease_time (seconds 0xffff_fffe))).until;
  let mtu n = (lease ((Options.interface_mtu, Options.of_number n ~bytes:2) :: standard)).mtu in
  Alcotest.(check (option int)) "68" None (mtu 68);
  Alcotest.(check (option int)) "576" (Some 576) (mtu 576);
  let length ?yiaddr options = Ipaddr.V4.Prefix.bits (lease ?yiaddr options).address in
  let classes = [ ("10.0.0.50", 8); ("172.16.0.1", 16); ("192.168.0.1", 24) ] in
  List.iter
    (fun (a, bits) ->
      Alcotest.(check int) a bits (length ~yiaddr:(v4 a) (without Options.subnet_mask)))
    classes;
  let show (l : Dhcp_lease.t) = Fmt.str "%a" Dhcp_lease.pp l in
  let routes (l : Options.route list) =
    (Options.classless_routes, Options.of_routes l) :: standard
  in
  let route n length g : Options.route = { network = v4 n; length; gateway = v4 g } in
  Alcotest.(check string)
    "classless routes replace the router"
    "10.0.0.50/24 from 10.0.0.1, routes 10.9.0.0/16 via 10.0.0.3"
    (show (lease (routes [ route "10.9.0.0" 16 "10.0.0.3" ])));
  Alcotest.(check string)
    "what cannot be a gateway" "10.0.0.50/24 from 10.0.0.1"
    (show (lease (routes [ route "10.9.0.0" 16 "127.0.0.1"; route "0.0.0.0" 0 "0.0.0.0" ])));
  let many =
    routes
      (List.init 1_000 (fun i ->
           { (route "0.0.0.0" 32 "10.0.0.3") with network = Ip.of_int (0x0b000000 + i) }))
  in
  Alcotest.(check int) "64 routes" 64 (List.length (lease many).routes);
  let resolvers =
    (Options.name_servers, Options.of_addresses (v4 "0.0.0.0" :: List.init 100 (fun _ -> server)))
  in
  Alcotest.(check int) "16 resolvers" 16 (List.length (lease (resolvers :: standard)).resolvers);
  let named =
    (Options.domain_name, "two\nlines") :: (Options.domain_search, "\192\000") :: standard
  in
  Alcotest.(check string)
    "names" "10.0.0.50/24 from 10.0.0.1, routes 0.0.0.0/0 via 10.0.0.1"
    (show (lease named))

(* Offers and refuses for ever: a few messages a minute. *)
let refuses_for_ever () =
  let t = make () in
  let sent () = (Dhcp_client.counters t.client).sent in
  while t.now < Time.s 3_600 do
    ignore (drain t []);
    match state t with
    | "SELECTING" -> ignore (give t (answer t Offer))
    | "REQUESTING" -> ignore (give t (answer t Nak))
    | _ -> ignore (step t)
  done;
  if sent () > 2 * (7 + (3_600 / 64) + 2) then Alcotest.failf "%d messages in an hour" (sent ())

(* The shortest leases that are accepted. *)
let short_leases () =
  let options =
    (Options.renewal_time, seconds 1)
    :: (Options.rebinding_time, seconds 2)
    :: with_option Options.lease_time (seconds 10)
  in
  let t = bound ~options () in
  let sent () = (Dhcp_client.counters t.client).sent in
  while t.now < Time.s 600 do
    ignore (step t);
    if state t = "RENEWING" then ignore (give t (answer t Ack ~options))
  done;
  if sent () > 605 then Alcotest.failf "%d messages in ten minutes" (sent ());
  Alcotest.(check bool) "it has its address" true (Dhcp_client.lease t.client <> None)

(* Everything at random, many times at each instant: no exception, few messages, no growth. *)
let storm () =
  let state = Random.State.make [| 0xd4c9 |] in
  let int = Random.State.int state in
  for seed = 1 to Suite.iterations 200 do
    let config = if int 2 = 0 then quick else Dhcp_config.default in
    let t = make ~config ~seed () in
    ignore (words t);
    let sent = ref 0 in
    let kinds = Dhcpv4.[| Offer; Ack; Nak; Offer; Ack; Discover; Request |] in
    for _ = 1 to 500 do
      let options =
        List.filter (fun _ -> int 8 > 0) standard
        @ if int 4 = 0 then [ (int 255, String.init (int 9) (fun _ -> Char.chr (int 256))) ] else []
      in
      let m =
        answer t
          kinds.(int 7)
          ~options
          ~yiaddr:(if int 8 = 0 then Ip.of_int (int 0x3fff_ffff) else address)
      in
      let said =
        match int 4 with
        | 0 -> snd (step t ~at_most:(Time.s (int 100)))
        | 1 ->
            let sender = if int 2 = 0 then address else Ip.any in
            Client_tests.heard t (Client_tests.arp Request ~sender ~target:address)
        | _ -> give t m
      in
      sent := !sent + List.length said
    done;
    if Obj.reachable_words (Obj.repr t.client) > 5_000 then Alcotest.fail "it grows";
    if !sent > 1_500 then Alcotest.failf "%d actions for 500 inputs" !sent;
    (* It does not hang: time always goes on. *)
    for _ = 1 to 200 do
      ignore (step t)
    done;
    if t.now < Time.s 100 && Dhcp_client.deadline t.client <> Time.never then
      Alcotest.failf "200 deadlines in %a s" Time.pp t.now
  done

let cases =
  Suite.
    [
      case "offers that are not believed" offers_refused;
      case "ACKs and NAKs that are not believed" acks_refused;
      case "odd values" odd_options;
      case "a server that refuses for ever" refuses_for_ever;
      case "the shortest leases" short_leases;
      case "anything at any time" storm;
    ]
