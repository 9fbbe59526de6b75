open Eio.Std
module Interception = Weir_eio.Interception
module Outside = Outside
module Record = Record
module Decision = Decision

type inward = { shared : Shared.t; interception : Interception.t }

let stream_in i = Streams.stream_in i.shared i.interception
let datagrams_in i = Pairs.datagrams_in i.shared i.interception
let to_itself _ (address, port) = Decision.To (address, port)
let seconds n = n * 1_000_000_000
let default_idle port = if port = 53 then seconds 10 else seconds 120

let rec requests t i ~sw ~net =
  let q = Interception.next_request i in
  if t.Shared.connections >= t.max_connections then Interception.drop q
  else Fiber.fork ~sw (fun () -> Streams.request t ~net q);
  requests t i ~sw ~net

let rec flows t i ~sw =
  let fresh, taken = Eio.Promise.create () in
  Fiber.fork ~sw (fun () ->
      Switch.run @@ fun sw ->
      let f = Interception.next_flow i ~sw in
      Eio.Promise.resolve taken ();
      Pairs.flow t ~sw f);
  Eio.Promise.await fresh;
  flows t i ~sw

let max_pings = 256

let rec echoes t i ~sw ping =
  let e = Interception.next_echo i in
  if t.Shared.pings < max_pings then (
    t.pings <- t.pings + 1;
    Fiber.fork ~sw (fun () ->
        Fun.protect ~finally:(fun () -> t.pings <- t.pings - 1) (fun () -> Echoes.answer t ping e)));
  echoes t i ~sw ping

let counting () =
  let n = ref (-1) in
  fun () ->
    incr n;
    !n

(* Flows that end make place a little later. *)
let spare_flows = 64

let run ~clock ~net ?(decide = to_itself) ?(began = ignore) ?(ended = ignore)
    ?(limit = fun _ -> None) ?(connect_timeout_ns = seconds 120) ?(idle_ns = default_idle)
    ?(max_connections = 10_000) ?(max_flows = 1_024) ?datagrams ?ping ?numbers ?(started = ignore)
    host =
  if max_flows < 1 then invalid_arg "Weir_gateway.run: max_flows";
  let t : Shared.t =
    {
      clock :> Eio.Time.Mono.ty r;
      decide;
      began;
      ended;
      limit;
      connect_timeout_ns;
      idle_ns;
      datagrams = Option.value datagrams ~default:(Outside.of_net net);
      max_connections;
      max_flows;
      pairs = Hashtbl.create 16;
      next_number = Option.value numbers ~default:(counting ());
      connections = 0;
      pings = 0;
    }
  in
  Switch.run @@ fun sw ->
  let i = Interception.start host ~sw ~flows:(max_flows + spare_flows) ~echo:(ping <> None) () in
  started { shared = t; interception = i };
  Fiber.all
    [
      (fun () -> requests t i ~sw ~net);
      (fun () -> flows t i ~sw);
      (fun () -> Option.iter (echoes t i ~sw) ping);
    ]
