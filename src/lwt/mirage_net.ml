open Weir_base
open Weir_link

type error = [ `Invalid_length | `Disconnected ]

let pp_error f : error -> unit = function
  | `Invalid_length -> Fmt.string f "the frame is too long"
  | `Disconnected -> Fmt.string f "the device is disconnected"

type stats = {
  mutable rx_bytes : int64;
  mutable rx_pkts : int32;
  mutable tx_bytes : int64;
  mutable tx_pkts : int32;
}

type t = {
  owner : Owner.t;
  link : Link.t;
  clock : Clock.t;
  mac : Macaddr.t;
  frames : Frame.pool;
  stats : stats;
  tasks : Tasks.t;
  mutable longest : int;  (** longer frames are dropped; before the first [listen], all *)
  mutable callback : Cstruct.t -> unit Lwt.t;
  mutable draining : bool;  (** frames are being received, or are about to be *)
  mutable wake_at : Time.t;
  mutable stop_timer : unit -> unit;
  mutable stop_watching : unit -> unit;
  mutable is_closed : bool;
  closed : unit Lwt_condition.t;
}

let most = 4_096
let mtu t = t.link#mtu
let mac t = t.mac
let get_stats_counters t = t.stats

let reset_stats_counters t =
  t.stats.rx_bytes <- 0L;
  t.stats.rx_pkts <- 0l;
  t.stats.tx_bytes <- 0L;
  t.stats.tx_pkts <- 0l

let create ?(clock = Clock.system) ?mac link =
  let link = (link :> Link.t) in
  let mac =
    match mac with
    | Some mac -> mac
    | None -> Weir_drive.Identity.(random_mac (system_random ())) |> Weir_wire.Mac.to_macaddr
  in
  {
    owner = Owner.here ();
    link;
    clock;
    mac;
    frames = Frame.pool ~size:(link#mtu + Link.header_length) ();
    stats = { rx_bytes = 0L; rx_pkts = 0l; tx_bytes = 0L; tx_pkts = 0l };
    tasks = Tasks.create ~most ~on_error:(fun e -> !Lwt.async_exception_hook e);
    longest = 0;
    callback = (fun _ -> Lwt.return_unit);
    draining = false;
    wake_at = Time.never;
    stop_timer = ignore;
    stop_watching = ignore;
    is_closed = false;
    closed = Lwt_condition.create ();
  }

(* -- receiving ----------------------------------------------------------- *)

let deliver t (f : Frame.t) =
  t.stats.rx_pkts <- Int32.succ t.stats.rx_pkts;
  t.stats.rx_bytes <- Int64.add t.stats.rx_bytes (Int64.of_int f.len);
  let buf = Cstruct.create_unsafe f.len in
  Cstruct.blit_from_bytes f.data f.off buf 0 f.len;
  Tasks.start t.tasks (fun () -> t.callback buf)

let receive t =
  let f = t.link#receive ~now:(t.clock.now ()) in
  let some = f != Frame.none in
  if some then (
    Link.complete f;
    if f.len <= t.longest then deliver t f;
    Frame.release f);
  some

(* The most frames received before other threads run. *)
let batch = 128

(* The main loop runs it, like a host's step. *)
let rec schedule t =
  Owner.check t.owner;
  if not t.draining then (
    t.draining <- true;
    Lwt.async (fun () -> Lwt.bind (Lwt.pause ()) (fun () -> drain t batch)))

and drain t left =
  Lwt.bind (Tasks.room t.tasks) (fun () ->
      if t.is_closed then Lwt.return_unit
      else if left > 0 && receive t then drain t (left - 1)
      else (
        t.draining <- false;
        if left = 0 then schedule t else wait t;
        Lwt.return_unit))

(* The descriptor is watched only while no frames are being received: it is ready as long as frames
   wait. *)
and wait t =
  arm t;
  t.stop_watching ();
  match t.link#readiness with
  | Weir_link_unix.Descriptor.Fd fd ->
      let event =
        Lwt_engine.on_readable fd (fun event ->
            Lwt_engine.stop_event event;
            schedule t)
      in
      t.stop_watching <- (fun () -> Lwt_engine.stop_event event)
  | _ -> ()

(* A link releases delayed frames when it is asked for frames at its deadline. *)
and arm t =
  let at = t.link#deadline in
  if at < t.wake_at then (
    t.stop_timer ();
    t.wake_at <- at;
    t.stop_timer <-
      t.clock.after
        (at - t.clock.now ())
        (fun () ->
          t.wake_at <- Time.never;
          schedule t))

let of_link ?clock ?mac link =
  let t = create ?clock ?mac link in
  (match Weir_link_unix.Descriptor.wait ~who:"Weir_lwt.Mirage_net.of_link" t.link with
  | Told set -> set (fun () -> schedule t)
  | Readable _ -> schedule t);
  t

let rec until_closed t =
  if t.is_closed then Lwt_result.return ()
  else Lwt.bind (Lwt_condition.wait t.closed) (fun () -> until_closed t)

let listen t ~header_size callback =
  Owner.check t.owner;
  t.longest <- header_size + mtu t;
  t.callback <- callback;
  until_closed t

(* -- sending ------------------------------------------------------------- *)

let send t buf length =
  let f = Frame.alloc t.frames in
  Cstruct.blit_to_bytes buf 0 f.data 0 length;
  Frame.set_length f length;
  t.stats.tx_pkts <- Int32.succ t.stats.tx_pkts;
  t.stats.tx_bytes <- Int64.add t.stats.tx_bytes (Int64.of_int length);
  t.link#send ~now:(t.clock.now ()) f;
  t.link#flush;
  arm t

let write t ~size fill =
  Owner.check t.owner;
  if t.is_closed then Lwt_result.fail `Disconnected
  else if size < 0 || size > mtu t + Link.header_length then Lwt_result.fail `Invalid_length
  else
    let buf = Cstruct.create size in
    let length = fill buf in
    if length < 0 || length > size then Lwt_result.fail `Invalid_length
    else (
      send t buf length;
      Lwt_result.return ())

let disconnect t =
  Owner.check t.owner;
  if not t.is_closed then (
    t.is_closed <- true;
    t.stop_timer ();
    t.stop_watching ();
    t.link#close;
    Lwt_condition.broadcast t.closed ());
  Lwt.return_unit
