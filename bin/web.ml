open Weir_http

type connection = { mutable idle : bool; close : unit -> unit }

type t = {
  clock : Eio.Time.Mono.ty Eio.Std.r;
  timer : Server.timer;
  log : (string -> unit) option;
  handler : Handler.t;
  slots : Eio.Semaphore.t;
  live : (int, connection) Hashtbl.t;
  changed : Eio.Condition.t;
  stopped : unit Eio.Promise.t;
  stop : unit Eio.Promise.u;
  mutable next : int;
}

let create ~sw ~clock ?(max_connections = 10_000) ?log handler =
  let stopped, stop = Eio.Promise.create () in
  {
    clock :> Eio.Time.Mono.ty Eio.Std.r;
    timer = Time_limits.http_timer (Time_limits.create ~sw ~clock);
    log;
    handler;
    slots = Eio.Semaphore.make max_connections;
    live = Hashtbl.create 64;
    changed = Eio.Condition.create ();
    stopped;
    stop;
    next = 0;
  }

let server t ~peer =
  let log =
    Option.map
      (fun print entry -> print (Access_log.line ~peer ~time:(Unix.gettimeofday ()) entry))
      t.log
  in
  let report _ = function Eio.Cancel.Cancelled _ as e -> raise e | _ -> () in
  Server.create ~timer:t.timer ~now:Unix.gettimeofday
    ~stop:(fun () -> Eio.Promise.is_resolved t.stopped)
    ?log ~report ()

(* A broken connection is the peer's business and ends here. *)
let answer t c =
  Weir_eio.Connection.set_option c Eio.Net.Sockopt.TCP_NODELAY true;
  let entry = { idle = true; close = (fun () -> Weir_eio.Connection.close c) } in
  let id = t.next in
  t.next <- id + 1;
  Hashtbl.add t.live id entry;
  Fun.protect ~finally:(fun () ->
      Hashtbl.remove t.live id;
      Eio.Semaphore.release t.slots;
      if Hashtbl.length t.live = 0 then Eio.Condition.broadcast t.changed)
  @@ fun () ->
  let peer =
    match Weir_eio.Connection.remote_address c with
    | `Tcp (ip, _) -> Fmt.str "%a" Eio.Net.Ipaddr.pp ip
    | `Unix path -> path
  in
  match
    Server.serve_connection
      ~on_idle:(fun idle -> entry.idle <- idle)
      ~shutdown_send:(fun () -> Weir_eio.Connection.shutdown c `Send)
      (server t ~peer) (Weir_eio.Connection.flow c) t.handler
  with
  | () -> Weir_eio.Connection.close c
  | exception (Weir_flow.Flow.Error _ | Eio.Io (Eio.Net.E _, _) | Server.Timed_out) ->
      Weir_eio.Connection.close c
  | exception (Eio.Cancel.Cancelled _ as e) ->
      Weir_eio.Connection.close c;
      raise e
  | exception e ->
      (* A defect, but only this connection's. *)
      Printf.eprintf "weir: serving %s: %s\n%!" peer (Printexc.to_string e);
      Weir_eio.Connection.close c

let serve t host ~port =
  Eio.Switch.run @@ fun sw ->
  let listener = Weir_eio.Network.listen host ~sw ~port ~backlog:1024 in
  let rec accept () =
    Eio.Semaphore.acquire t.slots;
    let c = Weir_eio.Network.accept listener ~sw in
    Eio.Fiber.fork ~sw (fun () -> answer t c);
    accept ()
  in
  Eio.Fiber.first accept (fun () -> Eio.Promise.await t.stopped);
  Weir_eio.Network.close_listener listener

let stop t ~timeout_ns =
  ignore (Eio.Promise.try_resolve t.stop ());
  Hashtbl.fold (fun _ c acc -> if c.idle then c :: acc else acc) t.live []
  |> List.iter (fun c -> c.close ());
  let until = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now t.clock)) + timeout_ns in
  Eio.Fiber.first
    (fun () -> Eio.Time.Mono.sleep_until t.clock (Mtime.of_uint64_ns (Int64.of_int until)))
    (fun () ->
      Eio.Condition.loop_no_mutex t.changed (fun () ->
          if Hashtbl.length t.live = 0 then Some () else None))
