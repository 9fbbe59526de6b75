module Pump = Weir_drive.Pump

type waiters = Eio.Condition.t

type t = {
  pump : Pump.t;
  clock : Eio.Time.Mono.ty Eio.Std.r;
  wake : Eio.Condition.t;  (** the receiving fiber of a link that notifies *)
  mutable woken : bool;
  rearm : Eio.Condition.t;  (** the timer fiber must ask again *)
  rearmed : bool ref;
  ended : Eio.Condition.t;  (** some connection has ended *)
}

let pump t = t.pump
let stack t = Pump.stack t.pump
let link_stats t = (Pump.link t.pump)#stats
let hosts t = Pump.hosts t.pump
let read_clock clock = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock))
let now t = read_clock t.clock
let flush t = Pump.flush t.pump ~now:(now t)
let await = Eio.Condition.loop_no_mutex
let wakes w () = Eio.Condition.broadcast w
let own_connection c w = Pump.own_connection c (wakes w)
let own_listener l w = Pump.own_listener l (wakes w)
let own_datagrams s w = Pump.own_datagrams s (wakes w)
let sleep_until t at = Eio.Time.Mono.sleep_until t.clock (Mtime.of_uint64_ns (Int64.of_int at))
let sleep t ns = sleep_until t (now t + ns)

let wait_for_frames t =
  match (Pump.link t.pump)#readiness with
  | Fd fd -> Eio_unix.await_readable fd
  | Notify _ ->
      await t.wake (fun () ->
          if t.woken then (
            t.woken <- false;
            Some ())
          else None)

let rec receiver t =
  if Pump.turn t.pump ~now:(now t) then Eio.Fiber.yield () else wait_for_frames t;
  receiver t

let await_rearm t = await t.rearm (fun () -> if !(t.rearmed) then Some () else None)

let rec timer t =
  t.rearmed := false;
  Pump.run_due t.pump ~now:(now t);
  let at = Pump.sleep_until t.pump in
  if at = Weir_base.Time.never then await_rearm t
  else if at <= now t then Eio.Fiber.yield ()
  else Eio.Fiber.first (fun () -> sleep_until t at) (fun () -> await_rearm t);
  timer t

let create ~sw ~clock ?random ?(hosts = []) ~link settings =
  let random = match random with Some r -> r | None -> Weir_drive.Identity.system_random () in
  let clock = (clock :> Eio.Time.Mono.ty Eio.Std.r) in
  let rearm = Eio.Condition.create () and rearmed = ref false in
  let pump =
    Pump.create ~random ~hosts ~now:(read_clock clock)
      ~rearm:(fun () ->
        rearmed := true;
        Eio.Condition.broadcast rearm)
      (link :> Weir_link.Link.t)
      settings
  in
  let t =
    {
      pump;
      clock;
      wake = Eio.Condition.create ();
      woken = false;
      rearm;
      rearmed;
      ended = Eio.Condition.create ();
    }
  in
  Pump.on_ended pump (wakes t.ended);
  (match (Pump.link pump)#readiness with
  | Fd _ -> ()
  | Notify set ->
      set (fun () ->
          t.woken <- true;
          Eio.Condition.broadcast t.wake));
  Eio.Switch.on_release sw (fun () -> Pump.release pump ~now:(now t));
  Eio.Fiber.fork_daemon ~sw (fun () -> receiver t);
  Eio.Fiber.fork_daemon ~sw (fun () -> timer t);
  t

let shutdown ?(timeout_ns = Weir_base.Time.s 2) t =
  let live = Pump.close_all t.pump ~now:(now t) in
  Eio.Fiber.first
    (fun () -> sleep t timeout_ns)
    (fun () -> await t.ended (fun () -> if List.for_all Pump.finished live then Some () else None))
