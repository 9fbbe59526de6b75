open Cmdliner

let mb bytes = float_of_int bytes /. 1e6

let line label (r : Stream.result) =
  Printf.printf "%-28s %9.1f MB %8.3f s %8.2f Gbit/s\n%!" label (mb r.bytes) r.seconds
    (Stream.gbit_s r)

let in_memory (hosts : Attach.hosts) bytes ~ipv6 =
  let peer = Option.get hosts.peer in
  let server = if ipv6 then Ends.server_ipv6 else Ends.server_ip in
  let client = if ipv6 then Ends.client_ipv6 else Ends.client_ip in
  line "in memory, this way"
    (Stream.between ~from:hosts.local ~to_:peer ~to_address:server ~port:5001 ~bytes);
  line "in memory, the other way"
    (Stream.between ~from:peer ~to_:hosts.local ~to_address:client ~port:5002 ~bytes)

let parse_target attach s =
  match (Endpoint.of_string s, String.split_on_char ':' s) with
  | Some (a, port), _ -> (Ipaddr.to_string a, port)
  | None, [ node; port ] when node <> "" -> (
      match int_of_string_opt port with
      | Some p when p > 0 && p < 65_536 ->
          Link_options.check_name attach node;
          (node, p)
      | _ -> Fail.usage "%S is not HOST:PORT, as 10.0.0.11:5001 or [fd00::11]:5001" s)
  | None, _ -> Fail.usage "%S is not HOST:PORT, as 10.0.0.11:5001 or [fd00::11]:5001" s

let connect host ~sw (node, port) =
  Attach.looked_up node (fun () -> Weir_eio.connect host ~sw ~service:(string_of_int port) node)

let listen (hosts : Attach.hosts) port once =
  Eio.Switch.run @@ fun sw ->
  let host = hosts.local in
  let listener = Weir_eio.Network.listen host ~sw ~port ~backlog:16 in
  Printf.printf "receiving at %s\n%!" (Endpoint.authority hosts.local_address port);
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

let send (hosts : Attach.hosts) target bytes =
  Eio.Switch.run @@ fun sw ->
  let host = hosts.local in
  let c = connect host ~sw target in
  let began = Weir_eio.Host.now host in
  Stream.send c ~bytes;
  (* The transfer ends when the peer has all bytes and closes. *)
  ignore (Stream.sink host c);
  let seconds = float_of_int (Weir_eio.Host.now host - began) /. 1e9 in
  Weir_eio.Connection.close c;
  line "sent" { bytes; seconds }

let receive (hosts : Attach.hosts) target =
  Eio.Switch.run @@ fun sw ->
  let c = connect hosts.local ~sw target in
  let r = Stream.sink hosts.local c in
  Weir_eio.Connection.close c;
  line "received" r

let mode attach to_ from listen_on once ~ipv6 : Iperf_lwt.mode =
  match (to_, from, listen_on) with
  | None, None, None -> In_memory { ipv6 }
  | Some t, None, None -> To (parse_target attach t)
  | None, Some t, None -> From (parse_target attach t)
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
      | In_memory { ipv6 } -> in_memory hosts bytes ~ipv6
      | To target -> send hosts target bytes
      | From target -> receive hosts target
      | Listen { port; once } -> listen hosts port once);
      Weir_eio.shutdown hosts.local)

let run (attach : Link_options.t) bytes to_ from listen_on once ipv6 driver =
  if bytes < 1 then Fail.usage "--bytes must be at least 1";
  let mode = mode attach to_ from listen_on once ~ipv6 in
  (match (attach.link, mode) with
  | Mem, In_memory _ | (Tap _ | Packet _ | Xdp _), (To _ | From _ | Listen _) -> ()
  | Mem, _ -> Fail.usage "--to, --from and --listen need --link tap:NAME, packet:NAME or xdp:NAME"
  | (Tap _ | Packet _ | Xdp _), In_memory _ ->
      Fail.usage "over a device, give --to, --from or --listen");
  match driver with
  | `Eio -> run_eio attach mode ~bytes
  | `Lwt -> Iperf_lwt.run attach mode ~bytes ~line

let bytes =
  Arg.(
    value & opt int 100_000_000
    & info [ "n"; "bytes" ] ~docv:"N" ~doc:"The number of bytes to send.")

let target name what =
  Arg.(value & opt (some string) None & info [ name ] ~docv:"HOST:PORT" ~doc:what)

let to_ = target "to" "Connect to this address or name and send; ends when the peer closes."
let from = target "from" "Connect to this address or name and receive to the end of the stream."

let listen_on =
  Arg.(
    value
    & opt (some int) None
    & info [ "listen" ] ~docv:"PORT" ~doc:"Listen on this port and receive.")

let once = Arg.(value & flag & info [ "once" ] ~doc:"With $(b,--listen): end after one connection.")

let ipv6 =
  Arg.(value & flag & info [ "6"; "ipv6" ] ~doc:"On a memory link: measure over IPv6, not IPv4.")

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
      const (fun a b t f l o v6 d -> Fail.run (fun () -> run a b t f l o v6 d))
      $ Link_options.client_term $ bytes $ to_ $ from $ listen_on $ once $ ipv6 $ driver)
