open Weir_base
open Tcb

(* RFC 5482 §3.1: the bounds of what a peer can cause, L_LIMIT and U_LIMIT. The lower one is RFC
   1122's least R2 (§4.2.3.5). *)
let least = Time.s 100
let most = Time.s 3_600
let is_set t = t.user_timeout <> Time.never

let option t =
  match t.uto with
  | Some { limit; announced = true } -> Weir_wire.Tcp.user_timeout_of_seconds (limit / Time.s 1)
  | Some _ | None -> -1

let set t (u : Config.user_timeout option) =
  t.uto <- u;
  t.user_timeout <- (match u with None -> Time.never | Some u -> u.limit);
  t.uto_due <- option t >= 0 && connected t && t.state <> Closed;
  if t.uto_due then ack_now t

let received t (h : Segment.t) =
  match t.uto with
  | Some { limit; announced = true } when h.user_timeout land 0x7fff > 0 ->
      let remote = Time.s (Weir_wire.Tcp.user_timeout_seconds h.user_timeout) in
      t.user_timeout <- Int.min most (Int.max least (Int.max limit remote))
  | _ -> ()

let begins t ~at = t.stuck_at <- at
let over t = is_set t && t.shared.now - t.stuck_at >= t.user_timeout
let clamp t at = if is_set t then Int.min at (t.stuck_at + t.user_timeout) else at
