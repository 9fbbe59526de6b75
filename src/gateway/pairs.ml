open Eio.Std
module Interception = Weir_eio.Interception
open Record
open Decision
open Shared

(* Systems tell a UDP socket of an error only if a retry cannot help (RFC 1122 §4.1.3.3). The kernel
   outside has just told us, so the client should hear too: network unknown and host prohibited are
   such codes of IPv4's, with the same errno as their soft brothers. *)
let hard client reason =
  match (fst (Interception.flow_destination client), reason) with
  | Ipaddr.V4 _, Network -> Code 6
  | V4 _, Host -> Code 10
  | _ -> reason

(* What a datagram's sender is told if it could not be delivered. Not all that goes wrong is for it. *)
let tell client e =
  match Outside.error e with
  | Some ECONNREFUSED -> Interception.report client Port
  | Some e -> Option.iter (fun r -> Interception.report client (hard client r)) (reason_of e)
  | None -> ()

(* Returns when nothing has passed for a while. *)
let rec watch t p ~idle_ns =
  let left = idle_ns - Int64.to_int (Int64.sub (now t) p.last_ns) in
  if left > 0 then (
    Eio.Time.Mono.sleep_span t.clock (span left);
    watch t p ~idle_ns)

let carry t r p ~idle_ns ~client (server : Outside.datagrams) =
  let passed () = p.last_ns <- now t in
  (* An error is about one datagram, or an earlier one: it is lost, as datagrams are. *)
  let rec each f =
    (try f ()
     with Eio.Io _ as e ->
       tell client e;
       Fiber.yield ());
    each f
  in
  let up () =
    let b = Interception.receive client in
    passed ();
    try
      server.send b;
      r.sent <- r.sent + Bytes.length b
    with Eio.Io _ as e -> tell client e
  and down () =
    let b = server.receive () in
    passed ();
    Interception.send client b;
    r.received <- r.received + Bytes.length b
  in
  let rec forever f =
    f ();
    forever f
  in
  Fiber.any [ (fun () -> watch t p ~idle_ns); (fun () -> forever up); (fun () -> each down) ];
  Closed

(* Each question has its answer, by a fiber of its own: an answer may take its time. *)
let serve_datagrams t r p ~idle_ns ~client service =
  Switch.run @@ fun sw ->
  let rec questions () =
    let b = Interception.receive client in
    p.last_ns <- now t;
    r.sent <- r.sent + Bytes.length b;
    Fiber.fork_daemon ~sw (fun () ->
        (match service.datagram b with
        | Some answer ->
            r.received <- r.received + Bytes.length answer;
            Interception.send client answer
        | None -> ()
        | exception (Eio.Io _ | End_of_file) -> ());
        `Stop_daemon);
    questions ()
  in
  Fiber.first (fun () -> watch t p ~idle_ns) questions;
  Closed

(* A full table makes room: what was silent for longest ends. *)
let make_room t =
  if Hashtbl.length t.pairs >= t.max_flows then
    Hashtbl.fold
      (fun n p oldest ->
        match oldest with Some (_, o) when o.last_ns <= p.last_ns -> oldest | _ -> Some (n, p))
      t.pairs None
    |> Option.iter (fun (n, p) ->
        Hashtbl.remove t.pairs n;
        Eio.Promise.resolve p.stop ())

let in_table t r f =
  make_room t;
  let stopped, stop = Eio.Promise.create () in
  let p = { last_ns = now t; stop } in
  Hashtbl.replace t.pairs r.number p;
  Fun.protect ~finally:(fun () -> Hashtbl.remove t.pairs r.number) @@ fun () ->
  Fiber.first
    (fun () ->
      Eio.Promise.await stopped;
      Closed)
    (fun () -> f p)

let flow t ~sw client =
  let destination = Interception.flow_destination client in
  recorded t Udp ~source:(Interception.flow_source client) ~destination @@ fun r ->
  let denied reason =
    Option.iter (Interception.report client) reason;
    Denied
  in
  match t.decide Udp destination with
  | Refuse -> denied (Some Port)
  | Unreachable_for reason -> denied (Some reason)
  | Drop -> denied None
  | Serve service ->
      r.connected_ns <- now t;
      in_table t r (fun p ->
          serve_datagrams t r p ~idle_ns:(t.idle_ns (snd destination)) ~client service)
  | To (address, port) -> (
      match t.datagrams ~sw (address, port) with
      | exception (Eio.Io _ as e) ->
          tell client e;
          snd (failure e)
      | server ->
          r.connected_ns <- now t;
          in_table t r (fun p -> carry t r p ~idle_ns:(t.idle_ns port) ~client server))

(* -- from outside ---------------------------------------------------------- *)

let datagrams_in t interception ~source ~destination outer =
  Switch.run @@ fun sw ->
  match Interception.open_flow interception ~sw ~source destination with
  | None -> ()
  | Some inside ->
      recorded t Udp ~source ~destination @@ fun r ->
      r.connected_ns <- now t;
      let idle_ns = t.idle_ns (snd destination) in
      in_table t r (fun p -> carry t r p ~idle_ns ~client:inside outer)
