open Weir_base
open Weir_link
module Mac = Weir_wire.Mac

type event = Passing of Lan.fate | Arrived
type sight = { at : Time.t; from : string; to_ : string; frame : string; event : event }
type entry = { name : string; addresses : unit -> Ipaddr.t list }

type t = {
  scheduler : Scheduler.t;
  sw : Eio.Switch.t;
  seed : int;
  epoch : Time.t;
  offload : bool;
  congestion : Weir_core.Congestion.algorithm option;
  trace : (string -> unit) option;
  watch : (sight -> unit) option;
  numbers : Weir_wire.Layers.t -> Weir_wire.Layers.t;  (** those of the trace *)
  pcap : Capture.t option;
  mutable hosts : entry list;
  mutable others : entry list;  (** further addresses of hosts *)
  by_mac : (Mac.t, string) Hashtbl.t;
  mutable lans : int;
  mutable stacks : (string * (unit -> Weir_core.Stack.t option)) list;
  mutable reports : (unit -> string list) list;
  blocked : (string * string, unit) Hashtbl.t;
  paths : (string * string * int, Way.t) Hashtbl.t;  (** from, to, the LAN's number *)
  mutable captures : Capture.t list;
  mutable at_end : (unit -> unit) list;
  mutable digest : int;
  mutable frames : int;
}

let traced_connections = 16_384
let relative () = Weir_dissect.Conversations.(relative (create ~most:traced_connections ()))

let create scheduler ~sw ~seed ~epoch ~offload ?congestion ?trace ?(trace_absolute = false) ?watch
    ?pcap () =
  {
    scheduler;
    sw;
    seed;
    epoch;
    offload;
    congestion;
    trace;
    watch;
    numbers = (if Option.is_none trace || trace_absolute then Fun.id else relative ());
    pcap;
    hosts = [];
    others = [];
    by_mac = Hashtbl.create 8;
    lans = 0;
    stacks = [];
    reports = [];
    blocked = Hashtbl.create 8;
    paths = Hashtbl.create 8;
    captures = Option.to_list pcap;
    at_end = [];
    digest = seed;
    frames = 0;
  }

let scheduler t = t.scheduler
let sw t = t.sw
let seed t = t.seed
let epoch t = t.epoch
let offload t = t.offload
let congestion t = t.congestion
let now t = Scheduler.now t.scheduler

(* -- randomness ---------------------------------------------------------- *)

type purpose = Program | Host_program | Stack | Network | Order | Hardware | Fate

let number = function
  | Program -> 0
  | Host_program -> 1
  | Stack -> 2
  | Network -> 3
  | Order -> 4
  | Hardware -> 5
  | Fate -> 6

let seeds ~seed purpose path = Array.of_list (seed :: number purpose :: path)
let random t purpose path = Random.State.make (seeds ~seed:t.seed purpose path)

(* -- hosts --------------------------------------------------------------- *)

let same a b = String.lowercase_ascii a = String.lowercase_ascii b
let by_name t name = List.find_opt (fun h -> same h.name name) t.hosts
let has address h = List.exists (fun a -> Ipaddr.compare a address = 0) (h.addresses ())

let by_address t address =
  match List.find_opt (has address) t.hosts with
  | None -> List.find_opt (has address) t.others
  | found -> found

let check_free t address =
  if by_address t address <> None then
    invalid_arg ("two hosts have the address " ^ Ipaddr.to_string address)

let hosts t = List.length t.hosts

let add_host t ~name ~addresses =
  if by_name t name <> None then invalid_arg ("two hosts are called " ^ name);
  List.iter (check_free t) (addresses ());
  t.hosts <- { name; addresses } :: t.hosts;
  List.length t.hosts - 1

let add_addresses t ~name addresses =
  List.iter (check_free t) addresses;
  t.others <- { name; addresses = (fun () -> addresses) } :: t.others

let add_mac t mac ~name = Hashtbl.replace t.by_mac (Mac.of_macaddr mac) name
let lookup t name = Option.fold ~none:[] ~some:(fun h -> h.addresses ()) (by_name t name)

let names t =
  List.concat_map (fun h -> List.map (fun a -> (h.name, a)) (h.addresses ())) (List.rev t.hosts)

let name_of t address = Option.map (fun h -> h.name) (by_address t address)
let add_stack t name f = t.stacks <- (name, f) :: t.stacks
let stacks t = List.rev_map (fun (name, f) -> (name, f ())) t.stacks
let on_report t f = t.reports <- f :: t.reports
let connections t = List.concat_map (fun f -> f ()) (List.rev t.reports)

exception Host_failed of string * exn * Printexc.raw_backtrace

(* Seen where the world's function raised too. *)
let () =
  Printexc.register_printer (function
    | Host_failed (host, e, _) -> Some (host ^ ": " ^ Printexc.to_string e)
    | _ -> None)

let host_failed t ~host e bt = Eio.Switch.fail ~bt t.sw (Host_failed (host, e, bt))

(* -- network ------------------------------------------------------------- *)

let source_name t mac =
  match Hashtbl.find_opt t.by_mac mac with Some name -> name | None -> Fmt.str "%a" Mac.pp mac

let block t ~from ~to_ blocked =
  if blocked then Hashtbl.replace t.blocked (from, to_) () else Hashtbl.remove t.blocked (from, to_)

let unblock_all t = Hashtbl.reset t.blocked

let permitted t ~source ~to_ =
  Hashtbl.length t.blocked = 0 || not (Hashtbl.mem t.blocked (source_name t source, to_))

let path t ~lan ~source ~to_ =
  if Hashtbl.length t.paths = 0 then None
  else Hashtbl.find_opt t.paths (source_name t source, to_, lan)

let set_path t ~from ~to_ ~lan impairment go_in =
  match Hashtbl.find_opt t.paths (from, to_, lan) with
  | Some way -> Way.set way impairment
  | None ->
      let number name = Hashtbl.hash (name : string) in
      let seed = seeds ~seed:t.seed Network [ -1; number from; number to_; lan ] in
      Hashtbl.replace t.paths (from, to_, lan) (Way.create t.scheduler ~seed impairment go_in)

let fate : Lan.fate -> string = function
  | Entered Sent -> ""
  | Entered Lost -> " (lost)"
  | Entered No_room -> " (no room)"
  | Too_long -> " (too long)"
  | Entered Cut -> " (cut)"
  | Entered Twice -> " (twice)"
  | Entered Corrupted -> " (corrupted)"
  | Entered Truncated -> " (truncated)"
  | Entered Late -> " (out of order)"
  | Forbidden -> " (partitioned)"

let arrived t ~to_ (frame : Frame.t) =
  Option.iter
    (fun watch ->
      let from = source_name t (Mac.get frame.data (frame.off + 6)) in
      let bytes = Bytes.sub_string frame.data frame.off frame.len in
      watch { at = now t; from; to_; frame = bytes; event = Arrived })
    t.watch

let traced t ~source ~to_ (frame : Frame.t) =
  match t.trace with
  | None -> ignore
  | Some print ->
      let from = source_name t source and now = now t in
      let layers = Weir_wire.Layers.of_frame frame.data ~off:frame.off ~len:frame.len in
      let text =
        Fmt.str "%a %s > %s: %a" Time.pp now from to_ Weir_wire.Dump.pp (t.numbers layers)
      in
      fun f -> print (text ^ fate f)

let passing t ~source ~to_ (frame : Frame.t) =
  let print = traced t ~source ~to_ frame in
  match t.watch with
  | None -> print
  | Some watch ->
      let bytes = Bytes.sub_string frame.data frame.off frame.len in
      let seen = { at = now t; from = source_name t source; to_; frame = bytes; event = Arrived } in
      fun fate ->
        watch { seen with event = Passing fate };
        print fate

let open_capture t path =
  let c = Capture.create ~epoch:t.epoch path in
  t.captures <- c :: t.captures;
  c

let new_lan t ~name ~mtu ?pcap impairment =
  let index = t.lans in
  t.lans <- index + 1;
  let own = Option.map (open_capture t) pcap in
  let watch : Lan.watch =
    {
      permitted = permitted t;
      path = path t ~lan:index;
      passing = passing t;
      arrived = arrived t;
      captures = Option.to_list t.pcap @ Option.to_list own;
    }
  in
  let name = Option.value name ~default:(Printf.sprintf "lan%d" (index + 1)) in
  Lan.create t.scheduler ~name ~number:index
    ~seed:(seeds ~seed:t.seed Network [ index ])
    ~mtu impairment watch

let mix t x = t.digest <- Mix.scramble (t.digest lxor x)

let sent t (frame : Frame.t) =
  t.frames <- t.frames + 1;
  mix t (now t);
  mix t ((frame.len lsl 16) lor Checksum.sum frame.data ~off:frame.off ~len:frame.len)

(* Its bytes were taken in when it was sent. *)
let received t (frame : Frame.t) =
  mix t (now t);
  mix t frame.len

let digest t = t.digest
let frames t = t.frames
let at_end t f = t.at_end <- f :: t.at_end

let close t =
  let all = t.at_end in
  t.at_end <- [];
  List.iter (fun f -> f ()) all;
  List.iter Capture.close t.captures
