(* The resolver against servers that are functions, in virtual time. *)

open Weir_base
open Weir_wire
open Weir_drive
open Dns_world
module Suite = Weir_test.Suite
module Zone = Weir_sim.Dns_server

(* -- answers --------------------------------------------------------------- *)

let kinds () =
  let w = make [ (first, right ()) ] in
  is "both" "fd00::1 10.1.0.1 10.1.0.2" (get w [ AAAA; A ] "www.example");
  is "one of two" "10.1.0.4" (get w [ AAAA; A ] "v4.example");
  is "no data" "no data" (get w [ AAAA ] "v4.example");
  is "no name" "no name" (get w [ AAAA; A ] "nobody.example");
  is "aliases" "10.1.0.1 10.1.0.2" (get w [ A ] "alias.example");
  is "a loop" "server failure" (get w [ A ] "loop.example");
  is "SRV" "1 2 80 www.example" (get w [ SRV ] "_http._tcp.example");
  is "TXT" "one two" (get w [ TXT ] "text.example");
  is "MX, in the server's case" "Mail.WWW.example" (get w [ MX ] "www.Example");
  is "PTR" "www.example"
    (let r = Resolver.ask w.r ~now:w.now [ PTR ] [ name "1.0.1.10.in-addr.arpa" ] in
     run w;
     shown (outcome w r));
  Alcotest.(check int) "all sockets closed" 0 (List.length w.open_)

(* A server that gives each link of a chain alone, as unbound does with its own data. *)
let link_by_link () =
  let one : server =
   fun ~stream:_ q ->
    let m = Zone.answer zone q in
    let own (r : Dns.record) = Domain_name.equal r.name (List.hd q.questions).name in
    [
      Message (Time.ms 10, { m with answers = List.filter own m.answers; authority = []; rcode = 0 });
    ]
  in
  let w = make [ (first, one) ] in
  is "alias" "10.1.0.1 10.1.0.2" (get w [ A ] "alias.example");
  Alcotest.(check int) "queries" 3 (queries w);
  is "a loop" "server failure" (get w [ A ] "loop.example");
  if queries w > 3 + 18 then Alcotest.failf "%d queries" (queries w);
  let n = queries w in
  w.now <- w.now + Time.s 19;
  is "again" "10.1.0.1 10.1.0.2" (get w [ A ] "alias.example");
  Alcotest.(check int) "from the cache" n (queries w);
  w.now <- w.now + Time.s 2;
  is "once more" "10.1.0.1 10.1.0.2" (get w [ A ] "alias.example");
  Alcotest.(check int) "the alias was valid for 20 s" (n + 3) (queries w)

let here () =
  let w = make [ (first, silent) ] in
  is "localhost" "::1 127.0.0.1" (get w [ AAAA; A ] "localhost");
  is "below it" "127.0.0.1" (get w [ A ] "a.LocalHost.");
  is "no other record" "no data" (get w [ TXT ] "localhost");
  is "invalid" "no name" (get w [ A ] "host.invalid");
  is "onion" "no name" (get w [ A ] "host.onion");
  is "not a name" "no name" (get w [ A ] "no such");
  is "an address" "no name" (get w [ A ] "1.2.3.4.5");
  Alcotest.(check int) "queries" 0 (queries w);
  is "no servers" "no servers" (get (make []) [ A ] "www.example")

(* Names in an answer may point to the question, whose case is random. *)
let case_of_question () =
  let pointing : server =
   fun ~stream:_ q ->
    let n = (List.hd q.questions).name in
    let exchange = Domain_name.prepend_label_exn n "Mail" in
    let record = { Dns.name = n; class_ = 1; ttl = 9; data = MX { preference = 1; exchange } } in
    [
      Message
        (Time.ms 1, { (Zone.answer zone q) with answers = [ record ]; rcode = 0; authority = [] });
    ]
  in
  let w = make [ (first, pointing) ] in
  let r = ask w [ MX ] "a-Long-nAme.Example" in
  run w;
  match outcome w r with
  | Ok [ (_, [ r ]) ] ->
      is "exchange" "Mail.a-Long-nAme.Example" (data r);
      is "owner" "a-Long-nAme.Example" (Domain_name.to_string r.name)
  | _ -> Alcotest.fail "no MX"

(* -- servers ----------------------------------------------------------------- *)

let dead_server () =
  let w = make [ (first, silent); (second, right ()) ] in
  let since = w.now in
  is "by the second" "10.1.0.4" (get w [ A ] "v4.example");
  Alcotest.(check (float 0.001)) "after a second" 1.01 (after w since);
  let since = w.now in
  is "again" "no name" (get w [ A ] "nobody.example");
  Alcotest.(check (float 0.001)) "the second is asked first now" 0.01 (after w since);
  w.now <- w.now + Time.s 31;
  let since = w.now in
  is "later" "one two" (get w [ TXT ] "text.example");
  Alcotest.(check (float 0.001)) "the first has another chance" 1.01 (after w since)

let all_dead () =
  let w = make [ (first, silent); (second, silent) ] in
  let since = w.now in
  is "no answer" "no answer" (get w [ A ] "v4.example");
  Alcotest.(check (float 0.001)) "three rounds" 14. (after w since);
  let times =
    List.rev_map (fun (at, s, _, _) -> (Time.to_float_s (at - since), Ipaddr.to_string s)) w.sent
  in
  Alcotest.(check (list (pair (float 0.001) string)))
    "when"
    [
      (0., "192.0.2.1");
      (1., "192.0.2.2");
      (2., "192.0.2.1");
      (4., "192.0.2.2");
      (6., "192.0.2.1");
      (10., "192.0.2.2");
    ]
    times;
  Alcotest.(check int) "all sockets closed" 0 (List.length w.open_);
  let with_edns = List.filter (fun (_, _, _, q) -> Dns.edns q <> None) w.sent in
  Alcotest.(check int) "the last round is plain" 4 (List.length with_edns)

let refusing_port () =
  let w = make [ (first, refusing); (second, right ()) ] in
  let since = w.now in
  is "by the second" "10.1.0.4" (get w [ A ] "v4.example");
  Alcotest.(check (float 0.001)) "at once" 0.011 (after w since)

let slow_server () =
  let w = make [ (first, right ~after:(Time.ms 2_500) ()) ] in
  is "late, and taken" "10.1.0.4" (get w [ A ] "v4.example");
  Alcotest.(check int) "queries" 2 (queries w)

let failing_servers () =
  let w = make [ (first, code Dns.server_failure); (second, right ()) ] in
  is "by the second" "10.1.0.4" (get w [ A ] "v4.example");
  Alcotest.(check int) "queries" 2 (queries w);
  let w = make [ (first, code Dns.server_failure); (second, code Dns.refused) ] in
  is "SERVFAIL" "server failure" (get w [ A ] "v4.example");
  Alcotest.(check int) "no second round" 2 (queries w);
  is "REFUSED" "refused" (get (make [ (first, code Dns.refused) ]) [ A ] "v4.example")

let without_edns () =
  let old : server =
   fun ~stream:_ q ->
    if Dns.edns q <> None then
      [
        Message
          ( Time.ms 5,
            { (Zone.answer [] q) with rcode = Dns.format_error; authority = []; additional = [] } );
      ]
    else [ Message (Time.ms 5, Zone.answer zone q) ]
  in
  let w = make [ (first, old) ] in
  is "FORMERR" "10.1.0.4" (get w [ A ] "v4.example");
  Alcotest.(check int) "queries" 2 (queries w)

(* A server that changes the name's case is understood in the last round. *)
let without_case () =
  let lower : server =
   fun ~stream:_ q ->
    let m = Zone.answer zone q in
    let questions =
      List.map
        (fun (q : Dns.question) -> { q with name = Domain_name.canonical q.name })
        m.questions
    in
    [ Message (Time.ms 5, { m with questions }) ]
  in
  is "lower case" "10.1.0.4" (get (make [ (first, lower) ]) [ A ] "v4.example")

let truncation () =
  let long = String.make 250 'x' in
  let zone = [ ("long.example", 60, Dns.TXT (List.init 9 (fun _ -> long))) ] in
  let w = make [ (first, right ~zone ()) ] in
  let r = ask w [ TXT ] "long.example" in
  run w;
  (match outcome w r with
  | Ok [ (_, [ { data = TXT l; _ } ]) ] -> Alcotest.(check int) "all of it" 9 (List.length l)
  | _ -> Alcotest.fail "no TXT");
  Alcotest.(check (list bool))
    "UDP, then TCP" [ false; true ]
    (List.rev_map (fun (_, _, s, _) -> s) w.sent);
  (* TCP does not work with the first: the second has it. *)
  let only_udp : server =
   fun ~stream q -> if stream then [ Refuses ] else right ~zone () ~stream q
  in
  let w = make [ (first, only_udp); (second, right ~zone ()) ] in
  let r = ask w [ TXT ] "long.example" in
  run w;
  if Result.is_error (outcome w r) then Alcotest.fail "no TXT by the second";
  let silent_tcp : server = fun ~stream q -> if stream then [] else right ~zone () ~stream q in
  let w = make [ (first, silent_tcp) ] in
  is "TCP is dead" "no answer" (get w [ TXT ] "long.example")

(* -- sharing, searching, ending -------------------------------------------------- *)

let joined () =
  let w = make [ (first, right ()) ] in
  let all = List.init 50 (fun _ -> ask w [ A ] "V4.example") in
  run w;
  List.iter (fun r -> is "each" "10.1.0.4" (shown (outcome w r))) all;
  Alcotest.(check int) "one query" 1 (queries w);
  is "kept" "10.1.0.4" (get w [ A ] "v4.EXAMPLE");
  Alcotest.(check int) "still" 1 (queries w);
  is "no name" "no name" (get w [ A ] "nobody.example");
  is "of any type" "no name" (get w [ TXT ] "nobody.example");
  Alcotest.(check int) "one more" 2 (queries w);
  w.now <- w.now + Time.s 31;
  is "no name" "no name" (get w [ A ] "nobody.example");
  Alcotest.(check int) "after 30 s again" 3 (queries w)

let many () =
  let w = make [ (first, right ()) ] in
  let all = List.init 1_000 (fun i -> ask w [ A ] (Printf.sprintf "h%d.example" i)) in
  run w;
  List.iter (fun r -> is "each" "no name" (shown (outcome w r))) all;
  if w.most_open > Resolver.most_queries then Alcotest.failf "%d sockets" w.most_open

let searching () =
  let search = Search_list.create [ "corp.example"; "example" ] in
  let w = make ~search [ (first, right ()) ] in
  let asked () =
    List.rev_map
      (fun (_, _, _, (q : Dns.t)) -> Domain_name.(to_string (canonical (List.hd q.questions).name)))
      w.sent
  in
  is "in the first" "10.1.0.7" (get w [ A ] "host");
  is "in the second" "10.1.0.4" (get w [ A ] "v4");
  is "as it is" "10.1.0.4" (get w [ A ] "v4.example");
  is "with a dot at the end" "no name" (get w [ A ] "v4.");
  Alcotest.(check (list string))
    "asked"
    [ "host.corp.example"; "v4.corp.example"; "v4.example"; "v4" ]
    (asked ());
  is "nowhere" "no name" (get w [ A ] "nobody");
  is "not for this type" "no data" (get w [ AAAA ] "v4");
  is "in none" "no name" (get w [ A ] "some.body")

let partly () =
  let slow_v4 : server =
   fun ~stream q ->
    let after = if (List.hd q.questions).kind = A then Time.ms 500 else Time.ms 5 in
    right ~after () ~stream q
  in
  let w = make [ (first, slow_v4) ] in
  let r = ask w [ AAAA; A ] "www.example" in
  run w;
  match List.rev w.progress with
  | [ (_, Partly [ (AAAA, _) ]); (s, Done (Ok [ (AAAA, _); (A, _) ])) ] when s == r -> ()
  | l -> Alcotest.failf "%d things said" (List.length l)

let cancelled () =
  let w = make [ (first, silent) ] in
  let a = ask w [ A ] "v4.example" and b = ask w [ A ] "v4.example" in
  outputs w;
  Resolver.cancel w.r ~now:w.now a;
  Alcotest.(check int) "for the other" 1 (Resolver.queries w.r);
  Resolver.cancel w.r ~now:w.now b;
  Resolver.cancel w.r ~now:w.now b;
  run w;
  Alcotest.(check int) "for nobody" 0 (Resolver.queries w.r);
  Alcotest.(check int) "nothing said" 0 (List.length w.progress);
  Alcotest.(check int) "closed" 0 (List.length w.open_);
  let c = ask w [ A; AAAA ] "v4.example" in
  outputs w;
  Resolver.stop w.r ~now:w.now;
  run w;
  is "stopped" "no servers" (shown (outcome w c))

let other_servers () =
  let w = make [ (first, right ()); (second, right ~zone:[ Zone.a "v4.example" "10.2.0.4" ] ()) ] in
  Resolver.set_servers w.r [ first ];
  is "before" "10.1.0.4" (get w [ A ] "v4.example");
  Resolver.set_servers w.r [ second ];
  is "after" "10.2.0.4" (get w [ A ] "v4.example");
  Resolver.set_servers w.r (List.init 9 (fun _ -> third));
  Alcotest.(check int) "not all" Resolver.most_servers (List.length (Resolver.servers w.r))

let cases =
  [
    Suite.case "types of records" kinds;
    Suite.case "aliases, one at a time" link_by_link;
    Suite.case "the question's case" case_of_question;
    Suite.case "names that are not asked for" here;
    Suite.case "a dead server of two" dead_server;
    Suite.case "no server answers" all_dead;
    Suite.case "a server's port is closed" refusing_port;
    Suite.case "a slow server" slow_server;
    Suite.case "servers that fail" failing_servers;
    Suite.case "a server without EDNS" without_edns;
    Suite.case "a server that changes case" without_case;
    Suite.case "truncation" truncation;
    Suite.case "queries are shared and kept" joined;
    Suite.case "a thousand names" many;
    Suite.case "search domains" searching;
    Suite.case "the first family comes first" partly;
    Suite.case "cancelled and stopped" cancelled;
    Suite.case "other servers" other_servers;
  ]
