open Eio.Std
open Weir_link
open Weir_wire
open Scenario

let bursts = 1_000
let burst = 10
let attacker = Mac.of_int 0x0200_0000_0666

(* Its sources are on the server's network, so that ARP is asked for them too. Every second SYN has
   the honest client's address. *)
let syn random pool stack ~client =
  let frame = Frame.alloc pool in
  let server = Ip.of_ipaddr (Weir_core.Stack.address stack) in
  let made_up = Ip.of_int (0x0a000000 lor (256 + Random.State.int random 60_000)) in
  let src = if Random.State.bool random then client else made_up in
  let h =
    {
      Tcp.base with
      src_port = 1 + Random.State.int random 65_534;
      dst_port = 7;
      seq = Random.State.bits random;
      syn = true;
      window = 65_535;
      mss = 1_460;
    }
  in
  let length = Tcp.length h in
  Ethernet.emit
    {
      dst = (Weir_core.Stack.interface stack 0).mac;
      src = attacker;
      ethertype = Ethernet.ethertype_ipv4;
    }
    frame.data ~off:0;
  let ip =
    { Ipv4.base with src; dst = server; protocol = Ipv4.protocol_tcp; data_length = length }
  in
  Ipv4.emit ip frame.data ~off:14;
  let pseudo = Ip.pseudo_sum ~src ~dst:server ~protocol:Ipv4.protocol_tcp ~length in
  let at = Ethernet.length + Ipv4.shortest in
  Tcp.emit h ~pseudo ~data_sum:0 frame.data ~off:at;
  Frame.set_length frame (at + length);
  frame

let flood world link server ~client =
  let random = Weir_sim.random world in
  let stack = Option.get (Weir_sim.stack server) in
  let client = Ip.of_ipaddr (Weir_core.Stack.address (Option.get (Weir_sim.stack client))) in
  let pool = Frame.pool ~size:1_600 () in
  for i = 1 to bursts do
    for _ = 1 to burst do
      link#send ~now:(Weir_sim.now world) (syn random pool stack ~client)
    done;
    if i mod 100 = 0 then bounded server patient;
    Weir_sim.sleep world (`Ms 1)
  done

let honest client server =
  for i = 1 to 10 do
    Switch.run @@ fun sw ->
    let flow = connect ~sw client server ~port:7 in
    let line = Printf.sprintf "honest request %d" i in
    Eio.Flow.copy_string (line ^ "\n") flow;
    require
      (String.equal (Eio.Buf_read.line (Eio.Buf_read.of_flow ~max_size:1_000 flow)) line)
      "an honest request was answered wrongly";
    Eio.Time.Mono.sleep client.Weir_sim.mono_clock 0.1
  done

let syn_flood =
  let play settings world =
    let lan = lan settings world { Impairment.none with delay_ns = 100_000 } in
    let main h = serve h ~port:7 (fun flow -> Eio.Flow.copy flow flow) in
    let server = Weir_sim.host world lan "10.0.0.1/16" ~name:"server" ~main in
    let client = Weir_sim.host world lan "10.0.0.2/16" ~name:"client" in
    let link = Weir_sim.link world lan ~name:"attacker" in
    Fiber.both (fun () -> flood world link server ~client) (fun () -> honest client server);
    drained world [ server; client ]
  in
  {
    name = "syn-flood";
    about =
      "10,000 SYNs from made-up addresses in 1 s; an honest client is served, and all is forgotten";
    play;
  }
