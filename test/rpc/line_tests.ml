(* Those who wait: for turns, for the server's limits, and for their last answers. *)

open Weir_rpc
module Suite = Weir_test.Suite
open Joined

let names = Alcotest.(list string)

let turns () =
  let t = Turns.create 2 in
  let came = ref [] in
  let join name = Turns.join t (fun () -> came := name :: !came) in
  let a = join "a" and b = join "b" and c = join "c" and d = join "d" and e = join "e" in
  Alcotest.(check (list bool)) "two" [ true; true; false; false; false ]
    (List.map Turns.has [ a; b; c; d; e ]);
  Turns.leave t d;
  Turns.leave t a;
  Turns.leave t a;
  Alcotest.check names "the next" [ "c" ] !came;
  Turns.leave t b;
  Alcotest.check names "not who left" [ "e"; "c" ] !came;
  Turns.leave t c;
  Turns.leave t e;
  Alcotest.(check bool) "free again" true (Turns.has (join "f") && Turns.has (join "g"));
  Alcotest.(check bool) "both" false (Turns.has (join "h"))
  [@@ocamlformat "disable"]

(* A machine with its line, and callers that note what happens. *)
let line ?(limits = small) () =
  let t = create ~client:limits () in
  (t, Waiting.create limits t.caller, ref [])

let caller ?(encode = ignore) (t, w, log) name =
  let note what = log := (what ^ name) :: !log in
  let place = Waiting.place w in
  let rec on_turn () =
    match
      Waiting.send w place ~timeout_us:0 name
        (fun out ->
          encode ();
          Weir_message.Output.add_string out name)
        (fun a -> note (match a with Ok _ -> "=" | Error _ -> "!"))
    with
    | Sent -> note "+"
    | Not_yet -> Waiting.enter w place on_turn
    | Over _ -> note "-"
  in
  Waiting.enter w place on_turn;
  ignore t;
  place

let log (_, _, l) =
  let all = List.rev !l in
  l := [];
  all

let receive (t, w, _) =
  downward t;
  Waiting.advance w

let answer l id =
  let t, _, _ = l in
  ignore (upward t);
  reply t id "";
  receive l

let in_line () =
  let l = line () in
  let _, w, _ = l in
  let places = List.map (caller l) [ "a"; "b"; "c"; "d"; "e"; "f"; "g"; "h" ] in
  Alcotest.check names "nothing before the hello" [] (log l);
  Waiting.give_up w (List.nth places 1);
  receive l;
  Alcotest.check names "as many as the server takes" [ "+a"; "+c"; "+d"; "+e" ] (log l);
  Waiting.give_up w (List.nth places 5);
  answer l 1;
  Alcotest.check names "the next that still waits" [ "=a"; "+g" ] (log l);
  (* Given up under way: its turn comes back with the answer, which nobody hears. *)
  Waiting.give_up w (List.nth places 2);
  Alcotest.check names "not yet" [] (log l);
  answer l 2;
  Alcotest.check names "now" [ "+h" ] (log l);
  let t, _, _ = l in
  Caller.stop t.caller;
  ignore (caller l "i");
  Alcotest.check names "no more" [ "-i" ] (log l);
  Alcotest.(check bool) "some are under way" false (Caller.may_end t.caller);
  List.iter (answer l) [ 3; 4; 5; 6 ];
  Alcotest.(check bool) "all are answered" true (Caller.may_end t.caller)

(* Large requests go one by one, as there is room. *)
let room () =
  let l = line ~limits:{ small with unsent = 5 } () in
  let t, w, _ = l in
  receive l;
  ignore (Outbox.take (Caller.outbox t.caller));
  ignore (List.map (caller l) [ "a"; "b"; "c" ]);
  Alcotest.check names "one" [ "+a" ] (log l);
  ignore (Outbox.take (Caller.outbox t.caller));
  Waiting.advance w;
  Alcotest.check names "the next" [ "+b" ] (log l);
  Caller.close t.caller Ended;
  Waiting.advance w;
  Alcotest.check names "all hear of the end" [ "!a"; "!b"; "-c" ] (List.sort compare (log l))

type _ Effect.t += Pause : unit Effect.t

(* [f ()] until it pauses; what goes on with it. *)
let until_pause f =
  let rest : (unit, unit) Effect.Deep.continuation option ref = ref None in
  Effect.Deep.match_with f ()
    {
      retc = ignore;
      exnc = raise;
      effc =
        (fun (type a) (e : a Effect.t) ->
          match e with
          | Pause -> Some (fun (k : (a, unit) Effect.Deep.continuation) -> rest := Some k)
          | _ -> None);
    };
  Effect.Deep.continue (Option.get !rest)

(* One whose encoder waits holds up no other, at whatever moment it got its turn. *)
let waiting_encoder () =
  let l = line () in
  let pausing () = Effect.perform Pause in
  ignore (caller l "a");
  ignore (caller ~encode:pausing l "b");
  ignore (caller l "c");
  let b = until_pause (fun () -> receive l) in
  Alcotest.check names "the first" [ "+a" ] (log l);
  ignore (caller l "d");
  Alcotest.check names "those who came later too" [ "+c"; "+d" ] (log l);
  b ();
  Alcotest.check names "and then it" [ "+b" ] (log l);
  answer l 1;
  answer l 2;
  answer l 3;
  Alcotest.check names "each its own answer" [ "=a"; "=c"; "=d" ] (log l)

let goodbye () =
  let t = greeted () in
  let got = ref [] in
  ignore (call t "m" "" got);
  ignore (upward t);
  Alcotest.(check bool) "it would be gone" true (Callee.abandoned t.callee);
  Caller.stop t.caller;
  Caller.stop t.caller;
  Alcotest.(check bool) "goodbye" true (upward t = []);
  Alcotest.(check bool) "it would wait" false (Callee.abandoned t.callee);
  reply t 1 "";
  downward t;
  Alcotest.(check bool) "answered" true (Caller.may_end t.caller);
  Alcotest.(check bool) "and none runs" false (Callee.abandoned t.callee);
  let late = feed t.up (fun f -> Result.map ignore (Callee.input t.callee f)) in
  Alcotest.(check (result unit string)) "no call after it" (Error "a call after goodbye")
    (late (frame "\001\009\000\001m"));
  (* A server's goodbye is answered with one. *)
  let t = greeted () in
  Callee.drain t.callee;
  downward t;
  Alcotest.(check string) "goodbye" (frame "\005") (sent (Caller.outbox t.caller))
  [@@ocamlformat "disable"]

let texts () =
  let check what want e = Alcotest.(check string) what want (Weir_rpc.Error.to_string e) in
  check "remote" "failure 3: why" (Remote (Failure.make (Application 3) "why"));
  check "closed" "the connection is over: it was closed here" (Closed Stopped);
  Alcotest.(check string)
    "ending" "the peer ended the stream with calls unanswered"
    (Weir_rpc.Error.ending_to_string Abandoned);
  Alcotest.(check string) "failure" "timed out" (Failure.to_string (Failure.make Timed_out ""))

let times () =
  let module D = Deadline in
  let never = Weir_base.Time.never in
  let check what want got = Alcotest.(check int) what want got in
  check "after" 15 (D.after ~now:5 10);
  check "negative" 5 (D.after ~now:5 (-10));
  check "never" never (D.after ~now:5 max_int);
  check "none left" 1 (D.left_us ~now:(fun () -> 5_000_000) 4_000);
  check "left" 4_000 (D.left_us ~now:(fun () -> 1_000_000) 5_000_000);
  check "for ever" 0 (D.left_us ~now:(fun () -> 5) never);
  check "the server's" 7 (D.allowed_ns ~limit_ns:7 ~timeout_us:1);
  check "the client's" 1_000 (D.allowed_ns ~limit_ns:7_000 ~timeout_us:1);
  check "neither" never (D.allowed_ns ~limit_ns:never ~timeout_us:0);
  check "absurd" 7 (D.allowed_ns ~limit_ns:7 ~timeout_us:max_int)

let tests =
  [
    ( "lines",
      [
        Suite.case "turns" turns;
        Suite.case "the server's limits" in_line;
        Suite.case "room" room;
        Suite.case "an encoder that waits" waiting_encoder;
        Suite.case "goodbye" goodbye;
        Suite.case "texts" texts;
        Suite.case "times" times;
      ] );
  ]
