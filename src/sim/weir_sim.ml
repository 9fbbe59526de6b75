open Weir_base
open Weir_link
module Failure = Failure
module Dhcp_server = Dhcp_server
module Dns_server = Dns_server
module Machine = Machine

exception Failed = Failure.Failed
exception Crashed = Life.Crashed

type world = {
  core : World.t;
  program_random : Random.State.t;
  fate : Random.State.t;
  clocks : Clock.t;
}

type fate = Lan.fate = Entered of Weir_link.Lane.fate | Too_long | Forbidden
type event = World.event = Passing of fate | Arrived

type sight = World.sight = {
  at : Time.t;
  from : string;
  to_ : string;
  frame : string;
  event : event;
}

type lan = { world : world; switch : Lan.t }
type trunk = Lan.port
type span = [ `Ns of int | `Us of int | `Ms of int | `S of int ]

type host = {
  name : string;
  address : Ipaddr.t;
  addresses : Ipaddr.t list;
  net : [ `Generic ] Eio.Net.ty Eio.Std.r;
  mono_clock : Eio.Time.Mono.ty Eio.Std.r;
  clock : float Eio.Time.clock_ty Eio.Std.r;
  random : Random.State.t;
  machine : Machine.t;
}

let ns : span -> Time.t = function
  | `Ns n -> n
  | `Us n -> Time.us n
  | `Ms n -> Time.ms n
  | `S n -> Time.s n

(* -- running ------------------------------------------------------------- *)

let run ?seed ?time_limit ?event_limit ?shuffle ?epoch ?offload ?congestion ?trace ?trace_absolute
    ?watch ?pcap ?replay f =
  Play.run ?seed ?time_limit:(Option.map ns time_limit) ?event_limit ?shuffle ?epoch ?offload
    ?congestion ?trace ?trace_absolute ?watch ?pcap ?replay (fun core ~clocks ->
      f
        {
          core;
          program_random = World.random core Program [];
          fate = World.random core Fate [];
          clocks;
        })

let sweep ?(jobs = 1) ?(shard = (1, 1)) ?(stop = fun () -> false) ?(on_done = fun ~seed:_ _ -> ())
    ?time_limit ?event_limit ?shuffle ?offload ?congestion ?replay ~seeds:(first, last) f =
  if first > last then invalid_arg (Printf.sprintf "no seeds from %d to %d" first last);
  let i, n = shard in
  if i < 1 || i > n then invalid_arg (Printf.sprintf "no shard %d/%d" i n);
  let first, last, shard =
    match Play.chosen_seed () with Some s -> (s, s, (1, 1)) | None -> (first, last, shard)
  in
  Sweep.run ~jobs ~stop ~on_done ~shard ~first ~last (fun seed ->
      match run ~seed ?time_limit ?event_limit ?shuffle ?offload ?congestion ?replay f with
      | () -> None
      | exception Failed failure -> Some failure)

let shard_runs (i, n) ~seeds:(first, last) =
  let _, _, count = Sweep.seeds ~shard:(i, n) ~first ~last in
  count

(* -- the world ----------------------------------------------------------- *)

let seed (w : world) = World.seed w.core
let random w = w.program_random
let now (w : world) = World.now w.core
let scheduler (w : world) = World.scheduler w.core

(* No tail call, so that it stands on the stack when a failure tells what waits. *)
let[@inline never] sleep w span =
  Scheduler.sleep_until (scheduler w) (now w + ns span);
  ()

let clock w = Clock.wall w.clocks
let mono_clock w = Clock.mono w.clocks
let digest (w : world) = World.digest w.core
let frames (w : world) = World.frames w.core
let events w = Scheduler.events (scheduler w)
let stacks (w : world) = World.stacks w.core
let waiting w = Play.waiting_lines (scheduler w)

(* -- the network --------------------------------------------------------- *)

let with_labels (i : Impairment.t) latency jitter loss bandwidth =
  let delay_ns = match latency with Some l -> ns l | None -> i.delay_ns in
  let jitter_ns = match jitter with Some j -> ns j | None -> i.jitter_ns in
  let loss = match loss with Some p -> Impairment.Steady p | None -> i.loss in
  let rate_bps = Option.value bandwidth ~default:i.rate_bps in
  { i with delay_ns; jitter_ns; loss; rate_bps }

let usual = { Impairment.none with delay_ns = Time.us 100 }

let lan ?name ?latency ?jitter ?loss ?bandwidth ?(impairment = usual) ?(mtu = 1_500) ?pcap
    (world : world) =
  let impairment = with_labels impairment latency jitter loss bandwidth in
  { world; switch = World.new_lan world.core ~name ~mtu ?pcap impairment }

let set_trunk_mtu ?(silent = false) t mtu =
  if mtu < 576 || mtu > 65_535 then invalid_arg "a trunk's MTU is 576 to 65,535";
  Lan.set_narrow t (Some { mtu; silent })

let set_trunk_marks t = function
  | None -> Lan.set_marks t Time.never
  | Some span -> Lan.set_marks t (ns span)

let trunk ?latency ?jitter ?loss ?bandwidth ?(impairment = usual) ?mtu ?silent a b =
  let t = Lan.join (with_labels impairment latency jitter loss bandwidth) a.switch b.switch in
  Option.iter (set_trunk_mtu ?silent t) mtu;
  t

let link ?(name = "link") (world : world) lan =
  let inbox = Inbox.create ~capacity:Nic.capacity and over = ref false in
  let port = Lan.connect lan.switch ~name (Nic.receive inbox) in
  Nic.link world.core ~mtu:(Lan.mtu lan.switch) ~inbox ~over ~send:(Lan.send port)

let program h main = Option.map (fun main () -> main h) main

let same_world (world : world) lan =
  if lan.world != world then invalid_arg "the LAN is of another world"

let machine ?name ?gateway ?resolvers ?search ?config ?pcap ?main ?forwards ?driver (world : world)
    ports =
  List.iter (fun (lan, _) -> same_world world lan) ports;
  let _, address = List.hd ports in
  let machine =
    Machine.create world.core ?name ?gateway ?resolvers ?search ?config ?forwards ?driver ?pcap
      address
  in
  List.iter (fun (lan, address) -> Machine.attach machine lan.switch address) ports;
  let clocks = Machine.clock machine and addresses = Machine.addresses machine in
  let h =
    {
      name = Machine.name machine;
      address = (match addresses with a :: _ -> a | [] -> V4 Ipaddr.V4.any);
      addresses;
      net = (Network.of_machine machine :> [ `Generic ] Eio.Net.ty Eio.Std.r);
      mono_clock = Clock.mono clocks;
      clock = Clock.wall clocks;
      random = Machine.random machine;
      machine;
    }
  in
  Machine.switch_on machine ~main:(program h main);
  h

let host ?name ?gateway ?resolvers ?search ?config ?pcap ?main world lan address =
  machine ?name ?gateway ?resolvers ?search ?config ?pcap ?main world [ (lan, address) ]

module Driver = struct
  include Driver

  let host ?name ?gateway ?config ?pcap ?main world lan address driver =
    machine ?name ?gateway ?config ?pcap ?main ~driver world [ (lan, address) ]

  (* Outside of any host, and left out of what waits. *)
  let daemon (world : world) f =
    let scheduler = World.scheduler world.core in
    Scheduler.within scheduler (Scheduler.group "") @@ fun () ->
    Scheduler.hiding scheduler true @@ fun () ->
    Eio.Fiber.fork_daemon ~sw:(World.sw world.core) (fun () -> f ())

  let at_end (world : world) f = World.at_end world.core f
  let failed (world : world) ~host e = World.host_failed world.core ~host e
end

let router ?name ?gateway ?config ?pcap ?main world ports =
  if List.length ports < 2 then invalid_arg "a router is in two LANs or more";
  machine ?name ?gateway ?config ?pcap ?main ~forwards:true world ports

let attach h lan address =
  if lan.world.core != Machine.world h.machine then invalid_arg "the LAN is of another world";
  Machine.attach h.machine lan.switch address

let advertisement ~lifetime ~mtu ~hop_limit ~resolvers ~search prefixes : Weir_wire.Nd.advertisement
    =
  let seconds span = ns span / Time.s 1 in
  let prefix (text, preferred, valid) : Weir_wire.Nd.prefix =
    match Ipaddr.V6.Prefix.of_string text with
    | Ok p ->
        {
          prefix = Weir_wire.Ip.of_ipaddr (V6 (Ipaddr.V6.Prefix.network p));
          length = Ipaddr.V6.Prefix.bits p;
          on_link = true;
          autonomous = true;
          valid = seconds valid;
          preferred = seconds preferred;
        }
    | Error (`Msg m) -> invalid_arg (Printf.sprintf "prefix %S: %s" text m)
  in
  let lifetime = seconds lifetime in
  let lasting = function [] -> [] | l -> [ (3 * Int.max lifetime 60, l) ] in
  {
    hop_limit;
    managed = false;
    other = false;
    preference = Medium;
    lifetime;
    reachable = 0;
    retransmit = 0;
    router_mac = None;
    mtu;
    prefixes = List.map prefix prefixes;
    routes = [];
    servers = lasting (List.map (fun a -> Weir_wire.Ip.of_ipaddr (V6 a)) resolvers);
    domains = lasting search;
  }

let advertise ?(every = `S 600) ?(lifetime = `S 1_800) ?(mtu = 0) ?(hop_limit = 64)
    ?(resolvers = []) ?(search = []) h lan prefixes =
  Machine.advertise h.machine lan.switch ~interval:(ns every)
    (Some (advertisement ~lifetime ~mtu ~hop_limit ~resolvers ~search prefixes))

let stop_advertising h lan = Machine.advertise h.machine lan.switch ~interval:(Time.s 600) None
let route h network ~gateway = Machine.route h.machine network ~gateway
let unix_net h = Network.of_machine h.machine
let env h = Environment.make ~net:h.net ~clock:h.clock ~mono_clock:h.mono_clock ~random:h.random
let spawn h f = Machine.spawn h.machine f
let call h f = Machine.call h.machine f
let addresses h = Machine.addresses h.machine
let driver h = Option.map Life.host (Machine.life h.machine)
let stack h = Option.map Life.stack (Machine.life h.machine)

let connections h =
  match stack h with None -> 0 | Some s -> Weir_core.Tcp.length (Weir_core.Stack.tcp s)

(* -- faults -------------------------------------------------------------- *)

let crash h = Machine.crash h.machine
let is_on h = Option.is_some (Machine.life h.machine)

let restart h =
  crash h;
  Machine.restart h.machine

let core h = Machine.world h.machine
let resume h = Machine.resume h.machine

let pause ?for_ h =
  let now = World.now (core h) in
  Machine.pause h.machine ~until:(match for_ with None -> Time.never | Some span -> now + ns span)

let set_drift h ~ppm = Clock.set_drift (Machine.clock h.machine) ~ppm
let set_skew h span = Clock.set_skew (Machine.clock h.machine) (ns span)

let block from to_ blocked =
  List.iter
    (fun a -> List.iter (fun b -> World.block (core a) ~from:a.name ~to_:b.name blocked) to_)
    from

let partition ?(one_way = false) a b =
  block a b true;
  if not one_way then block b a true

let heal a b =
  block a b false;
  block b a false

let heal_all (w : world) = World.unblock_all w.core
let ports h = Machine.ports h.machine
let unplug h = List.iter (fun p -> Lan.set_up p false) (ports h)
let plug h = List.iter (fun p -> Lan.set_up p true) (ports h)

let impair ?outbound ?inbound h =
  List.iter
    (fun p ->
      Option.iter (Way.set (Lan.outward p)) outbound;
      Option.iter (Way.set (Lan.inward p)) inbound)
    (ports h)

let impair_path a b i =
  List.iter
    (fun (lan, port) ->
      World.set_path (core b) ~from:a.name ~to_:b.name ~lan:(Lan.number lan) i (Lan.go_in port))
    (Machine.lan_of b.machine)

let impair_lan lan i = Lan.set_default lan.switch i

let impair_trunk ?back t i =
  Way.set (Lan.inward t) i;
  Way.set (Lan.outward t) (Option.value back ~default:i)

let cut_trunk t = Lan.set_up t false
let mend_trunk t = Lan.set_up t true

let counters ?(interface = 0) h ~outbound =
  match List.nth_opt (ports h) interface with
  | None -> invalid_arg (Printf.sprintf "%s has no interface %d" h.name interface)
  | Some port -> Way.counters (if outbound then Lan.outward port else Lan.inward port)

(* -- chaos --------------------------------------------------------------- *)

type fault = [ `Crash | `Pause | `Unplug | `Partition | `One_way ]

(* Two sides, neither of them empty. *)
let rec sides random hosts =
  match List.partition (fun _ -> Random.State.bool random) hosts with
  | [], _ | _, [] -> sides random hosts
  | sides -> sides

let cut ~one_way random hosts () =
  let a, b = sides random hosts in
  partition ~one_way a b;
  fun () -> heal a b

let fault random hosts (kind : fault) =
  let one () = List.nth hosts (Random.State.int random (List.length hosts)) in
  match kind with
  | `Partition -> cut ~one_way:false random hosts
  | `One_way -> cut ~one_way:true random hosts
  | (`Crash | `Pause | `Unplug) as kind -> (
      fun () ->
        let h = one () in
        match kind with
        | `Crash when not (is_on h) -> ignore
        | `Crash ->
            crash h;
            fun () -> if not (is_on h) then restart h
        | `Pause ->
            pause h;
            fun () -> resume h
        | `Unplug ->
            unplug h;
            fun () -> plug h)

let chaos ?(every = `S 5) ?(lasting = `S 10)
    ?(faults = [ `Crash; `Pause; `Unplug; `Partition; `One_way ]) world hosts =
  let cuts = function `Partition | `One_way -> true | `Crash | `Pause | `Unplug -> false in
  if hosts = [] then invalid_arg "chaos: no host";
  let faults =
    match hosts with [ _ ] -> List.filter (fun f -> not (cuts f)) faults | _ -> faults
  in
  Chaos.run ~random:world.fate
    ~sleep:(fun span -> sleep world (`Ns span))
    ~every:(ns every) ~lasting:(ns lasting)
    (List.map (fault world.fate hosts) faults)
