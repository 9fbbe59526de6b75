(* Peers over Weir's own connections that stop, trickle or die, in virtual time. *)

open Eio.Std
open Weir_rpc
open Weir_rpc_eio
open World
open Methods
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow
module Connection = Weir_eio.Connection

type nets = {
  clock : clock;
  sw : Switch.t;
  here : Weir_eio.host;
  there : Weir_eio.host;
  listener : Weir_eio.Network.listener;
}

let on_hosts f =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Weir_link.Memory.pair () in
  let host n link address =
    Weir_eio.host ~sw ~clock ~random:(Random.State.make [| n |]) ~link ~address ()
  in
  let here = host 1 near "10.0.0.2/24" and there = host 2 far "10.0.0.1/24" in
  f { clock; sw; here; there; listener = Weir_eio.Network.listen there ~sw ~port:7 ~backlog:4 }

let accept n = Weir_eio.Network.accept n.listener ~sw:n.sw
let connect n = Weir_eio.Network.connect n.here ~sw:n.sw (Ipaddr.of_string_exn "10.0.0.1") ~port:7

let serving n server =
  Fiber.fork_promise ~sw:n.sw (fun () -> Server.serve server (Connection.flow (accept n)))

let large_hello = Raw.frame ("\000WEIR\001" ^ Raw.varint 4_000_000 ^ Raw.varint 50)

(* It calls for 100 kB a time and reads none: the server holds little, and is
   not kept from ending. *)
let deaf () =
  on_hosts @@ fun n ->
  let calls = ref 0 in
  let answer _ =
    incr calls;
    String.make 100_000 'x'
  in
  let server = Server.create ~clock:n.clock [ Service.Handler (echo, answer) ] in
  let served = serving n server in
  let c = Connection.flow (connect n) in
  Fiber.first
    (fun () ->
      Flow.write_string c large_hello;
      for id = 1 to 1_000_000 do
        Flow.write_string c (Raw.frame (Raw.call id "echo" (String.make 1_000 'q')))
      done)
    (fun () -> sleep n.clock (s 5));
  if !calls > 50 then Alcotest.failf "%d answers were made" !calls;
  let before = now n.clock in
  Server.shutdown ~grace_ns:(s 1) server;
  Alcotest.(check int) "in its time" (s 1) (now n.clock - before);
  Alcotest.check ending "cut" Stopped (Promise.await_exn served)

let trickle () =
  on_hosts @@ fun n ->
  let server = Server.create ~clock:n.clock (handlers n.clock) in
  let served = serving n server in
  let c = connect n in
  Connection.set_option c Eio.Net.Sockopt.TCP_NODELAY true;
  let flow = Connection.flow c in
  String.iter
    (fun byte ->
      Flow.write_string flow (String.make 1 byte);
      sleep n.clock (s 1))
    (Raw.frame Raw.hello ^ Raw.frame (Raw.call 1 "echo" "slow"));
  flow#shutdown_send;
  let all = Flow.read_all flow ~max:1_000 in
  Alcotest.(check bool) "answered" true (String.ends_with all ~suffix:"\002\001slow");
  Alcotest.check ending "in order" Ended (Promise.await_exn served)

(* With a hundred callers at each stage of waiting, over a peer that takes no
   more; then it dies, or goes silent until TCP says so. *)
let waiting finish check () =
  on_hosts @@ fun n ->
  let accepted = Fiber.fork_promise ~sw:n.sw (fun () -> accept n) in
  let limits = { Limits.default with calls = 50; unsent = 100_000 } in
  let client = Client.create ~sw:n.sw ~clock:n.clock ~limits (Connection.flow (connect n)) in
  let peer = Promise.await_exn accepted in
  Flow.write_string (Connection.flow peer) large_hello;
  let call _ =
    Fiber.fork_promise ~sw:n.sw (fun () -> Client.call client echo (String.make 90_000 'x'))
  in
  let calls = List.init 100 call in
  sleep n.clock (s 1);
  finish peer client;
  List.iter (fun c -> check (Promise.await_exn c)) calls;
  check (Client.call client echo "")

let lost = function
  | Error (Error.Closed (Lost (Flow.Error (Flow.Reset, _)))) -> ()
  | Ok _ -> Alcotest.fail "answered"
  | Error e -> failed e

let stopped = function
  | Error (Error.Closed (Stopped | Ended | Lost _)) -> ()
  | Ok _ -> Alcotest.fail "answered"
  | Error e -> failed e

let dies = waiting (fun peer _ -> Connection.close peer) lost

let closed_then_dies =
  waiting
    (fun peer client ->
      Fiber.both (fun () -> Client.close client) (fun () -> Connection.close peer))
    stopped

(* Two servers have one flow by mistake. *)
let two_servers () =
  on_hosts @@ fun n ->
  let server = Server.create ~clock:n.clock (handlers n.clock) in
  let served =
    Fiber.fork_promise ~sw:n.sw (fun () ->
        let flow = Connection.flow (accept n) in
        Fiber.pair (fun () -> Server.serve server flow) (fun () -> Server.serve server flow))
  in
  let client = Client.create ~sw:n.sw ~clock:n.clock (Connection.flow (connect n)) in
  (match Client.call client ~timeout_ns:(s 1) echo "x" with
  | Error (Closed (Violation _ | Lost _ | Ended)) -> ()
  | Ok _ -> Alcotest.fail "answered"
  | Error e -> failed e);
  ignore (Promise.await_exn served);
  Alcotest.(check int) "none left" 0 (Server.connections server)

(* The host's switch ends first, with everything at work. *)
let torn_down () =
  let outcome = ref None in
  on_hosts (fun n ->
      let server = Server.create ~clock:n.clock (handlers n.clock) in
      let served = serving n server in
      let client = Client.create ~sw:n.sw ~clock:n.clock (Connection.flow (connect n)) in
      let forever () = ignore (Client.call client wait (s 3_600)) in
      Fiber.fork_daemon ~sw:n.sw (fun () ->
          Fiber.all (List.init 100 (fun _ -> forever));
          `Stop_daemon);
      sleep n.clock (s 1);
      ignore served;
      Fiber.first
        (fun () -> ignore (Promise.await_exn served))
        (fun () -> outcome := Some (Server.connections server));
      Server.shutdown ~grace_ns:0 server);
  Alcotest.(check (option int)) "it was at work" (Some 1) !outcome

(* Waits given up, for turns of the client's or of the server's, leave nothing. *)
let waits_given_up ~calls ~concurrency () =
  over_pipe ~limits:{ Limits.default with calls } ~concurrency handlers @@ fun t ->
  let hour = Fiber.fork_promise ~sw:t.sw (fun () -> Client.call t.client wait (s 3_600)) in
  sleep t.clock (ms 1);
  let give_up n =
    for _ = 1 to n do
      match Client.call t.client ~timeout_ns:(ms 1) echo "x" with
      | Error (Timed_out | Remote { code = Timed_out; _ }) -> ()
      | Ok _ -> Alcotest.fail "answered"
      | Error e -> failed e
    done;
    Weir_test.Words.live ()
  in
  let before = give_up 1_000 in
  let grown = give_up 20_000 - before in
  if grown > 10_000 then Alcotest.failf "%d words more" grown;
  ignore (get (Promise.await_exn hour));
  end_well t

(* Whatever a server says, each call has an outcome and the client an end. *)
let mutated () =
  let rng = Random.State.make [| Suite.seed (); 9 |] in
  let good =
    [
      "\000WEIR\001\x80\x80\x04\x03\x80\x20"; "\002\001one"; "\003\002\x13no"; "\002\003three";
      "\007\004abc"; "\009\004\001"; "\007\0045"; "\002\004"; "\005";
    ] [@ocamlformat "disable"]
  in
  for _ = 1 to Suite.iterations 2_000 do
    virtually @@ fun clock ->
    Switch.run @@ fun sw ->
    let near, far = Weir_flow.Pipe.duplex suspend in
    let client = Client.create ~sw ~clock near in
    let b = Bytes.of_string (String.concat "" (List.map Raw.frame good)) in
    for _ = 1 to Random.State.int rng 4 do
      Bytes.set_uint8 b (Random.State.int rng (Bytes.length b)) (Random.State.int rng 256)
    done;
    let calls =
      List.init 6 (fun i ->
          Fiber.fork_promise ~sw (fun () ->
              if i mod 4 < 3 then ignore (Client.call client ~timeout_ns:(s 1) echo "x")
              else
                ignore
                  (Client.exchange client ~timeout_ns:(s 1) mirror (fun { send; receive; _ } ->
                       while send "x" && receive () <> None do
                         ()
                       done))))
    in
    (* In pieces, so that calls leave in between. *)
    let rec feed at =
      let n = Int.min (1 + Random.State.int rng 30) (Bytes.length b - at) in
      if n > 0 then begin
        Flow.write far b ~off:at ~len:n;
        Fiber.yield ();
        feed (at + n)
      end
    in
    feed 0;
    List.iter (fun c -> ignore (Promise.await_exn c)) calls;
    far#shutdown_send;
    ignore (Client.await_end client);
    match Client.call client echo "" with
    | Error (Closed _) -> ()
    | _ -> Alcotest.fail "a call after the end"
  done

let tests =
  [
    ( "hosts",
      [
        Suite.case "a client that does not read" deaf;
        Suite.case "a byte a second" trickle;
        Suite.case "the peer dies while 100 wait" dies;
        Suite.case "closed, then the peer dies" closed_then_dies;
        Suite.case "two servers on a flow" two_servers;
        Suite.case "all torn down" torn_down;
        Suite.case "a server's mutated streams" mutated;
        Suite.case "turns given up" (waits_given_up ~calls:1 ~concurrency:1);
        Suite.case "the server's turns given up" (waits_given_up ~calls:10 ~concurrency:1);
      ] );
  ]
