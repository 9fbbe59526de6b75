open Weir_base
open Weir_core
open White_box
open Weir_link

type ending = Both_shut | Answer_after_end | Close_at_once

type plan = {
  seed : int;
  over_v6 : bool;
  mtu : int;
  offload : bool;
  configs : Config.t * Config.t;
  there : Impairment.t;
  back : Impairment.t;
  sizes : int * int;
  most : int;
  ending : ending;
}

let plan =
  {
    seed = 1;
    over_v6 = false;
    mtu = 1500;
    offload = false;
    configs = (Config.default, Config.default);
    there = { Impairment.none with delay_ns = Time.us 100 };
    back = { Impairment.none with delay_ns = Time.us 100 };
    sizes = (100_000, 100_000);
    most = max_int;
    ending = Both_shut;
  }

type result = { took : Time.t; frames : int; digest : string; world : World.t }

type side = {
  host : World.host;
  hasty : bool;
  out : Stream.t;
  into : Stream.t;
  mutable shut : bool;
}

let closed_well (c : Tcb.t) =
  match c.error with
  | None -> ()
  | Some e -> Alcotest.failf "connection ended: %a in %a" Tcb.pp_error e Tcb.pp_state c.state

(* One side's application: called whenever something may have happened. *)
let turn plan side ~may_write (c : Tcb.t) =
  let most = plan.most in
  Stream.read side.into ~most c;
  if Stream.all_read side.into && Tcb.peer_finished c && side.shut then
    Tcp.close (World.tcp side.host) c
  else if c.state <> Closed then (
    if may_write && not side.shut then Stream.write side.out ~most c;
    if may_write && Stream.all_written side.out && not side.shut then (
      side.shut <- true;
      if side.hasty then Tcp.close (World.tcp side.host) c else Tcp.shutdown_send c))
  else closed_well c

(* An application that moves a little at a time comes back by itself. *)
let turns w plan side app =
  let moved = ref 0 in
  World.app w (fun () ->
      app ();
      let sum = Stream.written side.out + Stream.read_so_far side.into in
      if plan.most < max_int && sum > !moved then (
        moved := sum;
        World.at w (World.now w + Time.us 500) ignore))

let run ?record ?check ?(limit = Time.s 3_600) plan =
  let w =
    World.pair ~seed:plan.seed ~over_v6:plan.over_v6 ~mtu:plan.mtu ~offload:plan.offload
      ~configs:plan.configs ~there:plan.there ~back:plan.back ?record ?check ()
  in
  let a = World.first w and b = World.second w in
  let forth = Stream.create ~seed:plan.seed ~total:(fst plan.sizes) in
  let back =
    Stream.create ~seed:(plan.seed + 77)
      ~total:(if plan.ending = Close_at_once then 0 else snd plan.sizes)
  in
  let began = World.now w in
  let l = World.listen b 80 in
  let c = World.connect w a b 80 in
  let served = ref None in
  let client =
    { host = a; hasty = plan.ending = Close_at_once; out = forth; into = back; shut = false }
  in
  let server = { host = b; hasty = false; out = back; into = forth; shut = false } in
  turns w plan client (fun () -> if Tcb.connected c then turn plan client ~may_write:true c);
  turns w plan server (fun () ->
      if !served = None then served := Tcp.accept l;
      Option.iter
        (fun s ->
          let may_write = plan.ending = Both_shut || Tcb.peer_finished s in
          turn plan server ~may_write s)
        !served);
  let finished () = Stream.all_read forth && Stream.all_read back in
  let say what =
    Alcotest.failf "seed %d: %s at %a: %d of %d, %d of %d bytes; %a / %a" plan.seed what Time.pp
      (World.now w - began)
      (Stream.read_so_far forth) (Stream.total forth) (Stream.read_so_far back) (Stream.total back)
      Invariants.pp c
      Fmt.(option Invariants.pp)
      !served
  in
  try
    if not (World.run w ~limit:(began + limit) finished) then say "not finished";
    let took = World.now w - began and frames = World.sent w in
    let empty () = Tcp.length (World.tcp a) + Tcp.length (World.tcp b) = 0 in
    if not (World.run w ~limit:(World.now w + limit) empty) then say "connections left over";
    { took; frames; digest = World.digest w; world = w }
  with (Failure _ | Invalid_argument _) as e -> say (Printexc.to_string e)
