open Weir_base
open Weir_core
open Weir_link
module Frame = Weir_base.Frame

type t = {
  stack : Stack.t;
  mutable links : Link.t array;  (** by the number of their interface *)
  mutable frames : Frame.pool;
  mutable long_frames : Frame.pool;  (** the same if no link takes long ones *)
  hosts : (string * Ipaddr.t) list;
  rearm : unit -> unit;
  calls : (unit -> unit) Fifo.t;  (** what the driver has to call *)
  mutable sleeping_until : Time.t;  (** [awake]: the driver is going to ask *)
  mutable row : Frame.t array;  (** frames that wait while others are written or read *)
  mutable via : int array;  (** their interfaces *)
  mutable flush_due : bool;  (** written bytes have not been sent yet *)
  mutable flush_by : Time.t;  (** when it must leave, [Time.never] if the driver sees to it *)
  pings : (int * int, Stack.pong -> unit) Hashtbl.t;  (** by identifier and sequence *)
  mutable next_ping : int;
  dns : Dns_client.t;
  spin : Spin.t;
  mutable heard : bool;  (** a frame came in this step *)
  mutable ended : unit -> unit;
  mutable released : bool;
  mutable takes_resolvers : bool;  (** of servers and routers: the program chose none *)
  mutable configured : Ipaddr.t list * string list;  (** those that were taken *)
  mutable seat : Exchange.seat option;
}

let awake = min_int

(* Frames pass between the stack and a device in rows of as many as it asks for, or of so many bytes:
   neither the stack's part of the caches nor the kernel's is lost after each. *)
let row_bytes = 98_304
let[@inline] is_full t n bytes = n = Array.length t.row || bytes >= row_bytes
let frames_of mtu = Frame.pool ~size:(mtu + Link.header_length) ()

(* What a device cuts into segments is as long as IP allows. *)
let longest_packet = 65_535
let most_long_frames = 64

let offload_of (link : Link.t) : Offload.by_family =
  let { Link.send; gathers; _ } = link#capabilities in
  let family { Link.checksum; longest } : Offload.t =
    {
      partial = checksum;
      longest = Int.min longest_packet (Int.max 0 (longest - Link.header_length));
      gathers;
    }
  in
  { v4 = family send.v4; v6 = family send.v6 }

let fit_frames t =
  t.frames <- frames_of (Stack.max_mtu t.stack);
  let long (l : Link.t) =
    let { Offload.v4; v6 } = offload_of l in
    v4.longest > 0 || v6.longest > 0
  in
  t.long_frames <-
    (if Array.exists long t.links then
       Frame.pool ~keep:most_long_frames ~size:(longest_packet + Link.header_length) ()
     else t.frames)

let fit_row t =
  let longest = Array.fold_left (fun n (l : Link.t) -> Int.max n l#row) 1 t.links in
  t.row <- Array.make longest Frame.none;
  t.via <- Array.make longest 0

let use_offload t interface link = Stack.set_offload t.stack interface (offload_of link)
let no_call () = ()

let create ?spin_ns ~random ~hosts ~rearm ~now link (settings : Stack.settings) =
  let frames = frames_of settings.mtu in
  let most = match spin_ns with Some n -> n | None -> Spin.default_ns () in
  let stack = Stack.create settings ~random ~now in
  let next_ping = Random.State.int (Public_random.make random) 65_536 in
  let t =
    {
      stack;
      links = [| link |];
      frames;
      long_frames = frames;
      hosts;
      rearm;
      calls = Fifo.create ~dummy:no_call;
      sleeping_until = awake;
      row = [||];
      via = [||];
      flush_due = false;
      flush_by = Time.never;
      pings = Hashtbl.create 8;
      next_ping;
      dns = Dns_client.create stack ~random:(Public_random.make random);
      spin = Spin.create ~most;
      heard = false;
      ended = ignore;
      released = false;
      takes_resolvers = true;
      configured = ([], []);
      seat = None;
    }
  in
  use_offload t (Stack.interface t.stack 0) link;
  fit_frames t;
  fit_row t;
  t

let stack t = t.stack

let add_link t ~mac link =
  if t.released then invalid_arg "this host has ended: a link cannot be added";
  if t.seat <> None then invalid_arg "a host that shares its address has one link";
  let i = Stack.add_interface t.stack ~mac ~mtu:link#mtu in
  t.links <- Array.append t.links [| link |];
  use_offload t i link;
  fit_frames t;
  fit_row t;
  i

let join t seat =
  if Array.length t.links > 1 then invalid_arg "Pump.join: a host with several links";
  t.seat <- Some seat;
  Stack.set_siblings t.stack (Exchange.siblings seat)

let link t = t.links.(0)
let links t = t.links
let has_carrier t = Array.exists (fun (l : Link.t) -> l#carrier) t.links
let hosts t = t.hosts
let on_ended t f = t.ended <- f
let is_released t = t.released

(* -- what the driver has to call ----------------------------------------- *)

let call t f = Fifo.push t.calls f
let next_call t = if Fifo.is_empty t.calls then no_call else Fifo.pop t.calls

let rec tell t =
  let f = next_call t in
  if f != no_call then (
    f ();
    tell t)

let resolver t = Dns_client.resolver t.dns

let set_servers t ~search servers =
  Resolver.set_servers (resolver t) ~search:(Search_list.create search) servers

let leases t =
  Stack.routes t.stack |> Routes.interfaces |> Array.to_list
  |> List.filter_map (fun i -> Option.bind (Stack.dhcp t.stack i) Dhcp.lease)

(* The host's own domain is searched if the server names no others (options 15 and 119). *)
let domains_of ({ search; domain; _ } : Dhcp_lease.t) =
  if search = [] then Option.to_list domain else search

let rec in_turn a b = match (a, b) with [], l | l, [] -> l | x :: a, l -> x :: in_turn l a
let without_repeats l = List.fold_left (fun l x -> if List.mem x l then l else l @ [ x ]) [] l

(* What DHCP servers and routers say now, in turn: some of each stays below the resolver's bound (RFC
   8106 §5.3.1). *)
let use_configured t =
  let leases = leases t in
  let advertised = Option.map Autoconf.configuration (Stack.autoconf t.stack) in
  let of_routers f = Option.fold ~none:[] ~some:f advertised in
  let by_dhcp = List.concat_map (fun (l : Dhcp_lease.t) -> l.resolvers) leases in
  let servers =
    in_turn
      (of_routers (fun c -> List.map Weir_wire.Ip.to_ipaddr c.servers))
      (List.map (fun a -> Ipaddr.V4 a) by_dhcp)
  in
  let domains = in_turn (List.concat_map domains_of leases) (of_routers (fun c -> c.domains)) in
  let servers = without_repeats servers and domains = without_repeats domains in
  if t.takes_resolvers && t.configured <> (servers, domains) then (
    t.configured <- (servers, domains);
    set_servers t ~search:domains servers)

let dispatch t (event : Stack.event) =
  match event with
  | Nothing -> ()
  | Connection c ->
      if Tcp.peer_has_all c then call t t.ended;
      call t (Tcp.wake c)
  | Listener l -> call t (Tcp.listener_wake l)
  | Datagram s -> call t (Udp_sockets.wake s)
  | Configuration d ->
      use_configured t;
      call t (Dhcp.wake d)
  | Advertised a ->
      use_configured t;
      call t (Autoconf.wake a)
  | Pong p ->
      Option.iter
        (fun answer -> call t (fun () -> answer p))
        (Hashtbl.find_opt t.pings (p.identifier, p.sequence))

let rec events t =
  match Stack.event t.stack with
  | Nothing -> ()
  | e ->
      dispatch t e;
      events t

(* -- the loop -------------------------------------------------------------- *)

let hand_over t ~now n =
  for i = 0 to n - 1 do
    let f = t.row.(i) in
    t.row.(i) <- Frame.none;
    t.links.(t.via.(i))#send ~now f
  done

(* [n] frames of [bytes] wait in the row. *)
let rec send_all t ~now n bytes sent =
  let long = t.long_frames != t.frames && Stack.next_length t.stack > Frame.size t.frames in
  let f = Frame.alloc (if long then t.long_frames else t.frames) in
  let interface = Stack.transmit t.stack ~now f in
  if interface < 0 then (
    Frame.release f;
    hand_over t ~now n;
    sent)
  else if Array.length t.row = 1 then (
    t.links.(interface)#send ~now f;
    send_all t ~now 0 0 true)
  else
    let n = n + 1 and bytes = bytes + Frame.length f in
    t.row.(n - 1) <- f;
    t.via.(n - 1) <- interface;
    if is_full t n bytes then (
      hand_over t ~now n;
      send_all t ~now 0 0 true)
    else send_all t ~now n bytes true

let flush_links t =
  for n = 0 to Array.length t.links - 1 do
    t.links.(n)#flush
  done

let rec links_deadline t n soonest =
  if n = Array.length t.links then soonest
  else links_deadline t (n + 1) (Int.min soonest t.links.(n)#deadline)

let handed t = match t.seat with None -> false | Some s -> not (Exchange.is_empty s)

let deadline t =
  if handed t then 0
  else
    links_deadline t 0
      (Int.min t.flush_by (Int.min (Dns_client.deadline t.dns) (Stack.deadline t.stack)))

let watch_deadline t =
  if deadline t < t.sleeping_until then (
    t.sleeping_until <- awake;
    call t t.rearm)

(* What a name's lookup sends may be answered by this host itself. *)
let rec put_out t ~now =
  if send_all t ~now 0 0 false then flush_links t;
  events t;
  if (not (Dns_client.is_idle t.dns)) && Dns_client.run t.dns ~now ~tell:(call t) then
    put_out t ~now

let flush t ~now =
  if not t.released then (
    t.flush_due <- false;
    t.flush_by <- Time.never;
    put_out t ~now;
    watch_deadline t)

let wrote ?(by = Time.never) t =
  t.flush_due <- true;
  if by < t.flush_by then (
    t.flush_by <- by;
    watch_deadline t)

let flush_due t = t.flush_due

(* The most frames in a batch, before the application runs and output is sent. *)
let batch = 128

let take_in t ~now interface n =
  for i = 0 to n - 1 do
    let f = t.row.(i) in
    t.row.(i) <- Frame.none;
    Stack.input t.stack ~now ~interface f;
    Frame.release f
  done

let rec receive_singly t ~now interface (link : Link.t) budget =
  budget = 0
  ||
  let f = link#receive ~now in
  f != Frame.none
  &&
  (t.heard <- true;
   Stack.input t.stack ~now ~interface f;
   Frame.release f;
   receive_singly t ~now interface link (budget - 1))

let rec receive t ~now interface budget n bytes =
  if budget = 0 || is_full t n bytes then (
    take_in t ~now interface n;
    budget = 0 || receive t ~now interface budget 0 0)
  else
    let f = t.links.(interface)#receive ~now in
    if f == Frame.none then (
      take_in t ~now interface n;
      false)
    else (
      t.heard <- true;
      t.row.(n) <- f;
      receive t ~now interface (budget - 1) (n + 1) (bytes + Frame.length f))

(* Every link has its batch. *)
let rec receive_from t ~now interface more =
  if interface = Array.length t.links then more
  else
    let link = t.links.(interface) in
    let left =
      if link#row = 1 then receive_singly t ~now interface link batch
      else receive t ~now interface batch 0 0
    in
    receive_from t ~now (interface + 1) (left || more)

let step t ~now =
  if t.released then false
  else (
    t.heard <- false;
    let more = receive_from t ~now 0 false in
    (match t.seat with
    | Some s when not (Exchange.is_empty s) -> Exchange.take s (Stack.take t.stack ~now)
    | _ -> ());
    Spin.stepped t.spin ~now ~found:t.heard;
    Stack.tick t.stack ~now;
    flush t ~now;
    more)

let spins t = Spin.goes_on t.spin && not t.released

let run_due t ~now =
  t.sleeping_until <- awake;
  if deadline t <= now then ignore (step t ~now : bool)

let sleep_until t =
  t.sleeping_until <- (if t.released then Time.never else deadline t);
  t.sleeping_until

(* -- names --------------------------------------------------------------- *)

let set_resolvers t ?(search = []) servers =
  t.takes_resolvers <- servers = [];
  set_servers t ~search servers

let resolvers t = Resolver.servers (resolver t)
let has_resolvers t = resolvers t <> []
let candidates t name = Search_list.candidates (Resolver.search (resolver t)) name

let resolve t ~now kinds names f =
  let cancel = Dns_client.ask t.dns ~now kinds names f in
  flush t ~now;
  cancel

(* -- the end ------------------------------------------------------------- *)

let connections t =
  let all = ref [] in
  Tcp.iter (fun c -> all := c :: !all) (Stack.tcp t.stack);
  !all

(* Unread bytes cause a reset: written bytes are sent before it, as far as the windows allow. *)
let close_connection ?(abort = false) t ~now c =
  if t.flush_due && (abort || Tcp.has_unread c) then flush t ~now;
  (if abort then Tcp.abort else Tcp.close) (Stack.tcp t.stack) c

let close_all t ~now =
  let live = List.filter (fun c -> not (Tcp.peer_has_all c)) (connections t) in
  List.iter
    (fun c ->
      Tcp.want_peer_has_all c;
      close_connection t ~now c)
    live;
  flush t ~now;
  live

let rec still_live = function c :: rest when Tcp.peer_has_all c -> still_live rest | live -> live

let sent_all t ~now =
  Stack.release_dhcp t.stack ~now;
  flush t ~now;
  Stack.nothing_waits t.stack

let release t ~now =
  if not t.released then (
    List.iter
      (fun c -> if Tcp.peer_has_all c then Tcp.forget c else Tcp.abort (Stack.tcp t.stack) c)
      (connections t);
    Dns_client.stop t.dns ~now ~tell:(call t);
    Stack.close_sockets t.stack;
    flush t ~now;
    t.released <- true;
    Array.iter (fun (l : Link.t) -> l#close) t.links)

(* -- echo ---------------------------------------------------------------- *)

type pong = Reply of { bytes : int; ttl : int; rtt_ns : int } | Failed of string | Lost

let ping t ~now ~data_length ~sequence address answered =
  t.next_ping <- (t.next_ping + 1) land 0xffff;
  let identifier = t.next_ping and sent = now () in
  Hashtbl.replace t.pings (identifier, sequence) (fun (p : Stack.pong) ->
      answered
        (match p.outcome with
        | Ok () -> Reply { bytes = p.data_length; ttl = p.ttl; rtt_ns = now () - sent }
        | Error e -> Failed e));
  let failed why = call t (fun () -> answered (Failed why)) in
  (match Stack.ping t.stack ~now:sent address ~identifier ~sequence ~data_length with
  | Ok () -> flush t ~now:sent
  | Error `No_room -> failed "output queue full"
  | Error `No_route ->
      failed
        (match Stack.duplicates t.stack with
        | [] -> "no route"
        | a :: _ -> Fmt.str "no route: another host has %a" Ipaddr.pp a)
  | Error `Too_long -> failed "too long");
  fun () -> Hashtbl.remove t.pings (identifier, sequence)
