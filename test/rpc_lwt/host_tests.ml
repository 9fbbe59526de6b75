(* The same over Weir's own hosts, in virtual time. *)

open Lwt.Syntax
open Weir_rpc
open Weir_rpc_lwt
open World
open Methods
open Weir_link
module Suite = Weir_test.Suite
module Connection = Weir_lwt.Connection
module Network = Weir_lwt.Network

type nets = {
  clock : Clock.t;
  here : Weir_lwt.host;
  there : Weir_lwt.host;
  listener : Weir_lwt.listener;
  cable : Impair.t;
}

let ok = Weir_lwt.Error.get

let on_hosts ?(impairment = Impairment.none) f =
  virtually @@ fun clock ->
  let near, far = Memory.pair () in
  let cable = Impair.wrap ~seed:(Suite.seed ()) ~outbound:impairment ~inbound:impairment near in
  let host n link address =
    Weir_lwt.host ~clock ~random:(Random.State.make [| n |]) ~link ~address ()
  in
  let here = host 1 (cable :> Link.t) "10.0.0.2/24" and there = host 2 far "10.0.0.1/24" in
  let listener = Result.get_ok (Network.listen there ~port:7 ~backlog:16) in
  let* () = f { clock = calls_clock clock; here; there; listener; cable } in
  let* () = Weir_lwt.Host.close here in
  Weir_lwt.Host.close there

let connect n = ok (Network.connect n.here (Ipaddr.of_string_exn "10.0.0.1") ~port:7)
let client n = Lwt.map (fun c -> Client.create ~clock:n.clock (Connection.flow c)) (connect n)

let exchange n =
  let server = Server.create ~clock:n.clock (handlers n.clock) in
  let endings = ref [] in
  let serving =
    Network.serve n.listener (fun c ->
        let+ why = Server.serve server (Connection.flow c) in
        endings := why :: !endings)
  in
  let one client i =
    let text = String.init (i * i * 13 mod 20_000) (fun j -> Char.chr ((i + j) land 255)) in
    let* back = get (Client.call client echo text) in
    Alcotest.(check bool) "its own" true (back = text);
    let+ waited = get (Client.call client wait i) in
    Alcotest.(check int) "waited" i waited
  in
  let user k =
    let* client = client n in
    let* () = Lwt.join (List.init 100 (fun i -> one client ((k * 100) + i))) in
    let* r = Client.call client ~timeout_ns:(ms 20) wait (s 3_600) in
    (match r with Error Timed_out -> () | _ -> Alcotest.fail "an hour has passed");
    Lwt.return client
  in
  let* clients = Lwt.all (List.map user [ 0; 1; 2 ]) in
  Alcotest.(check int) "three connections" 3 (Server.connections server);
  let* () = Client.close (List.hd clients) in
  let* () = Server.shutdown server in
  let* () =
    Lwt_list.iter_s (fun c -> check_ending "the client's end" Ended (Client.await_end c)) clients
  in
  let* () = Network.close_listener n.listener in
  let+ () = serving in
  Alcotest.(check (list ending)) "the server's" [ Ended; Ended; Ended ] !endings

let bad : Impairment.t =
  {
    Impairment.none with
    loss = Steady 0.03;
    duplicate = 0.01;
    reorder = 0.02;
    reorder_ns = ms 1;
    corrupt = 0.005;
    delay_ns = ms 5;
    jitter_ns = ms 1;
  }

let serve_one n handlers =
  let server = Server.create ~clock:n.clock handlers in
  let served =
    let* c = ok (Network.accept n.listener) in
    Server.serve server (Connection.flow c)
  in
  (server, served)

(* The client's system says reset: its handlers end at once. *)
let reset n =
  let cancelled = ref 0 in
  let answer ns =
    Lwt.catch
      (fun () -> Lwt.map (fun () -> ns) (n.clock.sleep ns))
      (fun e ->
        incr cancelled;
        Lwt.fail e)
  in
  let _, served = serve_one n [ Server.Handler (wait, answer) ] in
  let* c = connect n in
  let client = Client.create ~clock:n.clock (Connection.flow c) in
  let calls = List.init 10 (fun _ -> Client.call client wait (s 3_600)) in
  let* () = n.clock.sleep (s 1) in
  Connection.abort c;
  let* () =
    Lwt_list.iter_s
      (fun c ->
        let+ r = c in
        match r with Error (Error.Closed _) -> () | _ -> Alcotest.fail "answered")
      calls
  in
  let+ why = served in
  (match why with
  | Lost (Weir_flow.Flow.Error (Weir_flow.Flow.Reset, _)) -> ()
  | e -> Alcotest.failf "%a" Error.pp_ending e);
  Alcotest.(check int) "all cancelled" 10 !cancelled;
  Alcotest.(check bool) "at once" true (n.clock.now () < s 2)

(* The system of a killed client ends its stream in order. *)
let killed n =
  let cancelled = ref 0 in
  let answer ns =
    Lwt.catch
      (fun () -> Lwt.map (fun () -> ns) (n.clock.sleep ns))
      (fun e ->
        incr cancelled;
        Lwt.fail e)
  in
  let _, served = serve_one n [ Server.Handler (wait, answer) ] in
  let* c = connect n in
  let* () =
    ok
      (Weir_lwt.write_string c (Raw.frame Raw.hello ^ Raw.frame (Raw.call 1 "wait" "900000000000")))
  in
  let* () = n.clock.sleep (s 1) in
  Connection.shutdown c `Send;
  let* () = check_ending "given up" Abandoned served in
  Alcotest.(check int) "cancelled" 1 !cancelled;
  Alcotest.(check bool) "at once" true (n.clock.now () < s 2);
  Connection.close c

let partition n =
  let server = Server.create ~clock:n.clock (handlers n.clock) in
  Lwt.async (fun () ->
      Network.serve n.listener (fun c -> Lwt.map ignore (Server.serve server (Connection.flow c))));
  let* client = client n in
  let* _ = get (Client.call client echo "x") in
  n.cable#set_down;
  let* r = Client.call client ~timeout_ns:(s 1) echo "lost" in
  (match r with Error Timed_out -> () | _ -> Alcotest.fail "answered");
  n.cable#set_up;
  let* y = get (Client.call client echo "y") in
  Alcotest.(check string) "and it goes on" "y" y;
  let* () = Client.close client in
  Network.close_listener n.listener

(* It calls for 100 kB a time and reads none. *)
let deaf n =
  let calls = ref 0 in
  let answer _ =
    incr calls;
    Lwt.return (String.make 100_000 'x')
  in
  let server, served = serve_one n [ Server.Handler (echo, answer) ] in
  let* c = connect n in
  let rec flood id =
    let* r = Weir_lwt.write_string c (Raw.frame (Raw.call id "echo" (String.make 1_000 'q'))) in
    match r with Ok () -> flood (id + 1) | Error _ -> Lwt.return_unit
  in
  let hello = Raw.frame ("\000WEIR\001" ^ Raw.varint 4_000_000 ^ Raw.varint 50) in
  let* () =
    Lwt.pick
      [
        (let* () = ok (Weir_lwt.write_string c hello) in
         flood 1);
        n.clock.sleep (s 5);
      ]
  in
  if !calls > 50 then Alcotest.failf "%d answers were made" !calls;
  let before = n.clock.now () in
  let* () = Server.shutdown ~grace_ns:(s 1) server in
  Alcotest.(check int) "in its time" (s 1) (n.clock.now () - before);
  let* () = check_ending "cut" Stopped served in
  Connection.close c

(* The documents' server and client. *)
let samples n =
  let clock = Weir_lwt.Host.clock n.here in
  let serving = Samples.serve ~clock n.listener in
  let* c = connect n in
  let* r = get (Samples.ask ~clock c) in
  Alcotest.(check string) "greeted" "Hello Ada" r;
  let* () = Network.close_listener n.listener in
  serving

let tests =
  [
    ( "hosts",
      [
        Suite.case "a cable" (fun () -> on_hosts exchange);
        Suite.case "a lossy cable" (fun () -> on_hosts ~impairment:bad exchange);
        Suite.case "the documents' samples" (fun () -> on_hosts samples);
        Suite.case "a reset" (fun () -> on_hosts reset);
        Suite.case "a killed client" (fun () -> on_hosts killed);
        Suite.case "a partition" (fun () -> on_hosts partition);
        Suite.case "a client that does not read" (fun () -> on_hosts deaf);
      ] );
  ]
