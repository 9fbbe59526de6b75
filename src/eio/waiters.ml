module Context = Eio.Private.Fiber_context
module Suspend = Eio.Private.Suspend

(* Whoever claims an entry first, a broadcast or a cancellation, resumes its fiber. *)
type entry = { enqueue : unit Eio.Private.Effects.enqueue; claimed : bool Atomic.t }

(* The newest first. Each change makes a new record, so that a fiber which is about to wait sees by
   its identity that something has changed since it looked. *)
type waiting = { entries : entry list }
type t = waiting Atomic.t

(* Of a constant the compiler would make one record for all. *)
let fresh entries = { entries = Sys.opaque_identity entries }
let create () = Atomic.make (fresh [])
let claim e = not (Atomic.exchange e.claimed true)
let resume e = if claim e then e.enqueue (Ok ())

let broadcast t =
  match (Atomic.exchange t (fresh [])).entries with
  | [] -> ()
  | [ e ] -> resume e
  | several -> List.iter resume (List.rev several)

let rec forget t e =
  let now = Atomic.get t in
  let without = fresh (List.filter (fun other -> other != e) now.entries) in
  if not (Atomic.compare_and_set t now without) then forget t e

let suspend t seen =
  Suspend.enter "Waiters.await" @@ fun context enqueue ->
  let e = { enqueue; claimed = Atomic.make false } in
  if Atomic.compare_and_set t seen (fresh (e :: seen.entries)) then
    Context.set_cancel_fn context (fun ex ->
        if claim e then (
          forget t e;
          enqueue (Error ex)))
  else enqueue (Ok ())

let rec await t f =
  let seen = Atomic.get t in
  match f () with
  | Some x -> x
  | None ->
      suspend t seen;
      await t f
