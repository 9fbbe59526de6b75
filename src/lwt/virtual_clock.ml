open Weir_base

type timer = { mutable call : unit -> unit; mutable live : bool }
type t = { mutable now : Time.t; timers : timer Heap.t }

exception Deadlock

let create () = { now = 0; timers = Heap.create () }

let after t ns call =
  let timer = { call; live = true } in
  Heap.add t.timers ~key:(t.now + Int.max 0 ns) timer;
  fun () ->
    timer.live <- false;
    timer.call <- ignore

let clock t : Clock.t = { now = (fun () -> t.now); after = after t }

(* A cancelled timer does not advance the time. *)
let rec next_timer t =
  let at = Heap.min_key t.timers in
  match Heap.pop t.timers with
  | None -> raise Deadlock
  | Some timer when not timer.live -> next_timer t
  | Some timer ->
      t.now <- Int.max t.now at;
      timer.live <- false;
      timer.call ()

let run t f =
  let p = f () in
  let rec go () =
    match Lwt.state p with
    | Return x -> x
    | Fail e -> raise e
    | Sleep ->
        if Lwt.paused_count () > 0 then Lwt.wakeup_paused () else next_timer t;
        go ()
  in
  go ()
