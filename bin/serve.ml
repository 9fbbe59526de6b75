open Cmdliner
open Weir_base

let parse_forward s =
  match String.rindex_opt s ':' with
  | None -> Error "say ADDRESS:PORT, as 127.0.0.1:8080"
  | Some i -> (
      let a = String.sub s 0 i and p = String.sub s (i + 1) (String.length s - i - 1) in
      match (Ipaddr.of_string a, int_of_string_opt p) with
      | Ok a, Some p when p >= 0 && p < 65_536 -> Ok (a, p)
      | _ -> Error (Printf.sprintf "%S is not ADDRESS:PORT, as 127.0.0.1:8080" s))

let pp_forward f (a, p) = Fmt.pf f "%a:%d" Ipaddr.pp a p
let forward_conv = Arg.Conv.make ~docv:"ADDR:PORT" ~parser:parse_forward ~pp:pp_forward ()

(* An ordinary kernel socket in front: each of its connections becomes one over
   the memory link. A failed relay is one client's affair. *)
let forwarder ~sw ~net ~(peer : Weir_eio.host) ~port (address, front_port) ready =
  let address = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets address) in
  let socket =
    try Eio.Net.listen ~sw ~reuse_addr:true ~backlog:128 net (`Tcp (address, front_port))
    with Eio.Io _ as e ->
      Fail.failed "cannot listen on %s; choose another with --forward: %s"
        (Fmt.str "%a" Eio.Net.Sockaddr.pp (`Tcp (address, front_port)))
        (Fmt.str "%a" Eio.Exn.pp e)
  in
  ready (Eio.Net.listening_addr socket);
  let server = Ipaddr.V4.of_string_exn Attach.server_ip in
  let one flow _ =
    Eio.Switch.run @@ fun sw ->
    let c = Weir_eio.Network.connect peer ~sw server ~port in
    Attach.relay flow (Weir_eio.Connection.socket c)
  in
  Eio.Net.run_server ~max_connections:1_000 ~on_error:ignore socket one

let summary (c : Weir_core.Counters.t) served =
  Printf.printf
    "%d responses; %d segments in, %d out, %d of them again; %d malformed packets dropped\n%!"
    served c.tcp_in c.tcp_out c.tcp_retransmitted
    (c.ip_in_malformed + c.tcp_in_malformed + c.udp_in_malformed + c.icmp_in_malformed)

let counted handler served request =
  incr served;
  handler request

let run_eio ({ attach; dir; port; forward; log; max_connections } : Serve_lwt.options) handler
    ~summary =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let hosts = Attach.hosts ~sw ~clock ~role:`Server attach in
  let forward =
    match (hosts.peer, forward) with
    | None, Some _ ->
        Fail.usage "--forward goes with --link mem; a TAP is reached through the kernel"
    | None, None -> None
    | Some peer, f -> Some (peer, Option.value f ~default:(Ipaddr.(V4 V4.localhost), 8080))
  in
  let web = Web.create ~sw ~clock ~max_connections ?log handler in
  let say at = Printf.printf "serving %s at http://%s/ (stop with Ctrl-C)\n%!" dir at in
  let front () =
    match forward with
    | None ->
        say (if port = 80 then hosts.local_address else Fmt.str "%s:%d" hosts.local_address port);
        Eio.Fiber.await_cancel ()
    | Some (peer, front) ->
        forwarder ~sw ~net:(Eio.Stdenv.net env) ~peer ~port front (function
          | `Tcp (ip, p) -> say (Fmt.str "%a:%d" Eio.Net.Ipaddr.pp ip p)
          | `Unix _ -> ())
  in
  (* Stopped before it is cancelled, so that responses under way come to their
     end; what is left of the time is for clients to take what was sent. *)
  let deadline = ref 0 in
  let left () = max (Time.ms 200) (!deadline - Weir_eio.Host.now hosts.local) in
  Eio.Fiber.first
    (fun () -> Eio.Fiber.both (fun () -> Web.serve web hosts.local ~port) front)
    (fun () ->
      Interrupt.await ();
      deadline := Weir_eio.Host.now hosts.local + Time.s 5;
      Web.stop web ~timeout_ns:(Time.s 4));
  Weir_eio.shutdown ~timeout_ns:(left ()) hosts.local;
  summary (Weir_eio.Host.counters hosts.local)

let run driver ({ dir; port; max_connections; _ } as o : Serve_lwt.options) =
  if port < 1 || port > 65_535 then Fail.usage "--port must be 1 to 65535";
  if max_connections < 1 then Fail.usage "--max-connections must be at least 1";
  let tree = Site.tree dir in
  let served = ref 0 in
  let handler = counted (Weir_http.Files.handler ~now:Unix.gettimeofday tree) served in
  let summary counters = summary counters !served in
  match driver with `Eio -> run_eio o handler ~summary | `Lwt -> Serve_lwt.run o handler ~summary

let dir =
  Arg.(required & pos 0 (some string) None & info [] ~docv:"DIR" ~doc:"The folder to serve.")

let port =
  Arg.(value & opt int 80 & info [ "port" ] ~docv:"PORT" ~doc:"TCP port on Weir's own stack.")

let forward =
  Arg.(
    value
    & opt (some forward_conv) None
    & info [ "forward" ] ~docv:"ADDR:PORT"
        ~doc:
          "With $(b,--link mem): put an ordinary socket in front, so that a browser reaches the \
           site (default 127.0.0.1:8080).")

let quiet = Arg.(value & flag & info [ "quiet"; "q" ] ~doc:"No access log on standard output.")

let driver =
  Arg.(
    value
    & opt (enum [ ("eio", `Eio); ("lwt", `Lwt) ]) `Eio
    & info [ "driver" ] ~docv:"DRIVER"
        ~doc:"Who turns the stack: $(b,eio), fibers in direct style, or $(b,lwt), promises.")

let max_connections =
  Arg.(
    value & opt int 10_000
    & info [ "max-connections" ] ~docv:"N" ~doc:"Served at a time; more wait.")

let cmd =
  let man =
    [
      `S Manpage.s_examples;
      `P "$(b,weir serve site) then open http://127.0.0.1:8080/";
      `P "$(b,weir serve site --link tap:tap0 --address 10.0.0.11/24 --pcap site.pcap)";
    ]
  in
  Cmd.v
    (Cmd.info "serve" ~exits:Fail.exits ~man ~doc:"serve files over HTTP from Weir's own TCP/IP")
    Term.(
      const (fun attach dir port forward quiet driver max_connections ->
          let log = if quiet then None else Some print_endline in
          Fail.run (fun () -> run driver { attach; dir; port; forward; log; max_connections }))
      $ Attach.term $ dir $ port $ forward $ quiet $ driver $ max_connections)
