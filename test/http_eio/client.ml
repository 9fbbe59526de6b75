(* A client that says bytes and hears bytes. *)

open Eio.Std

let any port : Eio.Net.Sockaddr.stream = `Tcp (Eio.Net.Ipaddr.V4.any, port)
let at_loopback port : Eio.Net.Sockaddr.stream = `Tcp (Eio.Net.Ipaddr.V4.loopback, port)
let request ?(more = "") path = Printf.sprintf "GET %s HTTP/1.1\r\nHost: a\r\n%s\r\n" path more
let say flow s = Eio.Flow.copy_string s flow

(* Up to and with the next [part]; what is there if the server ends before. *)
let hear flow part =
  let heard = Buffer.create 200 and byte = Cstruct.create 1 in
  let rec go () =
    match Eio.Flow.single_read flow byte with
    | _ ->
        Buffer.add_string heard (Cstruct.to_string byte);
        if not (String.ends_with ~suffix:part (Buffer.contents heard)) then go ()
    | exception End_of_file -> ()
  in
  go ();
  Buffer.contents heard

(* How the server ended the connection. *)
let ending flow =
  let scrap = Cstruct.create 4_096 in
  let rec go () =
    match Eio.Flow.single_read flow scrap with
    | _ -> go ()
    | exception End_of_file -> "closed"
    | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> "reset"
  in
  go ()

(* [f] with a server of [handler] on the kernel's loopback; [ran] is resolved when
   that has ended. *)
let on_kernel ?admission ?timeouts ?log ?warn handler f =
  Eio_main.run @@ fun env ->
  Eio.Time.Timeout.run_exn (Eio.Time.Timeout.seconds (Eio.Stdenv.mono_clock env) 20.) @@ fun () ->
  Switch.run @@ fun sw ->
  let net = Eio.Stdenv.net env in
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:16 net (at_loopback 0) in
  let server =
    Weir_http_eio.Server.create ~sw ~clock:(Eio.Stdenv.mono_clock env) ?admission ?timeouts ?log
      ?warn handler
  in
  let address = Eio.Net.listening_addr socket in
  let ran = Fiber.fork_promise ~sw (fun () -> Weir_http_eio.Server.run server socket) in
  let connect () = Eio.Net.connect ~sw net address in
  f ~sw ~net ~server ~ran ~connect;
  if not (Promise.is_resolved ran) then Weir_http_eio.Server.stop ~timeout_ns:0 server;
  Promise.await_exn ran
