open Eio.Std
open Scenario

let two ?config settings world impairment ~main =
  let lan = lan settings world impairment in
  let server = Weir_sim.host world lan "10.0.0.1/24" ~name:"server" ?config ~main in
  (server, Weir_sim.host world lan "10.0.0.2/24" ~name:"client" ?config)

let bursts =
  {
    bad with
    loss = Bursts { enter = 0.005; leave = 0.3; good = 0.; bad = 0.7 };
    rate_bps = 50_000_000;
    queue_bytes = 100_000;
  }

let same what a b =
  require
    (String.length a = String.length b)
    "%s: %d bytes of %d" what (String.length b) (String.length a);
  require (String.equal a b) "%s: bytes differ" what

let bulk =
  let play settings world =
    let sent = text (Weir_sim.random world) 500_000 in
    let send flow = Eio.Flow.copy_string sent flow in
    let server, client =
      two ~config:patient settings world bursts ~main:(fun h -> serve h ~port:9 send)
    in
    trying client ~tries:10 @@ fun () ->
    Switch.run @@ fun sw ->
    let flow = connect ~sw client server ~port:9 in
    same "the transfer" sent (Eio.Flow.read_all flow);
    bounded server patient;
    bounded client patient
  in
  { name = "bulk"; about = "500 kB over 50 Mbit/s with a short queue and losses in bursts"; play }

let slow_reader =
  let config = { patient with send_buffer = 65_536; receive_buffer = 65_536 } in
  let play settings world =
    let sent = text (Weir_sim.random world) 300_000 in
    let send flow = Eio.Flow.copy_string sent flow in
    let server, client = two ~config settings world bad ~main:(fun h -> serve h ~port:9 send) in
    trying client ~tries:10 @@ fun () ->
    Switch.run @@ fun sw ->
    let flow = connect ~sw client server ~port:9 in
    let got = Buffer.create 300_000 and buf = Cstruct.create 4_000 in
    let rec read () =
      match Eio.Flow.single_read flow buf with
      | exception End_of_file -> ()
      | n ->
          Buffer.add_string got (Cstruct.to_string (Cstruct.sub buf 0 n));
          bounded server config;
          bounded client config;
          Eio.Time.Mono.sleep client.mono_clock 0.2;
          read ()
    in
    read ();
    same "what was read" sent (Buffer.contents got)
  in
  {
    name = "slow-reader";
    about =
      "300 kB to a client that reads 4 kB each 0.2 s: windows close, buffers stay within 64 kB";
    play;
  }

(* -- HTTP ---------------------------------------------------------------- *)

let files random =
  List.init 5 (fun i -> (Printf.sprintf "file%d" i, text random (Random.State.int random 60_000)))

let web files h =
  let handler = Weir_http.Files.handler (Weir_http.Files.memory files) in
  serve h ~port:80 (fun flow ->
      let flow = Weir_eio.Flows.of_eio flow in
      try Weir_http.Server.serve_connection (Weir_http.Server.create ()) flow handler
      with Weir_flow.Flow.Error _ -> ())

exception Interrupted

let fetch client server name =
  Switch.run @@ fun sw ->
  let flow = Weir_eio.Flows.of_eio (connect ~sw client server ~port:80) in
  let http = Weir_http.Client.create flow in
  let url : Weir_http.Url.t = { host = "server"; port = 80; target = "/" ^ name } in
  match Weir_http.Client.get http url with
  | Error _ -> raise Interrupted
  | Ok response -> (
      require (response.head.status = 200) "GET %s: status %d" name response.head.status;
      match Weir_http.Client.read_all response with Error _ -> raise Interrupted | Ok body -> body)

let rec fetch_at_last (client : Weir_sim.host) server name ~tries =
  match
    Eio.Time.Timeout.(run_exn (seconds client.mono_clock 60.)) (fun () -> fetch client server name)
  with
  | body -> body
  | exception e
    when match e with
         | Interrupted | Eio.Time.Timeout | Weir_flow.Flow.Error _ -> true
         | e -> broke e ->
      require (tries > 1) "GET %s: no answer in 60 tries" name;
      Eio.Time.Mono.sleep client.mono_clock 1.;
      fetch_at_last client server name ~tries:(tries - 1)

let site =
  let play settings world =
    let random = Weir_sim.random world in
    let files = files random in
    let server, client = two ~config:quick settings world bad ~main:(web files) in
    let upset () =
      for _ = 1 to 3 do
        Weir_sim.sleep world (`Ms (Random.State.int random 2_000));
        Weir_sim.partition [ server ] [ client ];
        Weir_sim.sleep world (`Ms (Random.State.int random 20_000));
        Weir_sim.heal_all world
      done
    in
    let work () =
      List.iter
        (fun (name, content) -> same name content (fetch_at_last client server name ~tries:60))
        files
    in
    Fiber.both upset work;
    drained world [ server; client ]
  in
  {
    name = "http";
    about = "five files over HTTP, the network cut three times for up to 20 s; no connection stays";
    play;
  }
