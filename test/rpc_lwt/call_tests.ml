open Lwt.Syntax
open Weir_rpc
open Weir_rpc_lwt
open World
open Methods
module Suite = Weir_test.Suite
module Codec = Weir_message.Codec

let plain () =
  over_pipe handlers @@ fun t ->
  let* hello = get (Client.call t.client echo "hello") in
  Alcotest.(check string) "echo" "hello" hello;
  let* nothing = get (Client.call t.client echo "") in
  Alcotest.(check string) "nothing" "" nothing;
  let large = String.init 3_000_000 (fun i -> Char.chr (i land 255)) in
  let* back = get (Client.call t.client echo large) in
  Alcotest.(check bool) "large" true (back = large);
  end_well t

let bad = { Codec.string with encode = (fun _ _ -> raise Exit) }

let failures () =
  let reported = ref [] in
  let handlers clock =
    Server.Handler (Method.make "bad" Codec.string bad, Lwt.return) :: handlers clock
  in
  over_pipe ~report:(fun name e -> reported := (name, e) :: !reported) handlers @@ fun t ->
  let remote what code m r = Lwt.map (check_remote what code) (Client.call t.client m r) in
  let* () = remote "typed" (Application 3) fail "typed" in
  let* () = remote "late" (Application 4) fail "late" in
  let* () = remote "exception" Internal fail "exception" in
  let* () = remote "rejected" Internal fail "rejected" in
  let* () = remote "internal" Internal fail "internal" in
  Alcotest.(check (list string)) "surprises" [ "fail"; "fail" ] (List.map fst !reported);
  let* () = remote "unencodable" Internal (Method.make "bad" Codec.string Codec.string) "x" in
  let* () = remote "unknown" Unknown_method (Method.make "none" Codec.unit Codec.unit) () in
  let* () = remote "undecodable" Undecodable (Method.make "wait" Codec.string Codec.unit) "x" in
  let* r = get (Client.call t.client divide 0) in
  Alcotest.(check (result int string)) "an error of its own type" (Error "by zero") r;
  let* r = Client.call t.client (Method.make "echo" Codec.string number) "x" in
  (match r with
  | Error (Undecodable "number: no number") -> ()
  | _ -> Alcotest.fail "an answer of another type");
  let* () =
    Lwt.try_bind
      (fun () -> Client.call t.client (Method.make "echo" bad Codec.string) "x")
      (fun _ -> Alcotest.fail "encoded")
      (function Exit -> Lwt.return_unit | e -> Lwt.fail e)
  in
  let* x = get (Client.call t.client echo "x") in
  Alcotest.(check string) "and all goes on" "x" x;
  end_well t

let too_large () =
  let limits = { Limits.default with message = 10_000 } in
  over_pipe ~limits ~client_limits:{ limits with message = 5_000 } handlers @@ fun t ->
  let call n = Client.call t.client echo (String.make n 'x') in
  let* r = call 10_000 in
  Alcotest.(check (result string error)) "a request" (Error (Too_large 10_000)) r;
  let* () = Lwt.map (check_remote "an answer" Too_large) (call 9_000) in
  let* r = get (call 4_000) in
  Alcotest.(check int) "neither" 4_000 (String.length r);
  end_well t

(* {1 Many} *)

let many () =
  let running = ref 0 and most = ref 0 and order = ref [] in
  let m = Method.make "double" number number in
  let handlers (clock : Clock.t) =
    let answer n =
      incr running;
      most := Int.max !most !running;
      let+ () = clock.sleep (ms (1 + (n * 7919 mod 100))) in
      decr running;
      order := n :: !order;
      n * 2
    in
    [ Server.Handler (m, answer) ]
  in
  over_pipe ~limits:{ Limits.default with calls = 40 } ~concurrency:33 handlers @@ fun t ->
  let one fiber =
    let rec go i =
      if i = 10 then Lwt.return_unit
      else
        let n = (fiber * 10) + i in
        let* r = get (Client.call t.client m n) in
        Alcotest.(check int) "its own answer" (2 * n) r;
        go (i + 1)
    in
    go 0
  in
  let* () = Lwt.join (List.init 100 one) in
  let order = List.rev !order in
  Alcotest.(check int) "all" 1_000 (List.length (List.sort_uniq compare order));
  Alcotest.(check bool) "out of order" true (order <> List.sort compare order);
  Alcotest.(check int) "as many at once as may" 33 !most;
  end_well t

let ten_thousand () =
  let limits = { Limits.default with calls = 10_000 } in
  over_pipe ~limits ~client_limits:limits ~concurrency:10_000 handlers @@ fun t ->
  let one i =
    let+ r = get (Client.call t.client wait (s 1 + i)) in
    Alcotest.(check int) "its own" (s 1 + i) r
  in
  let* () = Lwt.join (List.init 10_000 one) in
  check_time "all at once" (s 1 + 9_999) t.clock;
  end_well t

let turns () =
  over_pipe ~limits:{ Limits.default with calls = 2 } handlers @@ fun t ->
  let* _ = Lwt.all (List.init 5 (fun _ -> get (Client.call t.client wait (s 1)))) in
  check_time "two at a time" (s 3) t.clock;
  end_well t

let live () =
  Gc.full_major ();
  (Gc.stat ()).live_words

(* A fifth of the calls is given up by time, another by cancelling. *)
let flat () =
  over_pipe handlers @@ fun t ->
  let n = Suite.iterations 10_000 in
  let rec user k i =
    if i = n / 20 then Lwt.return_unit
    else
      let* () =
        match (i + k) mod 5 with
        | 0 -> Lwt.map ignore (Client.call t.client ~timeout_ns:(i land 63) wait (i land 31))
        | 1 ->
            let p = Client.call t.client wait (s 1) in
            let* () = t.clock.sleep 10 in
            Lwt.cancel p;
            Lwt.catch (fun () -> Lwt.map ignore p) (fun _ -> Lwt.return_unit)
        | _ -> Lwt.map ignore (get (Client.call t.client echo "abc"))
      in
      user k (i + 1)
  in
  let all () = Lwt.join (List.init 20 (fun k -> user k 0)) in
  (* The virtual clock keeps timers given up until their time. *)
  let settled () = Lwt.map live (t.clock.sleep (s 2)) in
  let* () = all () in
  let* before = settled () in
  let* () = all () in
  let* after = settled () in
  let grown = after - before in
  if grown > 10_000 then Alcotest.failf "%d words more after %d calls" grown n;
  end_well t

let waits_given_up ~calls ~concurrency () =
  over_pipe ~limits:{ Limits.default with calls } ~concurrency handlers @@ fun t ->
  let hour = Client.call t.client wait (s 3_600) in
  let* () = t.clock.sleep (ms 1) in
  let rec give_up n =
    if n = 0 then Lwt.return (live ())
    else
      let* r = Client.call t.client ~timeout_ns:(ms 1) echo "x" in
      match r with
      | Error (Timed_out | Remote { code = Timed_out; _ }) -> give_up (n - 1)
      | Ok _ -> Alcotest.fail "answered"
      | Error e -> failed e
  in
  let* before = give_up 1_000 in
  let* after = give_up 10_000 in
  if after - before > 10_000 then Alcotest.failf "%d words more" (after - before);
  let* _ = get hour in
  end_well t

(* {1 Time} *)

let deadline () =
  over_pipe handlers @@ fun t ->
  let* r = Client.call t.client ~timeout_ns:(ms 500) wait (s 10) in
  Alcotest.(check (result int error)) "too late" (Error Timed_out) r;
  check_time "at its time" (ms 500) t.clock;
  let* r = get (Client.call t.client ~timeout_ns:(ms 500) wait (ms 400)) in
  Alcotest.(check int) "in time" (ms 400) r;
  let* () =
    Lwt_list.iter_s
      (fun ns ->
        let+ r = Client.call t.client ~timeout_ns:ns wait 1 in
        Alcotest.(check (result int error)) "no time" (Error Timed_out) r)
      [ 0; -1; min_int ]
  in
  let* r = get (Client.call t.client ~timeout_ns:max_int wait 5) in
  Alcotest.(check int) "for ever" 5 r;
  end_well t

let deadline_in_line () =
  over_pipe ~limits:{ Limits.default with calls = 1 } handlers @@ fun t ->
  let first = get (Client.call t.client wait (s 2)) in
  let* r = Client.call t.client ~timeout_ns:(s 1) echo "x" in
  Alcotest.(check (result string error)) "in line" (Error Timed_out) r;
  check_time "at its time" (s 1) t.clock;
  let* _ = first in
  let* y = get (Client.call t.client echo "y") in
  Alcotest.(check string) "the turn is not lost" "y" y;
  end_well t

let servers_limit () =
  over_pipe ~timeout_ns:(s 1) handlers @@ fun t ->
  let* () = Lwt.map (check_remote "the server's" Timed_out) (Client.call t.client wait (s 10)) in
  check_time "at its time" (s 1) t.clock;
  end_well t

let cancellation () =
  let ended = ref [] in
  let handlers (clock : Clock.t) =
    let answer n =
      Lwt.catch
        (fun () -> Lwt.map (fun () -> n) (clock.sleep (s 10)))
        (fun e ->
          ended := (n, e) :: !ended;
          Lwt.fail e)
    in
    [ Server.Handler (wait, answer); Handler (echo, Lwt.return) ]
  in
  over_pipe ~limits:{ Limits.default with calls = 2 } handlers @@ fun t ->
  let a = Client.call t.client wait 1 and b = Client.call t.client wait 2 in
  let in_line = Client.call t.client echo "never" in
  let* () = t.clock.sleep (s 1) in
  List.iter Lwt.cancel [ a; b ];
  Lwt.cancel in_line;
  Alcotest.(check bool) "given up" true (Lwt.state a = Fail Lwt.Canceled);
  (* Their turns come back with the server's answers. *)
  let* x = get (Client.call t.client echo "x") in
  Alcotest.(check string) "the next" "x" x;
  let ended = List.sort compare !ended in
  Alcotest.(check bool)
    "both handlers were cancelled" true
    (ended = [ (1, Lwt.Canceled); (2, Lwt.Canceled) ]);
  check_time "at once" (s 1) t.clock;
  end_well t

(* One that is deaf to cancellation holds its place until it is done. *)
let deaf () =
  let handlers (clock : Clock.t) =
    let answer n =
      (* A promise that cannot be cancelled. *)
      let p, u = Lwt.wait () in
      Lwt.on_success (clock.sleep n) (fun () -> Lwt.wakeup_later u n);
      p
    in
    [ Server.Handler (wait, answer); Handler (echo, Lwt.return) ]
  in
  over_pipe ~limits:{ Limits.default with calls = 1 } handlers @@ fun t ->
  let* r = Client.call t.client ~timeout_ns:(s 1) wait (s 5) in
  Alcotest.(check (result int error)) "given up" (Error Timed_out) r;
  let* x = get (Client.call t.client echo "x") in
  Alcotest.(check string) "the next" "x" x;
  check_time "then only" (s 5) t.clock;
  end_well t

(* The answer and the cancellation come in the same turn. *)
let races () =
  over_pipe ~limits:{ Limits.default with calls = 4 } handlers @@ fun t ->
  let rec go i =
    if i > 2_000 then Lwt.return_unit
    else begin
      let d = 1_000 + (i mod 7) in
      let p = Client.call t.client wait d in
      let* () = t.clock.sleep 1_000 in
      let rec pauses n =
        if n = 0 then Lwt.return_unit else Lwt.bind (Lwt.pause ()) (fun () -> pauses (n - 1))
      in
      let* () = pauses (i mod 11) in
      Lwt.cancel p;
      let* () =
        Lwt.catch
          (fun () ->
            let+ r = get p in
            Alcotest.(check int) "its own" d r)
          (function Lwt.Canceled -> Lwt.return_unit | e -> Lwt.fail e)
      in
      go (i + 1)
    end
  in
  let* () = go 1 in
  let before = t.clock.now () in
  let* _ = Lwt.all (List.init 8 (fun _ -> get (Client.call t.client wait (s 1)))) in
  Alcotest.(check int) "no turn is lost or made" (s 2) (t.clock.now () - before);
  end_well t

(* {1 Services in direct style} *)

module Directory = struct
  let clock : Clock.t option ref = ref None

  let find (q : Sample_pb.Query.t) =
    if q.prefix = "" then Failure.fail (Application 1) "whom?";
    Weir_threads.Threads.await ((Option.get !clock).sleep (s 1));
    Sample_pb.Address_book.make ~people:[ Sample_pb.Person.make ~name:(q.prefix ^ "da") () ] ()

  let watch (q : Sample_pb.Query.t) send =
    String.iter (fun c -> send (Sample_pb.Person.make ~name:(String.make 1 c) ())) q.prefix
end

let threads : Server.threads =
  { start = Weir_threads.Threads.start; await = Weir_threads.Threads.await }

let protobuf () =
  let handlers clock =
    Directory.clock := Some clock;
    List.map (Server.of_direct ~threads)
      (Protobuf.handlers (Sample_pb.Directory.handlers (module Directory)))
  in
  over_pipe handlers @@ fun t ->
  let find ?timeout_ns prefix =
    Client.call t.client ?timeout_ns
      (Protobuf.unary Sample_pb.Directory.find)
      (Sample_pb.Query.make ~prefix ())
  in
  let* both = Lwt.both (find "A") (find "B") in
  (match both with
  | Ok { people = [ { name = "Ada"; _ } ]; _ }, Ok { people = [ { name = "Bda"; _ } ]; _ } -> ()
  | _ -> Alcotest.fail "find");
  check_time "at once" (s 1) t.clock;
  let* () = Lwt.map (check_remote "its failure" (Application 1)) (find "") in
  let* r = find ~timeout_ns:(ms 1) "A" in
  (match r with Error Timed_out -> () | _ -> Alcotest.fail "answered");
  end_well t

let direct () =
  let handlers _ = [ Server.of_direct (Service.Handler (echo, String.uppercase_ascii)) ] in
  over_pipe handlers @@ fun t ->
  let* r = get (Client.call t.client echo "x") in
  Alcotest.(check string) "echo" "X" r;
  end_well t

(* What cannot be sent in a stream rejects [send]'s promise: nothing is raised at who
   has not got one yet. *)
let rejections () =
  let encode out n = if n < 0 then invalid_arg "negative" else number.Codec.encode out n in
  let positive = { number with encode } in
  let m = Method.Exchange (Method.make "m" positive positive) in
  let seen = ref [] in
  let try_send who send v =
    let note what =
      seen := (who ^ what) :: !seen;
      Lwt.return_unit
    in
    match send v with
    | exception _ -> note " raised"
    | p -> Lwt.try_bind (fun () -> p) (fun _ -> note " sent") (fun _ -> note " rejected")
  in
  let long = Method.Download (Method.make "long" Codec.string Codec.string) in
  let handlers _ =
    [
      Server.Exchange (m, fun _ send -> try_send "server" send (-1));
      Download (long, fun _ send -> try_send "long" send (String.make 1_000_000 'x'));
    ]
  in
  over_pipe handlers @@ fun t ->
  let* _ = Client.exchange t.client m (fun s -> try_send "client" s.send (-1)) in
  let* _ = Client.download t.client long "" (fun _ -> Lwt.return_unit) in
  Alcotest.(check (list string))
    "all"
    [ "client rejected"; "long rejected"; "server rejected" ]
    (List.sort compare !seen);
  end_well t

let tests =
  [
    ( "calls",
      [
        Suite.case "one" plain;
        Suite.case "failures" failures;
        Suite.case "too large" too_large;
        Suite.case "1,000 from 100 threads, out of order" many;
        Suite.case "10,000 at once" ten_thousand;
        Suite.case "turns" turns;
        Suite.case "live words" flat;
        Suite.case "turns given up" (waits_given_up ~calls:1 ~concurrency:1);
        Suite.case "the server's turns given up" (waits_given_up ~calls:10 ~concurrency:1);
        Suite.case "a deadline" deadline;
        Suite.case "a deadline while waiting" deadline_in_line;
        Suite.case "the server's limit" servers_limit;
        Suite.case "cancellation" cancellation;
        Suite.case "a deaf handler" deaf;
        Suite.case "with the answer" races;
        Suite.case "sends that fail" rejections;
        Suite.case "a protobuf service in direct style" protobuf;
        Suite.case "direct style that does not wait" direct;
      ] );
  ]
