open Weir_base
module Descriptor = Weir_link_unix.Descriptor
module Pump = Weir_drive.Pump
module Configuration = Weir_drive.Configuration

type waiters = Waiters.t

type t = {
  pump : Pump.t;
  lock : Mutex.t;
  home : Domain.id;
  clock : Eio.Time.Mono.ty Eio.Std.r;
  mutable linger_ns : Time.t;
  frames : Waiters.t;  (** the receiving fiber of a link that notifies *)
  frames_came : bool Atomic.t;
  rearm : Waiters.t;  (** wakes the timer fiber: the deadline has changed *)
  rearmed : bool Atomic.t;
  flusher : Waiters.t;
  wake_flusher : unit -> unit;
  progress : Waiters.t;  (** a connection has ended; a step is over while the host ends *)
  configured : Waiters.t;  (** a lease has changed *)
  scratch : Bytes.t Lazy.t;
  mutable ending : bool;
  mutable allowance : int;  (** what is left of the quantum *)
  mutable spinner : int;  (** the receiver that spins, or -1 *)
}

let longest_datagram = 65_507

(* Forced under the lock only. *)
let scratch t = Lazy.force t.scratch
let read_clock clock = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock))
let now t = read_clock t.clock
let hosts t = Pump.hosts t.pump
let resolvers t = Pump.resolvers t.pump
let link_stats t = (Pump.link t.pump)#stats
let is_released t = Pump.is_released t.pump
let check_alive t call = if is_released t then raise (Errors.v ENETDOWN call "the host has ended")

(* -- the lock ------------------------------------------------------------ *)

let[@inline] lock t = Mutex.lock t.lock

(* The functions are called without the lock, because they may call back into the host. *)
let rec unlock t =
  let call = Pump.next_call t.pump in
  Mutex.unlock t.lock;
  if call != Pump.no_call then (
    call ();
    lock t;
    unlock t)

let unlock_and_raise t e =
  let bt = Printexc.get_raw_backtrace () in
  unlock t;
  Printexc.raise_with_backtrace e bt

let pump t f =
  lock t;
  match f t.pump with
  | v ->
      unlock t;
      v
  | exception e -> unlock_and_raise t e

let flush_locked t = Pump.flush t.pump ~now:(now t)

let close_locked t ~abort c =
  Pump.close_connection t.pump ~abort ~now:(now t) c;
  flush_locked t

let flush t =
  lock t;
  match flush_locked t with () -> unlock t | exception e -> unlock_and_raise t e

let with_stack t f =
  pump t (fun p ->
      let v = f (Pump.stack p) in
      flush_locked t;
      v)

let stack t = Pump.stack t.pump
let tcp t = Weir_core.Stack.tcp (stack t)
let counters t = Weir_core.Stack.counters (Pump.stack t.pump)
let config t = Weir_core.Stack.config (Pump.stack t.pump)
let usage t = pump t (fun p -> Weir_core.Stack.usage (Pump.stack p))
let set_resolvers t ?search servers = pump t (fun p -> Pump.set_resolvers p ?search servers)
let path_mtu t dst = pump t (fun p -> Weir_core.Stack.path_mtu (Pump.stack p) dst)

(* -- quantum --------------------------------------------------------------- *)

(* Calls return without yielding until they have used this many bytes; each call counts as 2 KiB.
   Then other fibers run. *)
let full_allowance = 262_144
let a_call = 2_048
let at_home t = Domain.self () = t.home

(* In another domain the host's fiber does not flush when this fiber waits. *)
let flush_abroad t = if (not (at_home t)) && Pump.flush_due t.pump then flush t

let enter t =
  if t.allowance > 0 then Eio.Fiber.check ()
  else (
    t.allowance <- full_allowance;
    flush_abroad t;
    Eio.Fiber.yield ());
  t.allowance <- t.allowance - a_call

let spend t bytes = t.allowance <- t.allowance - bytes

(* Bytes of strings are not copied, and count an eighth. *)
let spend_less t bytes = t.allowance <- t.allowance + (bytes - (bytes / 8))

(* The bytes that a fiber writes without waiting are sent together when it waits: the flushing fiber
   runs next. For a writer in another domain that fiber would run too early; there the writer
   flushes when it waits, or the timer does. *)
let backstop = Time.ms 1

let wrote t =
  if not (Pump.flush_due t.pump) then
    if at_home t then (
      Pump.wrote t.pump;
      Pump.call t.pump t.wake_flusher)
    else Pump.wrote t.pump ~by:(now t + backstop)

let await t w f =
  flush_abroad t;
  Waiters.await w f

let wakes w () = Waiters.broadcast w
let own_connection c w = Weir_core.Tcp.set_wake c (wakes w)
let own_listener l w = Weir_core.Tcp.set_listener_wake l (wakes w)
let own_datagrams s w = Weir_core.Udp_sockets.set_wake s (wakes w)
let sleep_until t at = Eio.Time.Mono.sleep_until t.clock (Mtime.of_uint64_ns (Int64.of_int at))
let sleep t ns = sleep_until t (now t + ns)

let await_source t address =
  let since = now t in
  let waits p = Configuration.must_settle (Pump.stack p) ~since ~now:(now t) address in
  while pump t waits do
    sleep t Configuration.settling_step
  done

(* -- the host's own fibers ----------------------------------------------- *)

let after_step t =
  t.allowance <- full_allowance;
  if t.ending then Waiters.broadcast t.progress

let rec await_flag condition flag =
  Waiters.await condition (fun () -> if Atomic.exchange flag false then Some () else None)

(* One receiver asks all links again; the others wait for theirs. *)
and may_spin t n =
  let spins = Pump.spins t.pump && (t.spinner = n || t.spinner < 0) in
  if spins then t.spinner <- n else if t.spinner = n then t.spinner <- -1;
  spins

and receiver t n =
  let more = pump t (fun p -> Pump.step p ~now:(now t)) in
  after_step t;
  (if more then Eio.Fiber.yield ()
   else
     match (Pump.links t.pump).(n)#readiness with
     | Descriptor.Fd _ when may_spin t n -> Eio.Fiber.yield ()
     | Descriptor.Fd fd -> Eio_unix.await_readable fd
     | _ -> await_flag t.frames t.frames_came);
  receiver t n

let rec timer t =
  Atomic.set t.rearmed false;
  let at =
    pump t (fun p ->
        Pump.run_due p ~now:(now t);
        Pump.sleep_until p)
  in
  after_step t;
  let rearmed () = await_flag t.rearm t.rearmed in
  if at = Time.never then rearmed ()
  else if at <= now t then Eio.Fiber.yield ()
  else Eio.Fiber.first (fun () -> sleep_until t at) rearmed;
  timer t

let flusher t =
  Waiters.await t.flusher (fun () ->
      t.allowance <- full_allowance;
      if Pump.flush_due t.pump then flush t;
      None)

let receivers t = List.init (Array.length (Pump.links t.pump)) (fun n () -> receiver t n)
let work t = Eio.Fiber.all ((fun () -> timer t) :: (fun () -> flusher t) :: receivers t)

let give_memory_back t =
  let memory = Weir_drive.Memory.create (Pump.stack t.pump) in
  let rec go () =
    sleep t Weir_drive.Memory.period;
    ignore (Weir_drive.Memory.look memory : bool);
    go ()
  in
  go ()

(* -- the end ------------------------------------------------------------- *)

let release t =
  pump t (fun p -> Pump.release p ~now:(now t));
  Waiters.broadcast t.configured

let all_sent t live () =
  pump t (fun p ->
      live := Pump.still_live !live;
      if (not (Pump.has_carrier p)) || (!live = [] && Pump.sent_all p ~now:(now t)) then Some ()
      else None)

let until_sent t ~timeout_ns live =
  let live = ref live in
  Eio.Fiber.first
    (fun () -> sleep t timeout_ns)
    (fun () -> Waiters.await t.progress (all_sent t live))

let close_all t = pump t (fun p -> Pump.close_all p ~now:(now t))

(* The switch has cancelled the host's fibers; here the remaining bytes are sent, within the time
   limit. *)
let linger t =
  if t.linger_ns > 0 && not (is_released t) then (
    t.ending <- true;
    let live = close_all t in
    Eio.Fiber.first (fun () -> work t) (fun () -> until_sent t ~timeout_ns:t.linger_ns live))

let live t =
  match work t with
  | () -> assert false (* it does not end *)
  | exception Eio.Cancel.Cancelled _ ->
      Eio.Cancel.protect (fun () -> Fun.protect ~finally:(fun () -> release t) (fun () -> linger t));
      `Stop_daemon

let shutdown ?(timeout_ns = Time.s 2) t =
  t.ending <- true;
  until_sent t ~timeout_ns (close_all t);
  t.linger_ns <- 0

let default_linger_ns = Time.s 5

let raise_flag condition flag () =
  Atomic.set flag true;
  Waiters.broadcast condition

(* A link that notifies wakes the receiver of the first link, which receives from all links. *)
let listen_to t (how : Descriptor.wait) ~wait =
  match how with Readable _ -> wait () | Told set -> set (raise_flag t.frames t.frames_came)

let how_to_wait = Descriptor.wait ~who:"Weir_eio.Host"

let attach t ~sw ~mac link =
  let link = (link :> Weir_link.Link.t) in
  let how = how_to_wait link in
  let i = pump t (fun p -> Pump.add_link p ~mac link) in
  listen_to t how ~wait:(fun () -> Eio.Fiber.fork_daemon ~sw (fun () -> receiver t i.number));
  raise_flag t.rearm t.rearmed ();
  i

let join t seat =
  pump t (fun p -> Pump.join p seat);
  let wake = raise_flag t.rearm t.rearmed in
  Weir_drive.Exchange.set_wake seat wake;
  wake ()

(* -- configuration --------------------------------------------------------- *)

let start_dhcp t i config =
  with_stack t (fun stack ->
      Configuration.start_dhcp stack ~now:(now t) ~wake:(wakes t.configured) i config);
  raise_flag t.rearm t.rearmed ()

let start_autoconf t i =
  with_stack t (fun stack ->
      Configuration.start_autoconf stack ~now:(now t) ~wake:(wakes t.configured) i);
  raise_flag t.rearm t.rearmed ()

let on_stack t f = pump t (fun p -> f (Pump.stack p))

(* What [f] finds in the stack, in the end. *)
let until_configured t f =
  Waiters.await t.configured (fun () ->
      check_alive t "configuration";
      on_stack t f)

let until_configured_within t ns f =
  Eio.Fiber.first
    (fun () -> Some (until_configured t f))
    (fun () ->
      sleep t ns;
      None)

let lease ?(interface = 0) t = on_stack t (fun stack -> Configuration.lease stack interface)

let lease_after ?(interface = 0) t old =
  until_configured t (fun stack -> Configuration.lease_after stack interface old)

let await_lease ?(interface = 0) ?(timeout_ns = Time.s 10) ?(link = "the link") t =
  let within ns = until_configured_within t ns (fun stack -> Configuration.lease stack interface) in
  let found =
    match within timeout_ns with
    | Some lease -> Some lease
    | None -> within (on_stack t (fun stack -> Configuration.time_to_check stack interface))
  in
  let why stack = Configuration.no_lease stack interface ~link ~after:timeout_ns in
  match found with Some lease -> Ok lease | None -> Error (on_stack t why)

let autoconf t = on_stack t Configuration.autoconf

let await_autoconf ?(timeout_ns = Time.s 10) ?(link = "the link") t =
  match until_configured_within t timeout_ns Configuration.complete_autoconf with
  | Some c -> Ok c
  | None -> Error (on_stack t (Configuration.no_autoconf ~link ~after:timeout_ns))

let create ~sw ~clock ?random ?(hosts = []) ?(resolvers = []) ?search
    ?(linger_ns = default_linger_ns) ?seat ?spin_ns ~link settings =
  let random = match random with Some r -> r | None -> Weir_drive.Identity.system_random () in
  let clock = (clock :> Eio.Time.Mono.ty Eio.Std.r) in
  let flag () = (Waiters.create (), Atomic.make false) in
  let rearm, rearmed = flag () and frames, frames_came = flag () in
  let link = (link :> Weir_link.Link.t) in
  let how = how_to_wait link in
  let pump =
    Pump.create ?spin_ns ~random ~hosts ~now:(read_clock clock) ~rearm:(raise_flag rearm rearmed)
      link settings
  in
  Pump.set_resolvers pump ?search resolvers;
  let flusher = Waiters.create () and progress = Waiters.create () in
  let t =
    {
      pump;
      lock = Mutex.create ();
      home = Domain.self ();
      clock;
      linger_ns;
      frames;
      frames_came;
      rearm;
      rearmed;
      flusher;
      wake_flusher = wakes flusher;
      progress;
      configured = Waiters.create ();
      scratch = lazy (Bytes.create longest_datagram);
      ending = false;
      allowance = full_allowance;
      spinner = -1;
    }
  in
  Pump.on_ended pump (wakes progress);
  listen_to t how ~wait:ignore;
  Eio.Switch.on_release sw (fun () -> release t);
  Option.iter (join t) seat;
  Eio.Fiber.fork_daemon ~sw (fun () -> live t);
  t
