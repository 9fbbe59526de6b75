open Weir_base

type t = { now : unit -> Time.t; sleep : Time.t -> unit Lwt.t }

let after t ns = Weir_rpc.Deadline.after ~now:(t.now ()) ns

let sleep_until t at =
  if at = Time.never then fst (Lwt.task ()) else t.sleep (Int.max 0 (at - t.now ()))
