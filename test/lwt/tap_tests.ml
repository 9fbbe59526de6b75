open Lwt.Syntax
open World
module Suite = Weir_test.Suite
module Interface = Weir_tap.Interface

let get = function Ok x -> x | Error e -> Alcotest.failf "%a" Weir_tap.Error.pp e

let with_tap f =
  Weir_test.Netns.needed ();
  let tap = get (Weir_tap.Tap.open_ ()) in
  get (Interface.set_address tap#name (Ipaddr.of_string_exn "10.9.0.1") ~prefix:24);
  get (Interface.set_up tap#name);
  let host = Weir_lwt.host ~link:tap ~address:"10.9.0.11/24" () in
  Lwt_main.run
    (let* () = limited Weir_lwt.Clock.system ~s:30 (f host) in
     Weir_lwt.Host.close host)

let kernel_socket () = Lwt_unix.socket ~cloexec:true PF_INET SOCK_STREAM 0
let weir_address port = Unix.ADDR_INET (Unix.inet_addr_of_string "10.9.0.11", port)

let rec write_all fd b off =
  if off = Bytes.length b then Lwt.return_unit
  else
    let* n = Lwt_unix.write fd b off (Bytes.length b - off) in
    write_all fd b (off + n)

let kernel_read_all fd =
  let out = Buffer.create 65_536 and b = Bytes.create 65_536 in
  let rec go () =
    let* n = Lwt_unix.read fd b 0 65_536 in
    if n = 0 then Lwt.return (Buffer.contents out)
    else (
      Buffer.add_subbytes out b 0 n;
      go ())
  in
  go ()

let echo host =
  let l = get_ok (Network.listen host ~port:7 ~backlog:8) in
  let served =
    Network.serve l (fun c ->
        let f = Connection.flow c in
        let* _ = Weir_flow_lwt.Flow_lwt.copy f f in
        Lwt.return_unit)
  in
  let fd = kernel_socket () in
  let* () = Lwt_unix.connect fd (weir_address 7) in
  let sent = pattern 5_000_000 in
  let* (), got =
    Lwt.both
      (let* () = write_all fd (Bytes.of_string sent) 0 in
       Lwt_unix.shutdown fd SHUTDOWN_SEND;
       Lwt.return_unit)
      (kernel_read_all fd)
  in
  same "5 MB out and back" sent got;
  let* () = Lwt_unix.close fd in
  let* () = Network.close_listener l in
  served

let outward host =
  let socket = kernel_socket () in
  let* () = Lwt_unix.bind socket (ADDR_INET (Unix.inet_addr_any, 8_000)) in
  Lwt_unix.listen socket 4;
  let* c, (fd, _) =
    Lwt.both (ok (Network.connect host (ip "10.9.0.1") ~port:8_000)) (Lwt_unix.accept socket)
  in
  let* () = write c "to the kernel" in
  let* () = Connection.close c in
  let* got = kernel_read_all fd in
  Alcotest.(check string) "arrived" "to the kernel" got;
  let* () = Lwt_unix.close fd in
  let* () = Lwt_unix.close socket in
  fails "nobody there" (( = ) (Error.Tcp Refused))
    (Network.connect host (ip "10.9.0.1") ~port:8_001)

let ping host =
  let* pong = Weir_lwt.ping host ~sequence:1 (ip "10.9.0.1") in
  match pong with
  | Reply _ -> Lwt.return_unit
  | Failed e -> Alcotest.fail e
  | Lost -> Alcotest.fail "lost"

let idle host =
  let* () = ping host in
  let* () = Lwt_unix.sleep 0.5 in
  idle_second ()

(* A closed host watches no descriptor: the number may be another file's soon. *)
let closed host =
  let* () = ping host in
  let watched = Lwt_engine.readable_count () in
  let* () = Weir_lwt.Host.close host in
  let* () = Weir_lwt.Host.close host in
  Alcotest.(check int) "unwatched" (watched - 1) (Lwt_engine.readable_count ());
  Lwt.return_unit

let case name f = Suite.case name (fun () -> with_tap f)

let cases =
  [
    case "echo to a kernel socket" echo;
    case "connect to a kernel socket" outward;
    case "ping the kernel" ping;
    case "a closed host watches nothing" closed;
    Suite.slow "an idle TAP uses no CPU" (fun () -> with_tap idle);
  ]
