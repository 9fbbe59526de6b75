(* An echo server and its client, both for Lwt, in a world that loses a frame in
   twenty; the server crashes in between. Every run with seed 7 is the same. *)

open Lwt.Syntax

let address = Ipaddr.of_string_exn "10.0.0.1"

let server host =
  let listener = Result.get_ok (Weir_lwt.listen host ~port:7 ~backlog:16) in
  Weir_lwt.Network.serve listener ~on_error:ignore (fun connection ->
      let buffer = Bytes.create 1_000 in
      let* n = Weir_lwt.get (Weir_lwt.read connection buffer ~off:0 ~len:1_000) in
      Weir_lwt.get (Weir_lwt.write connection buffer ~off:0 ~len:n))

let ask question host =
  let* connection = Weir_lwt.get (Weir_lwt.connect host address ~port:7) in
  let* () = Weir_lwt.get (Weir_lwt.write_string connection question) in
  let buffer = Bytes.create 1_000 in
  let* n = Weir_lwt.get (Weir_lwt.read connection buffer ~off:0 ~len:1_000) in
  let* () = Weir_lwt.close connection in
  Lwt.return (Bytes.sub_string buffer 0 n)

let () =
  Weir_sim.run ~seed:7 @@ fun world ->
  let lan = Weir_sim.lan world ~latency:(`Ms 20) ~loss:0.05 in
  let server = Weir_sim_lwt.host world lan "10.0.0.1/24" ~main:server in
  let client = Weir_sim_lwt.host world lan "10.0.0.2/24" in
  print_endline (Weir_sim_lwt.run client (ask "Are you there?"));
  Weir_sim.crash (Weir_sim_lwt.sim server);
  Weir_sim.sleep world (`S 1);
  Weir_sim.restart (Weir_sim_lwt.sim server);
  print_endline (Weir_sim_lwt.run client (ask "And now?"))
