open Weir_base
module Pump = Weir_drive.Pump

type waiters = unit Lwt_condition.t

type t = {
  owner : Owner.t;
  pump : Pump.t;
  clock : Clock.t;
  mutable step_due : bool;  (** a step is about to start *)
  mutable spinning : bool;
  mutable in_step : bool;
      (** a step is running; it ends with a flush, because woken threads may write *)
  mutable flush_soon : bool;  (** a flush is about to start *)
  mutable allowance : int;  (** the rest of the quantum *)
  mutable closing : unit Lwt.t option;
  mutable was_shut_down : bool;
  mutable leaving : bool;  (** every step wakes [progress] *)
  mutable forget_exit : unit -> unit;
  mutable stop_timer : unit -> unit;
  mutable stop_link : unit -> unit;
  progress : waiters;  (** a connection has ended; a step is over while the host ends *)
  configured : waiters;  (** a lease has changed *)
  at_close : (int, waiters) Hashtbl.t;
  mutable next_key : int;
}

let check t = Owner.check t.owner

let pump t =
  check t;
  t.pump

let stack t = Pump.stack (pump t)
let usage t = Weir_core.Stack.usage (stack t)
let path_mtu t dst = Weir_core.Stack.path_mtu (stack t) dst
let link_stats t = (Pump.link t.pump)#stats
let hosts t = Pump.hosts t.pump
let set_resolvers t ?search servers = Pump.set_resolvers (pump t) ?search servers
let resolvers t = Pump.resolvers t.pump
let clock t = t.clock
let now t = t.clock.now ()

let sleep t ns =
  check t;
  Clock.sleep t.clock ns

(* The test of an address for duplicates (RFC 4862 §5.4) takes a second; the wait ends after three.
   *)
let settling_step = Weir_base.Time.ms 50
let most_settling = Weir_base.Time.s 3

let await_source t address =
  let began = now t in
  let rec wait () =
    let stack = stack t in
    if
      Weir_core.Stack.is_settling stack
      && (not (Weir_core.Stack.has_source stack address))
      && now t - began < most_settling
    then Lwt.bind (sleep t settling_step) wait
    else Lwt.return_unit
  in
  wait ()

let wake w = Lwt_condition.broadcast w ()
let own_connection c w = Weir_core.Tcp.set_wake c (fun () -> wake w)
let own_listener l w = Weir_core.Tcp.set_listener_wake l (fun () -> wake w)
let own_datagrams s w = Weir_core.Udp_sockets.set_wake s (fun () -> wake w)
let is_closed t = Pump.is_released t.pump

let until_closed t w =
  let key = t.next_key in
  t.next_key <- key + 1;
  Hashtbl.replace t.at_close key w;
  fun () -> Hashtbl.remove t.at_close key

let rec await w f =
  match f () with
  | Some x -> Lwt.return x
  | None -> Lwt.bind (Lwt_condition.wait w) (fun () -> await w f)

(* -- steps --------------------------------------------------------------- *)

(* Calls return without yielding until they have used this many bytes; each call counts as 2 KiB.
   Then other threads run. *)
let full_allowance = 262_144
let a_call = 2_048

(* A woken thread runs at once and may write: its bytes are sent here too. *)
let in_step t f =
  check t;
  let within = t.in_step in
  t.in_step <- true;
  t.allowance <- full_allowance;
  let more = f ~now:(now t) in
  Pump.tell t.pump;
  t.in_step <- within;
  if Pump.flush_due t.pump then Pump.flush t.pump ~now:(now t);
  Pump.tell t.pump;
  if t.leaving then wake t.progress;
  more

let flush t = in_step t (fun ~now -> Pump.flush t.pump ~now)
let close_connection t ~abort c = in_step t (fun ~now -> Pump.close_connection t.pump ~abort ~now c)

(* Bytes written without waiting in between are sent together. *)
let wrote t =
  Pump.wrote t.pump;
  if not (t.in_step || t.flush_soon) then (
    t.flush_soon <- true;
    Lwt.on_success (Lwt.pause ()) (fun () ->
        t.flush_soon <- false;
        if Pump.flush_due t.pump then flush t))

let spend t bytes = t.allowance <- t.allowance - bytes

let enter t f =
  t.allowance <- t.allowance - a_call;
  if t.allowance > 0 then f ()
  else (
    t.allowance <- full_allowance;
    Lwt.bind (Lwt.pause ()) f)

let step t = in_step t (fun ~now -> Pump.step t.pump ~now)

(* The main loop runs the step: other threads run first, and a notification from another host's step
   does not nest this host's step in it. *)
let rec schedule t =
  check t;
  if not t.step_due then (
    t.step_due <- true;
    Lwt.on_success (Lwt.pause ()) (fun () ->
        t.step_due <- false;
        if step t then schedule t))

(* There is one timer. An earlier deadline replaces it; a later one is seen when the timer fires. *)
let rec arm t =
  t.stop_timer ();
  let at = Pump.sleep_until t.pump and now = now t in
  t.stop_timer <-
    (if at = Time.never then ignore
     else
       t.clock.after
         (* [at] may be [min_int], for a deadline that has passed. *)
         (if at <= now then 0 else at - now)
         (fun () ->
           in_step t (fun ~now -> Pump.run_due t.pump ~now);
           arm t))

(* A descriptor stays ready while frames wait, so each round of the engine takes
   one batch. *)
let how_to_wait = Weir_link_unix.Descriptor.wait ~who:"Weir_lwt.Host"

(* Other threads run between the steps, and the engine looks at all descriptors. *)
let rec spin t =
  let more = step t in
  t.spinning <- more || Pump.spins t.pump;
  if t.spinning then Lwt.on_success (Lwt.pause ()) (fun () -> spin t)

let watch t (how : Weir_link_unix.Descriptor.wait) =
  let on_stop stop =
    let before = t.stop_link in
    t.stop_link <-
      (fun () ->
        before ();
        stop ())
  in
  match how with
  | Told set ->
      (* The other end of a memory link may belong to another domain. *)
      let notice = Lwt_unix.make_notification (fun () -> schedule t) in
      on_stop (fun () -> Lwt_unix.stop_notification notice);
      set (fun () ->
          if Owner.is_here t.owner then schedule t else Lwt_unix.send_notification notice)
  | Readable fd ->
      let event = Lwt_engine.on_readable fd (fun _ -> if not t.spinning then spin t) in
      on_stop (fun () -> Lwt_engine.stop_event event)

let attach t ~mac link =
  check t;
  let link = (link :> Weir_link.Link.t) in
  let how = how_to_wait link in
  let i = Pump.add_link t.pump ~mac link in
  watch t how;
  arm t;
  i

let give_memory_back t =
  check t;
  let memory = Weir_drive.Memory.create (Pump.stack t.pump) in
  let rec go () =
    Lwt.bind (Clock.sleep t.clock Weir_drive.Memory.period) (fun () ->
        ignore (Weir_drive.Memory.look memory : bool);
        go ())
  in
  go ()

(* -- the end ------------------------------------------------------------- *)

let until_sent t ~timeout_ns live =
  let live = ref live in
  t.leaving <- true;
  let all_sent () =
    live := Pump.still_live !live;
    if (not (Pump.has_carrier t.pump)) || (!live = [] && Pump.sent_all t.pump ~now:(now t)) then
      Some ()
    else None
  in
  Lwt.pick [ sleep t timeout_ns; await t.progress all_sent ]

let close_all t = in_step t (fun ~now -> Pump.close_all t.pump ~now)

let shutdown ?(timeout_ns = Time.s 2) t =
  Lwt.map (fun () -> t.was_shut_down <- true) (until_sent t ~timeout_ns (close_all t))

let release t =
  if not (is_closed t) then (
    t.forget_exit ();
    t.stop_link ();
    Pump.release t.pump ~now:(now t);
    t.stop_timer ();
    t.stop_timer <- ignore;
    Hashtbl.fold (fun _ w all -> w :: all) t.at_close [] |> List.iter wake;
    Pump.tell t.pump)

(* -- DHCP ---------------------------------------------------------------- *)

module Client = Weir_core.Dhcp_client

let dhcp_of t interface =
  let stack = stack t in
  match Weir_core.Stack.dhcp stack (Weir_core.Stack.interface stack interface) with
  | Some d -> d
  | None -> invalid_arg "Weir_lwt: DHCP was not started on this interface"

let start_dhcp t (i : Weir_core.Interface.t) config =
  in_step t (fun ~now ->
      let d = Weir_core.Stack.start_dhcp (Pump.stack t.pump) ~now i config in
      Weir_core.Dhcp.set_wake d (fun () -> wake t.configured);
      Pump.flush t.pump ~now);
  arm t

let lease ?(interface = 0) t = Weir_core.Dhcp.lease (dhcp_of t interface)

(* [None] when the host has ended. *)
let await_change t f =
  let forget = until_closed t t.configured in
  Lwt.finalize
    (fun () -> await t.configured (fun () -> if is_closed t then Some None else f ()))
    (fun () ->
      forget ();
      Lwt.return_unit)

let lease_after ?(interface = 0) t old =
  await_change t (fun () ->
      let now = lease ~interface t in
      if Weir_core.Dhcp_lease.is_current old now then None else Some now)

let await_lease ?(interface = 0) ?(timeout_ns = Time.s 10) ?(link = "the link") t =
  let client = Weir_core.Dhcp.client (dhcp_of t interface) in
  let within ns =
    Lwt.pick
      [
        Lwt.map (fun () -> None) (sleep t ns);
        await_change t (fun () -> Option.map Option.some (lease ~interface t));
      ]
  in
  let found l =
    match l with
    | Some l -> Lwt.return (Ok l)
    | None -> Lwt.return (Error (Client.explain client ~link ~after:timeout_ns))
  in
  Lwt.bind (within timeout_ns) (function
    | None when Client.time_to_check client > 0 ->
        Lwt.bind (within (Client.time_to_check client)) found
    | l -> found l)

let start_autoconf t (i : Weir_core.Interface.t) =
  in_step t (fun ~now ->
      let a = Weir_core.Stack.start_autoconf (Pump.stack t.pump) ~now i in
      Weir_core.Autoconf.set_wake a (fun () -> wake t.configured);
      Pump.flush t.pump ~now);
  arm t

let autoconf t = Option.map Weir_core.Autoconf.configuration (Weir_core.Stack.autoconf (stack t))

let await_autoconf ?(timeout_ns = Time.s 10) ?(link = "the link") t =
  let there () = Option.map Option.some (Weir_core.Autoconf.is_complete (autoconf t)) in
  let found = Lwt.pick [ Lwt.map (fun () -> None) (sleep t timeout_ns); await_change t there ] in
  Lwt.map
    (function
      | Some c -> Ok c
      | None ->
          let a = Weir_core.Stack.autoconf (stack t) in
          Error (Weir_core.Autoconf.explain a ~link ~after:timeout_ns))
    found

let default_linger_ns = Time.s 5

let close ?(linger_ns = default_linger_ns) t =
  check t;
  let linger_ns = if t.was_shut_down then 0 else linger_ns in
  match t.closing with
  | Some closing when linger_ns > 0 -> closing
  | _ when linger_ns <= 0 || is_closed t ->
      release t;
      Lwt.return_unit
  | _ ->
      let closing, closed = Lwt.wait () in
      t.closing <- Some closing;
      Lwt.on_any
        (until_sent t ~timeout_ns:linger_ns (close_all t))
        (fun () ->
          release t;
          Lwt.wakeup_later closed ())
        (fun _ ->
          release t;
          Lwt.wakeup_later closed ());
      closing

(* A program that exits without closing its hosts still sends the written bytes. *)
let close_at_exit t =
  let node = Lwt_main.Exit_hooks.add_first (fun () -> close t) in
  t.forget_exit <- (fun () -> Lwt_main.Exit_hooks.remove node)

let create ?(clock = Clock.system) ?random ?(hosts = []) ?(resolvers = []) ?search ?spin_ns ~link
    settings =
  let random = match random with Some r -> r | None -> Weir_drive.Identity.system_random () in
  let rearm = ref ignore in
  let link = (link :> Weir_link.Link.t) in
  let how = how_to_wait link in
  let pump =
    Pump.create ?spin_ns ~random ~hosts ~now:(clock.now ())
      ~rearm:(fun () -> !rearm ())
      link settings
  in
  Pump.set_resolvers pump ?search resolvers;
  let progress = Lwt_condition.create () in
  let t =
    {
      owner = Owner.here ();
      pump;
      clock;
      step_due = false;
      spinning = false;
      in_step = false;
      flush_soon = false;
      allowance = full_allowance;
      closing = None;
      was_shut_down = false;
      leaving = false;
      forget_exit = ignore;
      stop_timer = ignore;
      stop_link = ignore;
      progress;
      configured = Lwt_condition.create ();
      at_close = Hashtbl.create 8;
      next_key = 0;
    }
  in
  (rearm := fun () -> arm t);
  Pump.on_ended pump (fun () -> wake progress);
  watch t how;
  arm t;
  if clock == Clock.system then close_at_exit t;
  t
