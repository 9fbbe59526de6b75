open Weir_base
open Weir_link
module Tcp = Weir_core.Tcp
module Identity = Weir_drive.Identity

type nic = { cidr : string; mac : Macaddr.t; lan : Lan.t; port : Lan.port }

type t = {
  world : World.t;
  name : string;
  addresses : Ipaddr.t list;  (** the first interface's that do not change *)
  number : int;
  resolvers : Ipaddr.t list;
  search : string list;
  mutable nics : nic list;  (** by number *)
  mutable routes : (Ipaddr.Prefix.t * Ipaddr.t) list;  (** the latest first *)
  forwards : bool;
  driver : Driver.start option;
  config : Weir_core.Config.t;
  capture : Capture.t option;
  clock : Clock.t;
  random : Random.State.t;
  group : Scheduler.group;
  mutable life : Life.t option;
  mutable lives : int;
  mutable pauses : int;
  mutable main : (unit -> unit) option;
  mutable previous : (Ipaddr.V4.t * Time.t) option;  (** an earlier life's lease, and until when *)
  mutable advertised : (int * Time.t * Weir_wire.Nd.advertisement) list;  (** by interface *)
}

type Eio.Exn.Backend.t += Host_down of string

let () =
  Eio.Exn.Backend.register_pp (fun f -> function
    | Host_down name ->
        Fmt.pf f "the host %s is off" name;
        true
    | _ -> false)

let world t = t.world
let name t = t.name
let clock t = t.clock
let random t = t.random
let ports t = List.map (fun nic -> nic.port) t.nics
let lan_of t = List.map (fun nic -> (nic.lan, nic.port)) t.nics
let life t = t.life
let scheduler t = World.scheduler t.world

(* What the first interface got by itself. *)
let acquired life =
  let static (a : Weir_core.Interface.address) =
    Weir_wire.Ip.is_link_local a.ip || a.state = Tentative
  in
  let i = Weir_core.Stack.interface (Life.stack life) 0 in
  Array.to_list i.addresses
  |> List.filter_map (fun (a : Weir_core.Interface.address) ->
      if static a then None else Some (Weir_wire.Ip.to_ipaddr a.ip))

let configures_itself cidr = Identity.(wants_dhcp cidr || wants_auto cidr)

let addresses t =
  match (t.life, t.nics) with
  | Some life, nic :: _ when configures_itself nic.cidr -> acquired life
  | _ -> t.addresses

let alive t =
  match t.life with
  | Some life -> life
  | None -> raise (Eio.Net.err (Connection_failure (Refused (Host_down t.name))))

(* -- making -------------------------------------------------------------- *)

let record t frame = Option.iter (fun c -> Capture.add c ~now:(World.now t.world) frame) t.capture

(* From the cable; a host that is off hears nothing. *)
let receive t nic frame =
  match t.life with
  | None -> Frame.release frame
  | Some life ->
      record t frame;
      Life.receive life ~nic frame

let connection_line t c =
  Fmt.str "%s: %a:%d to %a:%d, %a, %d bytes unread, %d not acknowledged" t.name Weir_wire.Ip.pp
    (Tcp.local c) (Tcp.local_port c) Weir_wire.Ip.pp (Tcp.remote c) (Tcp.remote_port c) Tcp.pp_state
    (Tcp.state c) (Tcp.unread_length c) (Tcp.unacknowledged_length c)

let connections t =
  match t.life with
  | None -> []
  | Some life ->
      let all = ref [] in
      Tcp.iter
        (fun c -> all := (Tcp.id c, connection_line t c) :: !all)
        (Weir_core.Stack.tcp (Life.stack life));
      List.map snd (List.sort compare !all)

let parsed what of_string text =
  match of_string text with
  | Ok v -> v
  | Error (`Msg m) -> invalid_arg (Printf.sprintf "%s: %s" what m)

(* The default gateway may be on the link of any interface. *)
let default_route gateway = (Weir_core.Stack.everything gateway, gateway)

(* From the first address, so that it does not change when hosts are made in another order; else
   from the host's number. *)
let hardware_address t addresses =
  let path =
    match addresses with
    | Ipaddr.V4 a :: _ -> [ Int32.to_int (Ipaddr.V4.to_int32 a) ]
    | V6 a :: _ -> [ Weir_wire.Ip.(key (of_ipaddr (V6 a))) ]
    | [] -> [ -1; t.number; List.length t.nics ]
  in
  Weir_wire.Mac.to_macaddr (Identity.random_mac (World.random t.world Hardware path))

let addresses_of cidr = List.map Ipaddr.Prefix.address (Identity.networks cidr)

(* What a world gives to hosts is no duplicate; what they make themselves may be. *)
let config_for cidr (c : Weir_core.Config.t) =
  let usual = if Identity.wants_auto cidr then 1 else 0 in
  { c with dad_transmits = Some (Option.value c.dad_transmits ~default:usual) }

let create world ?name ?gateway ?(resolvers = []) ?(search = [])
    ?(config = Weir_core.Config.default) ?(forwards = false) ?driver ?pcap cidr =
  let fixed = addresses_of cidr in
  let gateways = Option.fold ~none:[] ~some:Identity.gateways gateway in
  Identity.check_gateways cidr gateways;
  let config = config_for cidr config in
  let config =
    match World.congestion world with
    | None -> config
    | Some a -> { config with congestion = Weir_core.Congestion.prefer a config.congestion }
  in
  let routes = List.map default_route gateways in
  let name =
    match (name, fixed) with
    | Some name, _ -> name
    | None, a :: _ -> Ipaddr.to_string a
    | None, [] -> Printf.sprintf "host%d" (World.hosts world + 1)
  in
  let this = ref None in
  let now () = Option.fold ~none:fixed ~some:addresses !this in
  let number = World.add_host world ~name ~addresses:now in
  let t =
    {
      world;
      name;
      addresses = fixed;
      number;
      resolvers;
      search;
      nics = [];
      routes;
      forwards;
      driver;
      config;
      capture = Option.map (World.open_capture world) pcap;
      clock = Clock.create (World.scheduler world) ~epoch:(World.epoch world);
      random = World.random world Host_program [ number ];
      group = Scheduler.group name;
      life = None;
      lives = 0;
      pauses = 0;
      main = None;
      previous = None;
      advertised = [];
    }
  in
  this := Some t;
  World.on_report world (fun () -> connections t);
  World.add_stack world name (fun () -> Option.map Life.stack t.life);
  t

let plugged_in t lan cidr =
  let mac = hardware_address t (addresses_of cidr) in
  World.add_mac t.world mac ~name:t.name;
  let port = Lan.connect lan ~name:t.name (receive t (List.length t.nics)) in
  let nic = { cidr; mac; lan; port } in
  t.nics <- t.nics @ [ nic ];
  nic

let interface t nic : Life.nic =
  let send frame =
    record t frame;
    Lan.send nic.port frame
  in
  { mac = nic.mac; mtu = Lan.mtu nic.lan; cidr = nic.cidr; send }

let attach t lan cidr =
  let addresses = addresses_of cidr in
  if List.exists (fun nic -> nic.lan == lan) t.nics then
    invalid_arg (t.name ^ " is in that LAN already");
  if t.nics <> [] then World.add_addresses t.world ~name:t.name addresses;
  let nic = plugged_in t lan cidr in
  Option.iter (fun life -> Life.attach life (interface t nic)) t.life

(* -- routes -------------------------------------------------------------- *)

let add_route t life (prefix, gateway) =
  match Weir_core.Stack.add_route (Life.stack life) prefix ~gateway with
  | Ok () -> Life.sent life
  | Error why -> invalid_arg (Fmt.str "%s, route to %a: %s" t.name Ipaddr.Prefix.pp prefix why)

let route t network ~gateway =
  let prefix = parsed "route" Ipaddr.Prefix.of_string network in
  let route = (prefix, parsed "gateway" Ipaddr.of_string gateway) in
  Option.iter (fun life -> add_route t life route) t.life;
  t.routes <- route :: t.routes

(* -- router advertisements ----------------------------------------------- *)

let apply_advertisement t life ?interval n message =
  let stack = Life.stack life in
  let i = Weir_core.Stack.interface stack n in
  Weir_core.Stack.advertise stack ~now:(Clock.now t.clock) ?interval i message;
  Life.sent life

let number_in t lan =
  let rec find n = function
    | [] -> invalid_arg (t.name ^ " is not in that LAN")
    | nic :: _ when nic.lan == lan -> n
    | _ :: rest -> find (n + 1) rest
  in
  find 0 t.nics

let advertise t lan ~interval message =
  let n = number_in t lan in
  Option.iter (fun life -> apply_advertisement t life ~interval n message) t.life;
  t.advertised <-
    Option.to_list (Option.map (fun m -> (n, interval, m)) message)
    @ List.filter (fun (other, _, _) -> other <> n) t.advertised

(* -- lives --------------------------------------------------------------- *)

let previous t =
  match t.previous with
  | Some (address, until) when until > Clock.now t.clock -> Some address
  | _ -> None

(* As a host that keeps its lease in a file. *)
let remember_lease t life =
  let stack = Life.stack life in
  let dhcp = Weir_core.Stack.dhcp stack (Weir_core.Stack.interface stack 0) in
  match Option.bind dhcp Weir_core.Dhcp.lease with
  | Some l -> t.previous <- Some (Ipaddr.V4.Prefix.address l.address, l.until)
  | None -> ()

let traced t f =
  Eio.Private.Debug.with_trace_prefix
    (fun out -> Fmt.pf out "%a %s: " Time.pp (World.now t.world) t.name)
    f

(* The calling fiber goes on first, so that a world is whole before its
   programs begin. *)
let fork t ~sw f =
  Scheduler.within (scheduler t) t.group @@ fun () ->
  Scheduler.hiding (scheduler t) false @@ fun () ->
  Eio.Fiber.fork ~sw (fun () ->
      Eio.Fiber.yield ();
      traced t f)

let begin_life t sw =
  t.lives <- t.lives + 1;
  let nics = List.map (interface t) t.nics in
  let life =
    Life.start t.world ~sw ~clock:t.clock
      ~random:(World.random t.world Stack [ t.number; t.lives ])
      ~resolvers:t.resolvers ~search:t.search ~config:t.config ?previous:(previous t)
      ?driver:t.driver (List.hd nics)
  in
  List.iter (Life.attach life) (List.tl nics);
  List.iter (add_route t life) (List.rev t.routes);
  if t.forwards then Weir_core.Stack.set_forwarding (Life.stack life) true;
  List.iter (fun (n, interval, m) -> apply_advertisement t life ~interval n (Some m)) t.advertised;
  t.life <- Some life;
  Option.iter (fork t ~sw) t.main;
  life

let live t =
  let life = ref None in
  let crashed () = match !life with Some l -> Life.is_over l | None -> false in
  let over () =
    match (t.life, !life) with Some present, Some l when present == l -> t.life <- None | _ -> ()
  in
  match
    Fun.protect ~finally:over @@ fun () ->
    Eio.Switch.run ~name:t.name (fun sw ->
        life := Some (begin_life t sw);
        Eio.Fiber.await_cancel ())
  with
  | `Stop_daemon -> `Stop_daemon
  | exception _ when crashed () -> `Stop_daemon
  | exception (Eio.Cancel.Cancelled _ as e) -> raise e
  | exception e ->
      let bt = Printexc.get_raw_backtrace () in
      World.host_failed t.world ~host:t.name e bt;
      `Stop_daemon

let restart t =
  if Option.is_none t.life then
    Scheduler.within (scheduler t) t.group @@ fun () ->
    Scheduler.hiding (scheduler t) true @@ fun () ->
    Eio.Fiber.fork_daemon ~sw:(World.sw t.world) (fun () -> live t)

let switch_on t ~main =
  t.main <- main;
  restart t

let resume t = Scheduler.resume (scheduler t) t.group

(* A timer ends its own pause and no later one. *)
let pause t ~until =
  t.pauses <- t.pauses + 1;
  let this = t.pauses in
  Scheduler.pause t.group;
  let over () = if t.pauses = this then resume t in
  ignore (Scheduler.at (scheduler t) until over : Scheduler.timer)

let crash t =
  match t.life with
  | None -> ()
  | Some life ->
      remember_lease t life;
      t.life <- None;
      t.pauses <- t.pauses + 1;
      Life.crash life;
      resume t

let spawn t f = fork t ~sw:(Life.sw (alive t)) f

(* The caller may be in another host, so both cancellations are passed on. *)
let call t f =
  let life = alive t in
  let result, set = Eio.Promise.create () in
  let given_up, give_up = Eio.Promise.create () in
  let answer r = ignore (Eio.Promise.try_resolve set r : bool) in
  let key =
    Life.at_crash life (fun () -> answer (Error (Life.Crashed, Printexc.get_callstack 0)))
  in
  let work () =
    match f () with
    | v -> answer (Ok v)
    | exception (Eio.Cancel.Cancelled _ as e) -> raise e
    | exception e -> answer (Error (e, Printexc.get_raw_backtrace ()))
  in
  spawn t (fun () -> Eio.Fiber.first work (fun () -> Eio.Promise.await given_up));
  Fun.protect ~finally:(fun () ->
      Life.forget life key;
      ignore (Eio.Promise.try_resolve give_up () : bool))
  @@ fun () ->
  match Eio.Promise.await result with
  | Ok v -> v
  | Error (e, bt) -> Printexc.raise_with_backtrace e bt
