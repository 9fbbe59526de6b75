open Weir_base
open Tcb

let advertised t = Int.max 0 (Seq.diff t.rcv_adv t.rcv_nxt)

(* The ring is larger than the buffer by one unit of the scale: see {!Tcb.create}. *)
let largest_window t = Int.min t.rcv_limit (65_535 lsl t.rcv_scale)
let room t = Int.max 0 (largest_window t - Byte_ring.length t.rcv)

let receive_window t ~room =
  let now = advertised t in
  (* Without memory the window does not grow. *)
  if room - now >= Int.min t.mss (largest_window t / 2) && not (Budget.is_tight t.shared.budget)
  then room
  else now

let window_update_due t =
  let most = largest_window t in
  t.rcv_fin < 0 && room t - advertised t >= Int.min (most / 2) (Int.max (2 * t.mss) (most / 8))
