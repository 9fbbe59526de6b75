type watch = { mutable until : int; mutable fired : bool; expire : unit -> unit }

type t = {
  clock : Eio.Time.Mono.ty Eio.Std.r;
  watches : (int, watch) Hashtbl.t;
  some : Eio.Condition.t;
  mutable next : int;
  mutable running : int;  (** limits that run *)
  mutable sweeping : bool;
  mutable swept_at : int;  (** a clock that is read once a period *)
}

exception Limit

let never = max_int
let period_ns = Weir_base.Time.ms 250
let period = float_of_int period_ns /. 1e9
let now t = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now t.clock))

let expire now _ watch =
  if watch.until <= now && not watch.fired then (
    watch.fired <- true;
    watch.expire ())

(* Without limits to check it waits for the next one. *)
let rec sweep t =
  if t.running = 0 then (
    t.sweeping <- false;
    Eio.Condition.loop_no_mutex t.some (fun () -> if t.running > 0 then Some () else None));
  Eio.Time.Mono.sleep t.clock period;
  let due = Hashtbl.fold (fun id w acc -> (id, w) :: acc) t.watches [] in
  let now = now t in
  t.swept_at <- now;
  List.iter (fun (id, w) -> expire now id w) due;
  sweep t

let create ~sw ~clock =
  let clock = (clock :> Eio.Time.Mono.ty Eio.Std.r) in
  let t =
    {
      clock;
      watches = Hashtbl.create 64;
      some = Eio.Condition.create ();
      next = 0;
      running = 0;
      sweeping = false;
      swept_at = 0;
    }
  in
  Eio.Fiber.fork_daemon ~sw (fun () -> sweep t);
  t

let add t watch =
  let id = t.next in
  t.next <- id + 1;
  Hashtbl.add t.watches id watch;
  id

(* At most a period has gone by since the clock was read. *)
let begin_ t w ns =
  if w.until = never then t.running <- t.running + 1;
  if not t.sweeping then (
    t.sweeping <- true;
    t.swept_at <- now t;
    Eio.Condition.broadcast t.some);
  w.until <- t.swept_at + period_ns + ns

let go_back t w until =
  if until = never && w.until <> never then t.running <- t.running - 1;
  w.until <- until

(* -- any call ---------------------------------------------------------------- *)

let within t ns f =
  let watch = ref None in
  let limited context =
    let expire () = Eio.Cancel.cancel context Limit in
    let w = { until = never; fired = false; expire } in
    watch := Some w;
    let id = add t w in
    begin_ t w ns;
    let finally () =
      go_back t w never;
      Hashtbl.remove t.watches id
    in
    Fun.protect ~finally f
  in
  match Eio.Cancel.sub limited with
  | x -> x
  | exception Eio.Cancel.Cancelled Limit when match !watch with Some w -> w.fired | None -> false ->
      raise Weir_http.Server.Timed_out

let http_timer t =
  {
    Weir_http.Server.with_timeout =
      (fun ns f -> if ns = Weir_base.Time.never then f () else within t ns f);
  }

(* -- calls of one connection ------------------------------------------------- *)

let settle t w ~interrupt until =
  go_back t w until;
  if w.fired then (
    w.fired <- false;
    interrupt false)

let limited t w ~interrupt ns f =
  let before = w.until in
  begin_ t w ns;
  match f () with
  | x ->
      settle t w ~interrupt before;
      x
  | exception e -> (
      let bt = Printexc.get_raw_backtrace () and fired = w.fired in
      settle t w ~interrupt before;
      match e with
      | Weir_flow.Flow.Error _ when fired -> raise Weir_http.Server.Timed_out
      | _ -> Printexc.raise_with_backtrace e bt)

let with_connection t ~interrupt f =
  let w = { until = never; fired = false; expire = (fun () -> interrupt true) } in
  let id = add t w in
  let with_timeout ns f = if ns = Weir_base.Time.never then f () else limited t w ~interrupt ns f in
  Fun.protect
    ~finally:(fun () -> Hashtbl.remove t.watches id)
    (fun () -> f { Weir_http.Server.with_timeout })
