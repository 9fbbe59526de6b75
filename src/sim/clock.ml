open Weir_base

type t = {
  scheduler : Scheduler.t;
  epoch : Time.t;
  mutable ppm : int;
  mutable world_base : Time.t;  (** when [ppm] was set *)
  mutable base : Time.t;  (** what was read then *)
  mutable skew : Time.t;
}

let create scheduler ~epoch =
  let now = Scheduler.now scheduler in
  { scheduler; epoch; ppm = 0; world_base = now; base = now; skew = 0 }

let million = 1_000_000

(* Seconds and the rest apart, lest the product be too large. *)
let gained t elapsed = (elapsed / million * t.ppm) + (elapsed mod million * t.ppm / million)

let read t world =
  let elapsed = world - t.world_base in
  t.base + elapsed + if t.ppm = 0 then 0 else gained t elapsed

let now t = read t (Scheduler.now t.scheduler)

let rec first_at_least t reading world =
  if read t world >= reading then world else first_at_least t reading (world + 1)

let to_world t reading =
  if reading = Time.never then Time.never
  else if t.ppm = 0 then reading - t.base + t.world_base
  else
    let wanted = reading - t.base in
    let rate = million + t.ppm in
    (* A little early, then by steps to the exact instant. *)
    let guess = (wanted / rate * million) + (wanted mod rate * million / rate) in
    first_at_least t reading (t.world_base + guess - 2)

let set_drift t ~ppm =
  if abs ppm > 500_000 then invalid_arg "drift: beyond 500,000 ppm";
  let world = Scheduler.now t.scheduler in
  t.base <- read t world;
  t.world_base <- world;
  t.ppm <- ppm

let set_skew t ns = t.skew <- ns
let sleep_until t reading = Scheduler.sleep_until t.scheduler (to_world t reading)

module Mono = struct
  type nonrec t = t
  type time = Mtime.t

  let now t = Mtime.of_uint64_ns (Int64.of_int (now t))

  (* What no int holds never comes. *)
  let sleep_until t time =
    let ns = Mtime.to_uint64_ns time in
    let far =
      Int64.compare ns 0L < 0 || Int64.compare ns (Int64.of_int (Time.s 1_000_000_000)) > 0
    in
    if far then Eio.Fiber.await_cancel () else sleep_until t (Int64.to_int ns)
end

module Wall = struct
  type nonrec t = t
  type time = float

  let zero t = t.epoch + t.skew
  let now t = Time.to_float_s (zero t + now t)

  (* A float does not hold nanoseconds since 1970: a fiber that sleeps until [time] must
     not read an earlier one when it wakes. *)
  let rec not_before t time ns =
    if Time.to_float_s (zero t + ns) >= time then ns else not_before t time (ns + 64)

  let sleep_until t time =
    if time > 9e9 then Eio.Fiber.await_cancel ()
    else if not (time > 0.) then Eio.Fiber.yield ()
    else sleep_until t (not_before t time (Time.of_float_s time - zero t))
end

let mono_handler = Eio.Time.Pi.clock (module Mono)
let wall_handler = Eio.Time.Pi.clock (module Wall)
let mono t : Eio.Time.Mono.ty Eio.Std.r = Eio.Resource.T (t, mono_handler)
let wall t : float Eio.Time.clock_ty Eio.Std.r = Eio.Resource.T (t, wall_handler)
