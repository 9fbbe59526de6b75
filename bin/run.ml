open Cmdliner
module Enclosure = Weir_tap.Enclosure
module G = Weir_gateway

type t = {
  impair : Weir_link.Impairment.t;
  seed : int;
  pcap : Recording.options;
  rules : Run_rules.t;
  host_loopback : bool;
  mtu : int;
  log : [ `None | `Text | `Json ];
  summary : bool;
  congestion : Weir_core.Congestion.algorithm option;
}

(* -- the program's network -------------------------------------------------- *)

let ip = Ipaddr.of_string_exn
let v4 : Enclosure.address = { address = ip "10.0.2.15"; prefix = 24; gateway = ip "10.0.2.2" }
let v6 : Enclosure.address = { address = ip "fd00::15"; prefix = 64; gateway = ip "fd00::2" }
let resolver = ip "10.0.2.3"
let ours = "10.0.2.2/24,10.0.2.3/24,fd00::2/64"

let read_lines path =
  try In_channel.with_open_text path In_channel.input_all |> String.split_on_char '\n'
  with Sys_error _ -> []

let words line = String.split_on_char ' ' line |> List.filter (fun w -> w <> "")

(* The user's name servers; the rest of the file is the program's too. *)
let name_servers lines =
  List.filter_map
    (fun line ->
      match words line with
      | "nameserver" :: a :: _ -> Result.to_option (Ipaddr.of_string a)
      | _ -> None)
    lines

let is_name_server line = match words line with "nameserver" :: _ -> true | _ -> false

let with_resolv_conf lines f =
  let path = Filename.temp_file "weir-resolv" "" in
  Fun.protect ~finally:(fun () -> Sys.remove path) @@ fun () ->
  Out_channel.with_open_text path (fun c ->
      Printf.fprintf c "nameserver %s\n" (Ipaddr.to_string resolver);
      List.iter (fun line -> if not (is_name_server line) then Printf.fprintf c "%s\n" line) lines);
  Unix.chmod path 0o644;
  f path

(* -- where it may go --------------------------------------------------------- *)

let is_loopback = function
  | Ipaddr.V4 a -> Ipaddr.V4.(Prefix.mem a Prefix.loopback)
  | V6 a -> Ipaddr.V6.(compare a localhost = 0)

let decide t ~servers _ (address, port) : G.decision =
  if Ipaddr.compare address resolver = 0 then
    match servers with server :: _ when port = 53 -> To (server, port) | _ -> Refuse
  else if not (Run_rules.allows t.rules address ~port) then Refuse
  else if Ipaddr.compare address v4.gateway = 0 then
    if t.host_loopback then To (ip "127.0.0.1", port) else Refuse
  else if Ipaddr.compare address v6.gateway = 0 then
    if t.host_loopback then To (ip "::1", port) else Refuse
  else if is_loopback address then Refuse
  else To (address, port)

(* -- running ------------------------------------------------------------------ *)

let impaired t link =
  if t.impair = Weir_link.Impairment.none then link
  else
    (Weir_link.Impair.wrap ~seed:t.seed ~outbound:t.impair ~inbound:t.impair link
      :> Weir_link.Link.t)

let passed_on = Sys.[ sigterm; sighup; sigusr1; sigusr2 ]

(* Signals for this process are for the program; keys reach it by the terminal. A thread waits for
   them: a handler would run only when the event loop next wakes up. *)
let pass_signals e =
  List.iter (fun s -> Sys.set_signal s Sys.Signal_ignore) Sys.[ sigint; sigquit ];
  ignore (Thread.sigmask SIG_BLOCK passed_on : int list);
  let rec pass () =
    Enclosure.signal e (Thread.wait_signal passed_on);
    pass ()
  in
  ignore (Thread.create pass () : Thread.t)

let rec await_end e =
  Eio_unix.await_readable (Enclosure.descriptor e);
  match Enclosure.outcome e with Running -> await_end e | ended -> ended

(* What the program wrote before it ended still goes out, as it would from the kernel. *)
let drain_ns = 10_000_000_000

let drain clock report =
  let limit = Eio.Time.Timeout.v clock (Mtime.Span.of_uint64_ns (Int64.of_int drain_ns)) in
  let rec wait () =
    if Run_report.all_sent report then Ok ()
    else (
      Eio.Time.Mono.sleep clock 0.002;
      wait ())
  in
  ignore (Eio.Time.Timeout.run limit wait : (unit, [ `Timeout ]) result)

let serve t ~sw ~env ~servers e report =
  let clock = Eio.Stdenv.mono_clock env in
  let link =
    impaired t (Enclosure.device e :> Weir_link.Link.t)
    |> Attach.recorded ~sw ~clock (Recording.chosen t.pcap)
  in
  let host =
    Weir_eio.host ~sw ~clock
      ~config:(Link_options.configuration t.congestion link)
      ~linger_ns:0 ~link ~address:ours ()
  in
  let net = Eio.Stdenv.net env in
  Eio.Fiber.fork_daemon ~sw (fun () ->
      G.run ~clock ~net ~decide:(decide t ~servers) ~began:(Run_report.began report)
        ~ended:(Run_report.ended report) host;
      `Stop_daemon);
  Enclosure.go e

(* A signal that ends the program ends this process in the same way. *)
let die_of signal =
  Sys.set_signal signal Signal_default;
  ignore (Thread.sigmask SIG_UNBLOCK [ signal ] : int list);
  Unix.kill (Unix.getpid ()) signal;
  (* The signal is one that does not end a process. *)
  1

let status command (outcome : Enclosure.outcome) =
  match outcome with
  | Ended (WEXITED n) -> n
  | Ended (WSIGNALED s | WSTOPPED s) -> die_of s
  | Not_executed e ->
      Fail.tell (Printf.sprintf "run: %s: %s" (List.hd command) (Unix.error_message e));
      if e = ENOENT then 127 else 126
  | Running -> 1

let run t command =
  if command = [] then Fail.usage "give a program: weir run -- PROGRAM [ARGUMENT]...";
  let lines = read_lines "/etc/resolv.conf" in
  let servers = name_servers lines in
  let offload = t.impair = Weir_link.Impairment.none in
  let settings path : Enclosure.settings =
    { mtu = t.mtu; offload; v4 = Some v4; v6 = Some v6; resolver = Some path }
  in
  Sys.set_signal Sys.sigpipe Signal_default;
  let e =
    match with_resolv_conf lines (fun path -> Enclosure.start (settings path) command) with
    | Ok e -> e
    | Error why -> Fail.failed "run: %s" (Fmt.str "%a" Weir_tap.Error.pp why)
  in
  Sys.set_signal Sys.sigpipe Signal_ignore;
  let report = Run_report.make ~log:t.log in
  pass_signals e;
  let outcome =
    Fun.protect ~finally:(fun () -> Enclosure.close e) @@ fun () ->
    Eio_main.run @@ fun env ->
    Eio.Switch.run @@ fun sw ->
    serve t ~sw ~env ~servers e report;
    let outcome = await_end e in
    drain (Eio.Stdenv.mono_clock env) report;
    outcome
  in
  if t.summary then Run_report.summary report;
  status command outcome

(* -- arguments ---------------------------------------------------------------- *)

let docs = "NETWORK OPTIONS"

let impair =
  Arg.(
    value
    & opt Link_options.impair_conv Weir_link.Impairment.none
    & info [ "impair" ] ~docs ~docv:"WHAT"
        ~doc:
          "Impair the program's network in both directions, such as \
           $(b,loss=2%,delay=50ms,rate=10mbit).")

let seed =
  Arg.(value & opt int 1 & info [ "seed" ] ~docs ~docv:"N" ~doc:"Random seed of $(b,--impair).")

let allow =
  Arg.(
    value
    & opt_all (Run_rules.conv `Allow) []
    & info [ "allow" ] ~docs ~docv:"NETWORK[:PORT]"
        ~doc:
          "Let the program reach these addresses. The most specific of all $(b,--allow) and \
           $(b,--deny) decides; without one for an address, it is allowed. IPv6 networks with a \
           port are written as [fd00::/8]:443.")

let deny =
  Arg.(
    value
    & opt_all (Run_rules.conv `Deny) []
    & info [ "deny" ] ~docs ~docv:"NETWORK[:PORT]"
        ~doc:"Refuse connections to these addresses, such as 0.0.0.0/0.")

let host_loopback =
  Arg.(
    value & flag
    & info [ "allow-host-loopback" ] ~docs
        ~doc:"Let the program reach services of this machine's 127.0.0.1, at 10.0.2.2.")

let mtu =
  let parse s =
    match int_of_string_opt s with
    | Some n when n >= 1280 && n <= 65_520 -> Ok n
    | _ -> Error (Printf.sprintf "%S: give 1280 to 65520 bytes" s)
  in
  Arg.(
    value
    & opt (Conv.make ~docv:"BYTES" ~parser:parse ~pp:Fmt.int ()) 1_500
    & info [ "mtu" ] ~docs ~docv:"BYTES" ~doc:"The longest packet.")

let log =
  Arg.(
    value
    & opt (enum [ ("none", `None); ("text", `Text); ("json", `Json) ]) `None
    & info [ "log" ] ~docv:"FORMAT"
        ~doc:
          "Print a line on standard error for each connection that ends: $(b,text), $(b,json) or \
           $(b,none).")

let summary =
  Arg.(
    value & flag
    & info [ "summary" ] ~doc:"At the end, print where the program went on standard error.")

let command = Arg.(value & pos_all string [] & info [] ~docv:"PROGRAM [ARGUMENT]..." ~doc:"")

let term =
  let make impair seed pcap allow deny host_loopback mtu log summary congestion =
    let rules = Run_rules.make (deny @ allow) in
    { impair; seed; pcap; rules; host_loopback; mtu; log; summary; congestion }
  in
  Term.(
    const make $ impair $ seed $ Recording.term ~docs $ allow $ deny $ host_loopback $ mtu $ log
    $ summary $ Link_options.congestion ~docs)

let cmd =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Runs a program in a network of its own, without root. Its connections are taken over by \
         Weir's TCP/IP stack, and carried on by ordinary sockets of the user. The program has the \
         addresses 10.0.2.15 and fd00::15, the gateways 10.0.2.2 and fd00::2, and the name server \
         10.0.2.3, which asks the user's own. Its exit status, signals, terminal, working folder \
         and environment are as if it were run directly. It ends with all its processes when it or \
         $(b,weir) does.";
      `P
        "The exit status is the program's; 127 if there is no such program, 126 if it cannot be \
         run.";
      `S Manpage.s_examples;
      `P "$(b,weir run --summary -- curl -s http://example.com/)";
      `P "$(b,weir run --impair loss=2%,delay=50ms --seed 7 --pcap out.pcapng -- pytest tests/)";
      `P "$(b,weir run --deny 0.0.0.0/0 --allow 10.1.0.0/16:5432 --log json -- ./job)";
    ]
  in
  Cmd.v
    (Cmd.info "run" ~exits:Fail.exits ~man ~doc:"run a program in a network that you decide")
    Term.(const (fun t command -> Fail.run_status (fun () -> run t command)) $ term $ command)
