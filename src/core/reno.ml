type t = { mutable credit : int; hystart : Hystart.t }

(* One segment more for each window of bytes acknowledged (RFC 5681 §3.1). *)
let avoid_congestion t c ~acked =
  t.credit <- t.credit + acked;
  let window = Congestion.window c in
  if t.credit >= window then (
    t.credit <- t.credit - window;
    Congestion.set_window c (window + Congestion.mss c))

let on_ack t c (a : Congestion.ack) =
  if a.limited then
    if Congestion.window c < Congestion.ssthresh c then Hystart.grow t.hystart c a
    else avoid_congestion t c ~acked:a.acked

let threshold t _ ~flight ~window:_ =
  t.credit <- 0;
  flight / 2

let algorithm =
  Congestion.Algorithm
    {
      name = "reno";
      rate_samples = false;
      own_recovery = false;
      initial_window = Congestion.standard_initial_window;
      start = (fun _ -> { credit = 0; hystart = Hystart.create () });
      on_ack;
      on_lost = (fun _ _ -> ());
      threshold;
      on_event = (fun _ _ _ -> ());
      pacing_rate = (fun _ -> Congestion.window_rate);
    }
