open Eio.Std
let server ~net =
  Switch.run @@ fun sw ->
  let address = `Tcp (Eio.Net.Ipaddr.V4.any, 7) in
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:64 net address in
  Eio.Net.run_server socket ~on_error:raise (fun flow _peer ->
      Eio.Flow.copy flow flow)
let client ~net question =
  Switch.run @@ fun sw ->
  let flow = Eio.Net.connect ~sw net (`Tcp (Eio.Net.Ipaddr.of_raw "\010\000\000\001", 7)) in
  Eio.Flow.copy_string question flow;
  Eio.Flow.shutdown flow `Send;
  Eio.Flow.read_all flow
let () =
  let go seed = 
    Weir_sim.run ~seed ~trace:print_endline @@ fun world ->
    let lan = Weir_sim.lan world ~latency:(`Ms 20) ~loss:0.02 in
    let a = Weir_sim.host world lan "10.0.0.1/24" and b = Weir_sim.host world lan "10.0.0.2/24" in
    let s = Fiber.first (fun () -> server ~net:a.net; "") (fun () -> client ~net:b.net (String.make 10000 'x')) in
    Printf.printf "%d %x %d\n" (String.length s) (Weir_sim.digest world) (Weir_sim.now world)
  in
  go 42;
  (try 
    Weir_sim.run ~seed:1 @@ fun world ->
    let lan = Weir_sim.lan world ~latency:(`Ms 20) ~loss:0.02 in
    let a = Weir_sim.host world lan "10.0.0.1/24" ~name:"server" ~main:(fun h -> server ~net:h.net) and b = Weir_sim.host world lan "10.0.0.2/24" in
    ignore a;
    Switch.run @@ fun sw ->
    let flow = Eio.Net.connect ~sw b.net (`Tcp (Eio.Net.Ipaddr.of_raw "\010\000\000\001", 7)) in
    ignore (Eio.Flow.read_all flow)
  with e -> print_endline (Printexc.to_string e));
  let t = Unix.gettimeofday () in
  let fails = Weir_sim.sweep ~seeds:(1,1000) (fun world ->
    let lan = Weir_sim.lan world ~latency:(`Ms 20) ~loss:0.02 in
    let a = Weir_sim.host world lan "10.0.0.1/24" and b = Weir_sim.host world lan "10.0.0.2/24" in
    let s = Fiber.first (fun () -> server ~net:a.net; "") (fun () -> client ~net:b.net (String.make 10000 'x')) in assert (String.length s = 10000)) in
  List.iter (fun f -> Fmt.pr "%a@." Weir_sim.Failure.pp f) fails;
  Printf.printf "%.2f\n" (Unix.gettimeofday () -. t)
