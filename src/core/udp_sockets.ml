open Weir_base
open Weir_wire

(* In [queue] each datagram is a head (length of an address, source port, length;
   then source and destination address) and its data. *)
type socket = {
  bound : Ip.t;
  port : int;
  reuse : bool;
  share : bool;
  queue : Byte_ring.t;
  max_datagrams : int;
  mutable address : Ip.t;
  mutable remote : Ip.t;
  mutable remote_port : int;  (** 0 if not connected *)
  mutable is_open : bool;
  mutable queued : int;
  mutable peak : int;  (** most bytes queued since the queue was last empty *)
  mutable kept : int;  (** the peak for which an empty queue keeps its storage, 0 for none *)
  mutable small : int;  (** bursts since one needed a quarter of that *)
  kept_by_all : int ref;  (** the sum over the host's sockets *)
  mutable dropped : int;
  mutable error : Icmp_error.t option;
  mutable wake : unit -> unit;
  mutable announced : bool;
  mutable last_src : Ip.t;
  mutable last_src_port : int;
  mutable last_dst : Ip.t;
  head : Bytes.t;
  intercepted : bool;
  mutable memberships : membership list;
  mutable group_ttl : int;
  mutable group_loop : bool;
  mutable group_interface : int;  (** -1 for that of the route *)
}

and membership = { interface : int; group : Ip.t; filter : Groups.filter }

(* A bucket holds [Some s] ready-made, so that finding allocates nothing; the
   socket bound last comes first. *)
type t = {
  random : Random.State.t;
  budget : Budget.t;
  mutable buckets : socket option list array;
  mutable length : int;
  kept : int ref;
  ports : Ports.part;
  mutable interceptor : interceptor option;
  mutable on_membership : interface:int -> Ip.t -> unit;
}

and interceptor = { limit : int; newcomer : socket -> unit; mutable flows : int }

let create ?(ports = Ports.whole ()) random ~budget =
  let random = Public_random.make random in
  {
    random;
    budget;
    buckets = Array.make 16 [];
    length = 0;
    kept = ref 0;
    ports;
    interceptor = None;
    on_membership = (fun ~interface:_ _ -> ());
  }

let length t = t.length

(* Ports are this host's choice, so no secret is needed. *)
let bucket t port = port land (Array.length t.buckets - 1)
let is_any = Ip.is_any

let meets ~address ~port ~reuse ~share s =
  s.port = port && Ports.overlap address s.address && not ((reuse && s.reuse) || (share && s.share))

let in_use t ~address ~port ~reuse ~share =
  List.exists
    (function Some s -> meets ~address ~port ~reuse ~share s | None -> false)
    t.buckets.(bucket t port)

let insert t entry =
  match entry with
  | None -> ()
  | Some s ->
      let i = bucket t s.port in
      t.buckets.(i) <- entry :: t.buckets.(i)

let grow t =
  let old = t.buckets in
  t.buckets <- Array.make (2 * Array.length old) [];
  Array.iter (fun entries -> List.iter (insert t) (List.rev entries)) old

let addresses_at = 5
let head_length ~address_length = addresses_at + (2 * address_length)
let longest_head = head_length ~address_length:Ip.v6_length
let default_buffer = 262_144

let add ?(intercepted = false) t ~buffer ~max_datagrams ~address ~port ~reuse ~share =
  let s =
    {
      bound = address;
      port;
      reuse;
      share;
      queue = Byte_ring.create ~budget:t.budget ~capacity:buffer ();
      max_datagrams;
      address;
      remote = Ip.any;
      remote_port = 0;
      is_open = true;
      queued = 0;
      peak = 0;
      kept = 0;
      small = 0;
      kept_by_all = t.kept;
      dropped = 0;
      error = None;
      wake = ignore;
      announced = false;
      last_src = Ip.any;
      last_src_port = 0;
      last_dst = Ip.any;
      head = Bytes.create longest_head;
      intercepted;
      memberships = [];
      group_ttl = 1;
      group_loop = true;
      group_interface = -1;
    }
  in
  if t.length >= Array.length t.buckets then grow t;
  insert t (Some s);
  t.length <- t.length + 1;
  s

let bind ?(buffer = default_buffer) ?(max_datagrams = 4_096) ?(share = false) t ~address ~port
    ~reuse =
  if port < 0 || port > 0xffff then invalid_arg "Udp_sockets.bind: port";
  if buffer < 1 || max_datagrams < 1 then invalid_arg "Udp_sockets.bind: bound";
  if port = 0 then
    (* An ephemeral port must be unused, even with [reuse]. *)
    let free port = not (in_use t ~address:Ip.any_v6 ~port ~reuse:false ~share:false) in
    match Ports.choose ~part:t.ports t.random free with
    | 0 -> Error `No_port
    | port -> Ok (add t ~buffer ~max_datagrams ~address ~port ~reuse ~share)
  else if in_use t ~address ~port ~reuse ~share then Error `In_use
  else Ok (add t ~buffer ~max_datagrams ~address ~port ~reuse ~share)

let connect s ~local ~remote ~remote_port =
  if is_any s.bound then s.address <- local;
  s.remote <- remote;
  s.remote_port <- remote_port

let disconnect s =
  s.address <- s.bound;
  s.remote <- Ip.any;
  s.remote_port <- 0

let to_list t =
  Array.fold_left (fun all entries -> List.filter_map Fun.id entries @ all) [] t.buckets

(* -- groups ------------------------------------------------------------------ *)

let most_memberships = 20
let set_on_membership t f = t.on_membership <- f
let is_in ~interface group m = m.interface = interface && Ip.equal m.group group
let member_of ~interface group s = List.find_opt (is_in ~interface group) s.memberships
let membership s ~interface group = Option.map (fun m -> m.filter) (member_of ~interface group s)

let filters t ~interface group =
  List.filter_map (fun s -> membership s ~interface group) (to_list t)

let set_membership t s ~interface group (filter : Groups.filter) =
  let others = List.filter (fun m -> not (is_in ~interface group m)) s.memberships in
  let stays = filter <> Include [] in
  if stays && List.length others >= most_memberships then false
  else (
    s.memberships <- (if stays then { interface; group; filter } :: others else others);
    t.on_membership ~interface group;
    true)

let leave_all t s =
  let all = s.memberships in
  s.memberships <- [];
  List.iter (fun m -> t.on_membership ~interface:m.interface m.group) all

let is_member s = s.memberships <> []
let group_ttl s = s.group_ttl
let set_group_ttl s n = s.group_ttl <- n
let group_loop s = s.group_loop
let set_group_loop s on = s.group_loop <- on
let group_interface s = s.group_interface
let set_group_interface s n = s.group_interface <- n

let hears s (p : Packet.t) ~interface =
  List.exists
    (fun m -> m.interface = interface && Packet.is_to p m.group && Groups.allows m.filter p)
    s.memberships

let close t s =
  if s.is_open then (
    s.is_open <- false;
    leave_all t s;
    if s.intercepted then Option.iter (fun i -> i.flows <- i.flows - 1) t.interceptor;
    let i = bucket t s.port in
    t.buckets.(i) <- List.filter (function Some x -> x != s | None -> false) t.buckets.(i);
    t.length <- t.length - 1;
    Byte_ring.clear s.queue;
    t.kept := !(t.kept) - s.kept;
    s.kept <- 0;
    s.queued <- 0;
    s.error <- None)

let intercept t ~limit newcomer =
  if limit < 1 then invalid_arg "Udp_sockets.intercept: limit";
  if t.interceptor <> None then
    invalid_arg "Udp_sockets.intercept: the host's datagrams are intercepted already";
  t.interceptor <- Some { limit; newcomer; flows = 0 }

let stop_intercepting t =
  t.interceptor <- None;
  to_list t |> List.iter (fun s -> if s.intercepted then close t s)

let flow_buffer = 65_536
let flow_datagrams = 256

let add_flow t i ~address ~port ~remote ~remote_port =
  i.flows <- i.flows + 1;
  let s =
    add t ~intercepted:true ~buffer:flow_buffer ~max_datagrams:flow_datagrams ~address ~port
      ~reuse:true ~share:false
  in
  connect s ~local:address ~remote ~remote_port;
  s

let new_flow t p ~dst_port ~src_port =
  match t.interceptor with
  | None -> `No_socket
  | Some { limit; flows; _ } when flows >= limit -> `Full
  | Some _ when dst_port = 0 || src_port = 0 -> `No_socket
  | Some i ->
      let remote = Packet.source p and address = Packet.destination p in
      let s = add_flow t i ~address ~port:dst_port ~remote ~remote_port:src_port in
      `Flow (s, i.newcomer)

let open_flow t ~address ~port ~remote ~remote_port =
  let same = function
    | Some s ->
        s.port = port && s.remote_port = remote_port && Ip.equal s.address address
        && Ip.equal s.remote remote
    | None -> false
  in
  match t.interceptor with
  | Some i when i.flows < i.limit && not (List.exists same t.buckets.(bucket t port)) ->
      Some (add_flow t i ~address ~port ~remote ~remote_port)
  | _ -> None

let set_buffer s n = Byte_ring.set_capacity s.queue (Int.max 1 n)
let is_open s = s.is_open
let address s = s.address
let port s = s.port
let remote s = if s.remote_port = 0 then None else Some (s.remote, s.remote_port)
let wake s = s.wake
let set_wake s wake = s.wake <- wake
let connected_to s p ~src_port = s.remote_port = src_port && Packet.is_from p s.remote

(* How well [s] matches a datagram: 0 for no match, else 1 to 6; higher is more specific. A socket of
   IPv6 at all addresses also gets IPv4 datagrams, if there is none of IPv4. *)
let fit s (p : Packet.t) ~dst_port ~src_port =
  if s.port <> dst_port then 0
  else
    let here =
      if Packet.is_to p s.address then 3
      else if not (is_any s.address) then 0
      else if p.address_length = Ip.length s.address then 2
      else if Ip.is_v4 s.address then 0
      else 1
    in
    if here = 0 || s.remote_port = 0 then here
    else if connected_to s p ~src_port then here + 3
    else 0

let rec best entries p ~dst_port ~src_port found score =
  match entries with
  | [] -> found
  | None :: rest -> best rest p ~dst_port ~src_port found score
  | (Some s as entry) :: rest ->
      let fit = fit s p ~dst_port ~src_port in
      if fit > score then best rest p ~dst_port ~src_port entry fit
      else best rest p ~dst_port ~src_port found score

(* The [n]th of the sockets that share the port and match equally well. *)
let rec nth_sharing entries p ~dst_port ~src_port score n =
  match entries with
  | [] -> None
  | (Some s as entry) :: rest when s.share && fit s p ~dst_port ~src_port = score ->
      if n = 0 then entry else nth_sharing rest p ~dst_port ~src_port score (n - 1)
  | _ :: rest -> nth_sharing rest p ~dst_port ~src_port score n

let rec count_sharing entries p ~dst_port ~src_port score n =
  match entries with
  | [] -> n
  | Some s :: rest when s.share && fit s p ~dst_port ~src_port = score ->
      count_sharing rest p ~dst_port ~src_port score (n + 1)
  | _ :: rest -> count_sharing rest p ~dst_port ~src_port score n

(* Always the same socket for a peer's port. *)
let sharing entries s p ~dst_port ~src_port =
  let score = fit s p ~dst_port ~src_port in
  let n = count_sharing entries p ~dst_port ~src_port score 0 in
  let spread = Weir_base.Mix.scramble (Ip.key (Packet.source p) lxor (src_port lsl 16)) in
  nth_sharing entries p ~dst_port ~src_port score ((spread lsr 16) land 0xffff mod n)

let find t p ~dst_port ~src_port =
  let entries = t.buckets.(bucket t dst_port) in
  match best entries p ~dst_port ~src_port None 0 with
  | Some s when s.share -> sharing entries s p ~dst_port ~src_port
  | found -> found

let iter_matching t p ~dst_port ~src_port f =
  List.iter
    (function Some s when fit s p ~dst_port ~src_port > 0 -> f s | _ -> ())
    t.buckets.(bucket t dst_port)

let enqueue s (p : Packet.t) ~src_port ~off ~len =
  let address_length = p.address_length in
  let head_length = head_length ~address_length in
  if not s.is_open then false
  else if
    s.queued >= s.max_datagrams || len > 0xffff
    || head_length + len > Byte_ring.free s.queue
    || not (Byte_ring.affords s.queue (head_length + len))
  then (
    s.dropped <- s.dropped + 1;
    false)
  else (
    Bytes.set_uint8 s.head 0 address_length;
    Bytes.set_uint16_be s.head 1 src_port;
    Bytes.set_uint16_be s.head 3 len;
    Byte_ring.make_room s.queue (head_length + len);
    Byte_ring.write s.queue s.head ~off:0 ~len:addresses_at;
    Byte_ring.write s.queue p.data ~off:p.source_at ~len:(2 * address_length);
    Byte_ring.write s.queue p.data ~off ~len;
    s.queued <- s.queued + 1;
    s.peak <- Int.max s.peak (Byte_ring.length s.queue);
    true)

let report t ~local ~local_port ~remote ~remote_port e =
  let p = Packet.between ~source:remote ~destination:local in
  match find t p ~dst_port:local_port ~src_port:remote_port with
  | Some s as found when s.remote_port <> 0 ->
      s.error <- Some e;
      found
  | _ -> None

(* Storage above [large] is freed when the queue is empty, unless the next burst probably needs it:
   with similar bursts only the first one grows the storage. Several bursts in a row that need less
   than a quarter, or a flood, free it. The storage that all empty sockets keep is bounded. *)
let large = 16_384
let most_kept = 131_072
let all_kept = 1_048_576
let most_small = 32

let settle s =
  if s.queued = 0 then (
    s.small <- (if 4 * s.peak < s.kept then s.small + 1 else 0);
    let wanted = if s.small > most_small then 0 else Int.max s.kept s.peak in
    let fits = wanted <= most_kept && !(s.kept_by_all) + wanted - s.kept <= all_kept in
    let keep = if wanted > large && fits then wanted else 0 in
    if keep = 0 && Int.max s.kept s.peak > large then Byte_ring.trim s.queue;
    s.kept_by_all := !(s.kept_by_all) + keep - s.kept;
    s.kept <- keep;
    s.peak <- 0)

let next_length s =
  if s.queued = 0 then -1
  else (
    Byte_ring.peek s.queue ~at:0 s.head ~off:0 ~len:addresses_at;
    Bytes.get_uint16_be s.head 3)

(* Most datagrams have the same source as the one before: reuse its string. *)
let taken s before at ~length =
  if Ip.is_at before s.head at ~length then before else Ip.get s.head at ~length

let receive s b ~off ~len =
  let data_length = next_length s in
  if data_length >= 0 then (
    let length = Bytes.get_uint8 s.head 0 in
    let head = head_length ~address_length:length in
    Byte_ring.peek s.queue ~at:0 s.head ~off:0 ~len:head;
    s.last_src <- taken s s.last_src addresses_at ~length;
    s.last_src_port <- Bytes.get_uint16_be s.head 1;
    s.last_dst <- taken s s.last_dst (addresses_at + length) ~length;
    Byte_ring.peek s.queue ~at:head b ~off ~len:(Int.min len data_length);
    Byte_ring.drop s.queue (head + data_length);
    s.queued <- s.queued - 1;
    settle s);
  data_length

let last_src s = s.last_src
let last_src_port s = s.last_src_port
let last_dst s = s.last_dst
let queued s = s.queued
let queued_bytes s = Byte_ring.length s.queue
let buffer s = Byte_ring.capacity s.queue
let dropped s = s.dropped
let error s = s.error

let take_error s =
  let e = s.error in
  s.error <- None;
  e

let announce s =
  let first = not s.announced in
  s.announced <- true;
  first

let heard s = s.announced <- false
