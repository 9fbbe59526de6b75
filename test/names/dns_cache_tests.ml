(* What the resolver keeps of answers, and for how long. *)

open Weir_base
open Weir_wire
open Weir_drive
open Dns_world
module Suite = Weir_test.Suite
module Zone = Weir_sim.Dns_server

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

let cases = [ Suite.case "the cache's bounds" cache; Suite.case "how long answers are valid" times ]
