open Weir_base

(* Floats only, so that the record holds them unboxed; windows in segments,
   times in seconds, under the names of RFC 9438 §4.1. *)
type t = {
  mutable w_max : float;
  mutable k : float;
  mutable epoch_start : float;  (** below 0 if none since the last reduction *)
  mutable w_est : float;
  mutable cwnd_prior : float;
  mutable seen_at : float;
  mutable fraction : float;  (** the fraction of a byte not yet added to the window *)
  mutable kept_w_max : float;
  mutable kept_k : float;
  mutable kept_epoch : float;
  mutable kept_w_est : float;
}

let beta = 0.7
let c = 0.4
let alpha = 3. *. (1. -. beta) /. (1. +. beta)
let seconds (at : Time.t) = float_of_int at *. 1e-9

let create () =
  {
    w_max = 0.;
    k = 0.;
    epoch_start = -1.;
    w_est = 0.;
    cwnd_prior = 0.;
    seen_at = 0.;
    fraction = 0.;
    kept_w_max = 0.;
    kept_k = 0.;
    kept_epoch = -1.;
    kept_w_est = 0.;
  }

let remember t =
  t.kept_w_max <- t.w_max;
  t.kept_k <- t.k;
  t.kept_epoch <- t.epoch_start;
  t.kept_w_est <- t.w_est

let undo t =
  t.w_max <- t.kept_w_max;
  t.k <- t.kept_k;
  t.epoch_start <- t.kept_epoch;
  t.w_est <- t.kept_w_est

(* §4.6, and fast convergence (§4.7). *)
let reduce t ~flight ~cwnd ~mss =
  let w = float_of_int cwnd /. float_of_int mss in
  t.w_max <- (if w < t.w_max then w *. (1. +. beta) /. 2. else w);
  t.cwnd_prior <- w;
  t.epoch_start <- -1.;
  t.fraction <- 0.;
  int_of_float (beta *. float_of_int flight)

(* §4.8: after a timeout there is no plateau. *)
let on_timeout t =
  t.w_max <- 0.;
  t.epoch_start <- -1.

let begin_epoch t ~now ~w =
  t.epoch_start <- now;
  t.w_est <- w;
  if w < t.w_max then t.k <- Float.cbrt ((t.w_max -. w) /. c)
  else (
    t.k <- 0.;
    t.w_max <- w)

(* §4.2: the cubic window one round trip ahead, at most 1.5 times cwnd. *)
let[@inline] curve t at =
  let d = at -. t.k in
  (c *. d *. d *. d) +. t.w_max

let increase t ~now ~rtt ~cwnd ~mss ~acked =
  let now = seconds now and size = float_of_int mss in
  let w = float_of_int cwnd /. size and segments = float_of_int acked /. size in
  if t.epoch_start < 0. then begin_epoch t ~now ~w;
  t.seen_at <- now;
  let at = now -. t.epoch_start in
  (* §4.3: at least Reno's window. *)
  let a = if t.w_est >= t.cwnd_prior then 1. else alpha in
  t.w_est <- t.w_est +. (a *. segments /. w);
  let w' =
    if curve t at < t.w_est then Float.max w t.w_est
    else
      let target = curve t (at +. seconds (Int.max 0 rtt)) in
      let target = Float.min (1.5 *. w) (Float.max w target) in
      w +. ((target -. w) /. w *. segments)
  in
  let more = ((w' -. w) *. size) +. t.fraction in
  let bytes = int_of_float more in
  t.fraction <- more -. float_of_int bytes;
  cwnd + bytes

(* §5.8: time in which the window did not limit the flow does not count. *)
let on_unused t ~now =
  let now = seconds now in
  if t.epoch_start >= 0. then t.epoch_start <- t.epoch_start +. (now -. t.seen_at);
  t.seen_at <- now

(* -- as an algorithm ------------------------------------------------------ *)

(* A separate record: with other fields in it, the record of floats would box them. *)
type flow = { cubic : t; hystart : Hystart.t }

let on_ack f c (a : Congestion.ack) =
  let cwnd = Congestion.window c in
  if not a.limited then on_unused f.cubic ~now:a.now
  else if cwnd < Congestion.ssthresh c then Hystart.grow f.hystart c a
  else
    Congestion.set_window c
      (increase f.cubic ~now:a.now ~rtt:a.srtt ~cwnd ~mss:(Congestion.mss c) ~acked:a.acked)

let on_event f _ (event : Congestion.event) =
  match event with
  | Loss_episode -> remember f.cubic
  | Timed_out -> on_timeout f.cubic
  | Undone -> undo f.cubic
  | Marked | Recovered | Idle | Restart -> ()

let algorithm =
  Congestion.Algorithm
    {
      name = "cubic";
      rate_samples = false;
      own_recovery = false;
      initial_window = Congestion.standard_initial_window;
      start = (fun _ -> { cubic = create (); hystart = Hystart.create () });
      on_ack;
      on_lost = (fun _ _ -> ());
      threshold =
        (fun f c ~flight ~window -> reduce f.cubic ~flight ~cwnd:window ~mss:(Congestion.mss c));
      on_event;
      pacing_rate = (fun _ -> Congestion.window_rate);
    }
