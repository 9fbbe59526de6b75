open Ask
open Question
open Eio.Std
module Sockopt = Eio.Net.Sockopt

let read_questions =
  [
    on_pair "what is there, no more than asked for" (fun w s c ->
        write_string c "hello";
        settle w;
        read ~most:3 w s >> fun () -> read w s);
    on_pair "two writes at once" (fun w s c ->
        write_string c "one ";
        write_string c "two";
        settle w;
        read w s);
    on_pair ~hangs:true "nothing there" (fun w s _ -> read w s);
    on_pair "into an empty buffer, nothing there" (fun w s _ -> read ~most:0 w s);
    on_pair "into an empty buffer, bytes there" (fun w s c ->
        write_string c "x";
        settle w;
        read ~most:0 w s >> fun () -> read w s);
    on_pair "after the peer closed, twice" (fun w s c ->
        close c;
        read w s >> fun () -> read w s);
    on_pair "bytes, then the peer's end" (fun w s c ->
        write_string c "bye";
        close c;
        settle w;
        read w s >> fun () -> read w s);
    on_pair ~why:Because.stays "after the peer's reset, three times" (fun w s c ->
        reset c;
        settle w;
        read w s >> fun () ->
        read w s >> fun () -> read w s);
    on_pair "bytes, then the peer's reset" (fun w s c ->
        write_string c "bye";
        settle w;
        reset c;
        settle w;
        read w s >> fun () -> read w s);
    on_pair "bytes, an end, then the peer's reset" (fun w s c ->
        write_string c "bye";
        Eio.Flow.shutdown c `Send;
        settle w;
        reset c;
        settle w;
        read w s >> fun () -> read w s);
    on_pair "the peer closes with bytes unread" (fun w s c ->
        write_string s "unread";
        settle w;
        close c;
        settle w;
        read w s);
    on_pair "the peer answers, and closes with bytes unread" (fun w s c ->
        write_string s "a long request";
        settle w;
        write_string c "no";
        close c;
        settle w;
        read w s >> fun () -> read w s);
    on_pair "the peer answers, ends, and closes with bytes unread" (fun w s c ->
        write_string s "a long request";
        settle w;
        write_string c "no";
        Eio.Flow.shutdown c `Send;
        close c;
        settle w;
        read w s >> fun () -> read w s);
    on_pair "in a second domain" (fun w s c ->
        write_string c "hello";
        waits w (fun () ->
            Eio.Domain_manager.run w.domains (fun () ->
                let n = Eio.Flow.single_read s (Cstruct.create 10) in
                Eio.Flow.copy_string "and back" s;
                close s;
                string_of_int n))
        >> fun () -> drain w c);
    on_pair "while it waits the peer closes" (fun w s c ->
        meanwhile w (fun () -> read w s) (fun () -> close c));
    on_pair "while it waits the peer resets" (fun w s c ->
        meanwhile w (fun () -> read w s) (fun () -> reset c));
    on_pair ~why:Because.ends ~hangs:true "while it waits another fiber closes the stream"
      (fun w s _ -> meanwhile w (fun () -> read w s) (fun () -> close s));
    on_pair "while it waits another fiber shuts down receiving" (fun w s _ ->
        meanwhile w (fun () -> read w s) (fun () -> Eio.Flow.shutdown s `Receive));
    on_pair "while it waits another fiber shuts down sending" (fun w s c ->
        meanwhile w
          (fun () -> read w s)
          (fun () ->
            Eio.Flow.shutdown s `Send;
            settle w;
            write_string c "more"));
    on_pair "cancelled, it loses nothing" (fun w s c ->
        Fiber.first
          (fun () -> ignore (Eio.Flow.single_read s (Cstruct.create 10) : int))
          (fun () -> settle w);
        write_string c "later";
        read w s);
    on_pair "by a fiber that is cancelled already" (fun w s c ->
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
        !seen >> fun () -> read w s);
    on_pair "two fibers read, each gets one byte" (fun w s c ->
        let one = Fiber.fork_promise ~sw:w.sw (fun () -> read ~most:1 w s) in
        let two = Fiber.fork_promise ~sw:w.sw (fun () -> read ~most:1 w s) in
        settle w;
        write_string c "ab";
        let one = Promise.await_exn one in
        String.concat " " (List.sort compare [ one; Promise.await_exn two ]));
    on_pair "read_exact of more than comes" (fun w s c ->
        write_string c "short";
        close c;
        waits w (fun () ->
            Eio.Flow.read_exact s (Cstruct.create 10);
            "read"));
    on_pair "read_all of 3,000,000 bytes" (fun w s c ->
        let sent = text 3_000_000 in
        Fiber.fork ~sw:w.sw (fun () ->
            write_string c sent;
            close c);
        waits w (fun () -> string_of_bool (Eio.Flow.read_all s = sent)));
    on_pair ~hangs:true "with SO_RCVTIMEO" (fun w s _ ->
        Eio.Net.setsockopt s Sockopt.SO_RCVTIMEO 0.1;
        read w s);
    on_pair "with SO_RCVLOWAT 10, 3 bytes there" (fun w s c ->
        Eio.Net.setsockopt s Sockopt.SO_RCVLOWAT 10;
        write_string c "abc";
        settle w;
        read w s);
    on_pair ~hangs:true "with SO_RCVLOWAT 10, 3 bytes come" (fun w s c ->
        Eio.Net.setsockopt s Sockopt.SO_RCVLOWAT 10;
        meanwhile w (fun () -> read w s) (fun () -> write_string c "abc"));
    on_pair "with SO_RCVLOWAT 10, 3 bytes come, then 7" (fun w s c ->
        Eio.Net.setsockopt s Sockopt.SO_RCVLOWAT 10;
        meanwhile w
          (fun () -> read w s)
          (fun () ->
            write_string c "abc";
            settle w;
            write_string c "defghij"));
    on_pair "with SO_RCVLOWAT 10, 3 bytes and the end come" (fun w s c ->
        Eio.Net.setsockopt s Sockopt.SO_RCVLOWAT 10;
        meanwhile w
          (fun () -> read w s)
          (fun () ->
            write_string c "abc";
            close c));
  ]

let questions = group "read" read_questions
