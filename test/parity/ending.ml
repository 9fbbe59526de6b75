open Ask
open Question
open Eio.Std
module Sockopt = Eio.Net.Sockopt

let count w f = waits w (fun () -> string_of_int (f ()))

let shutdown_questions =
  [
    on_pair "`Send: the peer reads the end, and answers" (fun w s c ->
        Eio.Flow.shutdown c `Send;
        let ending = read w s in
        write_string s "still here";
        ending >> fun () -> read w c);
    on_pair "`Send twice" (fun _ _ c ->
        did (fun () -> Eio.Flow.shutdown c `Send) >> fun () ->
        did (fun () -> Eio.Flow.shutdown c `Send));
    on_pair "`Send after both ends" (fun w s c ->
        Eio.Flow.shutdown c `Send;
        Eio.Flow.shutdown s `Send;
        settle w;
        did (fun () -> Eio.Flow.shutdown c `Send) >> fun () ->
        did (fun () -> Eio.Flow.shutdown c `All));
    on_pair "after the peer's reset" (fun w s c ->
        reset s;
        settle w;
        did (fun () -> Eio.Flow.shutdown c `Send) >> fun () -> read w c);
    on_pair "`Receive: what is there is read, then the end" (fun w s c ->
        write_string c "early";
        settle w;
        Eio.Flow.shutdown s `Receive;
        read w s >> fun () -> read w s);
    on_pair "`Receive: what comes later" (fun w s c ->
        Eio.Flow.shutdown s `Receive;
        write_string c "late";
        settle w;
        read w s >> fun () -> read w s);
    on_pair "`Receive: writing goes on" (fun w s c ->
        Eio.Flow.shutdown s `Receive;
        write w s >> fun () -> read w c);
    on_pair "`All: the peer reads the end, its writes are refused" (fun w s c ->
        Eio.Flow.shutdown s `All;
        let ending = read w c in
        write_string c "x";
        settle w;
        ending >> fun () -> write w c);
    on_pair "`All: own reads and writes" (fun w s _ ->
        Eio.Flow.shutdown s `All;
        read w s >> fun () -> write w s);
    on_pair "`All: what was there is read" (fun w s c ->
        write_string c "early";
        settle w;
        Eio.Flow.shutdown s `All;
        read w s >> fun () -> read w s);
    on_pair "after close" (fun _ s _ ->
        close s;
        did (fun () -> Eio.Flow.shutdown s `Send) >> fun () ->
        did (fun () -> Eio.Flow.shutdown s `All));
  ]

let close_questions =
  [
    on_pair "twice" (fun _ s _ ->
        close s;
        did (fun () -> close s));
    on_pair "then read, write, options" (fun w s _ ->
        close s;
        read w s >> fun () ->
        write w s >> fun () ->
        did (fun () -> Eio.Net.setsockopt s Sockopt.TCP_NODELAY true) >> fun () ->
        tried (fun () -> string_of_bool (Eio.Net.getsockopt s Sockopt.TCP_NODELAY)));
    on_pair "then read and write nothing" (fun w s _ ->
        close s;
        read ~most:0 w s >> fun () -> count w (fun () -> Eio.Flow.single_write s []));
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
    on_pair "with SO_LINGER 0: the peer reads a reset" (fun w s c ->
        reset s;
        read w c);
    on_pair "with SO_LINGER 0 and bytes not yet read" (fun w s c ->
        write_string s "bytes";
        settle w;
        reset s;
        settle w;
        read w c >> fun () -> read w c);
    on_pair "with SO_LINGER 0, written just before" (fun w s c ->
        write_string s "bytes";
        reset s;
        settle w;
        read w c >> fun () -> read w c);
    on_pair "both ends at once" (fun _ s c ->
        Fiber.both (fun () -> close s) (fun () -> close c);
        did (fun () -> close s));
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

let questions =
  group "shutdown" shutdown_questions
  @ group "close a stream" close_questions
  @ group "a switch" switch_questions
