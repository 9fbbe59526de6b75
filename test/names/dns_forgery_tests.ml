(* What the resolver does not believe, and that no server holds it up. *)

open Weir_base
open Weir_wire
open Weir_drive
open Dns_world
module Suite = Weir_test.Suite
module Zone = Weir_sim.Dns_server

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
    Suite.case "forged answers" forgeries;
    Suite.case "answers from elsewhere" from_elsewhere;
    Suite.case "a flood of forged answers" flood;
    Suite.case "garbage" garbage;
    Suite.case "identifiers and cases" unpredictable;
    Suite.qcheck anything;
  ]
