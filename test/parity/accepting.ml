open Ask
open Question
open Eio.Std
module Sockopt = Eio.Net.Sockopt

let any = Eio.Net.Ipaddr.V4.any

(* How many of [n] attempts get through to a listener that accepts none. *)
let fit w ~backlog n =
  let _ = listen ~backlog w in
  let attempt () =
    let limit = Eio.Time.Timeout.seconds w.clock 0.3 in
    Eio.Time.Timeout.run limit (fun () -> Ok (connect w)) |> Result.is_ok
  in
  let rec go made = if made < n && attempt () then go (made + 1) else made in
  Printf.sprintf "%d connect" (go 0)

let accept_questions =
  [
    ask "tells the client's address" (fun w ->
        let l = listen w in
        let (_, address), _ =
          Fiber.pair
            (fun () -> Eio.Net.accept ~sw:w.sw l)
            (fun () -> connect ~bind_to:(tcp w.here (w.port + 1)) w)
        in
        client_shown w address);
    ask "tells the client's address, by way of 127.1.2.3" (fun w ->
        let l : listener = Eio.Net.listen ~backlog:1 ~sw:w.sw w.client (tcp any w.port) in
        let c =
          Fiber.fork_promise ~sw:w.sw (fun () -> connect ~address:(tcp (ip "127.1.2.3") w.port) w)
        in
        let _, address = Eio.Net.accept ~sw:w.sw l in
        ignore (Promise.await_exn c);
        match address with `Tcp (a, _) -> Fmt.str "%a" Eio.Net.Ipaddr.pp a | `Unix _ -> "a path");
    ask "in the order of arrival" (fun w ->
        let l = listen w in
        let send text =
          let c = connect w in
          write_string c text;
          settle w
        in
        send "first";
        send "second";
        let first = accept w l in
        let second = accept w l in
        read w first >> fun () -> read w second);
    ask "backlog 0: how many wait" (fun w -> fit w ~backlog:0 10);
    ask "backlog 3: how many wait" (fun w -> fit w ~backlog:3 10);
    ask "backlog -1: how many wait" (fun w -> fit w ~backlog:(-1) 50);
    ask "cancelled, it loses nothing" (fun w ->
        let l = listen w in
        Fiber.first (fun () -> ignore (accept w l)) (fun () -> settle w);
        let _ = connect w in
        accepted w l);
    ask "by a fiber that is cancelled already" (fun w ->
        let l = listen w in
        let _ = connect w in
        settle w;
        let seen = ref "" in
        Fiber.first
          (fun () ->
            try Fiber.await_cancel ()
            with Eio.Cancel.Cancelled _ as e ->
              seen :=
                tried (fun () ->
                    ignore (accept w l);
                    "accepted");
              raise e)
          (fun () -> ());
        !seen >> fun () -> accepted w l);
    ask "two fibers wait for two" (fun w ->
        let l = listen w in
        let one = Fiber.fork_promise ~sw:w.sw (fun () -> accepted w l) in
        let two = Fiber.fork_promise ~sw:w.sw (fun () -> accepted w l) in
        settle w;
        ignore (connect w);
        ignore (connect w);
        Promise.await_exn one >> fun () -> Promise.await_exn two);
    ask "of a client that is gone by a reset" (fun w ->
        let l = listen w in
        let c = connect w in
        write_string c "last words";
        settle w;
        reset c;
        settle w;
        accepted w l);
    ask "by one of two that share the port, the other closed" (fun w ->
        let one = listen ~reuse_port:true w in
        let two = listen ~reuse_port:true w in
        close one;
        settle w;
        waits w (fun () ->
            for _ = 1 to 6 do
              ignore (pair_on w two)
            done;
            "all accepted"));
    ask "100 one after another" (fun w ->
        let l = listen w in
        waits w (fun () ->
            for i = 1 to 100 do
              let s, c = pair_on w l in
              write_string s (string_of_int i);
              close s;
              if Eio.Flow.read_all c <> string_of_int i then failwith "another's answer";
              close c
            done;
            "all answered"));
    ask "300 at once" (fun w ->
        let l = listen ~backlog:400 w in
        let all f = Fiber.all (List.init 300 (fun _ -> f)) in
        waits w (fun () ->
            Fiber.both
              (fun () -> all (fun () -> write_string (accept w l) "hello"))
              (fun () -> all (fun () -> Eio.Flow.read_exact (connect w) (Cstruct.create 5)));
            "all greeted"));
    ask "of a client that is gone by a reset and said nothing" (fun w ->
        let l = listen w in
        let c = connect w in
        settle w;
        reset c;
        settle w;
        waits w (fun () -> read w (accept w l)));
    ask "of a client that wrote and closed" (fun w ->
        let l = listen w in
        let c = connect w in
        write_string c "last words";
        close c;
        settle w;
        waits w (fun () -> drain w (accept w l)));
    ask "inherits the listener's options" (fun w ->
        let l = listen w in
        Eio.Net.setsockopt l Sockopt.TCP_NODELAY true;
        Eio.Net.setsockopt l Sockopt.SO_KEEPALIVE true;
        Eio.Net.setsockopt l Sockopt.TCP_KEEPIDLE 77;
        Eio.Net.setsockopt l Sockopt.SO_LINGER (Some 3);
        Eio.Net.setsockopt l Sockopt.SO_RCVTIMEO 2.;
        let s, _ = pair_on w l in
        Fmt.str "%b %b %d %a %g"
          (Eio.Net.getsockopt s Sockopt.TCP_NODELAY)
          (Eio.Net.getsockopt s Sockopt.SO_KEEPALIVE)
          (Eio.Net.getsockopt s Sockopt.TCP_KEEPIDLE)
          Fmt.(option ~none:(any "none") int)
          (Eio.Net.getsockopt s Sockopt.SO_LINGER)
          (Eio.Net.getsockopt s Sockopt.SO_RCVTIMEO));
    ask "inherits those of the moment that it connected" (fun w ->
        let l = listen w in
        let _ = connect w in
        settle w;
        Eio.Net.setsockopt l Sockopt.TCP_NODELAY true;
        string_of_bool (Eio.Net.getsockopt (accept w l) Sockopt.TCP_NODELAY));
  ]

let serve ?max_connections ?stop w l handler ~on_error =
  Fiber.fork_daemon ~sw:w.sw (fun () ->
      let () = Eio.Net.run_server ?max_connections ?stop l handler ~on_error in
      `Stop_daemon)

let server_questions =
  [
    ask "accept_fork closes when the handler returns" (fun w ->
        let l = listen w in
        let c = Fiber.fork_promise ~sw:w.sw (fun () -> connect w) in
        Switch.run (fun sw ->
            Eio.Net.accept_fork ~sw l ~on_error:raise (fun s _ -> Eio.Flow.copy_string "bye" s));
        drain w (Promise.await_exn c));
    ask "accept_fork when the handler fails" (fun w ->
        let l = listen w in
        let c = Fiber.fork_promise ~sw:w.sw (fun () -> connect w) in
        let seen = ref "no error" in
        Switch.run (fun sw ->
            Eio.Net.accept_fork ~sw l
              ~on_error:(fun e -> seen := name e)
              (fun _ _ -> raise (Eio.Net.err Invalid_option)));
        let ending = drain w (Promise.await_exn c) in
        !seen >> fun () -> ending);
    ask "run_server tells on_error of a client's reset" (fun w ->
        let l = listen w in
        let told, tell = Promise.create () in
        serve w l
          ~on_error:(fun e -> Promise.resolve tell (name e))
          (fun s _ -> ignore (Eio.Flow.single_read s (Cstruct.create 1) : int));
        let c = connect w in
        settle w;
        reset c;
        waits w (fun () -> Promise.await told));
    ask "run_server stops, connections end first" (fun w ->
        let l = listen w in
        let stop, set_stop = Promise.create () in
        let server =
          Fiber.fork_promise ~sw:w.sw (fun () ->
              Eio.Net.run_server ~stop l ~on_error:raise (fun s _ -> Eio.Flow.copy s s))
        in
        let c = connect w in
        settle w;
        Promise.resolve set_stop ();
        settle w;
        write_string c "still there";
        read w c >> fun () ->
        close c;
        waits w (fun () ->
            Promise.await_exn server;
            "stopped"));
    ask "run_server with max_connections" (fun w ->
        let l = listen w in
        serve w l ~max_connections:1 ~on_error:raise (fun s _ -> Eio.Flow.copy s s);
        let one = connect w in
        let two = connect w in
        write_string one "1";
        write_string two "2";
        let first = read w one in
        settle w;
        let both = meanwhile w (fun () -> read w two) (fun () -> close one) in
        first >> fun () -> both);
    ask ~why:Because.ends ~hangs:true "run_server when its listener is closed" (fun w ->
        let l = listen w in
        meanwhile w
          (fun () -> Eio.Net.run_server l ~on_error:ignore (fun _ _ -> ()))
          (fun () -> close l));
    ask "run_server in a second domain" (fun w ->
        let l = listen w in
        let stop, set_stop = Promise.create () in
        let server =
          Fiber.fork_promise ~sw:w.sw (fun () ->
              Eio.Net.run_server ~stop ~additional_domains:(w.domains, 1) l ~on_error:raise
                (fun s _ -> Eio.Flow.copy s s))
        in
        let echo i =
          let c = connect w in
          write_string c (string_of_int i);
          let answer = read w c in
          close c;
          answer
        in
        let answers = List.map echo (List.init 10 Fun.id) in
        Promise.resolve set_stop ();
        String.concat " " answers >> fun () ->
        waits w (fun () ->
            Promise.await_exn server;
            "stopped"));
  ]

let questions = group "accept" accept_questions @ group "servers" server_questions
