(* Any calls at any times on both ends, over a bad network: what is read is
   always a prefix of what was written, all of it after an orderly end, and no
   connection is left. *)

open Weir_base
open Weir_core
open White_box
open Weir_test

type call = Write of int | Read of int | Shutdown | Deafen | Close | Abort
type step = { wait : Time.t; first : bool; call : call }

type plan = {
  seed : int;
  net : Weir_link.Impairment.t;
  buffers : int * int;
  timestamps : bool;
  steps : step list;
}

let steps =
  let open QCheck2.Gen in
  let call =
    oneof_weighted
      [
        (10, map (fun n -> Write n) (int_bound 20_000));
        (10, map (fun n -> Read n) (int_bound 20_000));
        (2, pure Shutdown);
        (1, pure Deafen);
        (1, pure Close);
        (1, pure Abort);
      ]
  in
  let step =
    let* wait = oneof_list [ 0; Time.us 100; Time.ms 5; Time.ms 300; Time.s 3; Time.s 70 ]
    and* first = bool
    and* call = call in
    pure { wait; first; call }
  in
  list_size (int_bound 30) step

let plans =
  let open QCheck2.Gen in
  let chance = oneof [ pure 0.; float_bound_inclusive 0.1 ] in
  let* seed = int_bound 1_000_000
  and* loss = chance
  and* reorder = chance
  and* duplicate = chance
  and* delay_ns = oneof_list [ Time.us 20; Time.ms 20; Time.ms 500 ]
  and* buffers = pair (oneof_list [ 3_000; 70_000 ]) (oneof_list [ 2_000; 40_000 ])
  and* timestamps = bool
  and* steps = steps in
  let net =
    {
      Weir_link.Impairment.none with
      loss = Steady loss;
      reorder;
      reorder_ns = delay_ns / 2;
      duplicate;
      delay_ns;
    }
  in
  pure { seed; net; buffers; timestamps; steps }

let print p =
  let call = function
    | Write n -> Printf.sprintf "write %d" n
    | Read n -> Printf.sprintf "read %d" n
    | Shutdown -> "shutdown"
    | Deafen -> "shutdown receive"
    | Close -> "close"
    | Abort -> "abort"
  in
  Fmt.str "seed %d, %a, buffers %d and %d, ts %b:@ %a" p.seed Weir_link.Impairment.pp p.net
    (fst p.buffers) (snd p.buffers) p.timestamps
    Fmt.(
      list ~sep:semi (fun f s ->
          pf f "%a %s %s" Time.pp s.wait (if s.first then "a" else "b") (call s.call)))
    p.steps

type side = {
  host : World.host;
  c : Tcb.t;
  out : Stream.t;
  into : Stream.t;
  mutable shut : bool;
  mutable deaf : bool;
  mutable gone : bool;  (** closed or aborted by its user *)
}

let perform s = function
  | _ when s.gone -> ()
  | Write n -> if not s.shut then Stream.write s.out ~most:n s.c
  | Read n -> Stream.read s.into ~most:n s.c
  | Shutdown ->
      s.shut <- true;
      Tcp.shutdown_send s.c
  | Deafen ->
      s.deaf <- true;
      Tcp.shutdown_receive s.c
  | Close ->
      s.gone <- true;
      Tcp.close (World.tcp s.host) s.c
  | Abort ->
      s.gone <- true;
      Tcp.abort (World.tcp s.host) s.c

(* In the end everyone who is left reads all there is and closes. *)
let finish s =
  if not s.gone then (
    perform s Shutdown;
    perform s (Read max_int);
    if Tcb.peer_finished s.c || s.c.state = Closed then perform s Close)

let run p =
  let config n =
    (* Who waits for a peer that is gone, its RST lost, learns it by keepalive only. *)
    let keepalive = Some { Config.idle = Time.s 200; interval = Time.s 10; probes = 20 } in
    let timestamps = p.timestamps in
    { Config.default with send_buffer = n; receive_buffer = n; timestamps; keepalive }
  in
  let w =
    World.pair ~seed:p.seed ~configs:(config (fst p.buffers), config (snd p.buffers)) ~check:true ()
  in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let at_a = World.connect w a b 80 in
  World.settle w;
  let at_b = Option.get (Tcp.accept l) in
  World.impair w ~there:p.net ~back:p.net ();
  let stream seed = Stream.create ~seed ~total:max_int in
  let forth = stream p.seed and back = stream (p.seed + 5) in
  let side host c out into = { host; c; out; into; shut = false; deaf = false; gone = false } in
  let x = side a at_a forth back and y = side b at_b back forth in
  List.iter
    (fun s ->
      World.pass w s.wait;
      perform (if s.first then x else y) s.call;
      Invariants.check at_a;
      Invariants.check at_b)
    p.steps;
  let orderly = not (x.gone || y.gone || x.deaf || y.deaf) in
  World.app w (fun () ->
      finish x;
      finish y);
  let none_left () = x.gone && y.gone && Tcp.length (World.tcp a) + Tcp.length (World.tcp b) = 0 in
  if not (World.run w ~limit:(World.now w + Time.s 7_200) none_left) then
    Alcotest.failf "left over: %a / %a" Invariants.pp at_a Invariants.pp at_b;
  let whole what s =
    if Stream.read_so_far s <> Stream.written s then
      Alcotest.failf "%s: %d of %d bytes came; %a / %a" what (Stream.read_so_far s)
        (Stream.written s) Invariants.pp at_a Invariants.pp at_b
  in
  let ended_well (c : Tcb.t) =
    (* All came, but every answer to the last FIN may have been lost. *)
    match c.error with
    | None | Some Timed_out -> true
    | Some _ -> false
  in
  if orderly then (
    whole "there" forth;
    whole "back" back;
    if not (ended_well at_a && ended_well at_b) then
      Alcotest.failf "an orderly end in error: %a, %a"
        Fmt.(option Tcb.pp_error)
        at_a.error
        Fmt.(option Tcb.pp_error)
        at_b.error)

let property =
  QCheck2.Test.make ~name:"any calls at any time" ~count:(Suite.iterations 2_000) ~print plans
    (fun p ->
      run p;
      true)

let cases = [ Suite.qcheck property ]
