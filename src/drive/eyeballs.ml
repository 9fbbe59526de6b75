open Weir_base

type next = Attempt of Ipaddr.t | Wait of Time.t | Failed

type t = {
  resolution_delay : Time.t;
  attempt_delay : Time.t;
  source : Ipaddr.t -> Ipaddr.t option;
  mutable waiting : Ipaddr.t list;  (** best first *)
  mutable tried : Ipaddr.t list;  (** the latest first *)
  mutable running : Ipaddr.t list;
  mutable all_known : bool;
  mutable not_before : Time.t;  (** of the next attempt *)
}

let most = 32

let create ?(resolution_delay = Time.ms 50) ?(attempt_delay = Time.ms 250) ~source () =
  {
    resolution_delay;
    attempt_delay;
    source;
    waiting = [];
    tried = [];
    running = [];
    all_known = false;
    not_before = 0;
  }

let same a b = Ipaddr.compare a b = 0
let is_v6 = function Ipaddr.V6 _ -> true | V4 _ -> false

(* The turn is the other family's than that of the last attempt. *)
let in_turn t l =
  match (t.tried, Address_order.interleave l) with
  | last :: _, (first :: _ as l) when is_v6 last = is_v6 first -> (
      match List.find_opt (fun a -> is_v6 a <> is_v6 last) l with
      | None -> l
      | Some a -> a :: List.filter (fun b -> not (same a b)) l)
  | _, l -> l

let found t ~now l =
  let first = t.tried = [] && t.waiting = [] in
  let add known a =
    if List.exists (same a) (known @ t.tried) || List.length (known @ t.tried) >= most then known
    else known @ [ a ]
  in
  let known = List.fold_left add t.waiting l in
  t.waiting <- in_turn t (Address_order.sort ~source:t.source known);
  if first && known <> [] then t.not_before <- now + t.resolution_delay

let resolved t = t.all_known <- true

let failed t a =
  if List.exists (same a) t.running then (
    t.running <- List.filter (fun b -> not (same a b)) t.running;
    t.not_before <- 0)

(* RFC 8305 §3: IPv6 need not wait for IPv4. *)
let may_begin t ~now =
  if t.tried = [] then t.all_known || now >= t.not_before || List.exists is_v6 t.waiting
  else now >= t.not_before

let next t ~now =
  match t.waiting with
  | a :: rest when may_begin t ~now ->
      t.waiting <- rest;
      t.tried <- a :: t.tried;
      t.running <- a :: t.running;
      t.not_before <- now + t.attempt_delay;
      Attempt a
  | _ :: _ -> Wait t.not_before
  | [] -> if t.running = [] && t.all_known then Failed else Wait Time.never
