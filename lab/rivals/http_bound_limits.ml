open Weir_base

exception Timed_out = Weir_http.Server.Timed_out

type timer = Weir_http_lwt.Time_limits.timer = {
  now : unit -> Time.t;
  sleep : Time.t -> unit Lwt.t;
}

type t = {
  timer : timer;
  watches : (int, watch) Hashtbl.t;
  mutable next : int;
  mutable pending : int;  (** pending waits *)
  mutable sweeping : bool;
}

and watch = {
  limits : t;
  id : int;
  mutable until : Time.t;
  mutable cancel : unit -> unit;
  mutable expired : bool;
}

let create timer = { timer; watches = Hashtbl.create 64; next = 0; pending = 0; sweeping = false }

let watch t =
  let w = { limits = t; id = t.next; until = Time.never; cancel = ignore; expired = false } in
  t.next <- t.next + 1;
  Hashtbl.replace t.watches w.id w;
  w

let forget w = Hashtbl.remove w.limits.watches w.id
let period = Time.ms 250

let expire now w =
  if w.until <= now && not w.expired then (
    w.expired <- true;
    w.cancel ())

(* Cancelling may remove entries, so the table is read first. *)
let rec sweep t =
  if t.pending = 0 then (
    t.sweeping <- false;
    Lwt.return_unit)
  else
    Lwt.bind (t.timer.sleep period) (fun () ->
        let now = t.timer.now () in
        Hashtbl.fold (fun _ w due -> if w.until <= now then w :: due else due) t.watches []
        |> List.iter (expire now);
        sweep t)

let finish w =
  w.until <- Time.never;
  w.cancel <- ignore;
  w.limits.pending <- w.limits.pending - 1

let within w ns p =
  let t = w.limits in
  w.until <- t.timer.now () + ns;
  w.expired <- false;
  w.cancel <- (fun () -> Lwt.cancel p);
  t.pending <- t.pending + 1;
  if not t.sweeping then (
    t.sweeping <- true;
    Lwt.async (fun () -> sweep t));
  Lwt.try_bind
    (fun () -> p)
    (fun x ->
      finish w;
      Lwt.return x)
    (fun e ->
      finish w;
      Lwt.fail (if w.expired then Timed_out else e))
