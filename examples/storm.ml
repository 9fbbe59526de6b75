(* An Eio server, and a client that does not give up, in a world that loses 2% of the frames, cuts
   the network and crashes the server. `storm.exe 7` always plays seed 7's course of events. *)

open Eio.Std

let serve ~net =
  Switch.run @@ fun sw ->
  let socket = Eio.Net.listen ~sw ~backlog:16 net (`Tcp (Eio.Net.Ipaddr.V4.any, 7)) in
  Eio.Net.run_server socket ~on_error:ignore (fun flow _peer -> Eio.Flow.copy flow flow)

let ask ~net question =
  Eio.Net.with_tcp_connect net ~host:"server" ~service:"7" @@ fun flow ->
  Eio.Flow.copy_string question flow;
  Eio.Flow.shutdown flow `Send;
  Eio.Flow.read_all flow

let rec persist ~net ~clock question =
  try Eio.Time.with_timeout_exn clock 5. (fun () -> ask ~net question)
  with Eio.Io _ | Eio.Time.Timeout -> persist ~net ~clock question

let storm world server client =
  Weir_sim.sleep world (`Ms 300);
  Weir_sim.partition [ server ] [ client ];
  Weir_sim.sleep world (`Ms (Random.State.int (Weir_sim.random world) 4_000));
  Weir_sim.heal_all world;
  Weir_sim.crash server;
  Weir_sim.sleep world (`S 10);
  Weir_sim.restart server

let () =
  Weir_sim.run ~seed:(int_of_string Sys.argv.(1)) @@ fun world ->
  let lan = Weir_sim.lan world ~latency:(`Ms 20) ~loss:0.02 in
  let main (h : Weir_sim.host) = serve ~net:h.net in
  let server = Weir_sim.host world lan "10.0.0.1/24" ~name:"server" ~main in
  let client = Weir_sim.host world lan "10.0.0.2/24" in
  let ask i =
    print_endline (persist ~net:client.net ~clock:client.clock (Fmt.str "question %d" i))
  in
  Fiber.both (fun () -> List.iter ask [ 1; 2; 3 ]) (fun () -> storm world server client);
  Fmt.pr "%.3f s, %d frames@." (float (Weir_sim.now world) /. 1e9) (Weir_sim.frames world)
