open Weir_base
module Pump = Weir_drive.Pump

type waiters = unit Lwt_condition.t

type t = {
  owner : Owner.t;
  pump : Pump.t;
  clock : Clock.t;
  mutable turn_due : bool;  (** a turn is about to start *)
  mutable stop_timer : unit -> unit;
  mutable stop_link : unit -> unit;
  ended : waiters;  (** some connection has ended *)
  at_close : (int, waiters) Hashtbl.t;
  mutable next_key : int;
}

let check t = Owner.check t.owner

let pump t =
  check t;
  t.pump

let stack t = Pump.stack (pump t)
let link_stats t = (Pump.link t.pump)#stats
let hosts t = Pump.hosts t.pump
let clock t = t.clock
let now t = t.clock.now ()

let flush t =
  check t;
  Pump.flush t.pump ~now:(now t)

let sleep t ns =
  check t;
  Clock.sleep t.clock ns

let wake w = Lwt_condition.broadcast w ()
let own_connection c w = Pump.own_connection c (fun () -> wake w)
let own_listener l w = Pump.own_listener l (fun () -> wake w)
let own_datagrams s w = Pump.own_datagrams s (fun () -> wake w)
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

let turn t =
  check t;
  Pump.turn t.pump ~now:(now t)

(* By way of the main loop: others have their turn first, and a notice that
   comes from inside another host's turn does not nest this one's in it. *)
let rec schedule t =
  check t;
  if not t.turn_due then (
    t.turn_due <- true;
    Lwt.on_success (Lwt.pause ()) (fun () ->
        t.turn_due <- false;
        if turn t then schedule t))

(* One timer; a deadline that moves later is found out when it fires, one that
   moves earlier replaces it. *)
let rec arm t =
  t.stop_timer ();
  let at = Pump.sleep_until t.pump in
  t.stop_timer <-
    (if at = Time.never then ignore
     else
       t.clock.after
         (at - now t)
         (fun () ->
           check t;
           Pump.run_due t.pump ~now:(now t);
           arm t))

(* A descriptor stays ready while frames wait, so each round of the engine takes
   one batch. *)
let watch t =
  match (Pump.link t.pump)#readiness with
  | Notify set -> set (fun () -> schedule t)
  | Fd fd ->
      let event = Lwt_engine.on_readable fd (fun _ -> ignore (turn t : bool)) in
      t.stop_link <- (fun () -> Lwt_engine.stop_event event)

let create ?(clock = Clock.system) ?random ?(hosts = []) ~link settings =
  let random = match random with Some r -> r | None -> Weir_drive.Identity.system_random () in
  let rearm = ref ignore in
  let pump =
    Pump.create ~random ~hosts ~now:(clock.now ())
      ~rearm:(fun () -> !rearm ())
      (link :> Weir_link.Link.t)
      settings
  in
  let ended = Lwt_condition.create () in
  let t =
    {
      owner = Owner.here ();
      pump;
      clock;
      turn_due = false;
      stop_timer = ignore;
      stop_link = ignore;
      ended;
      at_close = Hashtbl.create 8;
      next_key = 0;
    }
  in
  (rearm := fun () -> arm t);
  Pump.on_ended pump (fun () -> wake ended);
  watch t;
  arm t;
  t

let shutdown ?(timeout_ns = Time.s 2) t =
  check t;
  let live = Pump.close_all t.pump ~now:(now t) in
  Lwt.pick
    [
      sleep t timeout_ns;
      await t.ended (fun () -> if List.for_all Pump.finished live then Some () else None);
    ]

let close t =
  check t;
  if not (is_closed t) then (
    t.stop_link ();
    Pump.release t.pump ~now:(now t);
    t.stop_timer ();
    t.stop_timer <- ignore;
    Hashtbl.fold (fun _ w all -> w :: all) t.at_close [] |> List.iter wake);
  Lwt.return_unit
