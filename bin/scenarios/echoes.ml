open Eio.Std
open Weir_base
open Weir_link
open Scenario

let echo_server ?(port = 7) h = serve h ~port (fun flow -> Eio.Flow.copy flow flow)

let ask client server question =
  trying client ~tries:10 @@ fun () ->
  Switch.run @@ fun sw ->
  let flow = connect ~sw client server ~port:7 in
  Fiber.both
    (fun () ->
      Eio.Flow.copy_string question flow;
      Eio.Flow.shutdown flow `Send)
    (fun () ->
      let answer = Eio.Flow.read_all flow in
      require (String.equal answer question) "the echo differs: %d bytes for %d"
        (String.length answer) (String.length question))

let pair ?(config = patient) settings world impairment =
  let lan = lan settings world impairment in
  let server = Weir_sim.host world lan "10.0.0.1/24" ~name:"server" ~config ~main:echo_server in
  (server, Weir_sim.host world lan "10.0.0.2/24" ~name:"client" ~config)

let echo =
  let play settings world =
    let server, client = pair settings world bad in
    let random = Weir_sim.random world in
    for _ = 1 to 3 do
      ask client server (text random (1 + Random.State.int random 20_000))
    done
  in
  { name = "echo"; about = "three echoes of up to 20 kB over a bad network"; play }

let many_clients =
  let count = 50 in
  let play settings world =
    let lan = lan settings world { bad with delay_ns = Time.ms 2 } in
    let server = Weir_sim.host world lan "10.0.0.1/16" ~name:"server" ~main:echo_server in
    let clients =
      List.init count (fun i -> Weir_sim.host world lan (Printf.sprintf "10.0.1.%d/16" (i + 1)))
    in
    Fiber.all
      (List.map
         (fun (client : Weir_sim.host) () ->
           for _ = 1 to 2 do
             ask client server (text client.random (1 + Random.State.int client.random 4_000))
           done)
         clients);
    bounded server patient;
    drained world (server :: clients)
  in
  {
    name = "many-clients";
    about = "50 hosts ask one server at once, twice; no connection stays";
    play;
  }

(* -- a server that comes and goes ---------------------------------------- *)

(* A request is a line; it is done when the whole answer has come. Who only waits
   never hears that its peer has crashed: hence the time limit. *)
let request (client : Weir_sim.host) server line =
  Eio.Time.Timeout.(run_exn (seconds client.mono_clock 5.)) @@ fun () ->
  Switch.run @@ fun sw ->
  let flow = connect ~sw client server ~port:7 in
  Eio.Flow.copy_string (line ^ "\n") flow;
  let answer = Eio.Buf_read.line (Eio.Buf_read.of_flow ~max_size:1_000 flow) in
  require (String.equal answer line) "asked %S, was answered %S" line answer

let rec until_answered (client : Weir_sim.host) server line ~tries =
  match request client server line with
  | () -> ()
  | exception e when broke e || e = Eio.Time.Timeout ->
      require (tries > 1) "no answer to %S in 100 tries" line;
      Eio.Time.Mono.sleep client.mono_clock 0.5;
      until_answered client server line ~tries:(tries - 1)

let restart =
  let play settings world =
    let server, client = pair ~config:quick settings world bad in
    let random = Weir_sim.random world in
    let upset () =
      for _ = 1 to 4 do
        Weir_sim.sleep world (`Ms (500 + Random.State.int random 4_000));
        Weir_sim.crash server;
        Weir_sim.sleep world (`Ms (Random.State.int random 5_000));
        Weir_sim.restart server
      done
    in
    let work () =
      for i = 1 to 20 do
        until_answered client server (Printf.sprintf "request %d" i) ~tries:100;
        Eio.Time.Mono.sleep client.mono_clock 0.3
      done
    in
    Fiber.both upset work;
    drained world [ client; server ]
  in
  {
    name = "restart";
    about = "a server crashes and restarts four times; its client reconnects until all is answered";
    play;
  }

(* -- one connection through trouble --------------------------------------- *)

(* The connection is to live as long as TCP lets it. *)
let unhurried = Weir_core.Config.default

let converse (client : Weir_sim.host) server ~rounds ~upset =
  Switch.run @@ fun sw ->
  let flow = trying client ~tries:10 (fun () -> connect ~sw client server ~port:7) in
  Fiber.fork ~sw upset;
  let input = Eio.Buf_read.of_flow ~max_size:10_000 flow in
  for i = 1 to rounds do
    let line = Printf.sprintf "%d %s" i (text client.random 200) in
    Eio.Flow.copy_string (line ^ "\n") flow;
    require (String.equal (Eio.Buf_read.line input) line) "line %d came back changed" i;
    Eio.Time.Mono.sleep client.mono_clock 0.2
  done

let partition =
  let play settings world =
    let server, client = pair ~config:unhurried settings world { bad with duplicate = 0. } in
    let random = Weir_sim.random world in
    let upset () =
      for _ = 1 to 5 do
        Weir_sim.sleep world (`Ms (Random.State.int random 3_000));
        let one_way = Random.State.bool random in
        let from, to_ = if Random.State.bool random then (server, client) else (client, server) in
        Weir_sim.partition ~one_way [ from ] [ to_ ];
        Weir_sim.sleep world (`Ms (Random.State.int random 8_000));
        Weir_sim.heal [ server ] [ client ]
      done
    in
    converse client server ~rounds:50 ~upset
  in
  {
    name = "partition";
    about = "a conversation over one connection, cut five times for up to 8 s, one way or both";
    play;
  }

let pause =
  let play settings world =
    let server, client =
      pair ~config:unhurried settings world { Impairment.none with delay_ns = Time.ms 5 }
    in
    Weir_sim.set_drift server ~ppm:(Random.State.int (Weir_sim.random world) 2_000 - 1_000);
    let random = Weir_sim.random world in
    let upset () =
      for _ = 1 to 5 do
        Weir_sim.sleep world (`Ms (Random.State.int random 3_000));
        Weir_sim.pause server ~for_:(`Ms (Random.State.int random 10_000));
        Weir_sim.sleep world (`S 10)
      done
    in
    converse client server ~rounds:50 ~upset
  in
  {
    name = "pause";
    about = "a server with a wrong clock stops five times for up to 10 s and goes on";
    play;
  }

(* -- everything at once --------------------------------------------------- *)

let chaos =
  let play settings world =
    let lan = lan settings world bad in
    let server =
      Weir_sim.host world lan "10.0.0.1/24" ~name:"server" ~config:quick ~main:echo_server
    in
    let client i =
      let address = Printf.sprintf "10.0.0.%d/24" (i + 2) in
      Weir_sim.host world lan address ~name:(Printf.sprintf "client%d" (i + 1)) ~config:quick
    in
    let clients = List.init 3 client in
    let work (client : Weir_sim.host) () =
      for i = 1 to 10 do
        until_answered client server (Printf.sprintf "%s, request %d" client.name i) ~tries:200;
        Eio.Time.Mono.sleep client.mono_clock 1.
      done
    in
    Fiber.first
      (fun () -> Fiber.all (List.map work clients))
      (fun () -> Weir_sim.chaos world (server :: clients));
    drained world (server :: clients)
  in
  {
    name = "chaos";
    about =
      "three clients and a server crash, pause and are cut off, by chance, until all is answered";
    play;
  }
