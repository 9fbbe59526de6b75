open Cmdliner

let mb bytes = float_of_int bytes /. 1e6

let line label (r : Stream.result) =
  Printf.printf "%-28s %9.1f MB %8.3f s %8.2f Gbit/s\n%!" label (mb r.bytes) r.seconds
    (Stream.gbit_s r)

let in_memory (hosts : Attach.hosts) bytes =
  let peer = Option.get hosts.peer in
  line "in memory, this way"
    (Stream.between ~from:hosts.local ~to_:peer ~to_address:Attach.server_ip ~port:5001 ~bytes);
  line "in memory, the other way"
    (Stream.between ~from:peer ~to_:hosts.local ~to_address:hosts.local_address ~port:5002 ~bytes)

let parse_target s =
  match Attach.endpoint s with
  | Some target -> target
  | None -> Fail.usage "%S is not ADDRESS:PORT, as 10.0.0.11:5001 or [fd00::11]:5001" s

let listen (hosts : Attach.hosts) port once =
  Eio.Switch.run @@ fun sw ->
  let host = hosts.local in
  let listener = Weir_eio.Network.listen host ~sw ~port ~backlog:16 in
  Printf.printf "receiving at %s\n%!" (Attach.authority hosts.local_address port);
  let receive () =
    Eio.Switch.run @@ fun sw ->
    let c = Weir_eio.Network.accept listener ~sw in
    let r = Stream.sink host c in
    Weir_eio.Connection.close c;
    line "received" r
  in
  let rec forever () =
    receive ();
    forever ()
  in
  if once then receive () else Eio.Fiber.first forever Interrupt.await

let send (hosts : Attach.hosts) (address, port) bytes =
  Eio.Switch.run @@ fun sw ->
  let host = hosts.local in
  let c = Weir_eio.Network.connect host ~sw address ~port in
  let began = Weir_eio.Host.now host in
  Stream.send c ~bytes;
  (* The transfer ends when the peer has all bytes and closes. *)
  ignore (Stream.sink host c);
  let seconds = float_of_int (Weir_eio.Host.now host - began) /. 1e9 in
  Weir_eio.Connection.close c;
  line "sent" { bytes; seconds }

let receive (hosts : Attach.hosts) (address, port) =
  Eio.Switch.run @@ fun sw ->
  let c = Weir_eio.Network.connect hosts.local ~sw address ~port in
  let r = Stream.sink hosts.local c in
  Weir_eio.Connection.close c;
  line "received" r

let mode to_ from listen_on once : Iperf_lwt.mode =
  match (to_, from, listen_on) with
  | None, None, None -> In_memory
  | Some t, None, None -> To (parse_target t)
  | None, Some t, None -> From (parse_target t)
  | None, None, Some port ->
      if port < 1 || port > 65_535 then Fail.usage "--listen must be 1 to 65535";
      Listen { port; once }
  | _ -> Fail.usage "choose one of --to, --from and --listen"

let run_eio attach (mode : Iperf_lwt.mode) ~bytes =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let hosts = Attach.hosts ~sw ~clock ~role:`Client attach in
  Attach.unless_gone attach hosts (fun () ->
      (match mode with
      | In_memory -> in_memory hosts bytes
      | To target -> send hosts target bytes
      | From target -> receive hosts target
      | Listen { port; once } -> listen hosts port once);
      Weir_eio.shutdown hosts.local)

let run (attach : Attach.t) bytes to_ from listen_on once driver =
  if bytes < 1 then Fail.usage "--bytes must be at least 1";
  let mode = mode to_ from listen_on once in
  (match (attach.link, mode) with
  | Mem, In_memory | (Tap _ | Packet _), (To _ | From _ | Listen _) -> ()
  | Mem, _ -> Fail.usage "--to, --from and --listen need --link tap:NAME or packet:NAME"
  | (Tap _ | Packet _), In_memory -> Fail.usage "over a device, give --to, --from or --listen");
  match driver with
  | `Eio -> run_eio attach mode ~bytes
  | `Lwt -> Iperf_lwt.run attach mode ~bytes ~line

let bytes =
  Arg.(
    value & opt int 100_000_000
    & info [ "n"; "bytes" ] ~docv:"N" ~doc:"The number of bytes to send.")

let target name what =
  Arg.(value & opt (some string) None & info [ name ] ~docv:"HOST:PORT" ~doc:what)

let to_ = target "to" "Connect to this address and send; ends when the peer closes."
let from = target "from" "Connect to this address and receive to the end of the stream."

let listen_on =
  Arg.(
    value
    & opt (some int) None
    & info [ "listen" ] ~docv:"PORT" ~doc:"Listen on this port and receive.")

let once = Arg.(value & flag & info [ "once" ] ~doc:"With $(b,--listen): end after one connection.")

let driver =
  Arg.(
    value
    & opt (enum [ ("eio", `Eio); ("lwt", `Lwt) ]) `Eio
    & info [ "driver" ] ~docv:"DRIVER" ~doc:"The driver of the stack: $(b,eio) or $(b,lwt).")

let cmd =
  let man =
    [
      `S Manpage.s_examples;
      `P "$(b,weir iperf) measures two hosts on a memory link.";
      `P
        "$(b,weir iperf --link tap:tap0 --address 10.0.0.11/24 --listen 5001) and, in the kernel, \
         $(b,nc -N 10.0.0.11 5001 < file)";
    ]
  in
  Cmd.v
    (Cmd.info "iperf" ~exits:Fail.exits ~man ~doc:"measure TCP bulk transfers")
    Term.(
      const (fun a b t f l o d -> Fail.run (fun () -> run a b t f l o d))
      $ Attach.term $ bytes $ to_ $ from $ listen_on $ once $ driver)
