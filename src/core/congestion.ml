open Weir_base

type ack = {
  mutable now : Time.t;
  mutable acked : int;
  mutable in_flight : int;
  mutable limited : bool;
  mutable rtt : int;
  mutable srtt : int;
  mutable snd_una : Seq.t;
  mutable snd_nxt : Seq.t;
  mutable sack : bool;
  mutable rate : Delivery_rate.t;
}

type event = Loss_episode | Marked | Timed_out | Recovered | Undone | Idle | Restart

type t = {
  mutable instance : instance;
  mutable own : bool;
  mutable mss : int;
  mutable cwnd : int;
  mutable ssthresh : int;
  mutable used_upto : Seq.t;
  mutable prior_cwnd : int;
  mutable prior_ssthresh : int;
  mutable flight : int;
  mutable random : int;
  ack : ack;
}

and 's behaviour = {
  name : string;
  rate_samples : bool;
  own_recovery : bool;
  initial_window : mss:int -> int;
  start : t -> 's;
  on_ack : 's -> t -> ack -> unit;
  on_lost : 's -> t -> unit;
  threshold : 's -> t -> flight:int -> window:int -> int;
  on_event : 's -> t -> event -> unit;
  pacing_rate : 's -> t -> int;
}

and instance = Instance : 's behaviour * 's -> instance

type algorithm = Algorithm : 's behaviour -> algorithm [@@unboxed]

let name (Algorithm b) = b.name
let prefer a l = a :: List.filter (fun other -> name other <> name a) l
let named n list = List.find_opt (fun a -> name a = n) list

(* No real window is larger; the bound keeps sums from overflowing. *)
let largest = 1 lsl 30
let standard_initial_window ~mss = Int.min (10 * mss) (Int.max (2 * mss) 14_600)
let bounded t w = Int.min largest (Int.max t.mss w)

let initial_window t =
  let (Instance (b, _)) = t.instance in
  bounded t (b.initial_window ~mss:t.mss)

let none =
  {
    name = "none";
    rate_samples = false;
    own_recovery = false;
    initial_window = standard_initial_window;
    start = ignore;
    on_ack = (fun () _ _ -> ());
    on_lost = (fun () _ -> ());
    threshold = (fun () _ ~flight ~window:_ -> flight);
    on_event = (fun () _ _ -> ());
    pacing_rate = (fun () _ -> 0);
  }

let start t (Algorithm b) =
  let state = b.start t in
  t.own <- b.own_recovery;
  t.instance <- Instance (b, state);
  if b.rate_samples then (
    if t.ack.rate == Delivery_rate.none then t.ack.rate <- Delivery_rate.create ();
    Delivery_rate.set_on_lost t.ack.rate (fun () -> b.on_lost state t))
  else if t.ack.rate != Delivery_rate.none then Delivery_rate.set_on_lost t.ack.rate ignore

let create ?(seed = 0) algorithm ~mss =
  let ack =
    {
      now = 0;
      acked = 0;
      in_flight = 0;
      limited = false;
      rtt = -1;
      srtt = -1;
      snd_una = 0;
      snd_nxt = 0;
      sack = true;
      rate = Delivery_rate.none;
    }
  in
  let t =
    {
      instance = Instance (none, ());
      own = false;
      mss;
      cwnd = standard_initial_window ~mss;
      ssthresh = max_int;
      used_upto = -1;
      prior_cwnd = 0;
      prior_ssthresh = max_int;
      flight = 0;
      random = seed;
      ack;
    }
  in
  start t algorithm;
  t.cwnd <- initial_window t;
  t

let mss t = t.mss
let rate t = t.ack.rate
let last_ack t = t.ack

(* A linear congruential generator, with the multiplier 0x5deece66d in two parts, as JavaScript has
   no products of more than 53 bits; its high bits are the good ones. *)
let random t n =
  let low = t.random land 0xff_ffff and high = t.random lsr 24 in
  let upper = ((high * 0xec_e66d) + (low * 0x5de)) land 0xff_ffff in
  t.random <- ((upper lsl 24) + (low * 0xec_e66d) + 11) land 0xffff_ffff_ffff;
  (t.random lsr 17) mod n

let set_mss t mss =
  t.mss <- mss;
  t.cwnd <- initial_window t

let change_mss t mss =
  t.mss <- mss;
  t.cwnd <- bounded t t.cwnd

let set_sack t on = t.ack.sack <- on

let algorithm t =
  let (Instance (b, _)) = t.instance in
  Algorithm b

let choose t chosen = if name chosen <> name (algorithm t) then start t chosen

let wanted_rate t =
  let (Instance (b, _)) = t.instance in
  if b.rate_samples then Some t.ack.rate else None

let own_recovery t = t.own
let window t = t.cwnd
let ssthresh t = t.ssthresh
let set_window t w = t.cwnd <- bounded t w
let set_ssthresh t w = t.ssthresh <- w
let least_paced = Time.ms 2

let pacing_rate t ~srtt ~flight =
  let (Instance (b, s)) = t.instance in
  t.ack.srtt <- srtt;
  t.flight <- flight;
  b.pacing_rate s t

let unpaced_segments = 10

let window_rate t =
  let srtt = t.ack.srtt and window = Int.max t.cwnd t.flight in
  if srtt < least_paced || window <= unpaced_segments * t.mss then 0
  else
    let tenths = if t.cwnd < t.ssthresh / 2 then 20 else 12 in
    window * tenths * 100_000 / (srtt / 1_000)

let pace t w = if not t.own then set_window t w

let tell t event =
  let (Instance (b, s)) = t.instance in
  b.on_event s t event

(* Only the first ACK of a flight sees the full window, but the ACKs of the whole flight count.
   Without the check of snd_max, a very old number would appear to be ahead. *)
let is_used t ~flight ~snd_una ~snd_max =
  if flight + (2 * t.mss) >= t.cwnd then (
    t.used_upto <- snd_max;
    true)
  else t.used_upto >= 0 && Seq.leq snd_una t.used_upto && Seq.leq t.used_upto snd_max

let on_ack t ~now ~srtt ~rtt ~snd_una ~snd_nxt ~acked ~in_flight ~limited =
  let a = t.ack in
  a.now <- now;
  a.acked <- acked;
  a.in_flight <- in_flight;
  a.limited <- limited;
  a.rtt <- rtt;
  a.srtt <- srtt;
  a.snd_una <- snd_una;
  a.snd_nxt <- snd_nxt;
  let (Instance (b, s)) = t.instance in
  b.on_ack s t a

let lower t ~flight ~window =
  let (Instance (b, s)) = t.instance in
  t.ssthresh <- Int.max (b.threshold s t ~flight ~window) (2 * t.mss)

(* Data sent beyond cwnd by limited transmit do not count (RFC 5681 §3.2). *)
let reduce t ~flight = lower t ~flight:(Int.min flight t.cwnd) ~window:t.cwnd
let reduce_again t ~window = lower t ~flight:window ~window

let on_mark t ~flight =
  reduce t ~flight;
  pace t (Int.min t.cwnd t.ssthresh);
  tell t Marked

let on_timeout t ~flight ~first =
  if first then reduce t ~flight;
  if not t.own then t.cwnd <- t.mss;
  tell t Timed_out

let remember t =
  t.prior_cwnd <- t.cwnd;
  t.prior_ssthresh <- t.ssthresh;
  tell t Loss_episode

let undo t =
  t.cwnd <- Int.max t.cwnd t.prior_cwnd;
  t.ssthresh <- Int.max t.ssthresh t.prior_ssthresh;
  tell t Undone

let settle t = pace t t.ssthresh
let recovered t = tell t Recovered
let after_lost_syn t = pace t t.mss

let on_restart t ~now =
  t.ack.now <- now;
  tell t Restart

let on_idle t =
  pace t (Int.min t.cwnd (initial_window t));
  tell t Idle
