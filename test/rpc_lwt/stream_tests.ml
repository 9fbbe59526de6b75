(* Calls with streams, between all pairs of drivers. *)

open Eio.Std
open Weir_rpc
open World
open Pair
module Suite = Weir_test.Suite
module Codec = Weir_message.Codec

let string name = Method.make name Codec.string Codec.string
let number = Methods.number
let count = Method.Download (Method.make "count" number number)
let sum = Method.Upload (Method.make "sum" number number)
let mirror = Method.Exchange (string "mirror")
let echo = Methods.echo

let outcome e =
  match e with Ok _ -> Alcotest.fail "it ended well" | Error (e : Error.t) -> Error.to_string e

let check_fails what want got = Alcotest.(check string) what want (outcome got)

(* Adds up what [receive] gives. *)
let rec total ?(pause = ignore) receive sofar =
  match receive () with
  | None -> sofar
  | Some n ->
      pause 1;
      total ~pause receive (sofar + n)

let handlers ~pause =
  let rec mirrored receive send =
    match receive () with
    | None -> ()
    | Some v ->
        send v;
        mirrored receive send
  in
  [
    Service.Download (count, fun n send -> for i = 1 to n do send i done);
    Upload (sum, fun receive -> total ~pause receive 0);
    Exchange (mirror, mirrored);
    Handler (echo, Fun.id);
  ] [@@ocamlformat "disable"]

(* {1 What goes through} *)

let in_order drivers =
  joined drivers handlers @@ fun j ->
  let c = j.client in
  let seen = ref 0 in
  let next ~pause:_ i =
    incr seen;
    Alcotest.(check int) "in order" !seen i
  in
  got (c.download count 20_000 next);
  Alcotest.(check int) "all" 20_000 !seen;
  got (c.download count 0 (fun ~pause:_ _ -> Alcotest.fail "of none"));
  let send ~pause:_ send = for i = 1 to 20_000 do assert (send i) done in
  Alcotest.(check int) "sum" 200_010_000 (got (c.upload sum send));
  Alcotest.(check int) "of none" 0 (got (c.upload sum (fun ~pause:_ _ -> ())));
  let texts = List.init 2_000 (fun i -> String.make (i * 7 mod 300) 'x') in
  let one_by_one { send; receive; _ } =
    List.iter (fun s ->
        assert (send s);
        Alcotest.(check (option string)) "back" (Some s) (receive ())) texts
  in
  got (c.exchange mirror one_by_one);
  let all s =
    let rec rest acc = match s.receive () with None -> List.rev acc | Some v -> rest (v :: acc) in
    assert (s.send "a" && s.send "b");
    s.finish ();
    s.finish ();
    rest []
  in
  Alcotest.(check (list string)) "until the end" [ "a"; "b" ] (got (c.exchange mirror all));
  end_well j
  [@@ocamlformat "disable"]

(* {1 Credit} *)

let narrow = { Limits.default with window = 2_000; unsent = 3_000 }

(* No more than a window, and what is on its way, lies between the two ends. *)
let slow_client drivers =
  let sent = ref 0 in
  let chunk = String.make 100 'c' in
  let pour = Method.Download (Method.make "pour" number Codec.string) in
  let handlers ~pause:_ =
    let answer n send =
      for _ = 1 to n do
        send chunk;
        incr sent
      done
    in
    [ Service.Download (pour, answer) ]
  in
  joined ~client_limits:narrow ~limits:narrow drivers handlers @@ fun j ->
  let taken = ref 0 and most = ref 0 in
  let slowly ~pause _ =
    pause (ms 1);
    most := Int.max !most (!sent - !taken);
    incr taken
  in
  got (j.client.download pour 500 slowly);
  Alcotest.(check int) "all" 500 !taken;
  (* 2,000 / (100 + 32) *)
  if !most > 16 then Alcotest.failf "%d messages were under way" !most;
  end_well j

let slow_server drivers =
  let taken = ref 0 in
  let handlers ~pause =
    let rec answer receive =
      match receive () with
      | None -> !taken
      | Some (_ : string) ->
          pause (ms 1);
          incr taken;
          answer receive
    in
    [ Service.Upload (Method.Upload (Method.make "take" Codec.string number), answer) ]
  in
  joined ~client_limits:narrow ~limits:narrow drivers handlers @@ fun j ->
  let most = ref 0 in
  let fast ~pause:_ send =
    for i = 1 to 500 do
      assert (send (String.make 100 'c'));
      most := Int.max !most (i - !taken)
    done
  in
  let m = Method.Upload (Method.make "take" Codec.string number) in
  Alcotest.(check int) "all" 500 (got (j.client.upload m fast));
  if !most > 16 then Alcotest.failf "%d messages were under way" !most;
  end_well j

(* Both send and nobody takes: only they wait, and no longer than they may. *)
let stalled drivers =
  let deaf = Method.Exchange (string "deaf") in
  let handlers ~pause =
    let answer _ send =
      for _ = 1 to 1_000 do
        send (String.make 100 'd')
      done
    in
    Service.Exchange (deaf, answer) :: handlers ~pause
  in
  joined ~client_limits:narrow ~limits:narrow drivers handlers @@ fun j ->
  let stalled =
    Fiber.fork_promise ~sw:j.world.sw (fun () ->
        j.client.exchange ~timeout_ns:(s 5) deaf (fun { send; _ } ->
            for _ = 1 to 1_000 do
              ignore (send (String.make 100 's'))
            done))
  in
  sleep j.world.mono (s 1);
  Alcotest.(check string) "others go on" "x" (got (j.client.call echo "x"));
  got (j.client.download count 1_000 (fun ~pause:_ _ -> ()));
  Alcotest.(check int) "meanwhile" (s 1) (now j.world.mono);
  check_fails "it does not" "no answer came in time" (Promise.await_exn stalled);
  Alcotest.(check int) "at its time" (s 5) (now j.world.mono);
  Alcotest.(check string) "its turn is back" "y" (got (j.client.call echo "y"));
  end_well j

(* {1 Ends} *)

let failing = Method.Exchange (Method.make "failing" number number)

let early drivers =
  let cancelled = ref 0 in
  let first = Method.Upload (Method.make "first" number number) in
  let handlers ~pause =
    let fails receive send =
      match receive () with
      | Some 0 -> raise Exit
      | Some 1 ->
          send 1;
          send 2;
          Failure.fail (Application 5) "enough"
      | _ -> (
          try
            for i = 1 to 1_000_000 do
              send i;
              pause (ms 1)
            done
          with e ->
            incr cancelled;
            raise e)
    in
    [
      Service.Exchange (failing, fails);
      Upload (first, fun receive -> Option.get (receive ()));
    ]
    @ handlers ~pause
  in
  joined ~client_limits:narrow ~limits:narrow drivers handlers @@ fun j ->
  let c = j.client in
  let run n f = c.exchange failing (fun s -> ignore (s.send n); f s) in
  let ignored = ref [] in
  let rec drain acc s = match s.receive () with None -> acc | Some v -> drain (v :: acc) s in
  check_fails "raised" "internal failure" (run 0 (drain []));
  check_fails "failed" "failure 5: enough" (run 1 (fun s -> ignored := drain [] s));
  Alcotest.(check (list int)) "what came before" [ 2; 1 ] !ignored;
  (* The server answers while requests still come. *)
  let refused = ref 0 in
  let on_and_on ~pause send =
    for i = 7 to 1_000 do
      pause 1_000;
      if not (send i) then incr refused
    done
  in
  Alcotest.(check int) "answered early" 7 (got (c.upload first on_and_on));
  if !refused < 900 then Alcotest.failf "%d refused only" !refused;
  (* The client takes no more: the rest is not in the server's way. *)
  got (c.exchange mirror (fun { send; _ } -> for _ = 1 to 20 do ignore (send (String.make 50 'm')) done));
  (* It raises: the handler is cancelled. *)
  (match run 2 (fun s -> ignore (s.receive ()); failwith "mine") with
  | _ -> Alcotest.fail "it went on"
  | exception Failure.Failed _ -> Alcotest.fail "another"
  | exception Stdlib.Failure why -> Alcotest.(check string) "passes" "mine" why);
  let before = now j.world.mono in
  Alcotest.(check string) "and all goes on" "x" (got (c.call echo "x"));
  Alcotest.(check int) "its handler is cancelled" 1 !cancelled;
  Alcotest.(check int) "at once" before (now j.world.mono);
  end_well j
  [@@ocamlformat "disable"]

(* What the other side cannot read, or cannot take. *)
let wrong_messages drivers =
  let huge = Method.Download (Method.make "huge" number Codec.string) in
  let handlers ~pause =
    Service.Download (huge, fun n send -> send (String.make n 'h')) :: handlers ~pause
  in
  joined ~client_limits:narrow ~limits:narrow drivers handlers @@ fun j ->
  let c = j.client in
  let texts = Method.Download (Method.make "huge" number number) in
  check_fails "no number" "the answer cannot be decoded: number: no number"
    (c.download texts 10 (fun ~pause:_ _ -> ()));
  let as_text = Method.Upload (Method.make "sum" Codec.string number) in
  check_fails "nor there" "undecodable request: number: no number"
    (c.upload as_text (fun ~pause:_ send -> ignore (send "12x")));
  let fits = (narrow.window / 2) - Stream.overhead in
  let length = ref 0 in
  got (c.download huge fits (fun ~pause:_ s -> length := String.length s));
  Alcotest.(check int) "as long as may be" fits !length;
  check_fails "a byte more" "answer too large: a stream's message: the limit is 968 bytes"
    (c.download huge (fits + 1) (fun ~pause:_ _ -> ()));
  let one n = c.exchange mirror (fun s -> ignore (s.send (String.make n 'x')); s.receive ()) in
  Alcotest.(check (option string)) "to there" (Some (String.make fits 'x')) (got (one fits));
  check_fails "a byte more to there" "the request is longer than the server's limit, 968 bytes"
    (one (fits + 1));
  let shouted = Method.Download (Method.make "count" (Codec.string) number) in
  check_fails "a long request" "the request is longer than the server's limit, 4048 bytes"
    (c.download shouted (String.make 5_000 '1') (fun ~pause:_ _ -> ()));
  (* Called otherwise than they are. *)
  let other = ": the method has other streams" in
  check_fails "single" ("unknown method: count" ^ other) (c.call (string "count") "3");
  check_fails "down" ("unknown method: echo" ^ other)
    (c.download (Method.Download echo) "3" (fun ~pause:_ _ -> ()));
  check_fails "both" ("unknown method: sum" ^ other)
    (c.exchange (Method.Exchange (string "sum")) (fun s -> s.receive ()));
  Alcotest.(check string) "and all goes on" "x" (got (c.call echo "x"));
  end_well j
  [@@ocamlformat "disable"]

let given_up drivers =
  joined ~client_limits:narrow ~limits:{ narrow with calls = 2 } drivers handlers @@ fun j ->
  let c = j.client in
  let endless { send; receive; pause; _ } =
    while true do
      ignore (send "x");
      ignore (receive ());
      pause (ms 10)
    done
  in
  check_fails "timed out" "no answer came in time" (c.exchange ~timeout_ns:(s 1) mirror endless);
  Fiber.first (fun () -> ignore (c.exchange mirror endless)) (fun () -> sleep j.world.mono (s 1));
  Alcotest.(check int) "in time" (s 2) (now j.world.mono);
  ignore (c.download ~timeout_ns:(s 1) count 1_000_000 (fun ~pause _ -> pause (s 1)));
  Alcotest.(check string) "and all goes on" "x" (got (c.call echo "x"));
  end_well j

(* The connection ends under them. *)
let cut drivers =
  joined drivers handlers @@ fun j ->
  let c = j.client in
  let last = ref (Some "") and sent = ref true in
  let waiting =
    Fiber.fork_promise ~sw:j.world.sw (fun () ->
        c.exchange mirror (fun { receive; send; _ } ->
            last := receive ();
            sent := send "late"))
  in
  sleep j.world.mono (s 1);
  j.server.shutdown ~grace_ns:(s 1);
  check_fails "over" "the connection is over: the peer ended it" (Promise.await_exn waiting);
  Alcotest.(check (option string)) "its end" None !last;
  Alcotest.(check bool) "no more" false !sent;
  Alcotest.check ending "cut" Stopped (j.served ())

(* {1 Many at once, at random} *)

let random drivers =
  let rng = Random.State.make [| Suite.seed (); 31 |] in
  let int n = Random.State.int rng n in
  for _ = 1 to Suite.iterations 15 do
    let limits () =
      {
        Limits.default with
        window = 2_048 + int 3_000;
        unsent = 1 + int 3_000;
        calls = 1 + int 12;
      }
    in
    joined ~client_limits:(limits ()) ~limits:(limits ()) ~capacity:(1 + int 2_000) drivers handlers
    @@ fun j ->
    let c = j.client in
    let one i =
      let n = int 60 in
      match i mod 5 with
      | 0 ->
          let seen = ref 0 in
          got (c.download count n (fun ~pause:_ _ -> incr seen));
          Alcotest.(check int) "all" n !seen
      | 1 ->
          let send ~pause:_ send = for i = 1 to n do assert (send i) done in
          Alcotest.(check int) "sum" (n * (n + 1) / 2) (got (c.upload sum send))
      | 2 ->
          let texts = List.init n (fun k -> String.make (int 900) (Char.chr (65 + (k mod 26)))) in
          (* Not all are taken back. *)
          let take = int (n + 1) in
          let some s =
            List.iteri (fun k v ->
                if k < take then begin
                  assert (s.send v);
                  if s.receive () <> Some v then Alcotest.fail "another's"
                end
                else if k = take then ignore (s.send v)) texts
          in
          got (c.exchange mirror some)
      | 3 ->
          ignore
            (c.exchange ~timeout_ns:(1 + int 100) mirror (fun s ->
                 while s.send "until then" do
                   ignore (s.receive ());
                   s.pause (int 30)
                 done))
      | _ ->
          let text = String.make (int 900) 'u' in
          Alcotest.(check string) "its own" text (got (c.call echo text))
    in
    Fiber.List.iter one (List.init 40 Fun.id);
    end_well j
  done
  [@@ocamlformat "disable"]

let tests =
  [
    ("what goes through", each "in order" in_order);
    ( "credit",
      each "a slow client" slow_client @ each "a slow server" slow_server @ each "stalled" stalled
    );
    ( "their ends",
      each "early" early
      @ each "wrong messages" wrong_messages
      @ each "given up" given_up @ each "cut" cut );
    ("many streams", each "at random" random);
  ]
