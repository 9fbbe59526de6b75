(* An idle slot is in two rings: that of all idle slots and that of its address.
   Each begins with the slot that has been idle longest. *)
type node = { mutable before : node; mutable after : node; slot : slot option }

and slot = {
  owner : t;
  client : client;
  give_way : unit -> bool;
  mutable here : bool;
  mutable idle : bool;
  mutable among_all : node;
  mutable among_its : node;
}

and client = { address : string; mutable slots : int; its_idle : node }

and t = {
  most : int;
  per_address : int;
  clients : (string, client) Hashtbl.t;
  all_idle : node;
  mutable live : int;
  mutable gave_way : int;
  mutable refused : int;
  mutable wanted : bool;  (** [enter] returned [Full] *)
  mutable room : unit -> unit;
}

let node slot =
  let rec n = { before = n; after = n; slot } in
  n

let unlink n =
  n.before.after <- n.after;
  n.after.before <- n.before;
  n.before <- n;
  n.after <- n

let append ring n =
  n.before <- ring.before;
  n.after <- ring;
  ring.before.after <- n;
  ring.before <- n

let default_most = 10_000

let create ?(most = default_most) ?per_address () =
  let per_address = match per_address with Some n -> n | None -> Int.max 1 (most / 2) in
  if most < 1 || per_address < 1 then invalid_arg "Admission.create";
  {
    most;
    per_address;
    clients = Hashtbl.create 64;
    all_idle = node None;
    live = 0;
    gave_way = 0;
    refused = 0;
    wanted = false;
    room = ignore;
  }

let live t = t.live
let gave_way t = t.gave_way
let refused t = t.refused
let on_room t f = t.room <- f

let there_is_room t =
  if t.wanted then (
    t.wanted <- false;
    t.room ())

let set_idle (s : slot) on =
  if s.idle <> on then (
    s.idle <- on;
    if on then (
      append s.owner.all_idle s.among_all;
      append s.client.its_idle s.among_its)
    else (
      unlink s.among_all;
      unlink s.among_its))

let idle s on =
  if s.here then (
    set_idle s on;
    if on then there_is_room s.owner)

let leave s =
  if s.here then (
    let t = s.owner in
    set_idle s false;
    s.here <- false;
    t.live <- t.live - 1;
    s.client.slots <- s.client.slots - 1;
    if s.client.slots = 0 then Hashtbl.remove t.clients s.client.address;
    there_is_room t)

(* A connection that does not give way has received bytes: it is busy. *)
let rec make_room ring =
  match ring.after.slot with
  | None -> false
  | Some s ->
      set_idle s false;
      if s.give_way () then (
        s.owner.gave_way <- s.owner.gave_way + 1;
        leave s;
        true)
      else make_room ring

type entry = Admitted of slot | Full | Refused

let client t address =
  match Hashtbl.find_opt t.clients address with
  | Some c -> c
  | None -> { address; slots = 0; its_idle = node None }

let admit t client give_way =
  if client.slots = 0 then Hashtbl.replace t.clients client.address client;
  client.slots <- client.slots + 1;
  t.live <- t.live + 1;
  let none = t.all_idle in
  let s =
    { owner = t; client; give_way; here = true; idle = false; among_all = none; among_its = none }
  in
  s.among_all <- node (Some s);
  s.among_its <- node (Some s);
  Admitted s

(* An address that may have all the slots is not refused: it waits. *)
let enter t ~address ~give_way =
  let c = client t address in
  let has_its_share = c.slots >= t.per_address && t.per_address < t.most in
  if has_its_share && not (make_room c.its_idle) then (
    t.refused <- t.refused + 1;
    Refused)
  else if t.live >= t.most && not (make_room t.all_idle) then (
    t.wanted <- true;
    Full)
  else admit t c give_way

let make_way t = make_room t.all_idle
let rec close_idle t = if make_way t then close_idle t
