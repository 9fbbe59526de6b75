open Ask
open Question
open Eio.Std
module Sockopt = Eio.Net.Sockopt

let one_byte = [ Cstruct.of_string "x" ]
let count w f = waits w (fun () -> string_of_int (f ()))

let write_questions =
  [
    on_pair "no buffers, and an empty one" (fun w _ c ->
        count w (fun () -> Eio.Flow.single_write c []) >> fun () ->
        count w (fun () -> Eio.Flow.single_write c [ Cstruct.empty ]));
    on_pair "nothing, after shutdown" (fun w _ c ->
        Eio.Flow.shutdown c `Send;
        count w (fun () -> Eio.Flow.single_write c []) >> fun () ->
        count w (fun () -> Eio.Flow.single_write c [ Cstruct.empty ]));
    on_pair "3,000 buffers" (fun w s c ->
        Fiber.fork ~sw:w.sw (fun () ->
            Eio.Flow.write c (List.init 3_000 (fun _ -> Cstruct.of_string "ab"));
            close c);
        drain w s);
    on_pair "does not wait for the reader" (fun w _ c -> write ~text:(text 50_000) w c);
    on_pair "waits for a reader in the end" (fun w _ c ->
        let n = fill w c in
        string_of_bool (n >= 50_000 && n < 50_000_000));
    on_pair ~why:Because.no_megabytes ~hangs:true "1,000,000 bytes ahead of the reader"
      (fun w _ c -> write ~text:(text 1_000_000) w c);
    on_pair "cancelled, what was counted arrives and no more" (fun w s c ->
        let n = fill w c in
        Eio.Flow.shutdown c `Send;
        let total = drain w s in
        if total = Printf.sprintf "%d bytes, End_of_file" n then "as many" else total);
    on_pair "after shutdown" (fun w _ c ->
        Eio.Flow.shutdown c `Send;
        write w c >> fun () -> write w c);
    on_pair "after the peer closed, three times" (fun w s c ->
        close s;
        settle w;
        let write () =
          let answer = write w c in
          settle w;
          answer
        in
        write () >> fun () ->
        write () >> fun () -> write ());
    on_pair "after the peer closed and refused a write, read" (fun w s c ->
        close s;
        settle w;
        write_string c "x";
        settle w;
        read w c >> fun () -> write w c);
    on_pair ~why:Because.stays "after the peer's reset, twice" (fun w s c ->
        reset s;
        settle w;
        write w c >> fun () -> write w c);
    on_pair ~why:Because.stays "after the peer's reset, then read" (fun w s c ->
        reset s;
        settle w;
        write w c >> fun () -> read w c);
    on_pair ~why:Because.stays "after a read told the peer's reset" (fun w s c ->
        reset s;
        settle w;
        read w c >> fun () -> write w c);
    on_pair "after the peer shut down receiving" (fun w s c ->
        Eio.Flow.shutdown s `Receive;
        settle w;
        write w c >> fun () ->
        settle w;
        write w c);
    on_pair "while it waits the peer closes" (fun w s c ->
        ignore (fill w c : int);
        meanwhile w (fun () -> write ~text:(text 10_000_000) w c) (fun () -> close s));
    on_pair ~why:Because.ends ~hangs:true "while it waits another fiber closes the stream"
      (fun w _ c ->
        ignore (fill w c : int);
        meanwhile w (fun () -> write ~text:(text 10_000_000) w c) (fun () -> close c));
    on_pair "while it waits another fiber shuts down sending" (fun w _ c ->
        ignore (fill w c : int);
        meanwhile w
          (fun () -> write ~text:(text 10_000_000) w c)
          (fun () -> Eio.Flow.shutdown c `Send));
    on_pair "by a fiber that is cancelled already" (fun w s c ->
        let seen = ref "" in
        Fiber.first
          (fun () ->
            try Fiber.await_cancel ()
            with Eio.Cancel.Cancelled _ as e ->
              seen := did (fun () -> Eio.Flow.write c one_byte);
              raise e)
          (fun () -> ());
        close c;
        !seen >> fun () -> drain w s);
    on_pair "many small ones notice cancellation" (fun _ _ c ->
        let writes = ref 0 in
        Fiber.first
          (fun () ->
            while !writes < 100_000 do
              Eio.Flow.write c one_byte;
              incr writes
            done)
          Fiber.yield;
        string_of_bool (!writes < 2_000));
    on_pair "two fibers write, nothing is lost" (fun w s c ->
        let half = text 500_000 in
        Fiber.fork ~sw:w.sw (fun () ->
            Fiber.both (fun () -> write_string c half) (fun () -> write_string c half);
            close c);
        drain w s);
    on_pair "then close: all arrives" (fun w s c ->
        Eio.Flow.copy_string (text 50_000) c;
        close c;
        drain w s);
    on_pair "then close with full buffers: all arrives" (fun w s c ->
        let n = fill w c in
        close c;
        let total = drain w s in
        if total = Printf.sprintf "%d bytes, End_of_file" n then "as many" else total);
    on_pair "then close with SO_LINGER 5: all arrives" (fun w s c ->
        write_string c (text 50_000);
        Eio.Net.setsockopt c Sockopt.SO_LINGER (Some 5);
        close c;
        drain w s);
    ask "then the switch ends: all arrives" (fun w ->
        let l = listen w in
        Switch.run (fun sw -> Eio.Flow.copy_string (text 50_000) (connect ~sw w));
        waits w (fun () -> drain w (accept w l)));
  ]

let flow_questions =
  [
    on_pair "copy from one stream to another" (fun w s c ->
        Fiber.fork ~sw:w.sw (fun () ->
            Eio.Flow.copy s s;
            Eio.Flow.shutdown s `Send);
        let sent = text 1_000_000 in
        Fiber.fork ~sw:w.sw (fun () ->
            write_string c sent;
            Eio.Flow.shutdown c `Send);
        waits w (fun () -> string_of_bool (Eio.Flow.read_all c = sent)));
    on_pair "1,000,000 bytes each way at once" (fun w s c ->
        let sent = text 1_000_000 in
        let send f () =
          write_string f sent;
          Eio.Flow.shutdown f `Send
        in
        let receive f () = Eio.Flow.read_all f = sent in
        waits w (fun () ->
            let ((), a), ((), b) =
              Fiber.pair
                (fun () -> Fiber.pair (send s) (receive s))
                (fun () -> Fiber.pair (send c) (receive c))
            in
            string_of_bool (a && b)));
    on_pair "copy to a peer that closed" (fun w s c ->
        close s;
        waits w (fun () ->
            Eio.Flow.copy (Eio.Flow.string_source (text 5_000_000)) c;
            "copied"));
    on_pair "copy ends by the reader's reset" (fun w s c ->
        meanwhile w
          (fun () ->
            Eio.Flow.copy s s;
            "copied")
          (fun () -> reset c));
    on_pair "Buf_write flushes" (fun w s c ->
        Eio.Buf_write.with_flow c (fun b ->
            Eio.Buf_write.string b "now";
            Eio.Buf_write.flush b;
            read w s));
    on_pair "Buf_write after the peer's reset" (fun w s c ->
        reset s;
        settle w;
        waits w (fun () ->
            Eio.Buf_write.with_flow c (fun b -> Eio.Buf_write.string b "lost");
            "written"));
    on_pair "Buf_read lines, and the end" (fun w s c ->
        write_string c "one\ntwo";
        close c;
        waits w (fun () ->
            let b = Eio.Buf_read.of_flow ~max_size:100 s in
            let one = Eio.Buf_read.line b in
            let two = Eio.Buf_read.line b in
            Printf.sprintf "%s, %s, %b" one two (Eio.Buf_read.at_end_of_input b)));
    on_pair "Buf_read after a reset" (fun w s c ->
        write_string c "one\ntw";
        settle w;
        reset c;
        settle w;
        waits w (fun () ->
            let b = Eio.Buf_read.of_flow ~max_size:100 s in
            let one = Eio.Buf_read.line b in
            one >> fun () -> tried (fun () -> Eio.Buf_read.line b)));
  ]

let questions = group "write" write_questions @ group "flows" flow_questions
