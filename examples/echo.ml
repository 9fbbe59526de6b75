(* An echo server and its client, written for any Eio.Net. They run unmodified
   on two Weir hosts (`echo.exe`) and on the kernel's sockets (`echo.exe kernel`). *)

open Eio.Std

let start_server ~sw ~net address =
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:16 net address in
  Fiber.fork_daemon ~sw (fun () ->
      Eio.Net.run_server socket ~on_error:raise (fun flow _peer -> Eio.Flow.copy flow flow));
  Eio.Net.listening_addr socket

let ask ~net address question =
  Switch.run @@ fun sw ->
  let flow = Eio.Net.connect ~sw net address in
  Eio.Flow.copy_string question flow;
  Eio.Flow.shutdown flow `Send;
  Eio.Flow.read_all flow

let converse ~sw ~server ~client ip =
  let address = start_server ~sw ~net:server (`Tcp (ip, 0)) in
  print_endline (ask ~net:client address "Is anybody there?")

let on_kernel ~sw env =
  let net = Eio.Stdenv.net env in
  converse ~sw ~server:net ~client:net Eio.Net.Ipaddr.V4.loopback

let on_weir ~sw env =
  let one_end, other_end = Weir_link.Memory.pair () in
  let host link address =
    Weir_eio.(net (host ~sw ~clock:(Eio.Stdenv.mono_clock env) ~link ~address ()))
  in
  let server = host one_end "10.0.0.1/24" and client = host other_end "10.0.0.2/24" in
  converse ~sw ~server ~client (Eio.Net.Ipaddr.of_raw "\010\000\000\001")

let () =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw -> if Array.mem "kernel" Sys.argv then on_kernel ~sw env else on_weir ~sw env
