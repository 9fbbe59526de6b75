open Lwt.Syntax
open Weir_base
module Connection = Weir_lwt.Connection

type options = {
  attach : Link_options.t;
  dir : string;
  port : int;
  forward : (Ipaddr.t * int) option;
  quiet : bool;
  journal : Journal.t;
  admission : Weir_http.Admission.t;
}

let log o = if o.quiet then None else Some (Journal.log o.journal)

let say o at ~note =
  Journal.say o.journal (Printf.sprintf "serving %s at http://%s/ (stop with Ctrl-C)" o.dir at);
  Option.iter (Journal.say o.journal) note

(* One write, so that no line of the log comes between. *)
let say_usage o usage =
  let row (name, { Weir_core.Usage.used; limit }) =
    [ name; string_of_int used; (if limit = max_int then "-" else string_of_int limit) ]
  in
  let columns = Table.[ ("bounded resource", Left); ("in use", Right); ("limit", Right) ] in
  let rows = List.map row (Weir_core.Usage.rows usage) in
  Journal.say o.journal (String.concat "\n" (Table.lines columns rows))

(* -- an ordinary socket in front ----------------------------------------- *)

let chunk = 65_536

(* The end of the stream or its failure is passed on as a half-close. *)
let pass ~read ~write ~finish =
  let b = Bytes.create chunk in
  let rec go () =
    let* n = read b in
    if n = 0 then Lwt.return_unit
    else
      let* () = write b n in
      go ()
  in
  let* () =
    Lwt.catch go (function
      | Weir_lwt.Error.Error _ | Unix.Unix_error _ -> Lwt.return_unit
      | e -> Lwt.fail e)
  in
  finish ();
  Lwt.return_unit

let rec write_all fd b off len =
  if len = 0 then Lwt.return_unit
  else
    let* n = Lwt_unix.write fd b off len in
    write_all fd b (off + n) (len - n)

let shutdown_fd fd = try Lwt_unix.shutdown fd Unix.SHUTDOWN_SEND with Unix.Unix_error _ -> ()

let relay fd c =
  let inward =
    pass
      ~read:(fun b -> Lwt_unix.read fd b 0 chunk)
      ~write:(fun b n -> Weir_lwt.get (Connection.write c b ~off:0 ~len:n))
      ~finish:(fun () -> Connection.shutdown c `Send)
  and outward =
    pass
      ~read:(fun b -> Weir_lwt.get (Connection.read c b ~off:0 ~len:chunk))
      ~write:(fun b n -> write_all fd b 0 n)
      ~finish:(fun () -> shutdown_fd fd)
  in
  Lwt.join [ inward; outward ]

(* A failed relay ends only its client's connection. *)
let one_client peer ~port fd =
  let work () =
    let server = Ipaddr.of_string_exn Ends.server_ip in
    let* c = Weir_lwt.get (Weir_lwt.connect peer server ~port) in
    Lwt.finalize (fun () -> relay fd c) (fun () -> Connection.close c)
  in
  Lwt.finalize
    (fun () -> Lwt.catch work (fun _ -> Lwt.return_unit))
    (fun () -> Lwt.catch (fun () -> Lwt_unix.close fd) (fun _ -> Lwt.return_unit))

let listen_in_front (address, port) =
  let inet = Unix.inet_addr_of_string (Ipaddr.to_string address) in
  let domain = Unix.domain_of_sockaddr (ADDR_INET (inet, port)) in
  let socket = Lwt_unix.socket ~cloexec:true domain SOCK_STREAM 0 in
  Lwt_unix.setsockopt socket SO_REUSEADDR true;
  let bound =
    Lwt.catch
      (fun () -> Lwt_unix.bind socket (ADDR_INET (inet, port)))
      (function
        | Unix.Unix_error (e, _, _) ->
            Fail.failed "cannot listen on %s:%d (%s): choose another address or port with --forward"
              (Ipaddr.to_string address) port (Unix.error_message e)
        | e -> Lwt.fail e)
  in
  let* () = bound in
  Lwt_unix.listen socket 128;
  Lwt.return socket

let most_clients = 1_000

(* Cancelling it ends the relays too. *)
let forwarder socket peer ~port =
  let live = Hashtbl.create 64 and ended = Lwt_condition.create () in
  let start id client =
    let relayed = one_client peer ~port client in
    if Lwt.is_sleeping relayed then Hashtbl.replace live id relayed;
    Lwt.on_termination relayed (fun () ->
        Hashtbl.remove live id;
        Lwt_condition.broadcast ended ())
  in
  let rec accept id =
    if Hashtbl.length live >= most_clients then
      let* () = Lwt_condition.wait ended in
      accept id
    else
      let* client, _ = Lwt_unix.accept ~cloexec:true socket in
      start id client;
      accept (id + 1)
  in
  Lwt.finalize
    (fun () -> accept 0)
    (fun () ->
      let relays = Hashtbl.fold (fun _ r all -> r :: all) live [] in
      List.iter Lwt.cancel relays;
      Lwt_unix.close socket)

(* -- the command --------------------------------------------------------- *)

let front o (e : Ends.t) peer =
  let say = say o ~note:e.note in
  match peer with
  | None ->
      say (Endpoint.shown (Endpoint.without_network e.cidr) ~port:o.port);
      fst (Lwt.task ())
  | Some peer ->
      let at = Option.value o.forward ~default:(Ipaddr.(V4 V4.localhost), 8080) in
      let* socket = listen_in_front at in
      (match Lwt_unix.getsockname socket with
      | ADDR_INET (ip, p) -> say (Fmt.str "%s:%d" (Unix.string_of_inet_addr ip) p)
      | ADDR_UNIX _ -> ());
      forwarder socket peer ~port:o.port

(* The function runs inside a call of the host: continue after that call. *)
let when_gone (e : Ends.t) =
  let gone, tell = Lwt.wait () in
  e.on_gone (fun () -> if Lwt.is_sleeping gone then Lwt.wakeup_later tell ());
  Lwt.bind gone Lwt.pause

let by_routers (e : Ends.t) local =
  if not (Ends.awaits_routers e) then Lwt.return e
  else
    let* c = Weir_lwt.await_autoconf local ~link:e.name in
    match c with Ok c -> Lwt.return (Ends.advertised e c) | Error m -> Fail.failed "%s" m

(* None after none: the host has ended. *)
let rec keep_lease (e : Ends.t) local before =
  let* lease = Weir_lwt.lease_after local before in
  Lease_file.store e.lease_file lease;
  if before = None && lease = None then Lwt.return_unit else keep_lease e local lease

let by_dhcp (e : Ends.t) local =
  if not (Ends.awaits_lease e) then Lwt.return e
  else
    let* lease = Weir_lwt.await_lease local ~link:e.name in
    match lease with
    | Error m -> Fail.failed "%s" m
    | Ok lease ->
        Lwt.async (fun () -> keep_lease e local (Some lease));
        Lwt.return (Ends.leased e lease)

let configured e local = Lwt.bind (by_dhcp e local) (fun e -> by_routers e local)

let serve o handler ~at_end ~summary =
  let clock = Weir_lwt.Clock.system in
  let notice = Journal.say o.journal in
  let e = Ends.open_ ~now:clock.now ~at_end ~notice ~role:`Server o.attach in
  if e.peer_end = None && o.forward <> None then
    Fail.usage "--forward needs --link mem; clients reach other links by --address";
  let host ?gateway ?mac link address =
    let dhcp = Lease_file.dhcp e.lease_file in
    let config = Link_options.config o.attach link in
    try Weir_lwt.host ~clock ~config ?gateway ?mac ?spin_ns:o.attach.spin_ns ~dhcp ~link ~address ()
    with Invalid_argument m -> Fail.usage "%s" m
  in
  let local = host ?gateway:e.gateway ?mac:e.mac e.link e.cidr in
  let peer = Option.map (fun (link, address) -> host link address) e.peer_end in
  let* e = configured e local in
  let web =
    Lwt_web.create ~clock ~admission:o.admission ?log:(log o) ~warn:(Journal.warn o.journal) handler
  in
  (* Stop before cancelling the relays, so that responses finish. The rest of the
     time is for clients to receive what was sent. *)
  let deadline = ref 0 in
  let interrupted =
    let* () = Lwt_interrupt.came () in
    deadline := clock.now () + Time.s 5;
    Lwt_web.stop web ~timeout_ns:(Time.s 4)
  in
  (* [serve] ends when it is stopped; otherwise it fails. *)
  let served = Lwt.protected (Lwt_web.serve web local ~port:o.port) in
  let failed = Lwt.bind served (fun () -> fst (Lwt.task ())) in
  let gone = when_gone e in
  Lwt_interrupt.on_usr1 (fun () -> say_usage o (Weir_lwt.Host.usage local));
  let tidied = Weir_lwt.Host.give_memory_back local in
  let* () = Lwt.pick [ interrupted; front o e peer; failed; gone; tidied ] in
  let is_gone = Lwt.state gone = Return () in
  let* () =
    if is_gone then Lwt.return_unit
    else Weir_lwt.shutdown local ~timeout_ns:(Int.max (Time.ms 200) (!deadline - clock.now ()))
  in
  summary (Weir_core.Stack.counters (Weir_lwt.Host.stack local));
  let* () = Weir_lwt.Host.close local in
  let* () = match peer with Some p -> Weir_lwt.Host.close p | None -> Lwt.return_unit in
  if is_gone then Ends.gone o.attach else Lwt.return_unit

let run o handler ~summary =
  Ends.with_ends @@ fun at_end -> Lwt_main.run (serve o handler ~at_end ~summary)
