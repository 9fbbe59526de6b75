open Weir_base
open Weir_link
module Tcp = Weir_core.Tcp
module Identity = Weir_drive.Identity

type t = {
  world : World.t;
  name : string;
  cidr : string;
  addresses : Ipaddr.t list;
  number : int;
  mac : Macaddr.t;
  gateway : string option;
  config : Weir_core.Config.t;
  capture : Capture.t option;
  clock : Clock.t;
  random : Random.State.t;
  group : Scheduler.group;
  lan : Lan.t;
  mutable port : Lan.port option;
  mutable life : Life.t option;
  mutable lives : int;
  mutable pauses : int;
  mutable main : (unit -> unit) option;
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
let addresses t = t.addresses
let clock t = t.clock
let random t = t.random
let port t = Option.get t.port
let life t = t.life
let scheduler t = World.scheduler t.world

let alive t =
  match t.life with
  | Some life -> life
  | None -> raise (Eio.Net.err (Connection_failure (Refused (Host_down t.name))))

(* -- making -------------------------------------------------------------- *)

let record t frame = Option.iter (fun c -> Capture.add c ~now:(World.now t.world) frame) t.capture

(* From the cable; a host that is off hears nothing. *)
let receive t frame =
  match t.life with
  | None -> Frame.release frame
  | Some life ->
      record t frame;
      Life.receive life frame

let connection_line t c =
  Fmt.str "%s: %a:%d to %a:%d, %a, %d bytes unread, %d not acknowledged" t.name Weir_wire.Ip.pp
    (Tcp.local c) (Tcp.local_port c) Weir_wire.Ip.pp (Tcp.remote c) (Tcp.remote_port c) Tcp.pp_state
    (Tcp.state c) (Tcp.unread_length c) (Tcp.unacknowledged_length c)

let stack life = Weir_eio.Host.pump (Life.host life) Weir_drive.Pump.stack

let connections t =
  match t.life with
  | None -> []
  | Some life ->
      let all = ref [] in
      Tcp.iter
        (fun c -> all := (Tcp.id c, connection_line t c) :: !all)
        (Weir_core.Stack.tcp (stack life));
      List.map snd (List.sort compare !all)

let check_gateway gateway =
  match Option.map Ipaddr.of_string gateway with
  | Some (Error (`Msg m)) -> invalid_arg (Printf.sprintf "gateway: %s" m)
  | _ -> ()

(* From the first address, so that it does not change when hosts are made in another
   order. *)
let hardware_address world (address : Ipaddr.t) =
  let path =
    match address with
    | V4 a -> [ Int32.to_int (Ipaddr.V4.to_int32 a) ]
    | V6 _ -> [ Weir_wire.Ip.(key (of_ipaddr address)) ]
  in
  Weir_wire.Mac.to_macaddr (Identity.random_mac (World.random world Hardware path))

let create world ?name ?gateway ?(config = Weir_core.Config.default) ?pcap lan cidr =
  let addresses = List.map Ipaddr.Prefix.address (Identity.networks cidr) in
  check_gateway gateway;
  let first = List.hd addresses in
  let name = Option.value name ~default:(Ipaddr.to_string first) in
  let mac = hardware_address world first in
  let number = World.add_host world ~name ~addresses ~mac in
  let t =
    {
      world;
      name;
      cidr;
      addresses;
      number;
      mac;
      gateway;
      config;
      capture = Option.map (World.open_capture world) pcap;
      clock = Clock.create (World.scheduler world) ~epoch:(World.epoch world);
      random = World.random world Host_program [ number ];
      group = Scheduler.group name;
      lan;
      port = None;
      life = None;
      lives = 0;
      pauses = 0;
      main = None;
    }
  in
  t.port <- Some (Lan.connect lan ~name (receive t));
  World.on_report world (fun () -> connections t);
  t

(* -- lives --------------------------------------------------------------- *)

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
  let life =
    Life.start t.world ~sw ~clock:t.clock
      ~random:(World.random t.world Stack [ t.number; t.lives ])
      ~mac:t.mac ?gateway:t.gateway ~config:t.config ~mtu:(Lan.mtu t.lan)
      ~send:(fun frame ->
        record t frame;
        Lan.send (port t) frame)
      t.cidr
  in
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
