open Weir_base

type t = { now : unit -> Time.t; after : Time.t -> (unit -> unit) -> unit -> unit }

(* A longer time would overflow in the engine. *)
let longest = Time.s 86_400_000

let after ns f =
  let seconds = float_of_int (Int.max 0 (Int.min ns longest)) /. 1e9 in
  let event =
    Lwt_engine.on_timer seconds false (fun event ->
        Lwt_engine.stop_event event;
        f ())
  in
  fun () -> Lwt_engine.stop_event event

let system = { now = (fun () -> Int64.to_int (Mtime_clock.now_ns ())); after }

let sleep t ns =
  let slept, wake = Lwt.task () in
  let cancel = t.after ns (fun () -> Lwt.wakeup_later wake ()) in
  Lwt.on_cancel slept cancel;
  slept
