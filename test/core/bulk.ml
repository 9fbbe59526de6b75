open Weir_base
open Weir_core
open White_box

type flow = {
  connection : Tcb.t;
  stream : Stream.t;
  began : Time.t;
  mutable ended : Time.t;
  mutable half_at : Time.t;
  mutable rtt_sum : int;
  mutable rtt_samples : int;
}

type t = { world : World.t; flows : flow list }

let sample f =
  let srtt = Rto.srtt_ns f.connection.rto in
  if f.ended = Time.never && srtt > 0 && Stream.read_so_far f.stream > 0 then (
    f.rtt_sum <- f.rtt_sum + (srtt / 1_000);
    f.rtt_samples <- f.rtt_samples + 1)

let move w ?most f server ~watch =
  let allowed =
    match most with None -> max_int | Some n -> n * (1 + ((World.now w - f.began) / Time.ms 10))
  in
  let c = f.connection in
  if World.now w >= f.began && Tcb.connected c && f.ended = Time.never then (
    (match most with
    | None -> Stream.write f.stream c
    | Some n -> if Stream.written f.stream < allowed then Stream.write f.stream ~most:n c);
    Option.iter (Stream.read f.stream) server;
    watch c;
    sample f;
    if f.half_at = Time.never && 2 * Stream.read_so_far f.stream >= Stream.total f.stream then
      f.half_at <- World.now w;
    if Stream.all_read f.stream then f.ended <- World.now w)

let start w ~config ~port ~seed (name, bytes, at) =
  let a = World.first w and b = World.second w in
  let l = World.listen b port in
  let c = World.connect w a b port in
  Tcp.set_congestion (Tcp.Private.connection c)
    (Option.get (Congestion.named name config.Config.congestion));
  let began = World.now w + at in
  let stream = Stream.create ~seed ~total:bytes in
  ( l,
    {
      connection = c;
      stream;
      began;
      ended = Time.never;
      half_at = Time.never;
      rtt_sum = 0;
      rtt_samples = 0;
    } )

let run ?(seed = 1) ?(config = Config.default) ?(limit = Time.s 3_600) ?(changes = [])
    ?(watch = ignore) ?most ?(check = false) ~there ~back flows =
  let w = World.pair ~seed ~configs:(config, config) ~there ~back ~check () in
  let began = World.now w in
  let started = List.mapi (fun i f -> start w ~config ~port:(80 + i) ~seed:(seed + i) f) flows in
  let servers = List.map (fun (l, f) -> (l, f, ref None)) started in
  List.iter
    (fun (at, net) -> World.at w (began + at) (fun () -> World.impair w ~there:net ()))
    changes;
  List.iter (fun (_, f) -> World.at w f.began ignore) started;
  let rec tick () = if most <> None then World.at w (World.now w + Time.ms 10) tick in
  tick ();
  World.app w (fun () ->
      List.iter
        (fun (l, f, s) ->
          if !s = None then s := Tcp.accept l;
          move w ?most f !s ~watch)
        servers);
  let flows = List.map snd started in
  let done_ () = List.for_all (fun f -> f.ended < Time.never) flows in
  ignore (World.run w ~limit:(began + limit) done_ : bool);
  { world = w; flows }

let mbit f =
  let until = if f.ended < Time.never then f.ended else f.connection.shared.now in
  float_of_int (Stream.read_so_far f.stream * 8) /. float_of_int (until - f.began) *. 1e3

let queueing_ms f ~base =
  if f.rtt_samples = 0 then 0.
  else float_of_int ((f.rtt_sum / f.rtt_samples) - (base / 1_000)) /. 1e3
