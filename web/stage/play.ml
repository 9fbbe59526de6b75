open Weir_base
open Weir_core
open Weir_dissect

type sample = int * Time.t * Tcp_info.t

type t = {
  hosts : string list;
  packets : Recorder.packet array;
  samples : sample list;
  finish : Time.t;
  digest : int;
  frames : int;
  outcome : string option;
  delivered : int;
  dissections : Dissection.t array Lazy.t;
}

let most = 20_000

(* -- what connections do ---------------------------------------------------- *)

(* Of the two hosts at the ends, after each event. *)
type observer = { mutable seen : sample list; last : (int, Tcp_info.t) Hashtbl.t }

let latest tcp =
  let best = ref None in
  Tcp.iter
    (fun c -> match !best with Some b when Tcp.id b > Tcp.id c -> () | _ -> best := Some c)
    tcp;
  Option.map Tcp.info !best

let observe o world =
  (* After what was seen has had its effect: the host that it came to runs first. *)
  for _ = 1 to 4 do
    Eio.Fiber.yield ()
  done;
  List.iteri
    (fun i (name, stack) ->
      if name = "client" || name = "server" then
        let before = Hashtbl.find_opt o.last i in
        let now =
          match (Option.bind stack (fun s -> latest (Stack.tcp s)), before) with
          | None, Some b -> Some { b with state = Closed; in_flight = 0; timers = [] }
          | now, _ -> now
        in
        if now <> before then
          Option.iter
            (fun info ->
              Hashtbl.replace o.last i info;
              o.seen <- (i, Weir_sim.now world, info) :: o.seen)
            now)
    (Weir_sim.stacks world)

(* -- worlds ------------------------------------------------------------------ *)

let config (h : Setting.host) ~marks : Config.t =
  let chosen, others =
    List.partition (fun a -> Congestion.name a = h.congestion) Config.default.congestion
  in
  {
    Config.default with
    congestion = chosen @ others;
    sack = h.sack;
    delayed_ack = (if h.delayed_ack then Config.default.delayed_ack else 0);
    nodelay = not h.nagle;
    ecn = (if marks then Request else Accept);
  }

let fault world trunk (at, (kind : Setting.fault)) =
  Weir_sim.sleep world (`Ns (Int.max 0 (at - Weir_sim.now world)));
  match kind with Cut -> Weir_sim.cut_trunk trunk | Heal -> Weir_sim.mend_trunk trunk

let network (s : Setting.t) world ~main =
  let instant = `Ns 1 in
  let home = Weir_sim.lan world ~name:"home" ~latency:(`Ms 1) in
  let core = Weir_sim.lan world ~name:"core" ~latency:instant in
  let site = Weir_sim.lan world ~name:"site" ~latency:instant in
  let marks = s.marks <> None in
  let client =
    Weir_sim.host world home "10.1.0.9/24" ~name:"client" ~gateway:"10.1.0.1"
      ~config:(config s.client ~marks)
  in
  let (_ : Weir_sim.host) =
    Weir_sim.router world ~name:"router" [ (home, "10.1.0.1/24"); (core, "10.2.0.1/24") ]
  in
  let server =
    Weir_sim.host world site "10.2.0.9/24" ~name:"server" ~gateway:"10.2.0.1"
      ~config:(config s.server ~marks) ~main
  in
  let trunk = Weir_sim.trunk core site in
  Weir_sim.impair_trunk trunk s.link ?back:s.back;
  if s.mtu < 1_500 then Weir_sim.set_trunk_mtu trunk ~silent:s.silent s.mtu;
  Weir_sim.set_trunk_marks trunk (Option.map (fun ns -> `Ns ns) s.marks);
  (client, server, trunk)

let with_faults (s : Setting.t) world trunk f =
  Eio.Switch.run @@ fun sw ->
  Eio.Fiber.fork_daemon ~sw (fun () ->
      List.iter (fault world trunk) s.faults;
      `Stop_daemon);
  f ();
  Weir_sim.sleep world (`Ms 300)

let port = 9

(* The server checks each byte when it comes. *)
let check text ~delivered flow =
  let buffer = Cstruct.create 65_536 in
  let rec read () =
    match Eio.Flow.single_read flow buffer with
    | exception End_of_file -> ()
    | n ->
        let got = Cstruct.to_string buffer ~len:n in
        Weir_scenarios.Scenario.require
          (!delivered + n <= String.length text && String.equal got (String.sub text !delivered n))
          "bytes %d to %d differ" !delivered (!delivered + n);
        delivered := !delivered + n;
        read ()
  in
  read ()

let transfer (s : Setting.t) world ~delivered =
  let text = Weir_scenarios.Scenario.text (Weir_sim.random world) s.bytes in
  let main h = Weir_scenarios.Scenario.serve h ~port (check text ~delivered) in
  let client, server, trunk = network s world ~main in
  with_faults s world trunk @@ fun () ->
  Eio.Switch.run @@ fun sw ->
  let flow = Weir_scenarios.Scenario.connect ~sw client server ~port in
  Eio.Flow.copy_string text flow;
  Eio.Flow.shutdown flow `Send;
  ignore (Eio.Flow.read_all flow : string);
  Weir_scenarios.Scenario.require (!delivered = s.bytes) "%d bytes of %d came" !delivered s.bytes

let request = (40, 200)

(* A header, then a body, as programs write them that do not gather their output. *)
let short (s : Setting.t) world ~delivered =
  let header, body = request in
  let main h =
    Weir_scenarios.Scenario.serve h ~port (fun flow ->
        let buffer = Cstruct.create (header + body) in
        let rec answer () =
          Eio.Flow.read_exact flow buffer;
          Eio.Flow.copy_string "all right" flow;
          answer ()
        in
        try answer () with End_of_file -> ())
  in
  let client, server, trunk = network s world ~main in
  with_faults s world trunk @@ fun () ->
  Eio.Switch.run @@ fun sw ->
  let flow = Weir_scenarios.Scenario.connect ~sw client server ~port in
  for _ = 1 to 8 do
    Eio.Flow.copy_string (String.make header 'h') flow;
    Weir_sim.sleep world (`Ms 1);
    Eio.Flow.copy_string (String.make body 'b') flow;
    Eio.Flow.read_exact flow (Cstruct.create 9);
    delivered := !delivered + 9
  done

let scenario (s : Setting.t) name world =
  match Weir_scenarios.Scenarios.find name with
  | None -> invalid_arg name
  | Some scenario ->
      let impairment = if s.link = Setting.default.link then None else Some s.link in
      scenario.play { impairment; loss = None; delay_ns = None } world

(* -- playing ------------------------------------------------------------------ *)

let dissect packets () =
  let conversations = Conversations.create () in
  Array.map
    (fun (p : Recorder.packet) ->
      let length = String.length p.frame in
      Dissection.make conversations ~absolute:false ~number:p.number
        (Bytes.unsafe_of_string p.frame)
        {
          time = p.at;
          off = 0;
          captured = length;
          original = length;
          link_type = Weir_wire.Pcap.ethernet;
        })
    packets

let run (s : Setting.t) =
  let back = Option.value s.back ~default:s.link in
  let delay ~from = if from = "server" then back.delay_ns else s.link.delay_ns in
  let recorder = Recorder.create ~most ~delay in
  let observer = { seen = []; last = Hashtbl.create 2 } in
  let last = ref (0, 0, 0, []) and delivered = ref 0 and seen = Eio.Condition.create () in
  let watch sight =
    Recorder.see recorder sight;
    Eio.Condition.broadcast seen
  in
  let body w =
    Weir_sim.Driver.daemon w (fun () ->
        while true do
          Eio.Condition.await_no_mutex seen;
          observe observer w
        done;
        `Stop_daemon);
    Fun.protect ~finally:(fun () ->
        let hosts = List.map fst (Weir_sim.stacks w) in
        last := (Weir_sim.now w, Weir_sim.digest w, Weir_sim.frames w, hosts))
    @@ fun () ->
    match s.scenario with
    | "transfer" -> transfer s w ~delivered
    | "short" -> short s w ~delivered
    | name -> scenario s name w
  in
  let limit = if s.scenario = "transfer" || s.scenario = "short" then `S 600 else `S 3_600 in
  let outcome =
    match Weir_sim.run ~seed:s.seed ~time_limit:limit ~watch body with
    | () -> None
    | exception Weir_sim.Failed f -> Some (Fmt.str "%a" Weir_sim.Failure.pp f)
  in
  let finish, digest, frames, hosts = !last in
  let packets = Recorder.packets recorder in
  {
    hosts;
    packets;
    samples = List.rev observer.seen;
    finish;
    digest;
    frames;
    outcome;
    delivered = !delivered;
    dissections = Lazy.from_fun (dissect packets);
  }

let hosts t = t.hosts
let packets t = t.packets
let samples t = t.samples
let finish t = t.finish
let digest t = t.digest
let frames t = t.frames
let outcome t = t.outcome
let delivered t = t.delivered

(* -- packets in words ---------------------------------------------------------- *)

let dissection t n =
  if n < 1 || n > Array.length t.packets then raise Not_found
  else (Lazy.force t.dissections).(n - 1)

let line t n = Fmt.str "%a" Dissection.pp (dissection t n)

let value : Fields.value -> string = function
  | Number n -> string_of_int n
  | Flag b -> if b then "set" else "not set"
  | Address a -> Fmt.str "%a" Weir_wire.Ip.pp a
  | Mac m -> Fmt.str "%a" Weir_wire.Mac.pp m
  | Text s -> s

let fields t n =
  let d = dissection t n in
  List.filter_map
    (fun (f : Fields.t) ->
      match f.get d with
      | [] -> None
      | _ when f.arity = Either -> None
      | values -> Some (f.name, String.concat ", " (List.map value values)))
    Fields.all
