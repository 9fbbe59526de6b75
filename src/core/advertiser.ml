open Weir_base
open Weir_wire

type link = {
  interface : Interface.t;
  mutable message : Nd.advertisement;
  mutable interval : Time.t;
  mutable first : int;  (** how many follow each other soon *)
  mutable sent_at : Time.t;
  mutable due : Time.t;
}

type t = { control : Control_queue.t; random : Random.State.t; mutable links : link list }

(* RFC 4861 §10. *)
let initial_advertisements = 3
let initial_interval = Time.s 16
let longest_delay = Time.ms 500
let least_pause = Time.s 3
let usual_interval = Time.s 600
let create control random = { control; random; links = [] }
let is_of (i : Interface.t) l = l.interface.number = i.number

(* It is the source of all advertisements (§6.1.2). *)
let link_local (i : Interface.t) =
  let usable (a : Interface.address) =
    a.state <> Tentative && (not (Ip.is_v4 a.ip)) && Ip.is_link_local a.ip
  in
  Option.map (fun (a : Interface.address) -> a.ip) (Array.find_opt usable i.addresses)

let send t (i : Interface.t) (a : Nd.advertisement) ~src =
  let dst = Ip.all_nodes in
  Control_queue.push_nd t.control i ~mac:(Ip.group_mac dst) ~src ~dst
    (Router_advertisement { a with router_mac = Some i.mac })

let pause t l =
  let longest = if l.first > 0 then Int.min initial_interval l.interval else l.interval in
  let least = longest / 3 in
  least + Random.State.full_int t.random (longest - least + 1)

(* While duplicate address detection runs there is no address to send from. *)
let advertise t ~now l =
  match link_local l.interface with
  | None -> l.due <- now + Time.s 1
  | Some src ->
      send t l.interface l.message ~src;
      l.first <- Int.max 0 (l.first - 1);
      l.sent_at <- now;
      l.due <- now + pause t l

let begin_ t ~now ~interval i message =
  if not (Interface.takes_v6 i) then invalid_arg "Advertiser.set: the MTU is too small for IPv6";
  match List.find_opt (is_of i) t.links with
  | Some l ->
      l.message <- message;
      l.interval <- interval;
      l.first <- initial_advertisements;
      l.due <- Int.min l.due (Int.max now (l.sent_at + least_pause))
  | None ->
      let first = initial_advertisements in
      let l = { interface = i; message; interval; first; sent_at = now - least_pause; due = now } in
      t.links <- l :: t.links

let end_ t i =
  List.iter
    (fun l ->
      Option.iter
        (fun src -> send t i { l.message with lifetime = 0 } ~src)
        (if is_of i l then link_local i else None))
    t.links;
  t.links <- List.filter (fun l -> not (is_of i l)) t.links

let set t ~now ?(interval = usual_interval) i message =
  if interval < Time.s 1 || interval > Time.s 1_800 then invalid_arg "Advertiser.set: interval";
  match message with Some m -> begin_ t ~now ~interval i m | None -> end_ t i

let solicited t ~now i =
  let hasten l =
    let soon = now + Random.State.full_int t.random (longest_delay + 1) in
    l.due <- Int.min l.due (Int.max soon (l.sent_at + least_pause))
  in
  List.iter (fun l -> if is_of i l then hasten l) t.links

let deadline t = List.fold_left (fun d l -> Int.min d l.due) Time.never t.links
let tick t ~now = List.iter (fun l -> if l.due <= now then advertise t ~now l) t.links
