open Ask
open Question
open Eio.Std
module Sockopt = Eio.Net.Sockopt

let text n = String.init n (fun i -> Char.unsafe_chr (97 + (i mod 26)))
let one_byte = [ Cstruct.of_string "x" ]
let count w f = waits w (fun () -> string_of_int (f ()))

(* Bytes written until writing would wait. *)
let fill w s =
  let total = ref 0 and chunk = [ Cstruct.create 65_536 ] in
  (try
     Eio.Time.Timeout.run_exn (Eio.Time.Timeout.seconds w.clock 0.3) (fun () ->
         while true do
           total := !total + Eio.Flow.single_write s chunk
         done)
   with Eio.Time.Timeout -> ());
  !total

let both f w =
  let s, c = pair w in
  f w s c

let read_questions =
  [
    ask "what is there, no more than asked for"
      ( both @@ fun w s c ->
        write_string c "hello";
        settle w;
        read ~most:3 w s >> fun () -> read w s );
    ask "two writes at once"
      ( both @@ fun w s c ->
        write_string c "one ";
        write_string c "two";
        settle w;
        read w s );
    ask ~hangs:true "nothing there" (both @@ fun w s _ -> read w s);
    ask "into an empty buffer, nothing there" (both @@ fun w s _ -> read ~most:0 w s);
    ask "into an empty buffer, bytes there"
      ( both @@ fun w s c ->
        write_string c "x";
        settle w;
        read ~most:0 w s >> fun () -> read w s );
    ask "after the peer closed, twice"
      ( both @@ fun w s c ->
        close c;
        read w s >> fun () -> read w s );
    ask "bytes, then the peer's end"
      ( both @@ fun w s c ->
        write_string c "bye";
        close c;
        settle w;
        read w s >> fun () -> read w s );
    ask ~why:Because.stays "after the peer's reset, three times"
      ( both @@ fun w s c ->
        reset c;
        settle w;
        read w s >> fun () ->
        read w s >> fun () -> read w s );
    ask "bytes, then the peer's reset"
      ( both @@ fun w s c ->
        write_string c "bye";
        settle w;
        reset c;
        settle w;
        read w s >> fun () -> read w s );
    ask "bytes, an end, then the peer's reset"
      ( both @@ fun w s c ->
        write_string c "bye";
        Eio.Flow.shutdown c `Send;
        settle w;
        reset c;
        settle w;
        read w s >> fun () -> read w s );
    ask "the peer closes with bytes unread"
      ( both @@ fun w s c ->
        write_string s "unread";
        settle w;
        close c;
        settle w;
        read w s );
    ask "the peer answers, and closes with bytes unread"
      ( both @@ fun w s c ->
        write_string s "a long request";
        settle w;
        write_string c "no";
        close c;
        settle w;
        read w s >> fun () -> read w s );
    ask "while it waits the peer closes"
      (both @@ fun w s c -> meanwhile w (fun () -> read w s) (fun () -> close c));
    ask "while it waits the peer resets"
      (both @@ fun w s c -> meanwhile w (fun () -> read w s) (fun () -> reset c));
    ask ~why:Because.ends ~hangs:true "while it waits another fiber closes the stream"
      (both @@ fun w s _ -> meanwhile w (fun () -> read w s) (fun () -> close s));
    ask "while it waits another fiber shuts down receiving"
      ( both @@ fun w s _ ->
        meanwhile w (fun () -> read w s) (fun () -> Eio.Flow.shutdown s `Receive) );
    ask "while it waits another fiber shuts down sending"
      ( both @@ fun w s c ->
        meanwhile w
          (fun () -> read w s)
          (fun () ->
            Eio.Flow.shutdown s `Send;
            settle w;
            write_string c "more") );
    ask "cancelled, it loses nothing"
      ( both @@ fun w s c ->
        Fiber.first
          (fun () -> ignore (Eio.Flow.single_read s (Cstruct.create 10) : int))
          (fun () -> settle w);
        write_string c "later";
        read w s );
    ask "by a fiber that is cancelled already"
      ( both @@ fun w s c ->
        write_string c "there";
        settle w;
        let seen = ref "" in
        Fiber.first
          (fun () ->
            try Fiber.await_cancel ()
            with Eio.Cancel.Cancelled _ as e ->
              seen := did (fun () -> ignore (Eio.Flow.single_read s (Cstruct.create 10)));
              raise e)
          (fun () -> ());
        !seen >> fun () -> read w s );
    ask "two fibers read, each gets one byte"
      ( both @@ fun w s c ->
        let one = Fiber.fork_promise ~sw:w.sw (fun () -> read ~most:1 w s) in
        let two = Fiber.fork_promise ~sw:w.sw (fun () -> read ~most:1 w s) in
        settle w;
        write_string c "ab";
        let one = Promise.await_exn one in
        String.concat " " (List.sort compare [ one; Promise.await_exn two ]) );
    ask "read_exact of more than comes"
      ( both @@ fun w s c ->
        write_string c "short";
        close c;
        waits w (fun () ->
            Eio.Flow.read_exact s (Cstruct.create 10);
            "read") );
    ask "read_all of 3,000,000 bytes"
      ( both @@ fun w s c ->
        let sent = text 3_000_000 in
        Fiber.fork ~sw:w.sw (fun () ->
            write_string c sent;
            close c);
        waits w (fun () -> string_of_bool (Eio.Flow.read_all s = sent)) );
    ask ~hangs:true "with SO_RCVTIMEO"
      ( both @@ fun w s _ ->
        Eio.Net.setsockopt s Sockopt.SO_RCVTIMEO 0.1;
        read w s );
    ask "with SO_RCVLOWAT 10, 3 bytes there"
      ( both @@ fun w s c ->
        Eio.Net.setsockopt s Sockopt.SO_RCVLOWAT 10;
        write_string c "abc";
        settle w;
        read w s );
    ask ~hangs:true "with SO_RCVLOWAT 10, 3 bytes come"
      ( both @@ fun w s c ->
        Eio.Net.setsockopt s Sockopt.SO_RCVLOWAT 10;
        meanwhile w (fun () -> read w s) (fun () -> write_string c "abc") );
    ask "with SO_RCVLOWAT 10, 3 bytes come, then 7"
      ( both @@ fun w s c ->
        Eio.Net.setsockopt s Sockopt.SO_RCVLOWAT 10;
        meanwhile w
          (fun () -> read w s)
          (fun () ->
            write_string c "abc";
            settle w;
            write_string c "defghij") );
    ask "with SO_RCVLOWAT 10, 3 bytes and the end come"
      ( both @@ fun w s c ->
        Eio.Net.setsockopt s Sockopt.SO_RCVLOWAT 10;
        meanwhile w
          (fun () -> read w s)
          (fun () ->
            write_string c "abc";
            close c) );
  ]

let write_questions =
  [
    ask "no buffers, and an empty one"
      ( both @@ fun w _ c ->
        count w (fun () -> Eio.Flow.single_write c []) >> fun () ->
        count w (fun () -> Eio.Flow.single_write c [ Cstruct.empty ]) );
    ask "nothing, after shutdown"
      ( both @@ fun w _ c ->
        Eio.Flow.shutdown c `Send;
        count w (fun () -> Eio.Flow.single_write c []) >> fun () ->
        count w (fun () -> Eio.Flow.single_write c [ Cstruct.empty ]) );
    ask "3,000 buffers"
      ( both @@ fun w s c ->
        Fiber.fork ~sw:w.sw (fun () ->
            Eio.Flow.write c (List.init 3_000 (fun _ -> Cstruct.of_string "ab"));
            close c);
        drain w s );
    ask "does not wait for the reader" (both @@ fun w _ c -> write ~text:(text 50_000) w c);
    ask "waits for a reader in the end"
      ( both @@ fun w _ c ->
        let n = fill w c in
        string_of_bool (n > 100_000 && n < 50_000_000) );
    ask "cancelled, what was counted arrives and no more"
      ( both @@ fun w s c ->
        let n = fill w c in
        Eio.Flow.shutdown c `Send;
        let total = drain w s in
        if total = Printf.sprintf "%d bytes, End_of_file" n then "as many" else total );
    ask "after shutdown"
      ( both @@ fun w _ c ->
        Eio.Flow.shutdown c `Send;
        write w c >> fun () -> write w c );
    ask "after the peer closed, three times"
      ( both @@ fun w s c ->
        close s;
        settle w;
        let write () =
          let answer = write w c in
          settle w;
          answer
        in
        write () >> fun () ->
        write () >> fun () -> write () );
    ask "after the peer closed and refused a write, read"
      ( both @@ fun w s c ->
        close s;
        settle w;
        write_string c "x";
        settle w;
        read w c >> fun () -> write w c );
    ask ~why:Because.stays "after the peer's reset, twice"
      ( both @@ fun w s c ->
        reset s;
        settle w;
        write w c >> fun () -> write w c );
    ask ~why:Because.stays "after the peer's reset, then read"
      ( both @@ fun w s c ->
        reset s;
        settle w;
        write w c >> fun () -> read w c );
    ask ~why:Because.stays "after a read told the peer's reset"
      ( both @@ fun w s c ->
        reset s;
        settle w;
        read w c >> fun () -> write w c );
    ask "after the peer shut down receiving"
      ( both @@ fun w s c ->
        Eio.Flow.shutdown s `Receive;
        settle w;
        write w c >> fun () ->
        settle w;
        write w c );
    ask "while it waits the peer closes"
      ( both @@ fun w s c ->
        ignore (fill w c : int);
        meanwhile w (fun () -> write ~text:(text 10_000_000) w c) (fun () -> close s) );
    ask ~why:Because.ends ~hangs:true "while it waits another fiber closes the stream"
      ( both @@ fun w _ c ->
        ignore (fill w c : int);
        meanwhile w (fun () -> write ~text:(text 10_000_000) w c) (fun () -> close c) );
    ask "while it waits another fiber shuts down sending"
      ( both @@ fun w _ c ->
        ignore (fill w c : int);
        meanwhile w
          (fun () -> write ~text:(text 10_000_000) w c)
          (fun () -> Eio.Flow.shutdown c `Send) );
    ask "by a fiber that is cancelled already"
      ( both @@ fun w s c ->
        let seen = ref "" in
        Fiber.first
          (fun () ->
            try Fiber.await_cancel ()
            with Eio.Cancel.Cancelled _ as e ->
              seen := did (fun () -> Eio.Flow.write c one_byte);
              raise e)
          (fun () -> ());
        close c;
        !seen >> fun () -> drain w s );
    ask "many small ones notice cancellation"
      ( both @@ fun _ _ c ->
        let writes = ref 0 in
        Fiber.first
          (fun () ->
            while !writes < 100_000 do
              Eio.Flow.write c one_byte;
              incr writes
            done)
          Fiber.yield;
        string_of_bool (!writes < 2_000) );
    ask "two fibers write, nothing is lost"
      ( both @@ fun w s c ->
        let half = text 500_000 in
        Fiber.fork ~sw:w.sw (fun () ->
            Fiber.both (fun () -> write_string c half) (fun () -> write_string c half);
            close c);
        drain w s );
    ask "then close: all arrives"
      ( both @@ fun w s c ->
        Eio.Flow.copy_string (text 100_000) c;
        close c;
        drain w s );
    ask "then the switch ends: all arrives" (fun w ->
        let l = listen w in
        Switch.run (fun sw -> Eio.Flow.copy_string (text 100_000) (connect ~sw w));
        waits w (fun () -> drain w (accept w l)));
  ]

let shutdown_questions =
  [
    ask "`Send: the peer reads the end, and answers"
      ( both @@ fun w s c ->
        Eio.Flow.shutdown c `Send;
        let ending = read w s in
        write_string s "still here";
        ending >> fun () -> read w c );
    ask "`Send twice"
      ( both @@ fun _ _ c ->
        did (fun () -> Eio.Flow.shutdown c `Send) >> fun () ->
        did (fun () -> Eio.Flow.shutdown c `Send) );
    ask "`Send after both ends"
      ( both @@ fun w s c ->
        Eio.Flow.shutdown c `Send;
        Eio.Flow.shutdown s `Send;
        settle w;
        did (fun () -> Eio.Flow.shutdown c `Send) >> fun () ->
        did (fun () -> Eio.Flow.shutdown c `All) );
    ask "after the peer's reset"
      ( both @@ fun w s c ->
        reset s;
        settle w;
        did (fun () -> Eio.Flow.shutdown c `Send) >> fun () -> read w c );
    ask "`Receive: what is there is read, then the end"
      ( both @@ fun w s c ->
        write_string c "early";
        settle w;
        Eio.Flow.shutdown s `Receive;
        read w s >> fun () -> read w s );
    ask "`Receive: what comes later"
      ( both @@ fun w s c ->
        Eio.Flow.shutdown s `Receive;
        write_string c "late";
        settle w;
        read w s >> fun () -> read w s );
    ask "`Receive: writing goes on"
      ( both @@ fun w s c ->
        Eio.Flow.shutdown s `Receive;
        write w s >> fun () -> read w c );
    ask "`All: the peer reads the end, its writes are refused"
      ( both @@ fun w s c ->
        Eio.Flow.shutdown s `All;
        let ending = read w c in
        write_string c "x";
        settle w;
        ending >> fun () -> write w c );
    ask "`All: own reads and writes"
      ( both @@ fun w s _ ->
        Eio.Flow.shutdown s `All;
        read w s >> fun () -> write w s );
    ask "`All: what was there is read"
      ( both @@ fun w s c ->
        write_string c "early";
        settle w;
        Eio.Flow.shutdown s `All;
        read w s >> fun () -> read w s );
    ask "after close"
      ( both @@ fun _ s _ ->
        close s;
        did (fun () -> Eio.Flow.shutdown s `Send) >> fun () ->
        did (fun () -> Eio.Flow.shutdown s `All) );
  ]

let close_questions =
  [
    ask "twice"
      ( both @@ fun _ s _ ->
        close s;
        did (fun () -> close s) );
    ask "then read, write, options"
      ( both @@ fun w s _ ->
        close s;
        read w s >> fun () ->
        write w s >> fun () ->
        did (fun () -> Eio.Net.setsockopt s Sockopt.TCP_NODELAY true) >> fun () ->
        tried (fun () -> string_of_bool (Eio.Net.getsockopt s Sockopt.TCP_NODELAY)) );
    ask "then read and write nothing"
      ( both @@ fun w s _ ->
        close s;
        read ~most:0 w s >> fun () -> count w (fun () -> Eio.Flow.single_write s []) );
    ask "by the switch's end" (fun w ->
        let l = listen w in
        let c = Switch.run (fun sw -> connect ~sw w) in
        read w c >> fun () -> waits w (fun () -> read w (accept w l)));
    ask "by the switch's failure: the peer reads the end" (fun w ->
        let l = listen w in
        (try
           Switch.run (fun sw ->
               write_string (connect ~sw w) "half";
               failwith "the program failed")
         with Failure _ -> ());
        waits w (fun () -> drain w (accept w l)));
    ask "with SO_LINGER 0: the peer reads a reset"
      ( both @@ fun w s c ->
        reset s;
        read w c );
    ask "with SO_LINGER 0 and bytes not yet read"
      ( both @@ fun w s c ->
        write_string s "bytes";
        settle w;
        reset s;
        settle w;
        read w c >> fun () -> read w c );
    ask "with SO_LINGER 0, written just before"
      ( both @@ fun w s c ->
        write_string s "bytes";
        reset s;
        settle w;
        read w c >> fun () -> read w c );
    ask "both ends at once"
      ( both @@ fun _ s c ->
        Fiber.both (fun () -> close s) (fun () -> close c);
        did (fun () -> close s) );
  ]

(* Calls for a switch. *)
let switch_questions =
  let failing f =
    let seen = ref "" in
    (try
       Switch.run (fun sw ->
           Switch.fail sw Exit;
           seen := Eio.Cancel.protect (fun () -> tried (fun () -> f sw)))
     with Exit -> ());
    !seen
  in
  [
    ask "that has ended: connect and listen" (fun w ->
        let l = listen w in
        let sw = Switch.run Fun.id in
        connected w (fun () -> connect ~sw w) >> fun () ->
        listening (fun () -> listen ~sw w ~address:(tcp Eio.Net.Ipaddr.V4.any (w.port + 1)))
        >> fun () -> did (fun () -> close l));
    ask "that has ended: the port stays free" (fun w ->
        let sw = Switch.run Fun.id in
        listening (fun () -> listen ~sw w) >> fun () -> listening (fun () -> listen w));
    ask ~hangs:true "that has ended: nobody is connected" (fun w ->
        let l = listen w in
        let sw = Switch.run Fun.id in
        connected w (fun () -> connect ~sw w) >> fun () -> accepted w l);
    ask "that has ended: accept takes nothing" (fun w ->
        let l = listen w in
        let _ = connect w in
        settle w;
        let sw = Switch.run Fun.id in
        connected w (fun () -> accept ~sw w l) >> fun () -> accepted w l);
    ask "that fails, protected: connect" (fun w ->
        let _ = listen w in
        failing (fun sw -> connected w (fun () -> connect ~sw w)));
    ask "that fails, protected: listen" (fun w ->
        failing (fun sw -> listening (fun () -> listen ~sw w)));
    ask "that fails, protected: accept" (fun w ->
        let l = listen w in
        let _ = connect w in
        settle w;
        failing (fun sw -> connected w (fun () -> accept ~sw w l)) >> fun () -> accepted w l);
    ask "that fails while accept waits" (fun w ->
        let l = listen w in
        let seen = ref "" in
        (try
           Switch.run (fun sw ->
               Fiber.both
                 (fun () ->
                   try ignore (accept ~sw w l)
                   with e ->
                     seen := name e;
                     raise e)
                 (fun () ->
                   settle w;
                   Switch.fail sw Exit))
         with Exit -> ());
        let _ = connect w in
        !seen >> fun () -> accepted w l);
  ]

let flow_questions =
  [
    ask "copy from one stream to another"
      ( both @@ fun w s c ->
        Fiber.fork ~sw:w.sw (fun () ->
            Eio.Flow.copy s s;
            Eio.Flow.shutdown s `Send);
        let sent = text 1_000_000 in
        Fiber.fork ~sw:w.sw (fun () ->
            write_string c sent;
            Eio.Flow.shutdown c `Send);
        waits w (fun () -> string_of_bool (Eio.Flow.read_all c = sent)) );
    ask "copy ends by the reader's reset"
      ( both @@ fun w s c ->
        meanwhile w
          (fun () ->
            Eio.Flow.copy s s;
            "copied")
          (fun () -> reset c) );
    ask "Buf_write flushes"
      ( both @@ fun w s c ->
        Eio.Buf_write.with_flow c (fun b ->
            Eio.Buf_write.string b "now";
            Eio.Buf_write.flush b;
            read w s) );
    ask "Buf_write after the peer's reset"
      ( both @@ fun w s c ->
        reset s;
        settle w;
        waits w (fun () ->
            Eio.Buf_write.with_flow c (fun b -> Eio.Buf_write.string b "lost");
            "written") );
    ask "Buf_read lines, and the end"
      ( both @@ fun w s c ->
        write_string c "one\ntwo";
        close c;
        waits w (fun () ->
            let b = Eio.Buf_read.of_flow ~max_size:100 s in
            let one = Eio.Buf_read.line b in
            let two = Eio.Buf_read.line b in
            Printf.sprintf "%s, %s, %b" one two (Eio.Buf_read.at_end_of_input b)) );
    ask "Buf_read after a reset"
      ( both @@ fun w s c ->
        write_string c "one\ntw";
        settle w;
        reset c;
        settle w;
        waits w (fun () ->
            let b = Eio.Buf_read.of_flow ~max_size:100 s in
            let one = Eio.Buf_read.line b in
            one >> fun () -> tried (fun () -> Eio.Buf_read.line b)) );
  ]

let questions =
  group "read" read_questions @ group "write" write_questions
  @ group "shutdown" shutdown_questions
  @ group "close a stream" close_questions
  @ group "a switch" switch_questions @ group "flows" flow_questions
