open Ask
open Question
open Eio.Std
module Sockopt = Eio.Net.Sockopt

let any = Eio.Net.Ipaddr.V4.any
let loopback = Eio.Net.Ipaddr.V4.loopback
let at w a = tcp a w.port

let listen_questions =
  [
    ask "at port 0: a free port" (fun w ->
        match Eio.Net.listening_addr (listen ~address:(tcp any 0) w) with
        | `Tcp (a, port) -> Fmt.str "%a, %b" Eio.Net.Ipaddr.pp a (port >= 32_768 && port < 65_536)
        | `Unix _ -> "a path");
    ask "listening_addr" (fun w ->
        shown w
          (Fmt.str "%a" Eio.Net.Sockaddr.pp (Eio.Net.listening_addr (listen ~address:(server w) w))));
    ask "twice at a port" (fun w ->
        listening (fun () -> listen w) >> fun () -> listening (fun () -> listen w));
    ask "twice with reuse_addr" (fun w ->
        let l () = listen ~reuse_addr:true w in
        listening l >> fun () -> listening l);
    ask "twice with reuse_port" (fun w ->
        let l () = listen ~reuse_port:true w in
        listening l >> fun () -> listening l);
    ask "reuse_port on the first only" (fun w ->
        listening (fun () -> listen ~reuse_port:true w) >> fun () -> listening (fun () -> listen w));
    ask "reuse_port on the second only" (fun w ->
        listening (fun () -> listen w) >> fun () -> listening (fun () -> listen ~reuse_port:true w));
    ask "at any address, then at one" (fun w ->
        listening (fun () -> listen w) >> fun () ->
        listening (fun () -> listen ~address:(server w) w));
    ask "at any address, then at one, with reuse_addr" (fun w ->
        listening (fun () -> listen ~reuse_addr:true w) >> fun () ->
        listening (fun () -> listen ~reuse_addr:true ~address:(server w) w));
    ask "at two addresses of the host" (fun w ->
        listening (fun () -> listen ~address:(at w (ip "127.0.0.2")) w) >> fun () ->
        listening (fun () -> listen ~address:(server w) w));
    ask "an address that is not the host's" (fun w ->
        listening (fun () -> listen ~address:(at w nowhere) w));
    ask ~why:Because.no_host "the broadcast address" (fun w ->
        listening (fun () -> listen ~address:(at w w.broadcast) w));
    ask ~why:Because.no_host "a multicast address" (fun w ->
        listening (fun () -> listen ~address:(at w (ip "224.0.0.1")) w));
    ask "127.0.0.1 is not reached by another address" (fun w ->
        let _ : listener = Eio.Net.listen ~backlog:1 ~sw:w.sw w.client (at w (ip "127.0.0.2")) in
        connected w (fun () -> connect ~address:(tcp w.here w.port) w));
    ask "an IPv6 address" (fun w ->
        listening (fun () -> listen ~address:(at w Eio.Net.Ipaddr.V6.loopback) w));
    ask "any IPv6 address also hears IPv4" (fun w ->
        let _ = listen ~address:(at w Eio.Net.Ipaddr.V6.any) w in
        connected w (fun () -> connect w));
    ask "any IPv6 address: listening_addr, and the client's" (fun w ->
        let l = listen ~address:(at w Eio.Net.Ipaddr.V6.any) w in
        let c =
          Fiber.fork_promise ~sw:w.sw (fun () -> connect ~bind_to:(tcp w.here (w.port + 1)) w)
        in
        let _, address = Eio.Net.accept ~sw:w.sw l in
        ignore (Promise.await_exn c);
        shown w (Fmt.str "%a" Eio.Net.Sockaddr.pp (Eio.Net.listening_addr l)) >> fun () ->
        client_shown w address);
    ask ~why:Because.no_paths "a path" (fun w ->
        listening (fun () -> listen ~address:(`Unix "/nonexistent/socket") w));
    ask ~why:Because.no_port "a port above 65,535" (fun w ->
        listening (fun () -> listen ~address:(tcp any (65_536 + w.port)) w));
    ask ~why:Because.no_port "a negative port" (fun w ->
        listening (fun () -> listen ~address:(tcp any (-1)) w));
    ask "the port of a connect in progress or made" (fun w ->
        let _ = listen w in
        let _ = connect ~bind_to:(tcp w.here (w.port + 1)) w in
        listening (fun () ->
            Eio.Net.listen ~reuse_addr:true ~backlog:1 ~sw:w.sw w.client (tcp any (w.port + 1))));
  ]

let again ?(first = false) ?(second = false) ?reuse_port ~before w =
  let l = listen ~reuse_addr:first ?reuse_port w in
  before w l;
  close l;
  settle w;
  listening (fun () -> listen ~reuse_addr:second ?reuse_port w)

let established w l = ignore (pair_on w l)

let closed_first_by which w l =
  let s, c = pair_on w l in
  let first, last = match which with `Server -> (s, c) | `Client -> (c, s) in
  close first;
  settle w;
  close last;
  settle w

let closing_questions =
  [
    ask "a listener: then nobody is there" (fun w ->
        close (listen w);
        connected w (fun () -> connect w));
    ask ~why:Because.stays "a listener with connections that wait" (fun w ->
        let l = listen w in
        let c = connect w in
        settle w;
        close l;
        settle w;
        read w c >> fun () -> write w c);
    ask "a listener twice" (fun w ->
        let l = listen w in
        close l;
        did (fun () -> close l));
    ask "a listener: accepted connections go on" (fun w ->
        let l = listen w in
        let s, c = pair_on w l in
        close l;
        write w c >> fun () -> read w s);
    ask ~why:Because.ends ~hangs:true "a listener in which another fiber waits" (fun w ->
        let l = listen w in
        meanwhile w (fun () -> accepted w l) (fun () -> close l));
    ask "then accept" (fun w ->
        let l = listen w in
        close l;
        accepted w l);
    ask "then listening_addr" (fun w ->
        let l = listen w in
        close l;
        tried (fun () -> Fmt.str "%a" Eio.Net.Sockaddr.pp (Eio.Net.listening_addr l)));
    ask "then the options" (fun w ->
        let l = listen w in
        close l;
        tried (fun () -> string_of_bool (Eio.Net.getsockopt l Sockopt.SO_KEEPALIVE)) >> fun () ->
        did (fun () -> Eio.Net.setsockopt l Sockopt.SO_KEEPALIVE true));
    ask "listen again at once" (again ~before:(fun _ _ -> ()));
    ask "listen again, a connection lives" (again ~before:established);
    ask "it lives, the second with reuse_addr" (again ~second:true ~before:established);
    ask "it lives, both with reuse_addr" (again ~first:true ~second:true ~before:established);
    ask "it lives, both with reuse_port" (again ~reuse_port:true ~before:established);
    ask "listen again, a connection in TIME-WAIT" (again ~before:(closed_first_by `Server));
    ask "in TIME-WAIT, the second with reuse_addr"
      (again ~second:true ~before:(closed_first_by `Server));
    ask "in TIME-WAIT, both with reuse_addr"
      (again ~first:true ~second:true ~before:(closed_first_by `Server));
    ask "in TIME-WAIT, both with reuse_port"
      (again ~reuse_port:true ~before:(closed_first_by `Server));
    ask "listen again, the client closed first" (fun w ->
        (* A host that talks to itself has the client's TIME-WAIT, at another port. *)
        again ~before:(closed_first_by `Client) w);
    ask "by the switch's end" (fun w ->
        let l = Switch.run (fun sw -> listen ~sw w) in
        accepted w l >> fun () -> connected w (fun () -> connect w));
  ]

let questions = group "listen" listen_questions @ group "close" closing_questions
