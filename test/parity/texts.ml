open Ask
open Question
module Sockopt = Eio.Net.Sockopt

let raised w f =
  waits w (fun () ->
      match f () with
      | () -> "nothing"
      | exception (Eio.Io _ as e) -> error_text w e
      | exception e -> shown w (Printexc.to_string e))

let error_texts =
  [
    ask "connect, refused" (fun w -> raised w (fun () -> ignore (connect w)));
    ask ~why:Because.told "connect, no route" (fun w ->
        raised w (fun () -> ignore (connect ~address:(tcp nowhere 80) w)));
    ask ~why:Because.told "connect, bound to another's address" (fun w ->
        raised w (fun () -> ignore (connect ~bind_to:(tcp nowhere 0) w)));
    ask "with_tcp_connect, refused" (fun w ->
        raised w (fun () ->
            Eio.Net.with_tcp_connect w.client ~host:(Fmt.str "%a" Eio.Net.Ipaddr.pp w.at)
              ~service:(string_of_int w.port) (fun _ -> ())));
    ask ~why:Because.told "listen, in use" (fun w ->
        let _ = listen w in
        raised w (fun () -> ignore (listen w)));
    ask "read, reset" (fun w ->
        let s, c = pair w in
        reset s;
        settle w;
        raised w (fun () -> ignore (Eio.Flow.single_read c (Cstruct.create 1))));
    ask "write, shut down" (fun w ->
        let _, c = pair w in
        Eio.Flow.shutdown c `Send;
        raised w (fun () -> Eio.Flow.write c [ Cstruct.of_string "x" ]));
    ask ~why:Because.told "setsockopt, a bad value" (fun w ->
        let _, c = pair w in
        raised w (fun () -> Eio.Net.setsockopt c Sockopt.TCP_KEEPIDLE 0));
    ask "setsockopt, a negative value" (fun w ->
        let _, c = pair w in
        raised w (fun () -> Eio.Net.setsockopt c Sockopt.TCP_KEEPIDLE (-1)));
    ask "getsockopt, no such option" (fun w ->
        let _, c = pair w in
        raised w (fun () -> ignore (Eio.Net.getsockopt c Sockopt.IPV6_ONLY)));
    ask ~why:Because.no_descriptor "read after close" (fun w ->
        let s, _ = pair w in
        close s;
        raised w (fun () -> ignore (Eio.Flow.single_read s (Cstruct.create 1))));
    ask ~why:Because.no_descriptor "accept after close" (fun w ->
        let l = listen w in
        close l;
        raised w (fun () -> ignore (accept w l)));
    ask ~why:Because.told "send, too long" (fun w ->
        let c = datagram w w.client in
        raised w (fun () -> Eio.Net.send c ~dst:(udp w.at w.port) [ Cstruct.create 65_508 ]));
    ask ~why:Because.told "send, not permitted" (fun w ->
        let c = datagram w w.client in
        raised w (fun () -> Eio.Net.send c ~dst:(udp w.broadcast w.port) [ Cstruct.create 1 ]));
    ask "a handler's failure names the client" (fun w ->
        let l = listen w in
        let seen = ref "nothing" in
        Eio.Fiber.both
          (fun () ->
            Eio.Switch.run @@ fun sw ->
            Eio.Net.accept_fork ~sw l
              ~on_error:(fun e -> seen := client_text w e)
              (fun _ _ -> raise (Eio.Net.err Invalid_option)))
          (fun () -> ignore (connect ~bind_to:(tcp w.here (w.port + 1)) w));
        !seen);
  ]

let views =
  [
    ask ~why:Because.no_descriptor "a stream's file descriptor" (fun w ->
        let s, _ = pair w in
        match Eio_unix.Resource.fd_opt s with Some _ -> "one" | None -> "none");
    ask ~why:Because.no_descriptor "a listener's" (fun w ->
        match Eio_unix.Resource.fd_opt (listen w) with Some _ -> "one" | None -> "none");
    ask ~why:Because.no_descriptor "a datagram socket's" (fun w ->
        match Eio_unix.Resource.fd_opt (at_port w) with Some _ -> "one" | None -> "none");
    ask ~why:Because.no_descriptor "Eio_unix.Net.send_msg" (fun w ->
        let s, _ = pair w in
        did (fun () -> Eio_unix.Net.send_msg s [ Cstruct.of_string "x" ]));
    ask ~why:Because.no_descriptor "Eio_unix.Net.fd of a stream" (fun w ->
        let s, _ = pair w in
        tried (fun () ->
            ignore (Eio_unix.Resource.fd_opt s |> Option.get);
            "one"));
  ]

let questions = group "texts of exceptions" error_texts @ group "Eio_unix" views
