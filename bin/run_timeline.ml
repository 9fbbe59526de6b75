module Time = Weir_base.Time

type 'a t = {
  events : (Time.t * 'a) array;
  period : Time.t option;
  mutable next : int;
  mutable base : Time.t;  (** when this round began *)
}

let make ?period events =
  let events = List.stable_sort (fun (a, _) (b, _) -> Int.compare a b) events in
  { events = Array.of_list events; period; next = 0; base = 0 }

let next_at t =
  if t.next < Array.length t.events then t.base + fst t.events.(t.next)
  else match t.period with Some p when Array.length t.events > 0 -> t.base + p | _ -> Time.never

let rec advance t ~now happen =
  let at = next_at t in
  if at <= now then (
    if t.next < Array.length t.events then (
      let event = snd t.events.(t.next) in
      t.next <- t.next + 1;
      happen ~at event)
    else (
      t.base <- at;
      t.next <- 0);
    advance t ~now happen)
