open Weir_base

exception Timed_out = Weir_http.Server.Timed_out

type timer = { now : unit -> Time.t; sleep : Time.t -> unit Lwt.t }
type pending = Nothing | Wait : 'a Lwt.t -> pending

type t = {
  timer : timer;
  watches : (int, watch) Hashtbl.t;
  mutable next : int;
  mutable sleepers : int;  (** limits that run *)
  mutable sweeping : bool;
}

and watch = {
  all : t;
  id : int;
  mutable allowed : Time.t;  (** nanoseconds that the current call may wait *)
  mutable until : Time.t;  (** set by the first wait: a call that need not wait has no limit *)
  mutable pending : pending;
  mutable expired : bool;
}

let create timer = { timer; watches = Hashtbl.create 64; next = 0; sleepers = 0; sweeping = false }

let watch all =
  let id = all.next and never = Time.never in
  let w = { all; id; allowed = never; until = never; pending = Nothing; expired = false } in
  all.next <- id + 1;
  Hashtbl.replace all.watches id w;
  w

let forget w = Hashtbl.remove w.all.watches w.id
let period = Time.ms 250

let expire w =
  w.expired <- true;
  w.until <- Time.never;
  w.all.sleepers <- w.all.sleepers - 1;
  match w.pending with Nothing -> () | Wait p -> Lwt.cancel p

(* Cancelling may end connections and change the table, so read it first. *)
let rec sweep t =
  if t.sleepers = 0 then (
    t.sweeping <- false;
    Lwt.return_unit)
  else
    Lwt.bind (t.timer.sleep period) (fun () ->
        let now = t.timer.now () in
        Hashtbl.fold (fun _ w due -> if w.until <= now then w :: due else due) t.watches []
        |> List.iter (fun w -> if w.until <= now then expire w);
        sweep t)

let begin_ w =
  let t = w.all in
  w.until <- t.timer.now () + w.allowed;
  t.sleepers <- t.sleepers + 1;
  if not t.sweeping then (
    t.sweeping <- true;
    Lwt.async (fun () -> sweep t))

let finish w =
  w.allowed <- Time.never;
  if w.until <> Time.never then (
    w.until <- Time.never;
    w.pending <- Nothing;
    w.all.sleepers <- w.all.sleepers - 1)

let within w ns f =
  w.allowed <- ns;
  w.expired <- false;
  match f () with
  | x ->
      finish w;
      x
  | exception e ->
      finish w;
      raise (if w.expired then Timed_out else e)

let http_timer w =
  { Weir_http.Server.with_timeout = (fun ns f -> if ns = Time.never then f () else within w ns f) }

let await w p =
  if w.allowed <> Time.never && Lwt.is_sleeping p then (
    w.pending <- Wait p;
    if w.until = Time.never && not w.expired then begin_ w);
  Weir_threads.Threads.await p
