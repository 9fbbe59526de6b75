open Cmdliner
module Enclosure = Weir_tap.Enclosure
module G = Weir_gateway

type t = {
  observer : Run_observer.options;
  rules : Run_rules.t;
  host_loopback : bool;
  mtu : int;
  shell : bool;
  publish : Run_publish.t list;
  hosts : Run_names.entry list;
  congestion : Weir_core.Congestion.algorithm option;
  join : (string * string option) option;  (** the network, and the member's name *)
}

(* -- its name servers ---------------------------------------------------------- *)

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
      Printf.fprintf c "nameserver %s\n" (Ipaddr.to_string Run_place.resolver);
      List.iter (fun line -> if not (is_name_server line) then Printf.fprintf c "%s\n" line) lines);
  Unix.chmod path 0o644;
  f path

(* -- where it may go --------------------------------------------------------- *)

(* The kernel outside takes 0.0.0.0 and :: for this machine, and addresses of IPv4 in those of IPv6
   for what they hold: no rule is about them. No program's kernel sends there by itself. *)
let may_not_be_outside =
  let v4 = List.map Ipaddr.V4.Prefix.of_string_exn [ "0.0.0.0/8"; "127.0.0.0/8" ] in
  let v6 = List.map Ipaddr.V6.Prefix.of_string_exn [ "::/96"; "::ffff:0:0/96" ] in
  function
  | Ipaddr.V4 a -> List.exists (Ipaddr.V4.Prefix.mem a) v4
  | V6 a -> List.exists (Ipaddr.V6.Prefix.mem a) v6

let is a b = Ipaddr.compare a b = 0

let decide t observer ~names _ (address, port) : G.Decision.t =
  if is address Run_place.resolver then if port = 53 then Serve names else Refuse
  else if not (Run_rules.allows t.rules ~names:(Run_observer.names observer address) address ~port)
  then Refuse
  else if is address Run_place.gateway4 then
    if t.host_loopback then To (Ipaddr.(V4 V4.localhost), port) else Refuse
  else if is address Run_place.gateway6 then
    if t.host_loopback then To (Ipaddr.(V6 V6.localhost), port) else Refuse
  else if may_not_be_outside address then Refuse
  else To (address, port)

let is_exempt place (address, port) =
  (port = 53 && is address Run_place.resolver) || Run_place.is_own place address

(* -- running ------------------------------------------------------------------ *)

let passed_on = Sys.[ sigterm; sighup; sigusr1; sigusr2; sigcont ]
let by_keys = Sys.[ sigint; sigquit ]

(* Signals for this process are for the program; keys reach it by the terminal. A thread waits for
   them: a handler would run only when the event loop next wakes up. *)
let pass_signals e =
  let all = passed_on @ by_keys in
  List.iter (fun s -> Sys.set_signal s Sys.Signal_ignore) by_keys;
  ignore (Thread.sigmask SIG_BLOCK all : int list);
  let rec pass () =
    let signal, by_process = Enclosure.await_signal all in
    if by_process || List.mem signal passed_on then Enclosure.signal e signal;
    pass ()
  in
  ignore (Thread.create pass () : Thread.t)

let rec await_end e =
  Eio_unix.await_readable (Enclosure.descriptor e);
  match Enclosure.outcome e with Running -> await_end e | ended -> ended

let insides place : Run_publish.inside * Run_publish.inside =
  let inside (a : Enclosure.address) : Run_publish.inside =
    { own = a.address; gateway = a.gateway }
  in
  (inside (Run_place.v4 place), inside (Run_place.v6 place))

let now_of clock () = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock))

(* What the program wrote before it ended still goes out, as it would from the kernel. *)
let drain_ns = 10_000_000_000

let drain clock place between observer =
  let limit = Eio.Time.Timeout.v clock (Mtime.Span.of_uint64_ns (Int64.of_int drain_ns)) in
  (* A member that has left takes nothing any more. *)
  let is_sent () =
    Run_observer.all_sent observer ~there:(Run_place.is_there place)
    && Option.fold between ~none:true ~some:Run_join.all_sent
  in
  let rec wait () =
    if is_sent () then Ok ()
    else (
      Eio.Time.Mono.sleep clock 0.002;
      wait ())
  in
  ignore (Eio.Time.Timeout.run limit wait : (unit, [ `Timeout ]) result)

let serve t ~sw ~env ~servers ~command ~published ~place ~between e observer =
  let clock = Eio.Stdenv.mono_clock env in
  Run_observer.start observer ~command ~now:(now_of clock);
  let link =
    (Enclosure.device e :> Weir_link.Link.t)
    |> Option.fold between ~none:Fun.id ~some:Run_join.link
    |> Run_observer.link observer
  in
  (* Nobody else has the gateway's addresses. *)
  let config = { (Link_options.configuration t.congestion link) with dad_transmits = Some 0 } in
  let host = Weir_eio.host ~sw ~clock ~config ~linger_ns:0 ~link ~address:Run_place.gateways () in
  let net = Eio.Stdenv.net env in
  let names =
    Run_names.service ~net
      {
        table = (fun () -> t.hosts @ Run_place.table place);
        servers;
        clock;
        fails = Run_observer.dns_fault observer;
        heard = Run_observer.heard observer;
      }
  in
  let insides = insides place in
  Option.iter
    (fun j ->
      Eio.Fiber.fork_daemon ~sw (fun () ->
          Run_join.run j ~clock;
          `Stop_daemon))
    between;
  Eio.Fiber.fork_daemon ~sw (fun () ->
      G.run ~clock ~net
        ~decide:(Run_observer.decide observer (decide t observer ~names))
        ~started:(fun way -> Run_publish.serve ~sw ~insides way published)
        ~began:(Run_observer.began observer ~exempt:(is_exempt place))
        ~limit:(Run_observer.limit observer) ~ended:(Run_observer.ended observer)
        ~datagrams:(Run_observer.datagrams observer G.Outside.datagrams)
        ~ping:(fun address -> G.Outside.ping ~clock address)
        ~numbers:(fun () -> Run_observer.number observer)
        host;
      `Stop_daemon);
  Run_observer.go observer;
  Eio.Fiber.fork_daemon ~sw (fun () -> Run_observer.watch observer ~clock);
  Enclosure.go e

(* A signal that ends the program ends this process in the same way. *)
let die_of signal =
  (try Sys.set_signal signal Signal_default with Sys_error _ -> () (* SIGKILL *));
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

let in_words : Enclosure.outcome -> string = function
  | Ended (WEXITED n) -> Printf.sprintf "status %d" n
  | Ended (WSIGNALED _ | WSTOPPED _) -> "ended by a signal"
  | Not_executed _ -> "not executed"
  | Running -> "killed"

(* What it says of other members, all of them hear. *)
let join t command =
  Option.map
    (fun (network, name) ->
      let name = Option.value name ~default:(Filename.basename (List.hd command)) in
      let plan = Run_plan.between (Run_observer.plan t.observer) in
      let says = if Run_plan.has_between plan then Run_plan.to_lines plan else [] in
      Run_members.join ~network ~name ~says)
    t.join

let run t command =
  let command =
    match command with
    | [] when t.shell -> [ Option.value (Sys.getenv_opt "SHELL") ~default:"/bin/sh" ]
    | [] -> Fail.usage "give a program: weir run -- PROGRAM [ARGUMENT]..."
    | _ when t.shell -> Fail.usage "--shell is a program of its own: give it no other"
    | _ -> command
  in
  let lines = read_lines "/etc/resolv.conf" in
  let servers = name_servers lines in
  let members = join t command in
  let place = Run_place.make members in
  let observer =
    Run_observer.make t.observer ~own:(Run_place.own place) ~name:(Run_place.member place)
  in
  let between =
    Option.map
      (fun m ->
        Run_observer.joined observer;
        Run_join.make m ~watch:(Run_observer.between observer))
      members
  in
  let settings path : Enclosure.settings =
    {
      mtu = t.mtu;
      offload = Run_observer.is_plain observer && members = None;
      v4 = Some (Run_place.v4 place);
      v6 = Some (Run_place.v6 place);
      resolver = Some path;
    }
  in
  let outcome =
    Fun.protect ~finally:(fun () -> Option.iter Run_members.leave members) @@ fun () ->
    let published = Run_publish.open_all t.publish in
    Sys.set_signal Sys.sigpipe Signal_default;
    let e =
      match with_resolv_conf lines (fun path -> Enclosure.start (settings path) command) with
      | Ok e -> e
      | Error why -> Fail.failed "run: %s" (Fmt.str "%a" Weir_tap.Error.pp why)
    in
    Sys.set_signal Sys.sigpipe Signal_ignore;
    Enclosure.more_descriptors ();
    pass_signals e;
    Fun.protect ~finally:(fun () ->
        Enclosure.close e;
        Run_observer.close observer)
    @@ fun () ->
    Eio_main.run @@ fun env ->
    Eio.Switch.run @@ fun sw ->
    serve t ~sw ~env ~servers ~command ~published ~place ~between e observer;
    let outcome = await_end e in
    drain (Eio.Stdenv.mono_clock env) place between observer;
    outcome
  in
  Run_observer.finish observer ~ended:(in_words outcome) ~between;
  status command outcome

(* -- arguments ---------------------------------------------------------------- *)

let docs = "NETWORK OPTIONS"

let allow =
  Arg.(
    value
    & opt_all (Run_rules.conv `Allow) []
    & info [ "allow" ] ~docs ~docv:"NETWORK[:PORT]"
        ~doc:
          "Let the program reach these addresses, or the addresses of a name, such as \
           example.com:443 or *.example.com, once the program has asked for it. The most specific \
           of all $(b,--allow) and $(b,--deny) decides; without one for an address, it is allowed. \
           IPv6 networks with a port are written as [fd00::/8]:443.")

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

let publish =
  Arg.(
    value & opt_all Run_publish.conv []
    & info [ "publish"; "p" ] ~docs ~docv:"[ADDRESS:]PORT[:PORT][/udp]"
        ~doc:
          "Listen at this port of the machine, at all addresses or at $(i,ADDRESS), and carry \
           connections to the program's port, the second one if there are two. The program sees \
           the client's own address. It must listen at all addresses, or at its own.")

let hosts =
  Arg.(
    value & opt_all string []
    & info [ "hosts" ] ~docs ~docv:"FILE|NAME=ADDRESS"
        ~doc:"Answer the program's questions for these names. A file is like /etc/hosts.")

let shell =
  Arg.(value & flag & info [ "shell" ] ~doc:"Run the user's shell ($(b,SHELL)) as the program.")

let join =
  Arg.(
    value
    & opt (some string) None
    & info [ "join" ] ~docs ~docv:"NETWORK"
        ~doc:
          "Put the program on a network with all others that are run with the same $(docv). They \
           see each other by their names.")

let name =
  Arg.(
    value
    & opt (some string) None
    & info [ "name" ] ~docs ~docv:"NAME" ~doc:"The program's name on the network of $(b,--join).")

let command = Arg.(value & pos_all string [] & info [] ~docv:"PROGRAM [ARGUMENT]..." ~doc:"")

let term =
  let make observer allow deny host_loopback mtu shell publish hosts join name congestion () =
    if join = None && name <> None then Fail.usage "--name is for --join";
    if join = None && Run_plan.has_between (Run_observer.plan observer) then
      Fail.usage "A,B: before an impairment, a rate or a cut is for --join";
    let join = Option.map (fun network -> (network, name)) join in
    let rules = Run_rules.make (deny @ allow) in
    let hosts = List.concat_map Run_names.of_option hosts in
    { observer; rules; host_loopback; mtu; shell; publish; hosts; join; congestion }
  in
  Term.(
    const make $ Run_observer.term ~docs $ allow $ deny $ host_loopback $ mtu $ shell $ publish
    $ hosts $ join $ name $ Link_options.congestion ~docs)

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
    Term.(const (fun t command -> Fail.run_status (fun () -> run (t ()) command)) $ term $ command)
