open Weir_base
module Context = Eio.Private.Fiber_context
module Effects = Eio.Private.Effects

type exit = Exit
type timer = { mutable slot : int; fire : unit -> unit }
type suspended = Running | Suspended : ('a, exit) Effect.Deep.continuation -> suspended

type group = { name : string; mutable paused : bool; parked : job Queue.t }

and fiber = {
  number : int;
  context : Context.t;
  mutable group : group;
  mutable hidden : bool;
  mutable suspended : suspended;
}

and job = { fiber : fiber; go : unit -> exit }

type stop = Deadlock | Time_limit of Time.t | Event_limit of int

type t = {
  timers : timer Heap.t;
  ready : job Fifo.t;  (** the job that has waited longest first *)
  mutable first : job list;  (** to run before [ready]: those that forked *)
  fibers : (int, fiber) Hashtbl.t;
  mutable current : fiber;
  mutable next_number : int;
  mutable now : Time.t;
  mutable events : int;
  mutable time_limit : Time.t;
  mutable event_limit : int;
  mutable stopped : bool;
  mutable ending : bool;  (** nothing pauses any more *)
  shuffle : Random.State.t option;
  on_stop : t -> stop -> unit;
}

let pp_stop f = function
  | Deadlock -> Fmt.string f "deadlock: no fiber can run and nothing is due"
  | Time_limit ns -> Fmt.pf f "not done after %a s of virtual time" Time.pp ns
  | Event_limit n -> Fmt.pf f "not done after %d events" n

let now t = t.now
let events t = t.events

(* -- groups -------------------------------------------------------------- *)

let group name = { name; paused = false; parked = Queue.create () }

let within t group f =
  let fiber = t.current in
  let before = fiber.group in
  fiber.group <- group;
  Fun.protect f ~finally:(fun () -> fiber.group <- before)

let hiding t hidden f =
  let fiber = t.current in
  let before = fiber.hidden in
  fiber.hidden <- hidden;
  Fun.protect f ~finally:(fun () -> fiber.hidden <- before)

let pause group = group.paused <- true

let resume t group =
  group.paused <- false;
  Queue.iter (Fifo.push t.ready) group.parked;
  Queue.clear group.parked

let resume_all t =
  t.ending <- true;
  Hashtbl.fold (fun _ (fiber : fiber) all -> fiber :: all) t.fibers []
  |> List.sort (fun a b -> Int.compare a.number b.number)
  |> List.iter (fun (fiber : fiber) -> resume t fiber.group)

(* -- timers -------------------------------------------------------------- *)

let at t time fire =
  let timer = { slot = -1; fire } in
  if time <> Time.never then Heap.add t.timers ~key:(Int.max time t.now) timer;
  timer

let cancel t timer = if timer.slot >= 0 then Heap.remove t.timers timer.slot

let sleep_until t time =
  if time <= t.now then Eio.Fiber.yield ()
  else
    Eio.Private.Suspend.enter "sleep_until" @@ fun context enqueue ->
    let timer =
      at t time (fun () ->
          Context.clear_cancel_fn context;
          enqueue (Ok ()))
    in
    Context.set_cancel_fn context (fun e ->
        cancel t timer;
        enqueue (Error e))

(* -- the loop ------------------------------------------------------------ *)

(* What unwinding may cost once a limit was hit. *)
let grace = Time.s 60
let grace_events = 1_000_000

(* Whether to go on. *)
let stop t why =
  (not t.stopped)
  &&
  (t.stopped <- true;
   t.time_limit <- t.now + grace;
   t.event_limit <- t.events + grace_events;
   t.on_stop t why;
   resume_all t;
   true)

let rec fire_due t =
  if Heap.min_key t.timers <= t.now then (
    t.events <- t.events + 1;
    Option.iter (fun timer -> timer.fire ()) (Heap.pop t.timers);
    fire_due t)

let rec schedule t : exit =
  match t.first with
  | job :: rest ->
      t.first <- rest;
      dispatch t job
  | [] ->
      if Fifo.is_empty t.ready then advance t
      else
        dispatch t
          (match t.shuffle with
          | Some random when Fifo.length t.ready > 1 ->
              Fifo.pop_nth t.ready (Random.State.int random (Fifo.length t.ready))
          | Some _ | None -> Fifo.pop t.ready)

and dispatch t job =
  let { group; _ } = job.fiber in
  if group.paused && not t.ending then (
    Queue.push job group.parked;
    schedule t)
  else (
    t.events <- t.events + 1;
    if t.events > t.event_limit && not (stop t (Event_limit t.event_limit)) then Exit else job.go ())

and advance t =
  let next = Heap.min_key t.timers in
  if next = Time.never then continue_if t (stop t Deadlock)
  else if next > t.time_limit then (
    t.now <- t.time_limit;
    continue_if t (stop t (Time_limit t.time_limit)))
  else (
    t.now <- next;
    fire_due t;
    schedule t)

and continue_if t go_on = if go_on then schedule t else Exit

let new_fiber t ~group ~hidden context =
  let fiber = { number = t.next_number; context; group; hidden; suspended = Running } in
  t.next_number <- t.next_number + 1;
  Hashtbl.replace t.fibers fiber.number fiber;
  fiber

let wake t fiber k result =
  let go () =
    fiber.suspended <- Running;
    t.current <- fiber;
    Context.clear_cancel_fn fiber.context;
    match result with Ok v -> Effect.Deep.continue k v | Error e -> Effect.Deep.discontinue k e
  in
  Fifo.push t.ready { fiber; go }

let ended t fiber =
  Hashtbl.remove t.fibers fiber.number;
  Context.destroy fiber.context

let rec start t fiber f : exit =
  t.current <- fiber;
  Effect.Deep.match_with f ()
    {
      retc =
        (fun last ->
          ended t fiber;
          if last then Exit else schedule t);
      exnc =
        (fun e ->
          let bt = Printexc.get_raw_backtrace () in
          ended t fiber;
          Printexc.raise_with_backtrace e bt);
      effc = (fun (type a) (e : a Effect.t) -> handle t fiber e);
    }

and handle : type a. t -> fiber -> a Effect.t -> ((a, exit) Effect.Deep.continuation -> exit) option
    =
 fun t fiber -> function
  | Effects.Suspend f ->
      Some
        (fun k ->
          fiber.suspended <- Suspended k;
          f fiber.context (wake t fiber k);
          schedule t)
  | Effects.Fork (context, f) ->
      Some
        (fun k ->
          let go () =
            t.current <- fiber;
            Effect.Deep.continue k ()
          in
          t.first <- { fiber; go } :: t.first;
          let child = new_fiber t ~group:fiber.group ~hidden:fiber.hidden context in
          start t child (fun () ->
              f ();
              false))
  | Effects.Get_context -> Some (fun k -> Effect.Deep.continue k fiber.context)
  | _ -> None

let run ?shuffle ~time_limit ~event_limit ~on_stop main =
  let context = Context.make_root () in
  let root = { number = 0; context; group = group ""; hidden = false; suspended = Running } in
  let t =
    {
      timers = Heap.create ~moved:(fun timer slot -> timer.slot <- slot) ();
      ready = Fifo.create ~dummy:{ fiber = root; go = (fun () -> Exit) };
      first = [];
      fibers = Hashtbl.create 64;
      current = root;
      next_number = 1;
      now = 0;
      events = 0;
      time_limit;
      event_limit;
      stopped = false;
      ending = false;
      shuffle;
      on_stop;
    }
  in
  Hashtbl.replace t.fibers 0 root;
  let result = ref None in
  let Exit =
    start t root (fun () ->
        result := Some (main t);
        true)
  in
  !result

(* -- what waits ---------------------------------------------------------- *)

type waiting = { group : string; operation : string; place : string option }

let describe (fiber : fiber) k =
  let operation, place = Callstack.summary (Effect.Deep.get_callstack k 200) in
  let group = if fiber.group.paused then fiber.group.name ^ " (paused)" else fiber.group.name in
  { group; operation; place }

let waiting t =
  Hashtbl.fold (fun _ fiber all -> fiber :: all) t.fibers []
  |> List.filter (fun fiber -> not fiber.hidden)
  |> List.sort (fun a b -> Int.compare a.number b.number)
  |> List.filter_map (fun fiber ->
      match fiber.suspended with Running -> None | Suspended k -> Some (describe fiber k))
