open Weir_base
module Web = Weir_http_eio.Server
module Host = Weir_eio.Host

(* Resolved when each of [n] domains has called [arrive], or one has given up. *)
module Latch = struct
  type t = { left : int Atomic.t; all : unit Eio.Promise.t; set : unit Eio.Promise.u }

  let create n =
    let all, set = Eio.Promise.create () in
    { left = Atomic.make n; all; set }

  let open_ t = ignore (Eio.Promise.try_resolve t.set () : bool)
  let arrive t = if Atomic.fetch_and_add t.left (-1) = 1 then open_ t
  let await t = Eio.Promise.await t.all
end

type t = {
  options : Serve_lwt.options;
  handler : unit -> Weir_http.Handler.t;
  exchange : Weir_drive.Exchange.t;
  clock : Eio.Time.Mono.ty Eio.Std.r;
  stop : unit Eio.Promise.t;
  listening : Latch.t;
  sent : Latch.t;  (** so that no queue is closed while others still need their share *)
  hosts : Weir_eio.host option Atomic.t array;
}

type finished = {
  counters : Weir_core.Counters.t;
  admission : Weir_http.Admission.t;
  is_gone : bool;
}

let answering = Time.s 4
let closing = Time.s 5

(* What one domain does. *)
let serve t i ends ~admission =
  Eio.Switch.run @@ fun sw ->
  let { options = o; clock; _ } = t in
  let seat = Weir_drive.Exchange.seat t.exchange i in
  let hosts = Attach.hosts_on ~sw ~clock ~seat o.attach ends in
  Atomic.set t.hosts.(i) (Some hosts.local);
  let web =
    Web.create ~sw ~clock ~admission ?log:(Serve_lwt.log o) ~warn:(Journal.warn o.journal)
      (t.handler ())
  in
  let listener = Weir_eio.Network.listen hosts.local ~sw ~port:o.port ~backlog:1024 in
  Latch.arrive t.listening;
  let deadline = ref 0 in
  let stopped () =
    Eio.Promise.await t.stop;
    deadline := Host.now hosts.local + closing;
    Web.stop web ~timeout_ns:answering
  in
  Eio.Fiber.fork_daemon ~sw (fun () -> Host.give_memory_back hosts.local);
  Eio.Fiber.any
    [ (fun () -> Web.run_on_host web listener); stopped; (fun () -> Eio.Promise.await hosts.gone) ];
  let is_gone = Eio.Promise.is_resolved hosts.gone in
  if is_gone then Host.release hosts.local
  else
    Weir_eio.shutdown ~timeout_ns:(max (Time.ms 200) (!deadline - Host.now hosts.local)) hosts.local;
  Latch.arrive t.sent;
  Latch.await t.sent;
  Atomic.set t.hosts.(i) None;
  { counters = Host.counters hosts.local; admission; is_gone }

(* Others do not wait for a domain that failed. *)
let serve_or_fail t i ends ~admission =
  try serve t i ends ~admission
  with e ->
    let bt = Printexc.get_raw_backtrace () in
    Latch.open_ t.sent;
    Printexc.raise_with_backtrace e bt

let say_usage t =
  Array.iteri
    (fun i host ->
      Option.iter
        (fun host ->
          Journal.say t.options.journal (Printf.sprintf "domain %d" i);
          Serve_lwt.say_usage t.options (Host.usage host))
        (Atomic.get host))
    t.hosts

let run (o : Serve_lwt.options) ~domains ~handler ~admission ~summary =
  Eio_main.run @@ fun env ->
  let all = Ends.queues o.attach domains in
  Journal.share o.journal;
  let stop, set_stop = Eio.Promise.create () in
  let t =
    {
      options = o;
      handler;
      exchange = Weir_drive.Exchange.create ~count:domains;
      clock = (Eio.Stdenv.mono_clock env :> Eio.Time.Mono.ty Eio.Std.r);
      stop;
      listening = Latch.create domains;
      sent = Latch.create domains;
      hosts = Array.init domains (fun _ -> Atomic.make None);
    }
  in
  let first = List.hd all in
  let announce () =
    Latch.await t.listening;
    let at = Endpoint.shown (Endpoint.without_network first.cidr) ~port:o.port in
    Serve_lwt.say o at ~note:first.note
  in
  let one i ends =
    let work () = serve_or_fail t i ends ~admission:(admission ()) in
    if i = 0 then work () else Eio.Domain_manager.run (Eio.Stdenv.domain_mgr env) work
  in
  Eio.Switch.run @@ fun sw ->
  Eio.Fiber.fork_daemon ~sw (fun () ->
      announce ();
      Interrupt.await ();
      Eio.Promise.resolve set_stop ();
      `Stop_daemon);
  Eio.Fiber.fork_daemon ~sw (fun () -> Interrupt.on_usr1 (fun () -> say_usage t));
  let finished =
    Eio.Fiber.List.map (fun (i, ends) -> one i ends) (List.mapi (fun i e -> (i, e)) all)
  in
  summary finished;
  if List.exists (fun f -> f.is_gone) finished then Ends.gone o.attach
