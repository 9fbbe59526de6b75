open Lwt.Syntax
open World
module Suite = Weir_test.Suite

let echo w =
  let l = listen w in
  let serve c =
    Alcotest.(check string) "peer" "10.0.0.2" (Ipaddr.to_string (fst (Connection.remote c)));
    let* s = read_all c in
    write c s
  in
  let served = Network.serve l serve in
  let* c = connect w in
  let* () = write c "hello" in
  Connection.shutdown c `Send;
  let* answer = read_all c in
  Alcotest.(check string) "echo" "hello" answer;
  let* () = Connection.close c in
  let* () = Network.close_listener l in
  served

let transfer n w =
  let* s, c = pair w in
  let sent = pattern n in
  both
    (let* got = read_all s in
     same "bytes" sent got;
     Connection.close s)
    (let* () = write c sent in
     Connection.close c)

(* Both ways at once on one connection. *)
let duplex w =
  let* s, c = pair w in
  let x = pattern 1_000_000 and y = pattern 900_001 in
  let side c out expected =
    both
      (let* () = write c out in
       Connection.shutdown c `Send;
       Lwt.return_unit)
      (Lwt.map (same "bytes" expected) (read_all c))
  in
  both (side s x y) (side c y x)

let refused w =
  fails "port 81" (( = ) (Error.Tcp Refused)) (Network.connect w.b (ip server_address) ~port:81)

let unreachable e = match e with Error.Tcp (Unreachable _) -> true | _ -> false
let no_host w = fails "no host" unreachable (Network.connect w.b (ip "10.0.0.77") ~port:80)
let no_route w = fails "no route" (fun _ -> true) (Network.connect w.b (ip "192.0.2.1") ~port:80)

let cancelled_connect w =
  let tcp = Weir_core.Stack.tcp (Weir_lwt.Host.stack w.b) in
  let p = Network.connect w.b (ip "10.0.0.77") ~port:80 in
  Lwt.cancel p;
  let* r =
    Lwt.catch (fun () -> Lwt.map (fun _ -> false) p) (fun e -> Lwt.return (e = Lwt.Canceled))
  in
  Alcotest.(check bool) "canceled" true r;
  Alcotest.(check int) "nothing is left" 0 (Weir_core.Tcp.length tcp);
  Lwt.return_unit

let ports w =
  let l = get_ok (Network.listen w.a ~port:0 ~backlog:4) in
  let* c = connect ~port:(Network.port l) w in
  let* () = Connection.close c in
  let _ = listen w in
  match Network.listen w.a ~port:80 ~backlog:4 with
  | Ok _ -> Alcotest.fail "listened twice"
  | Error e ->
      Alcotest.(check bool) "in use" true (e = Port_in_use 80);
      Lwt.return_unit

let bound_ports w =
  let* s, c = pair w in
  let connect local_port = Network.connect w.b ~local_port (ip server_address) ~port:81 in
  let in_use = fails "in use" (function Error.Port_in_use _ -> true | _ -> false) in
  let* () = in_use (connect (snd (Connection.local c))) in
  let _ = get_ok (Network.listen w.b ~port:90 ~backlog:1) in
  let* () = in_use (connect 90) in
  let _ = listen ~port:81 w in
  let* c = ok (connect 91) in
  Alcotest.(check int) "from" 91 (snd (Connection.local c));
  Connection.close s

(* What was written leaves before the reset of unread bytes. *)
let early_answer w =
  let* s, c = pair w in
  let* () = write c "a long request" in
  let* () = Weir_lwt.Host.sleep w.a 10_000_000 in
  let* () = write s "no" in
  let* () = Connection.close s in
  let* () = Weir_lwt.Host.sleep w.a 10_000_000 in
  let b = Bytes.create 10 in
  let* n = ok (Connection.read c b ~off:0 ~len:10) in
  Alcotest.(check string) "the answer" "no" (Bytes.sub_string b 0 n);
  fails "then" is_reset (Connection.read c b ~off:0 ~len:10)

(* What can be read, and how it ends. *)
let read_out c =
  let out = Buffer.create 1_000 and b = Bytes.create 4_096 in
  let rec go () =
    let* r = Connection.read c b ~off:0 ~len:4_096 in
    match r with
    | Ok 0 -> Lwt.return "end"
    | Ok n ->
        Buffer.add_subbytes out b 0 n;
        go ()
    | Error e -> Lwt.return (if is_reset e then "reset" else "another error")
  in
  let* how = go () in
  Lwt.return (Buffer.contents out, how)

(* The peer sends, shuts down and closes with our bytes unread. All had come,
   its FIN too: the end. Else the stream was cut. *)
let reset_after_fin n ~expected w =
  let* s, c = pair w in
  let sent = pattern n in
  let written =
    let* r = Connection.write_string c sent in
    Connection.shutdown c `Send;
    Lwt.return (Result.is_ok r)
  in
  let* () = Weir_lwt.Host.sleep w.a 10_000_000 in
  let* () = write s "unread" in
  let* () = Weir_lwt.Host.sleep w.a 10_000_000 in
  let* () = Connection.close c in
  let* all_written = written in
  let* got, how = read_out s in
  Alcotest.(check string) "it ends" expected how;
  Alcotest.(check bool) "written" (expected = "end") all_written;
  if expected = "end" then same "all" sent got
  else same "the beginning" (String.sub sent 0 (String.length got)) got;
  Lwt.return_unit

let written_together w =
  let* s, c = pair w in
  let frames () = (Weir_lwt.Host.link_stats w.b).tx_frames in
  let before = frames () in
  let* () = write c "HTTP/1.1 200 OK\r\n\r\n" in
  let* () = write c (pattern 100) in
  let* () = write c "ten bytes!" in
  let* n = ok (Connection.read s (Bytes.create 1_000) ~off:0 ~len:1_000) in
  Alcotest.(check int) "bytes" 129 n;
  Alcotest.(check int) "frames" 1 (frames () - before);
  Lwt.return_unit

let lets_others_run w =
  let* s, c = pair w in
  let* () = write c (pattern 4_000) in
  let* () = Weir_lwt.Host.sleep w.a 10_000_000 in
  let b = Bytes.create 1 and turns = ref 0 in
  let rec read n =
    if n = 0 then Lwt.return_unit
    else
      let* _ = ok (Connection.read s b ~off:0 ~len:1) in
      read (n - 1)
  in
  let rec others () =
    let* () = Lwt.pause () in
    incr turns;
    others ()
  in
  let* () = Lwt.pick [ read 4_000; others () ] in
  if !turns < 10 then Alcotest.failf "%d turns for others in 4,000 reads" !turns;
  Lwt.return_unit

(* On two links; each side is answered by its own. *)
let two_links w =
  let link, far = Weir_link.Memory.pair () in
  let (_ : Weir_core.Interface.t) = Weir_lwt.attach w.a ~link ~address:"10.7.0.1/24" () in
  let clock = Weir_lwt.Host.clock w.a in
  let other = Weir_lwt.host ~clock ~link:far ~address:"10.7.0.2/24" () in
  let l = listen w in
  let sent = pattern 100_000 in
  let ask host address =
    let* c = ok (Network.connect host (ip address) ~port:80) in
    let* s = ok (Network.accept l) in
    let send () =
      let* () = write s sent in
      Connection.close s
    in
    both (send ()) (Lwt.map (same "bytes" sent) (read_all c))
  in
  let frames () = (Weir_lwt.Host.link_stats w.a).tx_frames in
  let before = frames () in
  let* () = ask other "10.7.0.1" in
  Alcotest.(check int) "nothing by the first link" before (frames ());
  let* () = ask w.b server_address in
  Alcotest.(check bool) "by the first link" true (frames () > before);
  Weir_lwt.Host.close ~linger_ns:0 other

let slow_reader w =
  let* s, c = pair w in
  let sent = pattern 8_000_000 in
  both
    (let* () = write c sent in
     Connection.shutdown c `Send;
     Lwt.return_unit)
    ((* The windows fill and close; nothing may be lost or stuck. *)
     let* () = Weir_lwt.Host.sleep w.a 700_000_000 in
     let* got = read_all s in
     same "bytes" sent got;
     Lwt.return_unit)

let two_writers w =
  let* s, c = pair w in
  let run ch = ok (Connection.write c (Bytes.make 400_000 ch) ~off:0 ~len:400_000) in
  both
    (let* () = both (run 'a') (run 'b') in
     Connection.shutdown c `Send;
     Lwt.return_unit)
    (let* got = read_all s in
     let a = List.length (List.filter (( = ) 'a') (List.of_seq (String.to_seq got))) in
     Alcotest.(check (pair int int)) "each whole" (400_000, 800_000) (a, String.length got);
     Lwt.return_unit)

let vectors w =
  let* s, c = pair w in
  let parts = List.map Cstruct.of_string [ ""; "one "; ""; pattern 200_000; "" ] in
  both
    (let* () = ok (Connection.writev c parts) in
     let* () = ok (Connection.writev c []) in
     Connection.close c)
    (let* got = read_all s in
     same "in order" ("one " ^ pattern 200_000) got;
     Lwt.return_unit)

let loopback w =
  let l = listen w in
  let* s, c =
    Lwt.both (ok (Network.accept l)) (ok (Network.connect w.a (ip "127.0.0.1") ~port:80))
  in
  let* () = write c "to myself" in
  let* () = Connection.close c in
  let* got = read_all s in
  Alcotest.(check string) "arrived" "to myself" got;
  Lwt.return_unit

let bounded_serve w =
  let l = listen w in
  let live = ref 0 and most = ref 0 in
  let one c =
    incr live;
    most := max !most !live;
    let* _ = read_all c in
    decr live;
    if !live = 0 then failwith "told" else Lwt.return_unit
  in
  let told = ref 0 in
  let served = Network.serve ~max_connections:2 ~on_error:(fun _ -> incr told) l one in
  let client () =
    let* c = connect w in
    let* () = Weir_lwt.Host.sleep w.b 1_000_000 in
    Connection.close c
  in
  let* () = Lwt.join (List.init 6 (fun _ -> client ())) in
  let* () = Weir_lwt.Host.sleep w.b 100_000_000 in
  Alcotest.(check int) "at most" 2 !most;
  Alcotest.(check bool) "errors are told" true (!told > 0);
  let* () = Network.close_listener l in
  served

let idle w =
  let l = listen ~backlog:64 w in
  let n = 1_000 in
  let rec repeat k f =
    if k = 0 then Lwt.return_unit
    else
      let* _ = f () in
      repeat (k - 1) f
  in
  let* () = both (repeat n (fun () -> ok (Network.accept l))) (repeat n (fun () -> connect w)) in
  let* () = Lwt_unix.sleep 2.2 in
  idle_second ()

let case ?config ?wrap name f = Suite.case name (fun () -> run_virtual ?config ?wrap f)
let real name f = Suite.case name (fun () -> run_real f)

let cases =
  [
    case "echo" echo;
    case "1 MB" (transfer 1_000_000);
    real "20 MB, the system's clock" (transfer 20_000_000);
    case "1 MB over a bad link" ~wrap:(impaired 1) (transfer 1_000_000);
    case "both ways at once, over a bad link" ~wrap:(impaired 2) duplex;
    case "refused" refused;
    case "no such host" no_host;
    case "no route" no_route;
    case "a cancelled connect leaves nothing" cancelled_connect;
    case "ports" ports;
    case "ports that are taken" bound_ports;
    case "an early answer, then a reset" early_answer;
    case "a reset after the FIN" (reset_after_fin 60_000 ~expected:"end");
    case "a stream that is cut" (reset_after_fin 400_000 ~expected:"reset");
    case "written together" written_together;
    case "a reader lets others run" lets_others_run;
    case "two links" two_links;
    case "slow reader" slow_reader;
    case "two writers" two_writers;
    case "vectors" vectors;
    case "loopback" loopback;
    case "a bounded server" bounded_serve;
    Suite.slow "1,000 idle connections use no CPU" (fun () -> run_real idle);
  ]
