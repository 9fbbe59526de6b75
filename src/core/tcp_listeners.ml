open Weir_wire
open Tcp_state

(* -- ports --------------------------------------------------------------- *)

let listeners_on t port = Option.value (Hashtbl.find_opt t.listeners port) ~default:[]
let overlaps = Ports.overlap

let listening_on ?(share = false) t ~address port =
  List.exists
    (fun (l : Tcb.listener) -> overlaps l.address address && not (share && l.l_share))
    (listeners_on t port)

(* A connection in any state, TIME-WAIT too, keeps the port unless both set [reuse] or [share]. *)
let held ?(reuse = false) ?(share = false) t ~address port =
  let held = ref false in
  let is_on ~local ~local_port ~reusable ~shared =
    local_port = port && overlaps local address && not ((reuse && reusable) || (share && shared))
  in
  let counts (c : Tcb.t) =
    is_on ~local:c.local ~local_port:c.local_port ~reusable:c.reuse ~shared:c.share
  in
  let waits (w : Time_waits.wait) =
    is_on ~local:w.local ~local_port:w.local_port ~reusable:w.reuse ~shared:w.share
  in
  if Connections.may_have_port t.connections port then
    Connections.iter (fun c -> if counts c then held := true) t.connections;
  !held || Time_waits.exists waits t.time_waits

let may_bind ?share t ~address ~port ~reuse =
  port = 0 || not (listening_on ?share t ~address port || held ?share t ~address port ~reuse)

(* -- listeners ----------------------------------------------------------- *)

let make_listener ?(share = false) ?(intercepts = false) t ~address ~port ~backlog ~reuse =
  {
    Tcb.l_shared = t.shared;
    address;
    port;
    backlog = Int.max 1 backlog;
    l_share = share;
    half_open = Queue.create ();
    half_open_count = 0;
    cookie_at = -Syn_cookies.valid_for - 1;
    accepted = Queue.create ();
    listening = true;
    intercepts;
    prepare =
      (fun c ->
        c.reuse <- reuse;
        c.share <- share);
    l_wake = ignore;
    l_in_ready = false;
  }

let listen ?(share = false) t ~address ~port ~backlog ~reuse =
  let chosen =
    if port <> 0 then if may_bind ~share t ~address ~port ~reuse then Ok port else Error `In_use
    else
      let free p = not (listening_on t ~address p || held t ~address p) in
      match free_port t free with Some p -> Ok p | None -> Error `No_port
  in
  Result.map
    (fun port ->
      let l = make_listener t ~share ~address ~port ~backlog ~reuse in
      Hashtbl.replace t.listeners port (l :: listeners_on t port);
      l)
    chosen

let intercept t ~backlog =
  if t.interceptor <> None then invalid_arg "Tcp.intercept: the host intercepts already";
  let l = make_listener t ~intercepts:true ~address:Ip.any ~port:0 ~backlog ~reuse:true in
  t.interceptor <- Some l;
  l

let is_held (c : Tcb.t) = c.held && c.state = Syn_received

let answer (c : Tcb.t) =
  if is_held c then (
    c.held <- false;
    Tcb.want_output c)

let accept (l : Tcb.listener) = Queue.take_opt l.accepted
let iter_waiting f (l : Tcb.listener) = Queue.iter f l.accepted
let listener_address (l : Tcb.listener) = l.address
let listener_port (l : Tcb.listener) = l.port
let set_prepare (l : Tcb.listener) f = l.prepare <- f
let listener_wake (l : Tcb.listener) = l.l_wake
let set_listener_wake (l : Tcb.listener) wake = l.l_wake <- wake

let close_listener t (l : Tcb.listener) =
  if l.listening then (
    l.listening <- false;
    if l.intercepts then t.interceptor <- None;
    (match List.filter (fun x -> x != l) (listeners_on t l.port) with
    | [] -> Hashtbl.remove t.listeners l.port
    | rest -> Hashtbl.replace t.listeners l.port rest);
    Queue.iter (fun (c : Tcb.t) -> if c.state = Syn_received then Tcp_resets.abort t c) l.half_open;
    Queue.iter (Tcp_resets.abort t) l.accepted;
    Queue.clear l.half_open;
    Queue.clear l.accepted;
    Tcb.listener_ready l)

let close_listeners t =
  Hashtbl.fold (fun _ ls all -> ls @ all) t.listeners [] |> List.iter (close_listener t)

(* -- which one a segment is for ------------------------------------------ *)

(* Among listeners that share the port, always the same one for a peer's port. *)
let one_of t listeners ~src ~src_port =
  match listeners with
  | [] -> None
  | [ l ] -> Some l
  | many ->
      let n = List.length many and key = Ip.key src in
      let hash = Hashtbl.hash (t.secret, key lsr 16, key land 0xffff, src_port) in
      Some (List.nth many (hash mod n))

let listener_for t ~src ~src_port ~dst port =
  let on address = List.filter (fun (l : Tcb.listener) -> Ip.equal l.address address) in
  let all = listeners_on t port in
  let first_of address = one_of t (on address all) ~src ~src_port in
  match first_of dst with
  | Some _ as l -> l
  | None -> (
      match if Ip.is_v4 dst then first_of Ip.any else None with
      | Some _ as l -> l
      | None -> first_of Ip.any_v6)
