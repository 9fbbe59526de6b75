open Ask
open Question

let any = Eio.Net.Ipaddr.V4.any
let loopback = Eio.Net.Ipaddr.V4.loopback

(* A listener at the client's own network. *)
let listen_here w : listener = Eio.Net.listen ~backlog:8 ~sw:w.sw w.client (tcp any w.port)

let from (address : Eio.Net.Sockaddr.stream) w =
  match address with
  | `Tcp (a, port) ->
      Fmt.str "%s:%s"
        (if (a :> string) = (w.here :> string) then "CLIENT" else Fmt.str "%a" Eio.Net.Ipaddr.pp a)
        (if port = w.port + 1 then "PORT+1" else if port > 0 then "a port" else "0")
  | `Unix _ -> "a path"

(* Whom the server sees. *)
let seen w f =
  waits w (fun () ->
      let l = listen w in
      let (_, address), _ = Eio.Fiber.pair (fun () -> Eio.Net.accept ~sw:w.sw l) f in
      from address w)

let bound w ?options ?(address = server w) a port =
  connect ~bind_to:(tcp a port) ?options ~address w

let connect_questions =
  [
    ask "a port where nobody listens" (fun w -> connected w (fun () -> connect w));
    ask "port 0" (fun w -> connected w (fun () -> connect ~address:(tcp w.at 0) w));
    ask ~why:Because.no_port "a port above 65,535" (fun w ->
        let _ = listen w in
        connected w (fun () -> connect ~address:(tcp w.at (65_536 + w.port)) w));
    ask ~why:Because.no_port "a negative port" (fun w ->
        connected w (fun () -> connect ~address:(tcp w.at (-1)) w));
    ask "a network without a route" (fun w ->
        connected w (fun () -> connect ~address:(tcp nowhere 80) w));
    ask "0.0.0.0 is the own host" (fun w ->
        let _ = listen_here w in
        connected w (fun () -> connect ~address:(tcp any w.port) w));
    ask "127.0.0.1 is the own host" (fun w ->
        let _ = listen_here w in
        connected w (fun () -> connect ~address:(tcp loopback w.port) w));
    ask "127.1.2.3 is the own host" (fun w ->
        let _ = listen_here w in
        connected w (fun () -> connect ~address:(tcp (ip "127.1.2.3") w.port) w));
    ask "the network's broadcast address" (fun w ->
        connected w (fun () -> connect ~address:(tcp w.broadcast w.port) w));
    ask "255.255.255.255" (fun w ->
        connected w (fun () -> connect ~address:(tcp (ip "255.255.255.255") w.port) w));
    ask "a multicast address" (fun w ->
        connected w (fun () -> connect ~address:(tcp (ip "224.0.0.1") w.port) w));
    ask "an IPv6 address" (fun w ->
        connected w (fun () -> connect ~address:(tcp Eio.Net.Ipaddr.V6.loopback w.port) w));
    ask "an IPv4 address in IPv6" (fun w ->
        let _ = listen w in
        connected w (fun () -> connect ~address:(tcp (mapped w.at) w.port) w));
    ask ~why:Because.no_paths "a path" (fun w ->
        connected w (fun () -> connect ~address:(`Unix "/nonexistent/socket") w));
    ask "a full backlog, within a time limit" (fun w ->
        let _ = listen ~backlog:0 w in
        let limit = Eio.Time.Timeout.seconds w.clock 0.3 in
        let rec go n =
          if n = 0 then "connected"
          else
            match Eio.Time.Timeout.run_exn limit (fun () -> connect w) with
            | (_ : stream) -> go (n - 1)
            | exception e -> name e
        in
        go 20);
    ask "with_tcp_connect, refused" (fun w ->
        tried (fun () ->
            Eio.Net.with_tcp_connect w.client ~host:(Fmt.str "%a" Eio.Net.Ipaddr.pp w.at)
              ~service:(string_of_int w.port) (fun _ -> "connected")));
    ask "with_tcp_connect, a full backlog, a time limit" (fun w ->
        let _ = listen ~backlog:0 w in
        let timeout = Eio.Time.Timeout.seconds w.clock 0.3 in
        let rec go n =
          if n = 0 then "connected"
          else
            Eio.Net.with_tcp_connect w.client ~timeout ~host:(Fmt.str "%a" Eio.Net.Ipaddr.pp w.at)
              ~service:(string_of_int w.port) (fun _ -> go (n - 1))
        in
        tried (fun () -> go 20));
    ask "with_tcp_connect closes at its end" (fun w ->
        let l = listen w in
        let s = Eio.Fiber.fork_promise ~sw:w.sw (fun () -> accept w l) in
        Eio.Net.with_tcp_connect w.client ~host:(Fmt.str "%a" Eio.Net.Ipaddr.pp w.at)
          ~service:(string_of_int w.port) (fun c -> write_string c "hello");
        drain w (Eio.Promise.await_exn s));
    ask ~why:Because.given_up ~hangs:true "an attempt given up, once there is room" (fun w ->
        let l = listen ~backlog:0 w in
        let (_ : stream) = connect w in
        let limit = Eio.Time.Timeout.seconds w.clock 0.3 in
        let second =
          did (fun () -> Eio.Time.Timeout.run_exn limit (fun () -> ignore (connect w)))
        in
        let first = accepted w l in
        second >> fun () ->
        first >> fun () -> accepted w l);
    ask "itself, from the same port" (fun w ->
        let c = bound w ~address:(tcp w.here w.port) w.here w.port in
        write_string c "to myself";
        read w c);
  ]

let bind_questions =
  let reuse = Eio.Net.Sockopt.[ (SO_REUSEADDR, true) ] in
  [
    ask "an address of the host, any port" (fun w -> seen w (fun () -> bound w w.here 0));
    ask "an address of the host and a port" (fun w ->
        seen w (fun () -> bound w w.here (w.port + 1)));
    ask "any address, a port" (fun w -> seen w (fun () -> bound w any (w.port + 1)));
    ask "an address that is not the host's" (fun w -> seen w (fun () -> bound w nowhere 0));
    ask ~why:Because.no_host "the broadcast address" (fun w ->
        seen w (fun () -> bound w w.broadcast 0));
    ask "a path" (fun w ->
        seen w (fun () -> connect ~bind_to:(`Unix "/nonexistent/path/of/a/socket") w));
    ask "an IPv6 address, to IPv4" (fun w -> seen w (fun () -> bound w Eio.Net.Ipaddr.V6.any 0));
    ask "an IPv4 address, to IPv4 in IPv6" (fun w ->
        seen w (fun () -> bound w ~address:(tcp (mapped w.at) w.port) w.here 0));
    ask ~why:Because.no_port "a port above 65,535" (fun w ->
        seen w (fun () -> bound w w.here (65_536 + w.port + 1)));
    ask "a port of a connection" (fun w ->
        let _ = listen w in
        connected w (fun () -> bound w w.here (w.port + 1)) >> fun () ->
        connected w (fun () -> bound w w.here (w.port + 1)));
    ask "a port of a connection, to another peer" (fun w ->
        let _ = listen w in
        let _ = listen w ~address:(tcp any (w.port + 2)) in
        connected w (fun () -> bound w w.here (w.port + 1)) >> fun () ->
        connected w (fun () -> bound w ~address:(tcp w.at (w.port + 2)) w.here (w.port + 1)));
    ask "the same with SO_REUSEADDR on both" (fun w ->
        let _ = listen w in
        let _ = listen w ~address:(tcp any (w.port + 2)) in
        let bound = bound ~options:reuse in
        connected w (fun () -> bound w w.here (w.port + 1)) >> fun () ->
        connected w (fun () -> bound w ~address:(tcp w.at (w.port + 2)) w.here (w.port + 1)));
    ask "the same, to the same peer" (fun w ->
        let _ = listen w in
        let bound = bound ~options:reuse in
        connected w (fun () -> bound w w.here (w.port + 1)) >> fun () ->
        connected w (fun () -> bound w w.here (w.port + 1)));
    ask "the same with SO_REUSEADDR on the second only" (fun w ->
        let _ = listen w in
        let _ = listen w ~address:(tcp any (w.port + 2)) in
        connected w (fun () -> bound w w.here (w.port + 1)) >> fun () ->
        connected w (fun () ->
            bound w ~options:reuse ~address:(tcp w.at (w.port + 2)) w.here (w.port + 1)));
    ask "a port where the host listens" (fun w ->
        let _ = listen w in
        let _ : listener =
          Eio.Net.listen ~reuse_addr:true ~backlog:1 ~sw:w.sw w.client (tcp any (w.port + 1))
        in
        connected w (fun () -> bound w w.here (w.port + 1)) >> fun () ->
        connected w (fun () -> bound w ~options:reuse w.here (w.port + 1)));
    ask "the port of a closed connection, at once" (fun w ->
        let l = listen w in
        let s, c = Eio.Fiber.pair (fun () -> accept w l) (fun () -> bound w w.here (w.port + 1)) in
        close c;
        settle w;
        close s;
        settle w;
        connected w (fun () -> bound w w.here (w.port + 1)));
    ask "the port of a reset connection, at once" (fun w ->
        let l = listen w in
        let _, c = Eio.Fiber.pair (fun () -> accept w l) (fun () -> bound w w.here (w.port + 1)) in
        reset c;
        connected w (fun () -> bound w w.here (w.port + 1)));
  ]

let questions = group "connect to" connect_questions @ group "connect ~bind_to" bind_questions
