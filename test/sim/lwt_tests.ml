(* Programs for Lwt in worlds. *)

open Room
open Lwt.Syntax
module Connection = Weir_lwt.Connection

let ( >>! ) p f = Lwt.bind (Weir_lwt.get p) f

let rec echo buffer c =
  Weir_lwt.read c buffer ~off:0 ~len:(Bytes.length buffer) >>! fun n ->
  if n = 0 then Lwt.return_unit
  else Weir_lwt.write c buffer ~off:0 ~len:n >>! fun () -> echo buffer c

let serve host =
  match Weir_lwt.listen host ~port:7 ~backlog:16 with
  | Error e -> Lwt.fail (Weir_lwt.Error.Error e)
  | Ok l -> Weir_lwt.Network.serve l ~on_error:ignore (echo (Bytes.create 4_096))

let read_all c n =
  let buffer = Bytes.create n in
  let rec go at =
    if at = n then Lwt.return (Bytes.to_string buffer)
    else
      Weir_lwt.read c buffer ~off:at ~len:(n - at) >>! fun got ->
      if got = 0 then Lwt.fail End_of_file else go (at + got)
  in
  go 0

let address = Ipaddr.of_string_exn "10.0.0.1"

let ask question host =
  Weir_lwt.connect host address ~port:7 >>! fun c ->
  let* answer, () =
    Lwt.both (read_all c (String.length question)) (Weir_lwt.get (Weir_lwt.write_string c question))
  in
  let* () = Weir_lwt.close c in
  Lwt.return answer

let pair ?(main = serve) ?config world =
  let lan = Weir_sim.lan ~impairment:lossy world in
  let server = Weir_sim_lwt.host world lan "10.0.0.1/24" ~name:"server" ?config ~main in
  (server, Weir_sim_lwt.host world lan "10.0.0.2/24" ~name:"client" ?config)

let off_and_on world server =
  Weir_sim.crash (Weir_sim_lwt.sim server);
  Weir_sim.sleep world (`S 1);
  Weir_sim.restart (Weir_sim_lwt.sim server)

(* Echoes, a crash in between, and the time that a thread slept. *)
let play world =
  let server, client = pair ~config:quick world in
  check_string "echo" (text 30_000) (Weir_sim_lwt.run client (ask (text 30_000)));
  off_and_on world server;
  check_string "again" "q" (Weir_sim_lwt.run client (ask "q"));
  let before = Weir_sim.now world in
  Weir_sim_lwt.run client (fun h ->
      Weir_lwt.Clock.sleep (Weir_lwt.Host.clock h) (Weir_base.Time.s 2));
  check_bool "slept" true (Weir_sim.now world - before >= 2_000_000_000)

(* As with the kernel, the next call tells of a port where nobody listens, once. *)
let refused world =
  let module Datagram = Weir_lwt.Datagram in
  let lan = Weir_sim.lan world ~latency:(`Ms 1) in
  ignore (Weir_sim_lwt.host world lan "10.0.0.1/24,fd00::1/64" ~name:"server" : Weir_sim_lwt.host);
  let client = Weir_sim_lwt.host world lan "10.0.0.2/24,fd00::2/64" ~name:"client" in
  let outcome = function
    | Ok _ -> "ok"
    | Error (Weir_lwt.Error.Icmp _) -> "refused"
    | Error e -> Fmt.str "%a" Weir_lwt.Error.pp e
  in
  let talk peer =
    Weir_sim_lwt.run client (fun h ->
        let s = Result.get_ok (Datagram.open_ h ~port:0) in
        Datagram.connect s (Ipaddr.of_string_exn peer) ~port:99;
        let send () = Lwt.map outcome (Datagram.send_string s "x") in
        let recv () = Lwt.map outcome (Datagram.recv s (Bytes.create 9) ~off:0 ~len:9) in
        let pause () = Weir_lwt.Clock.sleep (Weir_lwt.Host.clock h) (Weir_base.Time.ms 20) in
        let* first = send () in
        let* () = pause () in
        let* second = send () in
        let* third = send () in
        let* fourth = recv () in
        let* () = Datagram.close s in
        Lwt.return [ first; second; third; fourth ])
  in
  List.iter
    (fun peer ->
      Alcotest.(check (list string)) peer [ "ok"; "refused"; "ok"; "refused" ] (talk peer))
    [ "10.0.0.1"; "fd00::1" ]

let digest seed =
  Weir_sim.run ~seed (fun world ->
      play world;
      (Weir_sim.digest world, Weir_sim.now world, Weir_sim.frames world))

let deterministic () =
  let of_seed = List.map digest [ 1; 2; 3; 4; 5 ] in
  check_bool "the same again" true (of_seed = List.map digest [ 1; 2; 3; 4; 5 ]);
  check_bool "by the seed" true (List.length (List.sort_uniq compare of_seed) = 5)

(* Worlds with Lwt take turns, beside others that do not use it. *)
let in_domains () =
  let found jobs =
    let all = ref [] and lock = Mutex.create () in
    let failures =
      Weir_sim.sweep ~jobs ~seeds:(1, 20) (fun world ->
          if Weir_sim.seed world land 1 = 0 then play world
          else
            ignore
              (Room.ask (Room.pair world).client
                 (Weir_sim.host world (Weir_sim.lan world) "10.9.0.1/24")
                 "x"
                : string);
          Mutex.protect lock (fun () -> all := (Weir_sim.seed world, Weir_sim.digest world) :: !all))
    in
    (List.map (fun (f : Weir_sim.Failure.t) -> (f.seed, f.at)) failures, List.sort compare !all)
  in
  check_bool "the same" true (found 1 = found 3)

let with_eio world =
  let lan = Weir_sim.lan ~latency:(`Ms 1) world in
  let _ = Weir_sim_lwt.host world lan "10.0.0.1/24" ~name:"server" ~main:serve in
  let client = Weir_sim.host world lan "10.0.0.2/24" ~name:"client" in
  Eio.Net.with_tcp_connect client.net ~host:"server" ~service:"7" @@ fun flow ->
  Eio.Flow.copy_string "over there" flow;
  Eio.Flow.shutdown flow `Send;
  check_string "echo" "over there" (Eio.Flow.read_all flow)

let names world =
  let lan = Weir_sim.lan world in
  let _ = Weir_sim.host world lan "10.0.0.1/24" ~name:"server" in
  let client = Weir_sim_lwt.host world lan "10.0.0.2/24" in
  (* A name of the world is known at once. *)
  match Lwt.state (Weir_lwt.Network.resolve (Weir_sim_lwt.network client) "server") with
  | Return (Ok found) ->
      Alcotest.(check (list string)) "its address" [ "10.0.0.1" ] (List.map Ipaddr.to_string found)
  | _ -> Alcotest.fail "no address"

let paused world =
  let ticks = ref 0 in
  let main host =
    let rec go () =
      let* () = Weir_lwt.Clock.sleep (Weir_lwt.Host.clock host) (Weir_base.Time.s 1) in
      incr ticks;
      go ()
    in
    go ()
  in
  let server, _ = pair ~main world in
  Weir_sim.sleep world (`Ms 3_500);
  check_int "it ticks" 3 !ticks;
  Weir_sim.pause (Weir_sim_lwt.sim server) ~for_:(`S 10);
  Weir_sim.sleep world (`S 9);
  check_int "paused" 3 !ticks;
  Weir_sim.sleep world (`S 2);
  check_bool "it goes on" true (!ticks > 3);
  Weir_sim.crash (Weir_sim_lwt.sim server);
  let before = !ticks in
  Weir_sim.sleep world (`S 5);
  check_int "it is off" before !ticks;
  match Weir_sim_lwt.network server with
  | _ -> Alcotest.fail "a network of a host that is off"
  | exception Invalid_argument _ -> ()

let crashed_call world =
  let server, client = pair ~main:(fun _ -> fst (Lwt.task ())) world in
  Weir_sim_lwt.run client (fun _ -> Lwt.return_unit);
  let crashed = ref false in
  Eio.Fiber.both
    (fun () ->
      match Weir_sim_lwt.run client (fun _ -> fst (Lwt.wait ())) with
      | () -> Alcotest.fail "it returned"
      | exception Weir_sim.Crashed -> crashed := true)
    (fun () ->
      Weir_sim.sleep world (`S 1);
      Weir_sim.crash (Weir_sim_lwt.sim client));
  check_bool "crashed" true !crashed;
  ignore server

let fails what main =
  let f =
    failure (fun () ->
        Weir_sim.run @@ fun world ->
        ignore (pair ~main world);
        Eio.Fiber.await_cancel ())
  in
  let said = Fmt.str "%a" Weir_sim.Failure.pp f in
  check_bool (what ^ ": " ^ said) true (contains said {|server: Failure("bad luck")|})

let failing () =
  let wait host = Weir_lwt.Clock.sleep (Weir_lwt.Host.clock host) (Weir_base.Time.s 1) in
  fails "the program" (fun host -> Lwt.bind (wait host) (fun () -> failwith "bad luck"));
  fails "a thread of it" (fun host ->
      Lwt.async (fun () -> Lwt.bind (wait host) (fun () -> failwith "bad luck"));
      fst (Lwt.wait ()));
  (* The failure leaves nothing for the next world. *)
  ignore (digest 1)

(* Threads that only pause let no time pass: the limit on events ends the run. *)
let pauses_for_ever () =
  let rec go () = Lwt.bind (Lwt.pause ()) go in
  let f =
    failure (fun () ->
        Weir_sim.run ~event_limit:10_000 @@ fun world ->
        ignore (pair ~main:(fun _ -> go ()) world);
        Eio.Fiber.await_cancel ())
  in
  match f.cause with
  | Stopped (Event_limit _) -> ignore (digest 1)
  | _ -> Alcotest.failf "%a" Weir_sim.Failure.pp f

let nested () =
  Weir_sim.run @@ fun world ->
  ignore (pair world);
  match Weir_sim.run (fun inner -> ignore (pair inner)) with
  | () -> Alcotest.fail "a world within a world"
  | exception Weir_sim.Failed _ -> ()

let in_world f () = Weir_sim.run f

let by_dhcp world =
  let p = Self_tests.places world in
  let main host =
    let* l = Weir_lwt.await_lease host in
    ignore (Self_tests.ok l : Weir_lwt.lease);
    let* c = Weir_lwt.get (Weir_lwt.connect host p.server.address ~port:7) in
    let* () = Weir_lwt.get (Weir_lwt.write_string c "x") in
    let b = Bytes.create 1 in
    let* n = Weir_lwt.get (Weir_lwt.read c b ~off:0 ~len:1) in
    check_bool "echo" true (n = 1 && Bytes.to_string b = "x");
    Weir_lwt.close c
  in
  let c = Weir_sim_lwt.host world p.home "dhcp" in
  Weir_sim_lwt.run c main;
  check_string "its address" "10.1.0.50" (Self_tests.show (Weir_sim_lwt.sim c))

let cases =
  [
    Suite.case "the same digest for the same seed" deterministic;
    Suite.case "in several domains" in_domains;
    Suite.case "with a host under Eio" (in_world with_eio);
    Suite.case "by DHCP" (in_world by_dhcp);
    Suite.case "names of hosts" (in_world names);
    Suite.case "pauses and crashes stop its clock" (in_world paused);
    Suite.case "a crash ends a call" (in_world crashed_call);
    Suite.case "a port where nobody listens" (in_world refused);
    Suite.case "a program that fails" failing;
    Suite.case "threads that pause for ever" pauses_for_ever;
    Suite.case "a world within another" nested;
  ]
