type t = {
  mutable duplicates : int;
  mutable recover : Seq.t;
  mutable active : bool;
  mutable partials : int;
  mutable arrived : int;
}

let create ~iss = { duplicates = 0; recover = iss; active = false; partials = 0; arrived = 0 }

type verdict = Nothing | Send_new | Enter | In_recovery

let on_duplicate t ~ack ~snd_max =
  t.duplicates <- t.duplicates + 1;
  if t.active then In_recovery
  else if t.duplicates < 3 then Send_new
  else if t.duplicates = 3 && Seq.lt t.recover ack then (
    t.active <- true;
    t.partials <- 0;
    t.arrived <- 0;
    t.recover <- snd_max;
    Enter)
  else Nothing

type ack = Normal | Partial | Full

let on_new_ack t ~ack =
  t.duplicates <- 0;
  if not t.active then (
    (* Close behind, or the comparison would turn over after 2 GB. *)
    if Seq.lt t.recover ack then t.recover <- Seq.add ack (-1);
    Normal)
  else if Seq.lt ack t.recover then (
    t.partials <- t.partials + 1;
    Partial)
  else (
    t.active <- false;
    Full)

let on_timeout t ~snd_max =
  t.duplicates <- 0;
  t.active <- false;
  t.recover <- snd_max

let active t = t.active
let arrives t bytes = t.arrived <- t.arrived + bytes
let arrived t = t.arrived
let impatient t = t.active && t.partials > 1
let extra_segments t = if t.active then 0 else Int.min 2 t.duplicates
