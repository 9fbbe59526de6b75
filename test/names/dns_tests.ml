(* The resolver against servers that are functions, in virtual time. *)

open Weir_base
open Weir_wire
open Weir_drive
module Suite = Weir_test.Suite
module Zone = Weir_zone

let ip = Ipaddr.of_string_exn
let name = Zone.name
let first = ip "192.0.2.1"
let second = ip "192.0.2.2"
let third = ip "192.0.2.3"

let zone =
  [
    Zone.a "www.example" "10.1.0.1";
    Zone.a "www.example" "10.1.0.2";
    Zone.aaaa "www.example" "fd00::1";
    Zone.a "v4.example" "10.1.0.4";
    ("alias.example", 20, Dns.CNAME (name "other.example"));
    ("other.example", 60, Dns.CNAME (name "www.example"));
    ("loop.example", 60, Dns.CNAME (name "pool.example"));
    ("pool.example", 60, Dns.CNAME (name "loop.example"));
    ( "_http._tcp.example",
      60,
      SRV { priority = 1; weight = 2; port = 80; target = name "www.example" } );
    ("text.example", 60, TXT [ "one"; "two" ]);
    ("www.example", 60, MX { preference = 1; exchange = name "Mail.WWW.example" });
    ("1.0.1.10.in-addr.arpa", 60, PTR (name "www.example"));
    Zone.a "host.corp.example" "10.1.0.7";
  ]

(* What a server does with a query that came by UDP or TCP: what it sends back, and when. *)
type reply = Message of Time.t * Dns.t | Bytes of Time.t * string | Refuses
type server = stream:bool -> Dns.t -> reply list

let right ?(after = Time.ms 10) ?(zone = zone) () : server =
 fun ~stream query ->
  let payload = if stream then Some 65_535 else None in
  [ Message (after, Zone.answer ?payload zone query) ]

let silent : server = fun ~stream:_ _ -> []
let refusing : server = fun ~stream:_ _ -> [ Refuses ]

let code rcode : server =
 fun ~stream:_ q -> [ Message (Time.ms 10, { (Zone.answer [] q) with rcode; authority = [] }) ]

type happening = Answer of Resolver.channel * Ipaddr.t * string | Gone of Resolver.channel

type world = {
  r : Resolver.t;
  servers : (Ipaddr.t * server) list;
  mutable now : Time.t;
  mutable coming : (Time.t * int * happening) list;  (** earliest first *)
  mutable count : int;
  mutable sent : (Time.t * Ipaddr.t * bool * Dns.t) list;  (** the latest first *)
  mutable open_ : (Resolver.channel * bool) list;
  mutable most_open : int;
  mutable progress : (Resolver.request * Resolver.progress) list;  (** the latest first *)
}

let make ?search servers =
  let r = Resolver.create ~random:(Random.State.make [| Suite.seed () |]) in
  Resolver.set_servers r ?search (List.map fst servers);
  {
    r;
    servers;
    now = Time.s 1;
    coming = [];
    count = 0;
    sent = [];
    open_ = [];
    most_open = 0;
    progress = [];
  }

let come w at what =
  w.count <- w.count + 1;
  w.coming <- List.sort compare ((at, w.count, what) :: w.coming)

let decoded s =
  match Dns.decode (Bytes.of_string s) ~off:0 ~len:(String.length s) with
  | Ok m -> m
  | Error e -> Alcotest.failf "a query: %a" Error.pp e

let transmit w ~stream channel server message =
  w.open_ <- (channel, stream) :: w.open_;
  w.most_open <- Int.max w.most_open (List.length w.open_);
  let query = decoded message in
  w.sent <- (w.now, server, stream, query) :: w.sent;
  List.iter
    (function
      | Refuses -> come w (w.now + Time.ms 1) (Gone channel)
      | Message (after, m) -> come w (w.now + after) (Answer (channel, server, Dns.emit m))
      | Bytes (after, s) -> come w (w.now + after) (Answer (channel, server, s)))
    ((List.assoc server w.servers) ~stream query)

let rec outputs w =
  match Resolver.next w.r with
  | Idle -> ()
  | output ->
      (match output with
      | Idle -> ()
      | Datagram { channel; server; message } -> transmit w ~stream:false channel server message
      | Stream { channel; server; message } ->
          let n = String.length message - 2 in
          Alcotest.(check int) "length" n (String.get_uint16_be message 0);
          transmit w ~stream:true channel server (String.sub message 2 n)
      | Close c -> w.open_ <- List.remove_assoc c w.open_
      | Progress (r, p) -> w.progress <- (r, p) :: w.progress);
      outputs w

let happen w = function
  | Gone c -> Resolver.failed w.r ~now:w.now c
  | Answer (c, server, s) -> (
      match List.assoc_opt c w.open_ with
      | None -> ()
      | Some false ->
          Resolver.receive w.r ~now:w.now c ~from:(server, 53) (Bytes.of_string s)
            ~len:(String.length s)
      | Some true ->
          (* Byte by byte. *)
          let prefix = Bytes.create 2 in
          Bytes.set_uint16_be prefix 0 (String.length s);
          String.iter
            (fun byte -> Resolver.receive_stream w.r ~now:w.now c (Bytes.make 1 byte) ~len:1)
            (Bytes.to_string prefix ^ s))

(* Until nothing is due any more. *)
let rec run w =
  outputs w;
  let deadline = Resolver.deadline w.r in
  match w.coming with
  | (at, _, what) :: rest when at <= deadline ->
      w.coming <- rest;
      w.now <- Int.max w.now at;
      happen w what;
      run w
  | _ when deadline < Time.never ->
      w.now <- Int.max w.now deadline;
      Resolver.tick w.r ~now:w.now;
      run w
  | _ -> ()

let ask w kinds text =
  Resolver.ask w.r ~now:w.now kinds (Search_list.candidates (Resolver.search w.r) text)

let outcome w r =
  let all =
    List.filter_map (function s, Resolver.Done a when s == r -> Some a | _ -> None) w.progress
  in
  match all with
  | [ a ] -> a
  | [] -> Alcotest.fail "no answer"
  | _ -> Alcotest.fail "several answers"

let data (r : Dns.record) =
  match r.data with
  | A a -> Ipaddr.V4.to_string a
  | AAAA a -> Ipaddr.V6.to_string a
  | PTR n -> Domain_name.to_string n
  | SRV s ->
      Printf.sprintf "%d %d %d %s" s.priority s.weight s.port (Domain_name.to_string s.target)
  | TXT l -> String.concat " " l
  | MX m -> Domain_name.to_string m.exchange
  | _ -> "?"

let failure : Resolver.failure -> string = function
  | No_name -> "no name"
  | No_data -> "no data"
  | Server_failure -> "server failure"
  | Refused -> "refused"
  | No_answer -> "no answer"
  | No_servers -> "no servers"

let shown = function
  | Ok found -> String.concat " " (List.concat_map (fun (_, l) -> List.map data l) found)
  | Error e -> failure e

let get w kinds text =
  let r = ask w kinds text in
  run w;
  shown (outcome w r)

let is what want got = Alcotest.(check string) what want got
let queries w = List.length w.sent
let after w since = Time.to_float_s (w.now - since)

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

(* -- forgeries ----------------------------------------------------------------- *)

let evil : Dns.data = A (Ipaddr.V4.of_string_exn "66.66.66.66")

let forged (q : Dns.t) change =
  let question = List.hd q.questions in
  let answers = [ { Dns.name = question.name; class_ = 1; ttl = 9_999; data = evil } ] in
  Message (Time.ms 1, change { (Zone.answer zone q) with answers; authority = [] })

(* Each differs in one thing from what would be believed. *)
let liar changes : server =
 fun ~stream q ->
  let real = Message (Time.ms 10, Zone.answer ~payload:65_535 zone q) in
  if stream then [ real ] else List.map (forged q) changes @ [ real ]

let other_question (m : Dns.t) =
  let q = List.hd m.questions in
  { m with questions = [ { q with name = name "www.example" } ] }

let flipped (m : Dns.t) =
  let q = List.hd m.questions in
  let flip c =
    if Char.lowercase_ascii c = c then Char.uppercase_ascii c else Char.lowercase_ascii c
  in
  let name =
    Domain_name.of_strings_exn (List.map (String.map flip) (Domain_name.to_strings q.name))
  in
  { m with questions = [ { q with name } ] }

let forgeries () =
  let changes =
    [
      (fun (m : Dns.t) -> { m with id = m.id lxor 1 });
      (fun m -> { m with response = false });
      (fun m -> { m with opcode = 4 });
      (fun m -> { m with questions = [] });
      (fun m -> { m with questions = m.questions @ m.questions });
      other_question;
      flipped;
    ]
  in
  List.iter
    (fun change ->
      is "one forgery" "10.1.0.4" (get (make [ (first, liar [ change ]) ]) [ A ] "v4.example"))
    changes;
  (* What the server says of other names is not taken. *)
  let gossip : server =
   fun ~stream:_ q ->
    let m = Zone.answer zone q in
    let more = { Dns.name = name "www.example"; class_ = 1; ttl = 999; data = evil } in
    [ Message (Time.ms 1, { m with answers = m.answers @ [ more ]; additional = [ more ] }) ]
  in
  let w = make [ (first, gossip) ] in
  is "asked for" "10.1.0.4" (get w [ A ] "v4.example");
  Alcotest.(check bool)
    "not kept" true
    (Dns_cache.find (Resolver.cache w.r) ~now:w.now (name "www.example") A = None)

let from_elsewhere () =
  let w = make [ (first, silent) ] in
  let r = ask w [ A ] "v4.example" in
  outputs w;
  let c, _ = List.hd w.open_ and _, _, _, q = List.hd w.sent in
  let answer =
    match forged q Fun.id with Message (_, m) -> Bytes.of_string (Dns.emit m) | _ -> assert false
  in
  let hear from = Resolver.receive w.r ~now:w.now c ~from answer ~len:(Bytes.length answer) in
  hear (second, 53);
  hear (first, 54);
  outputs w;
  Alcotest.(check int) "not believed" 0 (List.length w.progress);
  hear (first, 53);
  outputs w;
  is "the server itself" "66.66.66.66" (shown (outcome w r))

(* Off the path, a forger guesses: after some guesses the resolver asks by TCP. *)
let flood () =
  let guesses = List.init 500 (fun i (m : Dns.t) -> { m with id = (m.id + 1 + i) land 0xffff }) in
  let w = make [ (first, liar guesses) ] in
  is "the real answer" "10.1.0.4" (get w [ A ] "v4.example");
  Alcotest.(check (list bool))
    "by TCP" [ false; true ]
    (List.rev_map (fun (_, _, s, _) -> s) w.sent)

let garbage () =
  let pointers = "\x00\x00\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00\xc0\x0c" in
  let bad : server =
   fun ~stream q ->
    let id = Bytes.create 2 in
    Bytes.set_uint16_be id 0 q.id;
    let lying = Bytes.to_string id ^ String.sub pointers 2 (String.length pointers - 2) in
    if stream then [ Bytes (Time.ms 1, lying) ]
    else
      [
        Bytes (Time.ms 1, ""); Bytes (Time.ms 1, lying); Bytes (Time.ms 2, String.make 1_232 '\xff');
      ]
  in
  is "nothing of it" "no answer" (get (make [ (first, bad) ]) [ A ] "v4.example");
  is "another server" "10.1.0.4"
    (get (make [ (first, bad); (second, right ()) ]) [ A ] "v4.example")

let unpredictable () =
  let w = make [ (first, right ()) ] in
  for i = 1 to 200 do
    ignore (get w [ A ] (Printf.sprintf "host%d-and-a-long-name.example" i) : string)
  done;
  let ids = List.map (fun (_, _, _, (q : Dns.t)) -> q.id) w.sent in
  if List.length (List.sort_uniq compare ids) < 190 then Alcotest.fail "identifiers repeat";
  let upper = List.fold_left (fun n id -> if id land 1 = 1 then n + 1 else n) 0 ids in
  if upper < 60 || upper > 140 then Alcotest.failf "%d of 200 are odd" upper;
  let cases =
    List.map
      (fun (_, _, _, (q : Dns.t)) ->
        let s = Domain_name.to_string (List.hd q.questions).name in
        String.map
          (fun c -> if Char.uppercase_ascii c = c then 'U' else 'l')
          (String.sub s (String.length s - 15) 15))
      w.sent
  in
  if List.length (List.sort_uniq compare cases) < 190 then Alcotest.fail "cases repeat"

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

(* -- the cache --------------------------------------------------------------------- *)

let cache () =
  let c = Dns_cache.create () in
  let record ?(ttl = 60) n : Dns.record =
    { name = name n; class_ = 1; ttl; data = TXT [ String.make 200 'x' ] }
  in
  for i = 1 to 10_000 do
    let n = Printf.sprintf "h%d.example" i in
    Dns_cache.add c ~now:0 ~seconds:60 (name n) TXT (Ok [ record n ])
  done;
  if Dns_cache.length c > Dns_cache.most_entries then
    Alcotest.failf "%d entries" (Dns_cache.length c);
  let n = name "big.example" in
  for i = 1 to 100 do
    Dns_cache.add c ~now:0 ~seconds:60
      (name (Printf.sprintf "b%d.example" i))
      TXT
      (Ok (List.init 300 (fun _ -> record "b.example")))
  done;
  if Dns_cache.bytes c > Dns_cache.most_bytes then Alcotest.failf "%d bytes" (Dns_cache.bytes c);
  Dns_cache.add c ~now:0 ~seconds:60 n TXT (Ok (List.init 3_000 (fun _ -> record "big.example")));
  Alcotest.(check bool) "too big" true (Dns_cache.find c ~now:0 n TXT = None);
  Dns_cache.add c ~now:0 ~seconds:0 n TXT (Ok [ record "big.example" ]);
  Alcotest.(check bool) "0 seconds" true (Dns_cache.find c ~now:0 n TXT = None);
  Dns_cache.add c ~now:0 ~seconds:10 n TXT (Ok [ record "big.example" ]);
  (match Dns_cache.find c ~now:(Time.ms 2_500) (name "BIG.example") TXT with
  | Some (Ok [ r ]) -> Alcotest.(check int) "seconds left" 8 r.ttl
  | _ -> Alcotest.fail "not found");
  Alcotest.(check bool) "over" true (Dns_cache.find c ~now:(Time.s 10) n TXT = None)

let times () =
  let answer ?(authority = []) answers : Dns.t =
    {
      (Zone.answer [] (Dns.query ~id:1 ~edns:None A (name "a.example"))) with
      rcode = 0;
      answers;
      authority;
    }
  in
  let read m = Dns_answer.read m (name "a.example") A in
  let a ttl : Dns.record = { name = name "A.example"; class_ = 1; ttl; data = evil } in
  let seconds m = match read m with Found f -> f.seconds | _ -> -1 in
  Alcotest.(check int) "the least" 5 (seconds (answer [ a 9; a 5 ]));
  Alcotest.(check int) "at most a day" 86_400 (seconds (answer [ a 0x7fff_ffff ]));
  Alcotest.(check int) "negative" 0 (seconds (answer [ a 0x8000_0000 ]));
  let n = name "example" in
  let soa ttl minimum : Dns.record =
    {
      name = n;
      class_ = 1;
      ttl;
      data =
        SOA { server = n; mailbox = n; serial = 1; refresh = 1; retry = 1; expire = 1; minimum };
    }
  in
  let absent ?(rcode = 0) authority = read { (answer ~authority []) with rcode } in
  Alcotest.(check bool) "no data" true (absent [ soa 100 30 ] = No_data (Some 30));
  Alcotest.(check bool) "no name" true (absent ~rcode:3 [ soa 20 30 ] = No_name (Some 20));
  Alcotest.(check bool) "at most an hour" true (absent [ soa 99_999 99_999 ] = No_data (Some 3_600));
  Alcotest.(check bool) "not kept" true (absent [] = No_data None);
  let ns : Dns.record = { name = n; class_ = 1; ttl = 9; data = NS n } in
  Alcotest.(check bool) "a referral" true (absent [ ns ] = Failed Server_failure)

(* Whatever servers say: every request is answered once, in bounded time, with bounded sockets. *)
let anything =
  let open QCheck2.Gen in
  let behaviour = int_bound 9 in
  QCheck2.Test.make ~count:300 ~name:"any servers, any answers"
    (pair (list_size (int_range 1 4) behaviour) (list_size (int_range 1 8) (int_bound 5)))
    (fun (servers, names) ->
      let state = Random.State.make [| Hashtbl.hash (servers, names) |] in
      let server n : server =
       fun ~stream q ->
        match n with
        | 0 -> silent ~stream q
        | 1 -> refusing ~stream q
        | 2 -> code Dns.server_failure ~stream q
        | 3 -> right ~after:(Time.ms (Random.State.int state 6_000)) () ~stream q
        | 4 -> [ Message (Time.ms 3, { (Zone.answer zone q) with truncated = true }) ]
        | 5 ->
            [ Bytes (Time.ms 3, String.init 40 (fun _ -> Char.chr (Random.State.int state 256))) ]
        | 6 ->
            liar
              (List.init 20 (fun i (m : Dns.t) -> { m with id = (m.id + 1 + i) land 0xffff }))
              ~stream q
        | 7 -> if Random.State.bool state then [] else right () ~stream q
        | 8 -> code (Random.State.int state 16) ~stream q
        | _ -> right () ~stream q
      in
      let servers =
        List.mapi (fun i n -> (ip (Printf.sprintf "192.0.2.%d" (i + 1)), server n)) servers
      in
      let w = make servers in
      let texts =
        [|
          "www.example";
          "alias.example";
          "loop.example";
          "nobody.example";
          "v4.example";
          "text.example";
        |]
      in
      let all = List.map (fun i -> ask w [ AAAA; A ] texts.(i)) names in
      let since = w.now in
      run w;
      List.iter
        (fun r ->
          match outcome w r with
          | Ok found ->
              if
                List.exists
                  (fun (_, l) -> List.exists (fun (r : Dns.record) -> r.data = evil) l)
                  found
              then QCheck2.Test.fail_report "believed"
          | Error _ -> ())
        all;
      w.open_ = [] && after w since < 600. && Resolver.queries w.r = 0)

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
    Suite.case "forged answers" forgeries;
    Suite.case "answers from elsewhere" from_elsewhere;
    Suite.case "a flood of forged answers" flood;
    Suite.case "garbage" garbage;
    Suite.case "identifiers and cases" unpredictable;
    Suite.case "queries are shared and kept" joined;
    Suite.case "a thousand names" many;
    Suite.case "search domains" searching;
    Suite.case "the first family comes first" partly;
    Suite.case "cancelled and stopped" cancelled;
    Suite.case "other servers" other_servers;
    Suite.case "the cache's bounds" cache;
    Suite.case "how long answers are valid" times;
    Suite.qcheck anything;
  ]
