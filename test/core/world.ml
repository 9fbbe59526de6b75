open Weir_base
open Weir_wire
open Weir_core
open White_box
open Weir_link

type host = {
  name : string;
  stack : Stack.t;
  link : Link.t;
  frames : Frame.pool;
  mac : Mac.t;
  ip : Ip.t;
  mutable heard : Stack.event -> unit;
}

type t = {
  a : host;
  b : host;
  network : Impair.t;
  alarms : (unit -> unit) Heap.t;
  mutable now : Time.t;
  mutable apps : (unit -> unit) list;
  mutable frame_seen : host -> Bytes.t -> int -> unit;
  mutable lets_through : host -> Frame.t -> bool;
  record : bool;
  check : bool;
  mutable digest : string;
  mutable sent : int;
  scratch : Frame.t;
}

let first t = t.a
let second t = t.b
let stack h = h.stack
let tcp h = Stack.tcp h.stack
let address h = Ip.to_ipaddr h.ip
let ip h = h.ip
let mac h = h.mac
let now t = t.now
let sent t = t.sent
let overflowed t = t.network#outbound.overflowed
let digest t = Digest.to_hex t.digest
let app t f = t.apps <- f :: t.apps
let on_event h f = h.heard <- f
let on_frame t f = t.frame_seen <- f
let on_path t f = t.lets_through <- f
let at t when_ f = Heap.add t.alarms ~key:when_ f
let impair t ?there ?back () = t.network#set ?outbound:there ?inbound:back ()
let start = Time.s 1_000

let host ~over_v6 ~seed ~mtu ~offload ~config ~number link =
  let v4 = Printf.sprintf "10.0.0.%d" number and v6 = Printf.sprintf "fd00::%d" number in
  let ip = Ip.of_ipaddr (Ipaddr.of_string_exn (if over_v6 then v6 else v4)) in
  let mac = Mac.of_int (0x02_00_00_00_00_00 lor number) in
  let settings =
    {
      Stack.mac;
      addresses = [ Ipaddr.Prefix.of_string_exn (if over_v6 then v6 ^ "/64" else v4 ^ "/24") ];
      gateways = [ Ipaddr.of_string_exn (if over_v6 then "fd00::fe" else "10.0.0.254") ];
      secret = Stable_address.secret_of_string v6;
      mtu;
      config;
    }
  in
  let stack = Stack.create settings ~random:(Random.State.make [| seed; number |]) ~now:start in
  if offload then
    Stack.set_offload stack (Stack.interface stack 0)
      (Offload.both { partial = true; longest = 65_535; gathers = true });
  {
    name = Printf.sprintf "host %d" number;
    stack;
    link = (if offload then Gso.wrap link else link);
    frames = Frame.pool ~size:(if offload then Link.longest_frame else mtu + Link.header_length) ();
    mac;
    ip;
    heard = ignore;
  }

let make ~over_v6 ~seed ~mtu ~offload ~configs ~record ~check =
  let left, right = Memory.pair ~mtu () in
  let network = Impair.wrap ~seed left in
  let a = host ~over_v6 ~seed ~mtu ~offload ~config:(fst configs) ~number:1 (network :> Link.t) in
  let b = host ~over_v6 ~seed ~mtu ~offload ~config:(snd configs) ~number:2 right in
  {
    a;
    b;
    network;
    alarms = Heap.create ();
    now = start;
    apps = [];
    frame_seen = (fun _ _ _ -> ());
    lets_through = (fun _ _ -> true);
    record;
    check;
    digest = Digest.string "";
    sent = 0;
    scratch = Frame.alloc (Frame.pool ~size:(mtu + Link.header_length) ());
  }

let note t h b len =
  t.sent <- t.sent + 1;
  t.frame_seen h b len;
  if t.record then
    t.digest <-
      Digest.string (Printf.sprintf "%s%s%d%s" t.digest h.name t.now (Bytes.sub_string b 0 len))

let rec receive t h moved =
  let f = h.link#receive ~now:t.now in
  if f == Frame.none then moved
  else (
    Stack.input h.stack ~now:t.now ~interface:0 f;
    Frame.release f;
    receive t h true)

let rec transmit t h moved =
  let f = Frame.alloc h.frames in
  if Stack.transmit h.stack ~now:t.now f < 0 then (
    Frame.release f;
    if moved then h.link#flush;
    moved)
  else (
    (* What a card takes from the ring. *)
    Frame.take_tail f;
    note t h f.data f.len;
    if t.lets_through h f then h.link#send ~now:t.now f else Frame.release f;
    transmit t h true)

let rec hear h =
  match Stack.event h.stack with
  | Nothing -> ()
  | e ->
      h.heard e;
      hear h

let rec ring t =
  if Heap.min_key t.alarms <= t.now then (
    Option.iter (fun f -> f ()) (Heap.pop t.alarms);
    ring t)

(* One after the other, until neither host has anything to do. *)
let rec settle t =
  ring t;
  let serve h =
    let got = receive t h false in
    if Stack.deadline h.stack <= t.now then Stack.tick h.stack ~now:t.now;
    hear h;
    got
  in
  let a = serve t.a in
  let b = serve t.b in
  List.iter (fun f -> f ()) t.apps;
  let a' = transmit t t.a false in
  let b' = transmit t t.b false in
  hear t.a;
  hear t.b;
  if t.check then (
    Tcp.iter Invariants.check (tcp t.a);
    Tcp.iter Invariants.check (tcp t.b));
  if a || b || a' || b' then settle t

let next t =
  let of_host h = min (Stack.deadline h.stack) h.link#deadline in
  min (Heap.min_key t.alarms) (min (of_host t.a) (of_host t.b))

let advance t until =
  t.now <- max t.now until;
  let catch_up h = (Tcp.shared (tcp h)).now <- t.now in
  catch_up t.a;
  catch_up t.b

let rec run t ~limit finished =
  settle t;
  if finished () then true
  else
    let at = next t in
    if at > limit || at = Time.never then (
      if limit <> Time.never then advance t limit;
      false)
    else (
      if at <= t.now then
        Alcotest.failf "time stands still at %a: %a %a, %a %a" Time.pp t.now Time.pp
          (Stack.deadline t.a.stack) Time.pp t.a.link#deadline Time.pp (Stack.deadline t.b.stack)
          Time.pp t.b.link#deadline;
      advance t at;
      run t ~limit finished)

let pass t span = ignore (run t ~limit:(t.now + span) (fun () -> false))

(* The hosts know each other before the network turns bad: three ARP requests
   are easily lost, and that is not what is tested here. *)
let pair ~seed ?(over_v6 = false) ?(mtu = 1500) ?(offload = false)
    ?(configs = (Config.default, Config.default)) ?there ?back ?(record = false) ?(check = false) ()
    =
  let t = make ~over_v6 ~seed ~mtu ~offload ~configs ~record ~check in
  ignore (Stack.ping t.a.stack ~now:t.now (address t.b) ~identifier:1 ~sequence:1 ~data_length:0);
  (* And for sure: the second asks back. *)
  pass t (Time.s 2);
  impair t ?there ?back ();
  t

let inject t h b ~len =
  let f = Frame.alloc (Frame.pool ~keep:0 ~size:len ()) in
  Bytes.blit b 0 f.data 0 len;
  Frame.set_length f len;
  Stack.input h.stack ~now:t.now ~interface:0 f

let rec drain t h f =
  if Stack.transmit h.stack ~now:t.now t.scratch >= 0 then (
    f t.scratch.data t.scratch.len;
    drain t h f)

let listen ?(backlog = 64) h port =
  match Tcp.listen (tcp h) ~address:Ip.any_v6 ~port ~backlog ~reuse:true with
  | Ok l -> l
  | Error _ -> Alcotest.fail "listen"

let connect t h ?local_port peer port =
  match Stack.connect h.stack ~now:t.now ?local_port (address peer) ~port with
  | Ok c -> Tcp.inside c
  | Error _ -> Alcotest.fail "connect"
