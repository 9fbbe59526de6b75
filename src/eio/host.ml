open Weir_base
open Weir_core
open Weir_link

type waiters = Eio.Condition.t
type Tcb.owner += Waiters of waiters
type Udp_sockets.owner += Udp_waiters of waiters

type t = {
  stack : Stack.t;
  link : Link.t;
  frames : Frame.pool;
  clock : Eio.Time.Mono.ty Eio.Std.r;
  hosts : (string * Ipaddr.t) list;
  wake : Eio.Condition.t;  (** the receiving fiber of a link that notifies *)
  mutable woken : bool;
  rearm : Eio.Condition.t;  (** the timer fiber must look at the deadline again *)
  mutable sleeping_until : Time.t;
  pings : (int * int, Stack.pong -> unit) Hashtbl.t;  (** by identifier and sequence *)
  mutable next_ping : int;
  ended : Eio.Condition.t;  (** some connection has ended *)
  mutable closed : bool;
}

let stack t = t.stack
let link_stats t = t.link#stats
let hosts t = t.hosts
let now t = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now t.clock))
let await = Eio.Condition.loop_no_mutex
let sleep t ns = Eio.Time.Mono.sleep_until t.clock (Mtime.of_uint64_ns (Int64.of_int (now t + ns)))

let register_ping t ~sequence f =
  t.next_ping <- (t.next_ping + 1) land 0xffff;
  Hashtbl.replace t.pings (t.next_ping, sequence) f;
  t.next_ping

let forget_ping t ~identifier ~sequence = Hashtbl.remove t.pings (identifier, sequence)

let finished (c : Tcp.connection) = match c.state with Closed | Time_wait -> true | _ -> false

let dispatch t (event : Stack.event) =
  match event with
  | Nothing -> ()
  | Connection c ->
      if finished c then Eio.Condition.broadcast t.ended;
      (match c.owner with Waiters w -> Eio.Condition.broadcast w | _ -> ())
  | Listener { l_owner = Waiters w; _ } -> Eio.Condition.broadcast w
  | Datagram s -> (
      match Udp_sockets.owner s with Udp_waiters w -> Eio.Condition.broadcast w | _ -> ())
  | Pong p -> Option.iter (fun f -> f p) (Hashtbl.find_opt t.pings (p.identifier, p.sequence))
  | Listener _ -> ()

let rec events t =
  match Stack.event t.stack with
  | Nothing -> ()
  | e ->
      dispatch t e;
      events t

let rec send_all t ~now sent =
  let f = Frame.alloc t.frames in
  let n = Stack.transmit t.stack ~now f.data in
  if n = 0 then (
    Frame.release f;
    sent)
  else (
    f.len <- n;
    t.link#send ~now f;
    send_all t ~now true)

let deadline t = Int.min (Stack.deadline t.stack) t.link#deadline

(* Sends, tells, and sees that the timer fiber sleeps no longer than it may. *)
let flush_at t ~now =
  if not t.closed then (
    if send_all t ~now false then t.link#flush;
    events t;
    if deadline t < t.sleeping_until then (
      t.sleeping_until <- Time.never;
      Eio.Condition.broadcast t.rearm))

let flush t = flush_at t ~now:(now t)

(* Frames taken in before the application and the link get a turn. *)
let batch = 128

let rec receive t ~now budget =
  if budget = 0 then true
  else
    let f = t.link#receive ~now in
    if f == Frame.none then false
    else (
      Stack.input t.stack ~now ~verified:f.checksums_verified f.data ~off:f.off ~len:f.len;
      Frame.release f;
      receive t ~now (budget - 1))

let turn t =
  let now = now t in
  let more = receive t ~now batch in
  Stack.tick t.stack ~now;
  flush_at t ~now;
  more

let wait_for_frames t =
  match t.link#readiness with
  | Fd fd -> Eio_unix.await_readable fd
  | Notify _ ->
      Eio.Condition.loop_no_mutex t.wake (fun () ->
          if t.woken then (
            t.woken <- false;
            Some ())
          else None)

let rec receiver t =
  if turn t then Eio.Fiber.yield () else wait_for_frames t;
  receiver t

(* Sleeps to the deadline; a deadline that moves later is found out on waking,
   one that moves earlier interrupts. *)
let rec timer t =
  let at = deadline t in
  if at = Time.never then (
    t.sleeping_until <- Time.never;
    Eio.Condition.loop_no_mutex t.rearm (fun () ->
        if deadline t < Time.never then Some () else None))
  else if at > now t then (
    t.sleeping_until <- at;
    Eio.Fiber.first
      (fun () -> Eio.Time.Mono.sleep_until t.clock (Mtime.of_uint64_ns (Int64.of_int at)))
      (fun () ->
        Eio.Condition.loop_no_mutex t.rearm (fun () ->
            if t.sleeping_until = Time.never then Some () else None)))
  else ignore (turn t);
  timer t

(* The peer has acknowledged all and our end: a reset could only take from its
   application what that has not read yet. *)
let told (c : Tcp.connection) = c.orphan && c.state = Fin_wait_2

let release t =
  if not t.closed then (
    let live = ref [] in
    Tcp.iter (fun c -> if not (told c) then live := c :: !live) (Stack.tcp t.stack);
    List.iter (Tcp.abort (Stack.tcp t.stack)) !live;
    flush t;
    t.closed <- true;
    t.link#close)

let system_random () =
  let seed = In_channel.with_open_bin "/dev/urandom" (fun ic -> really_input_string ic 64) in
  Random.State.make (Array.init 8 (fun i -> Int64.to_int (String.get_int64_le seed (8 * i))))

let create ~sw ~clock ?random ?(hosts = []) ~link settings =
  let random = match random with Some r -> r | None -> system_random () in
  let clock = (clock :> Eio.Time.Mono.ty Eio.Std.r) in
  let now = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock)) in
  let t =
    {
      stack = Stack.create settings ~random ~now;
      link = (link :> Link.t);
      frames = Frame.pool ~size:(settings.mtu + 14) ();
      clock;
      hosts;
      wake = Eio.Condition.create ();
      woken = false;
      rearm = Eio.Condition.create ();
      sleeping_until = Time.never;
      pings = Hashtbl.create 8;
      next_ping = Random.State.int random 65_536;
      ended = Eio.Condition.create ();
      closed = false;
    }
  in
  (match t.link#readiness with
  | Fd _ -> ()
  | Notify set ->
      set (fun () ->
          t.woken <- true;
          Eio.Condition.broadcast t.wake));
  Eio.Switch.on_release sw (fun () -> release t);
  Eio.Fiber.fork_daemon ~sw (fun () -> receiver t);
  Eio.Fiber.fork_daemon ~sw (fun () -> timer t);
  t

let shutdown ?(timeout_ns = Time.s 2) t =
  let tcp = Stack.tcp t.stack in
  let live = ref [] in
  Tcp.iter (fun c -> if not (finished c) then live := c :: !live) tcp;
  List.iter
    (fun (c : Tcp.connection) ->
      c.want_closed <- true;
      Tcp.close tcp c)
    !live;
  flush t;
  let until = Mtime.of_uint64_ns (Int64.of_int (now t + timeout_ns)) in
  Eio.Fiber.first
    (fun () -> Eio.Time.Mono.sleep_until t.clock until)
    (fun () -> await t.ended (fun () -> if List.for_all finished !live then Some () else None))
