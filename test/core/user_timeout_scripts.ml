(* User timeouts in traces (RFC 5482). *)

open Script
open Weir_base
open Weir_core
open White_box

let s = Time.s
let local limit = { Config.default with user_timeout = Some { limit; announced = false } }
let announced limit = { Config.default with user_timeout = Some { limit; announced = true } }

let in_force t what seconds =
  Alcotest.(check int) what (s seconds) (Tcp_user.user_timeout_ns (connection t))

let silence t =
  note t
    "data are not acknowledged: the connection fails after three seconds, not after all retries";
  established t;
  after t 500;
  write t "hello";
  after t 2_900;
  state t;
  after t 100;
  state t

let patience t =
  note t "the limit takes the place of the number of retries: here one";
  established t;
  write t "hello";
  after t 20_000;
  state t;
  send t ~ack:6 1;
  note t "an ACK begins it anew";
  write t "again";
  after t 59_000;
  state t;
  after t 1_000;
  state t

let closed_window t =
  note t "a peer that keeps its window closed, though it answers";
  established t ~win:5;
  write t "hello, you";
  send t ~ack:6 ~win:0 1;
  for _ = 1 to 3 do
    after t 1_500;
    send t ~ack:6 ~win:0 1
  done;
  state t

let handshake t =
  note t "nobody answers the SYN";
  connect t;
  after t 2_900;
  state t;
  after t 100;
  state t

let is_announced t =
  note t "the peer is told, and its longer limit taken";
  send t ~flags:[ S ] ~mss:1000 ~uto:600 0;
  send t ~ack:1 1;
  in_force t "the longer" 600;
  note t "up to an hour";
  send t ~ack:1 ~uto:1_000_000 1;
  in_force t "at most" 3_600;
  note t "a shorter one than ours does not count, nor does one of zero";
  send t ~ack:1 ~uto:5 1;
  in_force t "ours" 120;
  note t "a later wish goes with the next ACK";
  Tcp_user.set_user_timeout (connection t) (Some { limit = s 40_000; announced = true });
  send t ~ack:1 ~data:"x" 1;
  after t 100;
  in_force t "ours, which the peer did not bound" 40_000;
  send t ~ack:1 ~data:"y" ~uto:130 2;
  in_force t "what the peer can cause is bounded" 3_600;
  Tcp_user.set_user_timeout (connection t) None;
  send t ~ack:1 ~uto:300 3;
  Alcotest.(check int) "none" Time.never (Tcp_user.user_timeout_ns (connection t))

let not_announced t =
  note t "a limit of this end's own is neither told nor changed";
  send t ~flags:[ S ] ~mss:1000 ~uto:600 0;
  send t ~ack:1 1;
  in_force t "ours" 3

let keepalive t =
  note t "with keepalive, silence counts as of the last segment, whatever the number of probes";
  established t;
  Tcp.set_keepalive (connection t) (Some { idle = s 1; interval = s 1; probes = 2 });
  after t 4_500;
  state t;
  after t 1_000;
  state t

let all =
  [
    ("uto_silence", local (s 3), silence);
    ("uto_patience", { (local (s 60)) with retries = 1 }, patience);
    ("uto_closed_window", local (s 3), closed_window);
    ("uto_handshake", local (s 3), handshake);
    ("uto_announced", announced (s 120), is_announced);
    ("uto_not_announced", local (s 3), not_announced);
    ("uto_keepalive", local (s 5), keepalive);
  ]

let cases = List.map (fun (name, config, script) -> case ~config name script) all
