open Ask
open Question
open Eio.Std
module Sockopt = Eio.Net.Sockopt

let any = Eio.Net.Ipaddr.V4.any
let loopback = Eio.Net.Ipaddr.V4.loopback

let socket ?reuse_addr ?reuse_port w address =
  tried (fun () ->
      let (_ : datagram) = datagram ?reuse_addr ?reuse_port w w.server ~address in
      "bound")

let to_server w = udp w.at w.port

(* A socket of the server's at the question's port, and one of the client's. *)
let on_sockets ?why ?hangs text f =
  ask ?why ?hangs text (fun w ->
      let s = at_port w in
      f w s (datagram w w.client))

let send_to ?dst w s text =
  let dst = Option.value dst ~default:(to_server w) in
  send ~dst w s text

let send_questions =
  [
    on_sockets "and the answer" (fun w s c ->
        send_to w c "question" >> fun () ->
        waits w (fun () ->
            let buf = Cstruct.create 100 in
            let from, n = Eio.Net.recv s buf in
            Eio.Net.send s ~dst:from [ Cstruct.of_string "re: "; Cstruct.sub buf 0 n ];
            recv w c));
    ask "from: the client's address" (fun w ->
        let s = at_port w in
        let c = datagram w w.client ~address:(`Udp (any, w.port + 1)) in
        send_to w c "x" >> fun () ->
        waits w (fun () -> client_shown w (fst (Eio.Net.recv s (Cstruct.create 1)))));
    on_sockets "an empty one" (fun w s c -> send_to w c "" >> fun () -> recv w s);
    on_sockets "no buffers" (fun w s c ->
        waits w (fun () ->
            Eio.Net.send c ~dst:(to_server w) [];
            "sent")
        >> fun () -> recv w s);
    on_sockets "65,507 bytes" (fun w s c ->
        send_to w c (String.make 65_507 'x') >> fun () ->
        waits w (fun () -> string_of_int (snd (Eio.Net.recv s (Cstruct.create 70_000)))));
    on_sockets "65,508 bytes" (fun w _ c -> send_to w c (String.make 65_508 'x'));
    on_sockets "without a destination" (fun w _ c -> send w c "x");
    ask "to a closed port, twice" (fun w ->
        let c = datagram w w.client in
        send_to w c "x" >> fun () ->
        settle w;
        send_to w c "x");
    ask ~hangs:true "to a closed port, then recv" (fun w ->
        let c = datagram w w.client in
        send_to w c "x" >> fun () -> recv w c);
    on_sockets "to port 0" (fun w _ c -> send_to ~dst:(udp w.at 0) w c "x");
    on_sockets ~why:Because.no_port ~hangs:true "to a port above 65,535" (fun w s c ->
        send_to ~dst:(udp w.at (65_536 + w.port)) w c "x" >> fun () -> recv w s);
    ask "to 0.0.0.0: the own host" (fun w ->
        let s = datagram w w.client ~address:(`Udp (any, w.port)) in
        let c = datagram w w.client in
        send_to ~dst:(udp any w.port) w c "x" >> fun () -> recv w s);
    ask "to 127.0.0.1: the own host" (fun w ->
        let s = datagram w w.client ~address:(`Udp (any, w.port)) in
        let c = datagram w w.client in
        send_to ~dst:(udp loopback w.port) w c "x" >> fun () -> recv w s);
    ask "from, by way of 127.1.2.3" (fun w ->
        let s = datagram w w.client ~address:(`Udp (any, w.port)) in
        let c = datagram w w.client in
        send_to ~dst:(udp (ip "127.1.2.3") w.port) w c "x" >> fun () ->
        waits w (fun () ->
            match Eio.Net.recv s (Cstruct.create 1) with
            | `Udp (a, _), _ -> Fmt.str "%a" Eio.Net.Ipaddr.pp a
            | `Unix _, _ -> "a path"));
    ask "to itself" (fun w ->
        let s = datagram w w.client ~address:(`Udp (any, w.port)) in
        send_to ~dst:(udp w.here w.port) w s "x" >> fun () -> recv w s);
    on_sockets "to a network without a route" (fun w _ c -> send_to ~dst:(udp nowhere 9) w c "x");
    on_sockets "to all, without SO_BROADCAST" (fun w _ c ->
        send_to ~dst:(udp w.broadcast w.port) w c "x");
    on_sockets "to all, with SO_BROADCAST" (fun w s c ->
        Eio.Net.setsockopt c Sockopt.SO_BROADCAST true;
        send_to ~dst:(udp w.broadcast w.port) w c "x" >> fun () -> recv w s);
    on_sockets "to an IPv6 address, from IPv4" (fun w _ c ->
        send_to ~dst:(udp Eio.Net.Ipaddr.V6.loopback w.port) w c "x");
    on_sockets "to a path" (fun w _ c ->
        send_to ~dst:(`Unix "/nonexistent/path/of/a/socket") w c "x");
    on_sockets "after close" (fun w _ c ->
        close c;
        send_to w c "x");
    on_sockets ~hangs:true "by a fiber that is cancelled already" (fun w s c ->
        let seen = ref "" in
        Fiber.first
          (fun () ->
            try Fiber.await_cancel ()
            with Eio.Cancel.Cancelled _ as e ->
              seen := did (fun () -> Eio.Net.send c ~dst:(to_server w) [ Cstruct.of_string "x" ]);
              raise e)
          (fun () -> ());
        !seen >> fun () -> recv w s);
    on_sockets "50 of 1,000 bytes wait for a reader" (fun w s c ->
        for _ = 1 to 50 do
          Eio.Net.send c ~dst:(to_server w) [ Cstruct.create 1_000 ]
        done;
        settle w;
        waits w (fun () ->
            let total = ref 0 in
            for _ = 1 to 50 do
              total := !total + snd (Eio.Net.recv s (Cstruct.create 2_000))
            done;
            string_of_int !total));
    on_sockets "from one port, without bind" (fun w s c ->
        let from () =
          ignore (send_to w c "x");
          fst (Eio.Net.recv s (Cstruct.create 1))
        in
        waits w (fun () ->
            let first = from () in
            string_of_bool (first = from ())));
    on_sockets "with IP_TTL 1, to the same network" (fun w s c ->
        Eio.Net.setsockopt c Sockopt.IP_TTL 1;
        send_to w c "x" >> fun () -> recv w s);
    on_sockets "1,000 that nobody reads" (fun w _ c ->
        waits w (fun () ->
            for _ = 1 to 1_000 do
              Eio.Net.send c ~dst:(to_server w) [ Cstruct.create 1_000 ]
            done;
            "sent"));
    ask "from a socket at another address of the host" (fun w ->
        let s = datagram w w.client ~address:(`Udp (any, w.port)) in
        let c = datagram w w.client ~address:(`Udp (loopback, w.port + 1)) in
        send_to ~dst:(udp w.here w.port) w c "x" >> fun () ->
        waits w (fun () ->
            Fmt.str "%a" Eio.Net.Sockaddr.pp (fst (Eio.Net.recv s (Cstruct.create 1)))
            |> replace ~what:(string_of_int (w.port + 1)) ~by:"PORT+1"));
  ]

let recv_questions =
  [
    on_sockets "in the order that they were sent" (fun w s c ->
        List.iter (fun t -> ignore (send_to w c t)) [ "one"; "two"; "three" ];
        recv w s >> fun () ->
        recv w s >> fun () -> recv w s);
    on_sockets "a longer one than the buffer, then the next" (fun w s c ->
        ignore (send_to w c "longer");
        ignore (send_to w c "next");
        recv ~most:3 w s >> fun () -> recv w s);
    on_sockets "into an empty buffer, then the next" (fun w s c ->
        ignore (send_to w c "one");
        ignore (send_to w c "next");
        recv ~most:0 w s >> fun () -> recv w s);
    on_sockets ~hangs:true "nothing there" (fun w s _ -> recv w s);
    ask ~hangs:true "at another address than it was sent to" (fun w ->
        let s = datagram w w.client ~address:(`Udp (ip "127.0.0.2", w.port)) in
        let c = datagram w w.client in
        send_to ~dst:(udp loopback w.port) w c "x" >> fun () -> recv w s);
    on_sockets "in a second domain" (fun w s c ->
        ignore (send_to w c "x");
        waits w (fun () ->
            Eio.Domain_manager.run w.domains (fun () ->
                string_of_int (snd (Eio.Net.recv s (Cstruct.create 10))))));
    on_sockets "cancelled, it loses nothing" (fun w s c ->
        Fiber.first (fun () -> ignore (Eio.Net.recv s (Cstruct.create 10))) (fun () -> settle w);
        ignore (send_to w c "later");
        recv w s);
    on_sockets "two fibers wait for two" (fun w s c ->
        let one = Fiber.fork_promise ~sw:w.sw (fun () -> recv w s) in
        let two = Fiber.fork_promise ~sw:w.sw (fun () -> recv w s) in
        settle w;
        ignore (send_to w c "x");
        ignore (send_to w c "x");
        Promise.await_exn one >> fun () -> Promise.await_exn two);
    on_sockets "after close" (fun w s _ ->
        close s;
        recv w s);
    on_sockets ~why:Because.ends ~hangs:true "while it waits another fiber closes" (fun w s _ ->
        meanwhile w (fun () -> recv w s) (fun () -> close s));
    ask "after the switch's end" (fun w ->
        let s = Switch.run (fun sw -> Eio.Net.datagram_socket ~sw w.server (`Udp (any, w.port))) in
        recv w s >> fun () -> socket w (`Udp (any, w.port)));
  ]

let twice ?first ?second ?(third = any) w =
  let bind (addr, port) reuse_addr reuse_port =
    socket ?reuse_addr ?reuse_port w (`Udp (addr, port))
  in
  let option (o : [ `Addr | `Port ] option) =
    ((if o = Some `Addr then Some true else None), if o = Some `Port then Some true else None)
  in
  let a, p = option first in
  bind (any, w.port) a p >> fun () ->
  let a, p = option second in
  bind (third, w.port) a p

let bind_questions =
  [
    ask "twice at a port" (fun w -> twice w);
    ask "any address, then one" (fun w -> twice w ~third:w.at);
    ask "two addresses of the host" (fun w ->
        socket w (`Udp (ip "127.0.0.2", w.port)) >> fun () -> socket w (`Udp (w.at, w.port)));
    ask "reuse_addr on both" (fun w -> twice w ~first:`Addr ~second:`Addr);
    ask "reuse_addr on the first" (fun w -> twice w ~first:`Addr);
    ask "reuse_addr on the second" (fun w -> twice w ~second:`Addr);
    ask "reuse_port on both" (fun w -> twice w ~first:`Port ~second:`Port);
    ask "reuse_port on one" (fun w -> twice w ~second:`Port);
    ask "reuse_addr, then reuse_port" (fun w -> twice w ~first:`Addr ~second:`Port);
    ask ~hangs:true "reuse_addr: the later one hears" (fun w ->
        let bind () = datagram ~reuse_addr:true w w.server ~address:(`Udp (any, w.port)) in
        let one = bind () in
        let two = bind () in
        let c = datagram w w.client in
        ignore (send_to w c "x");
        recv w two >> fun () -> recv w one);
    ask ~hangs:true "reuse_addr: the one at the address hears" (fun w ->
        let bind a = datagram ~reuse_addr:true w w.server ~address:(`Udp (a, w.port)) in
        let one = bind w.at in
        let two = bind any in
        let c = datagram w w.client in
        ignore (send_to w c "x");
        recv w one >> fun () -> recv w two);
    ask "reuse_addr: both hear what is sent to all" (fun w ->
        let bind () = datagram ~reuse_addr:true w w.server ~address:(`Udp (any, w.port)) in
        let one = bind () in
        let two = bind () in
        let c = datagram w w.client in
        Eio.Net.setsockopt c Sockopt.SO_BROADCAST true;
        ignore (send_to ~dst:(udp w.broadcast w.port) w c "x");
        recv w two >> fun () -> recv w one);
    ask ~hangs:true "reuse_port: one hears all of a peer" (fun w ->
        let bind () = datagram ~reuse_port:true w w.server ~address:(`Udp (any, w.port)) in
        let one = bind () in
        let two = bind () in
        let c = datagram w w.client in
        for _ = 1 to 10 do
          ignore (send_to w c "x")
        done;
        settle w;
        let rec all s n =
          if n = 0 then "all" else match recv w s with {|"x"|} -> all s (n - 1) | other -> other
        in
        let first = all one 10 in
        String.concat " " (List.sort compare [ first; all two 10 ]));
    ask "an address that is not the host's" (fun w -> socket w (`Udp (nowhere, w.port)));
    ask "the broadcast address: hears what is sent to all" (fun w ->
        let s = datagram w w.server ~address:(`Udp (w.broadcast, w.port)) in
        let c = datagram w w.client in
        Eio.Net.setsockopt c Sockopt.SO_BROADCAST true;
        send_to ~dst:(udp w.broadcast w.port) w c "x" >> fun () -> recv w s);
    ask "a multicast address" (fun w -> socket w (`Udp (ip "224.0.0.1", w.port)));
    ask "port 0" (fun w -> socket w (`Udp (any, 0)));
    ask ~why:Because.no_port "a port above 65,535" (fun w -> socket w (`Udp (any, 65_536 + w.port)));
    ask ~why:Because.no_port "a negative port" (fun w -> socket w (`Udp (any, -1)));
    ask "TCP and UDP at one port" (fun w ->
        listening (fun () -> listen w) >> fun () -> socket w (`Udp (any, w.port)));
    ask "`UdpV4" (fun w -> socket w `UdpV4);
    ask "`UdpV6 speaks IPv4 too" (fun w ->
        let s = at_port w in
        let c = datagram w w.client ~address:`UdpV6 in
        send_to ~dst:(udp (mapped w.at) w.port) w c "x" >> fun () ->
        waits w (fun () ->
            let from, _ = Eio.Net.recv s (Cstruct.create 1) in
            Eio.Net.send s ~dst:from [ Cstruct.of_string "re: x" ];
            let from, _ = Eio.Net.recv c (Cstruct.create 10) in
            shown w (Fmt.str "%a" Eio.Net.Sockaddr.pp from)));
    ask "`UdpV4 does not speak IPv6" (fun w ->
        let c = datagram w w.client in
        send_to ~dst:(udp (mapped w.at) w.port) w c "x");
    ask "an IPv6 address" (fun w -> socket w (`Udp (Eio.Net.Ipaddr.V6.loopback, w.port)));
    ask "any IPv6 address also hears IPv4, and answers" (fun w ->
        let s = datagram w w.server ~address:(`Udp (Eio.Net.Ipaddr.V6.any, w.port)) in
        let c = datagram w w.client ~address:(`Udp (any, w.port + 1)) in
        send_to w c "x" >> fun () ->
        waits w (fun () ->
            let from, _ = Eio.Net.recv s (Cstruct.create 1) in
            Eio.Net.send s ~dst:from [ Cstruct.of_string "re: x" ];
            client_shown w from)
        >> fun () -> recv w c);
    ask ~why:Because.no_paths "a path" (fun w -> socket w (`Unix "/nonexistent/socket"));
    ask "again after close" (fun w ->
        close (at_port w);
        socket w (`Udp (any, w.port)));
    ask "close twice" (fun w ->
        let s = at_port w in
        close s;
        did (fun () -> close s));
    ask "options after close" (fun w ->
        let s = at_port w in
        close s;
        tried (fun () -> string_of_bool (Eio.Net.getsockopt s Sockopt.SO_BROADCAST)) >> fun () ->
        did (fun () -> Eio.Net.setsockopt s Sockopt.SO_BROADCAST true));
    ask "a switch that has ended" (fun w ->
        let sw = Switch.run Fun.id in
        tried (fun () ->
            ignore (Eio.Net.datagram_socket ~sw w.server `UdpV4);
            "bound"));
  ]

let questions =
  group "datagrams: send" send_questions
  @ group "datagrams: recv" recv_questions
  @ group "datagrams: bind" bind_questions
