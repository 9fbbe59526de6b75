(* Two processes over the kernel's loopback: one under Lwt's loop, one under Eio's. *)

open Weir_rpc
open World
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow
module E = Weir_rpc_eio
module L = Weir_rpc_lwt

let ( let* ) = Lwt.bind

let failure = function
  | Unix.Unix_error ((ECONNRESET | EPIPE), _, _) -> Lwt_result.fail (`Flow Flow.reset)
  | e -> Lwt.fail e

let flow fd =
  (object (self)
     inherit Flow_lwt.flow

     method read_into (buf : Cstruct.t) =
       Lwt.catch
         (fun () ->
           let* n = Lwt_bytes.read fd buf.buffer buf.off buf.len in
           Lwt_result.return (if n = 0 then `Eof else `Input n))
         failure

     method write (buf : Cstruct.t) =
       if Cstruct.is_empty buf then Lwt_result.return ()
       else
         Lwt.catch
           (fun () ->
             let* n = Lwt_bytes.write fd buf.buffer buf.off buf.len in
             self#write (Cstruct.shift buf n))
           failure

     method shutdown_send =
       Lwt_unix.shutdown fd SHUTDOWN_SEND;
       Lwt.return_unit

     method close = Lwt_unix.close fd

     method! cast : type a. a Flow_lwt.ty -> a option =
       function
       | Flow_lwt.Half_close -> Some (self :> Flow_lwt.half_close)
       | Flow_lwt.Closable -> Some (self :> Flow_lwt.closable)
       | _ -> None
   end
    :> Flow_lwt.closable)

let clock : L.Clock.t =
  { now = Weir_lwt.Clock.system.now; sleep = Weir_lwt.Clock.sleep Weir_lwt.Clock.system }

let listening () =
  let socket = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Unix.bind socket (ADDR_INET (Unix.inet_addr_loopback, 0));
  Unix.listen socket 1;
  match Unix.getsockname socket with
  | ADDR_INET (_, port) -> (socket, port)
  | ADDR_UNIX _ -> assert false

(* [there ()] in a process of its own, which is over within a minute. *)
let beside there here =
  flush_all ();
  match Unix.fork () with
  | 0 ->
      ignore (Unix.alarm 60);
      let status = try there (); 0 with e -> prerr_endline (Printexc.to_string e); 1 in
      Unix._exit status
  | child -> (
      let result = try Ok (here ()) with e -> Error e in
      match (result, Unix.waitpid [] child) with
      | Error e, _ -> raise e
      | Ok (), (_, WEXITED 0) -> ()
      | Ok (), _ -> Alcotest.fail "the other process failed")
  [@@ocamlformat "disable"]

let text i = String.init (i * 97 mod 30_000) (fun j -> Char.chr ((i + j) land 255))

let eio_client port () =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let address = `Tcp (Eio.Net.Ipaddr.V4.loopback, port) in
  let flow = Weir_eio.Flows.of_eio (Eio.Net.connect ~sw env#net address) in
  let client = E.Client.create ~sw ~clock:env#mono_clock flow in
  let one i =
    Alcotest.(check bool) "its own" true (Pair.got (E.Client.call client Methods.echo (text i)) = text i)
  in
  Eio.Fiber.List.iter one (List.init 200 Fun.id);
  let seen = ref 0 in
  Pair.got (E.Client.download client Methods.count 1_000 (fun i -> assert (i = !seen); incr seen));
  Alcotest.(check int) "all" 1_000 !seen;
  (match E.Client.call client ~timeout_ns:(ms 20) Methods.wait (s 3_600) with
  | Error Timed_out -> ()
  | _ -> Alcotest.fail "answered");
  E.Client.close client
  [@@ocamlformat "disable"]

let lwt_server socket () =
  Lwt_main.run
    (let* fd, _ = Lwt_unix.accept (Lwt_unix.of_unix_file_descr socket) in
     let server = L.Server.create ~clock (Methods.handlers clock) in
     let* why = L.Server.serve server (flow fd) in
     if why = Ended then Lwt.return_unit else Lwt.fail_with (Error.ending_to_string why))

let lwt_client port () =
  Lwt_main.run
    (let fd = Lwt_unix.socket PF_INET SOCK_STREAM 0 in
     let* () = Lwt_unix.connect fd (ADDR_INET (Unix.inet_addr_loopback, port)) in
     let client = L.Client.create ~clock (flow fd) in
     let one i =
       let* back = get (L.Client.call client Methods.echo (text i)) in
       if back = text i then Lwt.return_unit else Lwt.fail_with "not its own"
     in
     let* () = Lwt.join (List.init 200 one) in
     let sent = ref 0 in
     let* () =
       get
         (L.Client.exchange client Methods.mirror (fun { send; receive; _ } ->
              let rec go i =
                if i = 300 then Lwt.return_unit
                else
                  let* took = send (text (i mod 50)) in
                  let* back = receive () in
                  if not (took && back = Some (text (i mod 50))) then Lwt.fail_with "not its own"
                  else begin
                    incr sent;
                    go (i + 1)
                  end
              in
              go 0))
     in
     if !sent <> 300 then failwith "not all";
     L.Client.close client)

let rec mirrored receive send =
  match receive () with
  | None -> ()
  | Some v ->
      send v;
      mirrored receive send

let eio_server socket () =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let socket = Eio_unix.Net.import_socket_listening ~sw ~close_unix:false socket in
  let handlers = [ Service.Handler (Methods.echo, Fun.id); Exchange (Methods.mirror, mirrored) ] in
  let server = E.Server.create ~clock:env#mono_clock handlers in
  let flow, _ = Eio.Net.accept ~sw socket in
  Alcotest.check ending "in order" Ended (E.Server.serve server (Weir_eio.Flows.of_eio flow))

let to_lwt () =
  let socket, port = listening () in
  beside (lwt_server socket) (eio_client port);
  Unix.close socket

let to_eio () =
  let socket, port = listening () in
  beside (lwt_client port) (eio_server socket);
  Unix.close socket

let tests =
  [
    ( "two processes",
      [
        Suite.case "Eio's client, Lwt's server" to_lwt;
        Suite.case "Lwt's client, Eio's server" to_eio;
      ] );
  ]
