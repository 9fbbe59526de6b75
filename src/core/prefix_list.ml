open Weir_base
open Weir_wire

type entry = {
  interface : Interface.t;
  network : Ip.t;
  length : int;
  mutable on_link_until : Time.t;  (** [past] if it is not on the link *)
  mutable valid_until : Time.t;  (** of the address; [past] if none was made *)
}

type t = { routes : Routes.t; dad : Dad.t; mutable entries : entry list }

let past = min_int
let most = 8
let create routes dad = { routes; dad; entries = [] }
let is_on (i : Interface.t) e = e.interface.number = i.number

let until ~now seconds =
  let ns = Time.s seconds in
  if seconds = 0xffff_ffff || ns > Time.never - now then Time.never else now + ns

(* The address is added with 128 bits, so that it brings no network: routes to networks are made
   separately. *)
let address_bits = 128
let address t e = Dad.find_stable t.dad e.interface e.network ~bits:address_bits
let two_hours = Time.s 7_200

let is_usable (p : Nd.prefix) =
  p.length > 0
  && not
       (Ip.is_multicast p.prefix || Ip.is_link_local p.prefix || Ip.is_mapped p.prefix
      || Ip.is_loopback p.prefix || Ip.is_any p.prefix)

(* -- on the link ----------------------------------------------------------- *)

let leave_link t e =
  if e.on_link_until <> past then (
    e.on_link_until <- past;
    Routes.remove_on_link t.routes e.interface ~network:e.network ~prefix_length:e.length)

let set_on_link t ~now e ~valid =
  if valid = 0 then leave_link t e
  else (
    e.on_link_until <- until ~now valid;
    Routes.add_on_link t.routes e.interface ~network:e.network ~prefix_length:e.length)

(* -- addresses ------------------------------------------------------------- *)

(* RFC 4862 §5.5.3 e: nobody can end an address at once by a forged message. *)
let later ~now ~known heard =
  if heard > now + two_hours || heard > known then heard
  else if known <= now + two_hours then known
  else now + two_hours

let set_address t ~now e (p : Nd.prefix) =
  let heard = until ~now p.valid in
  let preferred_until = until ~now p.preferred in
  if e.valid_until = past then (
    if p.valid > 0 then (
      e.valid_until <- heard;
      Dad.add_stable t.dad e.interface ~bits:address_bits ~preferred_until ~valid_until:heard
        e.network;
      (* It may be deprecated from the start. *)
      Option.iter
        (fun a -> Dad.set_lifetimes t.dad e.interface a ~now ~preferred_until ~valid_until:heard)
        (address t e)))
  else
    let valid_until = later ~now ~known:e.valid_until heard in
    e.valid_until <- valid_until;
    Option.iter
      (fun a -> Dad.set_lifetimes t.dad e.interface a ~now ~preferred_until ~valid_until)
      (address t e)

(* -- messages --------------------------------------------------------------- *)

let find t i (p : Nd.prefix) =
  List.find_opt (fun e -> is_on i e && e.length = p.length && Ip.equal e.network p.prefix) t.entries

let entry t i (p : Nd.prefix) =
  match find t i p with
  | Some e -> Some e
  | None when p.valid = 0 || List.length (List.filter (is_on i) t.entries) >= most -> None
  | None ->
      let { Nd.prefix = network; length; _ } = p in
      let e = { interface = i; network; length; on_link_until = past; valid_until = past } in
      t.entries <- t.entries @ [ e ];
      Some e

let heard t ~now i (p : Nd.prefix) =
  let makes = p.autonomous && p.length = 64 && p.preferred <= p.valid in
  if is_usable p && (p.on_link || makes) then
    Option.iter
      (fun e ->
        if p.on_link then set_on_link t ~now e ~valid:p.valid;
        if makes then set_address t ~now e p)
      (entry t i p)

let addresses t =
  List.filter_map
    (fun e ->
      match address t e with
      | Some { state = Preferred | Deprecated; ip; _ } -> Some ip
      | Some { state = Tentative; _ } | None -> None)
    t.entries

(* -- time ------------------------------------------------------------------- *)

let expire t ~now e =
  if e.on_link_until <= now then leave_link t e;
  if e.valid_until <= now && e.valid_until <> past then (
    Option.iter (fun (a : Interface.address) -> Dad.remove t.dad e.interface a.ip) (address t e);
    e.valid_until <- past)

let is_over e = e.on_link_until = past && e.valid_until = past

let deadline t =
  let soonest d until = if until = past then d else Int.min d until in
  List.fold_left (fun d e -> soonest (soonest d e.on_link_until) e.valid_until) Time.never t.entries

let tick t ~now =
  List.iter (expire t ~now) t.entries;
  t.entries <- List.filter (fun e -> not (is_over e)) t.entries
