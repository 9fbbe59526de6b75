(* Peers that break the rules. *)

open Lwt.Syntax
open Weir_rpc
open Weir_rpc_lwt
open World
open Methods
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow

let clients_violation () =
  List.iter
    (fun (what, bytes) ->
      let cancelled = ref 0 in
      let handlers (clock : Clock.t) =
        let answer n =
          Lwt.catch
            (fun () -> Lwt.map (fun () -> n) (clock.sleep (s n)))
            (fun e ->
              incr cancelled;
              Lwt.fail e)
        in
        [ Server.Handler (wait, answer) ]
      in
      with_peer handlers @@ fun _ near _ served ->
      let* () = write near (Raw.frame Raw.hello ^ Raw.frame (Raw.call 1 "wait" "5") ^ bytes) in
      let* () = near#shutdown_send in
      let+ why = served in
      (match why with Violation _ -> () | e -> Alcotest.failf "%s: %a" what Error.pp_ending e);
      Alcotest.(check int) "handlers are cancelled" 1 !cancelled)
    [
      ("garbage", "GET / HTTP/1.1\r\n\r\n");
      ("a packet", Raw.frame "\099");
      ("the same number", Raw.frame (Raw.call 1 "wait" "5"));
      ("an unknown number", Raw.frame "\004\007");
      ("after goodbye", Raw.frame "\005" ^ Raw.frame (Raw.call 2 "wait" "5"));
      ("a frame cut off", "\000\000\000\099");
      ("too long", "\x7f\xff\xff\xff");
    ]

let servers_violation () =
  List.iter
    (fun (what, bytes) ->
      virtually @@ fun clock ->
      let near, far = Flow_lwt.duplex () in
      let closed = ref false in
      let client = Client.create ~clock:(calls_clock clock) (closable near closed) in
      let* () = write far (Raw.frame Raw.hello) in
      let call = Client.call client wait 1 in
      let* () = write far bytes in
      let* r = call in
      (match r with Error (Closed (Violation _)) -> () | _ -> Alcotest.fail what);
      let+ _ = Client.await_end client in
      Alcotest.(check bool) "closed" true !closed)
    [
      ("no call", Raw.frame "\002\077");
      ("garbage", "HTTP/1.1 400 Bad Request\r\n");
      ("a call", Raw.frame (Raw.call 1 "wait" "5"));
    ]

(* It calls and never reads: the server stops reading, and holds little. *)
let deaf_client () =
  let limits = { Limits.default with calls = 8; unsent = 2_000 } in
  with_peer ~capacity:1_000 ~limits handlers @@ fun clock near server served ->
  let sent = ref 0 in
  let rec flood id =
    let* () = write near (Raw.frame (Raw.call id "none" "")) in
    incr sent;
    if id < 100_000 then flood (id + 1) else Lwt.return_unit
  in
  let* () =
    Lwt.pick
      [
        (let* () = write near (Raw.frame Raw.hello) in
         flood 1);
        clock.sleep (s 1);
      ]
  in
  Alcotest.(check bool) "it was stopped" true (!sent < 1_000);
  let* () = Server.shutdown ~grace_ns:(s 1) server in
  check_ending "and cut" Stopped served

(* It reads nothing, and answers wait for room for ever: no handler runs. *)
let deaf_idle_client () =
  let limits = { Limits.default with unsent = 1_000; calls = 20 } in
  let late (clock : Clock.t) text = Lwt.map (fun () -> text) (clock.sleep (s 1)) in
  let handlers clock = [ Server.Handler (echo, late clock) ] in
  with_peer ~limits ~idle_ns:(s 10) ~capacity:1_000 handlers @@ fun clock near _ served ->
  let calls = List.init 16 (fun i -> Raw.call (i + 1) "echo" (String.make 900 'x')) in
  let* () = write near (String.concat "" (List.map Raw.frame (Raw.hello :: calls))) in
  let* () = check_ending "cut" Stopped served in
  check_time "after twice the time" (s 21) clock;
  Lwt.return_unit

let mutated () =
  let rng = Random.State.make [| Suite.seed (); 18 |] in
  let good =
    String.concat ""
      (List.map Raw.frame
         [
           Raw.hello_with_window; Raw.call 1 "echo" "abc"; Raw.call 2 "wait" "1000"; "\004\002";
           Raw.call 3 "divide" "7"; Raw.open_ 4 "count" 2 "300"; Raw.credit 4 40;
           Raw.open_ 5 "mirror" 3 ""; Raw.item 5 "abc"; Raw.item 5 "de"; Raw.end_ 5; "\005";
         ] [@ocamlformat "disable"])
  in
  for _ = 1 to Suite.iterations 2_000 do
    virtually @@ fun clock ->
    let clock = calls_clock clock in
    let near, far = Flow_lwt.duplex () in
    let server =
      Server.create ~clock ~limits:{ Limits.default with calls = 6 } ~timeout_ns:(s 1)
        (handlers clock)
    in
    let served = Server.serve server far in
    let b = Bytes.of_string good in
    for _ = 0 to Random.State.int rng 4 do
      Bytes.set_uint8 b (Random.State.int rng (Bytes.length b)) (Random.State.int rng 256)
    done;
    let* () = write near (Bytes.to_string b) in
    let* () = near#shutdown_send in
    let+ why = served in
    match why with
    | Ended | Abandoned | Violation _ -> ()
    | e -> Alcotest.failf "%a on %S" Error.pp_ending e (Bytes.to_string b)
  done

(* Whatever a server says, each call has an outcome and the client an end. *)
let mutated_server () =
  let rng = Random.State.make [| Suite.seed (); 19 |] in
  let good =
    [
      "\000WEIR\001\x80\x80\x04\x03\x80\x20"; "\002\001one"; "\003\002\x13no"; "\002\003three";
      "\007\004abc"; "\009\004\001"; "\007\0045"; "\002\004"; "\005";
    ] [@ocamlformat "disable"]
  in
  for _ = 1 to Suite.iterations 2_000 do
    virtually @@ fun clock ->
    let clock = calls_clock clock in
    let near, far = Flow_lwt.duplex () in
    let client = Client.create ~clock near in
    let b = Bytes.of_string (String.concat "" (List.map Raw.frame good)) in
    for _ = 1 to Random.State.int rng 4 do
      Bytes.set_uint8 b (Random.State.int rng (Bytes.length b)) (Random.State.int rng 256)
    done;
    let call i =
      if i mod 4 < 3 then Lwt.map ignore (Client.call client ~timeout_ns:(s 1) echo "x")
      else
        let rec go (io : _ Client.streams) =
          let* sent = io.send "x" in
          let* got = io.receive () in
          if sent && got <> None then go io else Lwt.return_unit
        in
        Lwt.map ignore (Client.exchange client ~timeout_ns:(s 1) mirror go)
    in
    let calls = List.init 6 call in
    let rec feed at =
      let n = Int.min (1 + Random.State.int rng 30) (Bytes.length b - at) in
      if n = 0 then Lwt.return_unit
      else
        let* () = write far (Bytes.sub_string b at n) in
        let* () = Lwt.pause () in
        feed (at + n)
    in
    let* () = Lwt.catch (fun () -> feed 0) (fun _ -> Lwt.return_unit) in
    let* _ = Lwt.all calls in
    let* () = far#shutdown_send in
    let* _ = Client.await_end client in
    let+ r = Client.call client echo "" in
    match r with Error (Closed _) -> () | _ -> Alcotest.fail "a call after the end"
  done

let tests =
  [
    ( "broken rules",
      [
        Suite.case "a client's" clients_violation;
        Suite.case "a server's" servers_violation;
        Suite.case "a client that does not read" deaf_client;
        Suite.case "a client that does not read, and is idle" deaf_idle_client;
        Suite.case "mutated streams" mutated;
        Suite.case "a server's mutated streams" mutated_server;
      ] );
  ]
