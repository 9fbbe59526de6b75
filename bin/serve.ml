open Cmdliner
open Weir_base
module Web = Weir_http_eio.Server

let parse_forward s =
  match String.rindex_opt s ':' with
  | None -> Error "give ADDRESS:PORT, such as 127.0.0.1:8080"
  | Some i -> (
      let a = String.sub s 0 i and p = String.sub s (i + 1) (String.length s - i - 1) in
      match (Ipaddr.of_string a, int_of_string_opt p) with
      | Ok a, Some p when p >= 0 && p < 65_536 -> Ok (a, p)
      | _ -> Error (Printf.sprintf "%S: give ADDRESS:PORT, such as 127.0.0.1:8080" s))

let pp_forward f (a, p) = Fmt.pf f "%a:%d" Ipaddr.pp a p
let forward_conv = Arg.Conv.make ~docv:"ADDR:PORT" ~parser:parse_forward ~pp:pp_forward ()

(* Each connection to a kernel socket is relayed over the memory link. A failed
   relay ends only its client's connection. *)
let forwarder ~sw ~net ~(peer : Weir_eio.host) ~port (address, front_port) ready =
  let address = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets address) in
  let socket =
    try Eio.Net.listen ~sw ~reuse_addr:true ~backlog:128 net (`Tcp (address, front_port))
    with Eio.Io _ as e ->
      Fail.failed "cannot listen on %s (%s): choose another address or port with --forward"
        (Fmt.str "%a" Eio.Net.Sockaddr.pp (`Tcp (address, front_port)))
        (Fmt.str "%a" Eio.Exn.pp e)
  in
  ready (Eio.Net.listening_addr socket);
  let server = Ipaddr.of_string_exn Ends.server_ip in
  let one flow _ =
    Eio.Switch.run @@ fun sw ->
    let c = Weir_eio.Network.connect peer ~sw server ~port in
    Attach.relay flow (Weir_eio.Connection.socket c)
  in
  Eio.Net.run_server ~max_connections:1_000 ~on_error:ignore socket one

(* Counts of 0 are left out. *)
let summary journal (all : (Weir_core.Counters.t * Weir_http.Admission.t) list) served =
  let some n what = if n = 0 then [] else [ Printf.sprintf "%d %s" n what ] in
  let sum f = List.fold_left (fun n x -> n + f x) 0 all in
  let count f = sum (fun (c, _) -> f c) and admission f = sum (fun (_, a) -> f a) in
  let malformed (c : Weir_core.Counters.t) =
    c.ip_in_malformed + c.tcp_in_malformed + c.udp_in_malformed + c.icmp_in_malformed
  in
  Journal.say journal
    (String.concat "; "
       (Printf.sprintf
          "%d responses; %d segments in, %d out, %d of them again; %d malformed packets dropped"
          served
          (count (fun c -> c.tcp_in))
          (count (fun c -> c.tcp_out))
          (count (fun c -> c.tcp_retransmitted))
          (count malformed)
        :: some (admission Weir_http.Admission.gave_way) "idle connections closed for new ones"
       @ some (admission Weir_http.Admission.refused) "connections refused, over --max-per-address"
       @ some (count (fun c -> c.handed_on)) "packets passed to another domain"
       @ some (Journal.lost journal) "log lines lost"))

let counted handler served request =
  Atomic.incr served;
  handler request

(* By how many connections each domain has taken. *)
let by_domain journal (all : Serve_domains.finished list) =
  let taken (f : Serve_domains.finished) = string_of_int f.counters.tcp_passive_opens in
  Journal.say journal ("connections by domain: " ^ String.concat ", " (List.map taken all))

let run_eio (o : Serve_lwt.options) handler ~summary =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env and port = o.port in
  let notice = Journal.say o.journal in
  let hosts = Attach.hosts ~sw ~clock ~notice ~role:`Server o.attach in
  let forward =
    match (hosts.peer, o.forward) with
    | None, Some _ ->
        Fail.usage "--forward needs --link mem; clients reach other links by --address"
    | None, None -> None
    | Some peer, f -> Some (peer, Option.value f ~default:(Ipaddr.(V4 V4.localhost), 8080))
  in
  let web =
    Web.create ~sw ~clock ~admission:o.admission ?log:(Serve_lwt.log o)
      ~warn:(Journal.warn o.journal) handler
  in
  let say at = Serve_lwt.say o at ~note:hosts.note in
  let front () =
    match forward with
    | None ->
        say (Endpoint.shown hosts.local_address ~port);
        Eio.Fiber.await_cancel ()
    | Some (peer, front) ->
        forwarder ~sw ~net:(Eio.Stdenv.net env) ~peer ~port front (function
          | `Tcp (ip, p) -> say (Fmt.str "%a:%d" Eio.Net.Ipaddr.pp ip p)
          | `Unix _ -> ())
  in
  (* Stop before cancelling, so that responses finish. The rest of the time is for
     clients to receive what was sent. *)
  let deadline = ref 0 in
  let left () = max (Time.ms 200) (!deadline - Weir_eio.Host.now hosts.local) in
  let interrupted () =
    Interrupt.await ();
    deadline := Weir_eio.Host.now hosts.local + Time.s 5;
    Web.stop web ~timeout_ns:(Time.s 4)
  in
  let serving () =
    let listener = Weir_eio.Network.listen hosts.local ~sw ~port ~backlog:1024 in
    Eio.Fiber.both (fun () -> Web.run_on_host web listener) front
  in
  let gone () = Eio.Promise.await hosts.gone in
  Eio.Fiber.fork_daemon ~sw (fun () -> Weir_eio.Host.give_memory_back hosts.local);
  Eio.Fiber.fork_daemon ~sw (fun () -> Attach.follow_lease hosts (Journal.say o.journal));
  Eio.Fiber.fork_daemon ~sw (fun () ->
      Interrupt.on_usr1 (fun () -> Serve_lwt.say_usage o (Weir_eio.Host.usage hosts.local)));
  Eio.Fiber.any [ serving; interrupted; gone ];
  let is_gone = Eio.Promise.is_resolved hosts.gone in
  if is_gone then Weir_eio.Host.release hosts.local
  else Weir_eio.shutdown ~timeout_ns:(left ()) hosts.local;
  summary (Weir_eio.Host.counters hosts.local);
  if is_gone then Ends.gone o.attach

(* On a memory link all clients come through the forwarding socket and have one
   address. *)
let admission (attach : Link_options.t) ~max_connections ~max_per_address =
  let per_address =
    match (attach.link, max_per_address) with
    | Mem, Some _ ->
        Fail.usage "--max-per-address needs --link tap:NAME, tun:NAME, packet:NAME or xdp:NAME"
    | Mem, None -> Some max_connections
    | (Tap _ | Tun _ | Packet _ | Xdp _), given -> given
  in
  Weir_http.Admission.create ~most:max_connections ?per_address ()

let share n ~domains = (n + domains - 1) / domains

let run driver attach dir port forward quiet max_connections max_per_address domains =
  if port < 1 || port > 65_535 then Fail.usage "--port must be 1 to 65535";
  if max_connections < 1 then Fail.usage "--max-connections must be at least 1";
  if Option.fold max_per_address ~none:false ~some:(fun n -> n < 1) then
    Fail.usage "--max-per-address must be at least 1";
  if domains < 1 || domains > Weir_drive.Exchange.most then
    Fail.usage "--domains must be 1 to %d" Weir_drive.Exchange.most;
  if domains > 1 && driver = `Lwt then Fail.usage "--domains needs --driver eio";
  if domains > 1 && forward <> None then
    Fail.usage "--forward needs --link mem, and --domains --link tap:NAME";
  let max_connections = share max_connections ~domains in
  let max_per_address = Option.map (share ~domains) max_per_address in
  let admission () = admission attach ~max_connections ~max_per_address in
  let tree = Site.tree dir in
  let served = Atomic.make 0 in
  let handler () = counted (Weir_http.Files.handler ~now:Unix.gettimeofday tree) served in
  Journal.run @@ fun journal ->
  let o : Serve_lwt.options =
    { attach; dir; port; forward; quiet; journal; admission = admission () }
  in
  let summary all = summary journal all (Atomic.get served) in
  let alone counters = summary [ (counters, o.admission) ] in
  if domains > 1 then
    Serve_domains.run o ~domains ~handler ~admission ~summary:(fun all ->
        summary (List.map (fun (f : Serve_domains.finished) -> (f.counters, f.admission)) all);
        by_domain journal all)
  else
    match driver with
    | `Eio -> run_eio o (handler ()) ~summary:alone
    | `Lwt -> Serve_lwt.run o (handler ()) ~summary:alone

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
          "With $(b,--link mem): listen on this kernel socket too, so that a browser reaches the \
           site (default 127.0.0.1:8080).")

let quiet = Arg.(value & flag & info [ "quiet"; "q" ] ~doc:"No access log on standard output.")

let driver =
  Arg.(
    value
    & opt (enum [ ("eio", `Eio); ("lwt", `Lwt) ]) `Eio
    & info [ "driver" ] ~docv:"DRIVER"
        ~doc:"The driver of the stack: $(b,eio), fibers in direct style, or $(b,lwt), promises.")

let max_connections =
  Arg.(
    value & opt int 10_000
    & info [ "max-connections" ] ~docv:"N"
        ~doc:
          "The most connections at a time. When all are taken, a new connection replaces the one \
           that has waited longest for a request; if none is waiting for a request, the new one \
           waits.")

let max_per_address =
  Arg.(
    value
    & opt (some int) None
    & info [ "max-per-address" ] ~docv:"N"
        ~doc:
          "The most connections at a time from one client address (default: half of \
           $(b,--max-connections)); more are reset. Behind a proxy, give the value of \
           $(b,--max-connections). Over a TAP only.")

let domains =
  Arg.(
    value & opt int 1
    & info [ "domains" ] ~docv:"N"
        ~doc:
          "Serve in $(docv) domains, at most 64: a host of this address in each, over a queue of \
           the TAP. The kernel deals out connections. $(b,--max-connections) and \
           $(b,--max-per-address) are divided among them. A TAP that exists must have been made \
           with $(b,multi_queue).")

let cmd =
  let man =
    [
      `S "SIGNALS";
      `I
        ( "SIGINT, SIGTERM",
          "Stops the server. Responses may finish within 5 seconds. A second signal ends the \
           program at once." );
      `I
        ( "SIGUSR1",
          "Prints the bounded resources of Weir's host, the amount in use and the limit: buffer \
           memory, connections by kind, queues of listeners and UDP sockets, neighbours, \
           fragments." );
      `S Manpage.s_examples;
      `P "$(b,weir serve site) then open http://127.0.0.1:8080/";
      `P "$(b,weir serve site --link tap:tap0 --address 10.0.0.11/24 --pcap site.pcap)";
      `P "$(b,weir serve site --link tap:tap0 --address 10.0.0.11/24 --domains 2)";
    ]
  in
  Cmd.v
    (Cmd.info "serve" ~exits:Fail.exits ~man ~doc:"serve files over HTTP from Weir's own TCP/IP")
    Term.(
      const (fun attach dir port forward quiet driver most per_address domains ->
          Fail.run (fun () -> run driver attach dir port forward quiet most per_address domains))
      $ Link_options.term $ dir $ port $ forward $ quiet $ driver $ max_connections
      $ max_per_address $ domains)
