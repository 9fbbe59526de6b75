open Weir_base
open Weir_link

type t = {
  scheduler : Scheduler.t;
  lane : Lane.t;
  out : Frame.t -> unit;
  mutable alarm : Scheduler.timer option;
  mutable alarm_at : Time.t;
}

let create scheduler ~seed impairment out =
  let lane = Lane.create ~seed impairment in
  { scheduler; lane; out; alarm = None; alarm_at = Time.never }

let counters t = Lane.counters t.lane
let backlog t = Lane.backlog t.lane ~now:(Scheduler.now t.scheduler)
let set t impairment = Lane.set t.lane impairment

let rec deliver t =
  let frame = Lane.next t.lane ~now:(Scheduler.now t.scheduler) in
  if frame == Frame.none then set_alarm t
  else (
    t.out frame;
    deliver t)

and set_alarm t =
  let due = Lane.deadline t.lane in
  if due <> t.alarm_at then (
    Option.iter (Scheduler.cancel t.scheduler) t.alarm;
    t.alarm_at <- due;
    t.alarm <-
      (if due = Time.never then None
       else
         Some
           (Scheduler.at t.scheduler due (fun () ->
                t.alarm <- None;
                t.alarm_at <- Time.never;
                deliver t))))

let send t frame =
  let fate = Lane.enter t.lane ~now:(Scheduler.now t.scheduler) frame in
  deliver t;
  fate

let set_up t up =
  Lane.set_up t.lane up;
  set_alarm t
