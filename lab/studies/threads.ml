open Weir_lab_harness
open Weir_lab_rivals

(* How a thread is made to wait: not at all, for the next turn of the scheduler,
   for a timer of no time. [Medium] is Lwt.pause under Lwt_main, whose engine makes a
   system call each turn; that also makes the processor forget where deep stacks
   return to (the subject "calls" shows what that costs). [Turn] is the same under a loop that only wakes the paused, and so
   shows the threads alone. *)
type blocking = Quick | Medium | Slow | Turn
type workload = Basic | Recurse | Recurse2

let blockings = [ ("quick", Quick); ("medium", Medium); ("slow", Slow); ("turn", Turn) ]
let workloads = [ ("basic", Basic); ("recurse", Recurse); ("recurse2", Recurse2) ]
let depths ~quick = if quick then [ 50; 400; 1000 ] else [ 50; 100; 200; 300; 400; 600; 800; 1000 ]

let lwt_fn = function
  | Quick -> Lwt.return
  | Medium | Turn -> Lwt.pause
  | Slow -> fun () -> Lwt_unix.sleep 0.

type runner = timed:((unit -> unit) -> unit) -> int -> unit

let run_to_end blocking p =
  if blocking = Turn then
    while Lwt.is_sleeping p do
      Lwt.wakeup_paused ()
    done
  else Lwt_main.run p

(* The clock runs inside the loop of the scheduler, around all iterations. *)
let bound ~times loop blocking n : runner =
 fun ~timed iterations ->
  let fn = lwt_fn blocking in
  timed (fun () -> run_to_end blocking (times iterations (fun () -> loop fn n)))

let direct start loop blocking n : runner =
 fun ~timed iterations ->
  let fn = lwt_fn blocking in
  timed (fun () ->
      run_to_end blocking
        (start (fun () ->
             for _ = 1 to iterations do
               loop fn n
             done)))

(* Lwt's loop sleeps over tasks of lwt_direct that resolved its last promise: a
   pause after it wakes the loop. *)
let spawn f = Lwt.bind (Lwt_direct.spawn f) Lwt.pause

let eio loop blocking n : runner =
 fun ~timed iterations ->
  Eio_main.run (fun env ->
      let done_ = Eio.Promise.create_resolved () in
      let clock = Eio.Stdenv.clock env in
      let fn =
        match blocking with
        | Quick -> fun () -> Eio.Promise.await done_
        | Medium -> Eio.Fiber.yield
        | Slow | Turn -> fun () -> Eio.Time.sleep clock 0.
      in
      timed (fun () ->
          for _ = 1 to iterations do
            loop fn n
          done))

(* No thread and no promise's value: calls that go as deep, and at their base what
   Lwt's loop does in a turn. What a stack so deep costs to return from, once
   something else has been called (or the kernel entered), no thread can save. *)
let calls blocking n : runner =
 fun ~timed iterations ->
  let turn () =
    Measure.keep (Lwt.pause ());
    Lwt.wakeup_paused ()
  in
  let base =
    match blocking with
    | Quick -> ignore
    | Turn -> turn
    | Medium | Slow ->
        fun () ->
          turn ();
          Lwt_engine.iter false
  in
  timed (fun () ->
      for _ = 1 to iterations do
        Loops.Eio.recurse base n
      done)

let pick w a b c = match w with Basic -> a | Recurse -> b | Recurse2 -> c

let subjects workload blocking n : (string * runner) list =
  let open Loops in
  let lwt_main =
    [
      ( "lwt-direct",
        let loop = pick workload Lwt_direct.basic Lwt_direct.recurse Lwt_direct.recurse2 in
        direct spawn loop blocking n );
      ("eio", eio (pick workload Eio.basic Eio.recurse Eio.recurse2) blocking n);
    ]
  in
  [
    ( "lwt",
      bound ~times:Bound.times (pick workload Bound.basic Bound.recurse Bound.recurse2) blocking n
    );
    ( "lwt-ppx",
      let loop = pick workload Loops_ppx.basic Loops_ppx.recurse Loops_ppx.recurse2 in
      bound ~times:Loops_ppx.times loop blocking n );
    ( "fiber",
      let loop = pick workload Threads.basic Threads.recurse Threads.recurse2 in
      direct Weir_threads.Threads.start loop blocking n );
    ( "prompt",
      let loop = pick workload Prompts.basic Prompts.recurse Prompts.recurse2 in
      direct Prompt_fiber.start loop blocking n );
  ]
  @ (if blocking = Turn then [] else lwt_main)
  @ if workload = Recurse && blocking <> Slow then [ ("calls", calls blocking n) ] else []

open Threads_report

(* One ratio for all N is their median; depth has its own targets. *)
let targets cases =
  let case t = List.find (fun c -> c.test = t) cases in
  let ratio t = ratio (case t) in
  let at t n =
    let c = case t in
    cost c "fiber" n /. cost c "lwt" n
  in
  let over_calls t =
    let c = case t in
    cost c "fiber" 1000 /. cost c "calls" 1000
  in
  let growth t =
    let c = case t in
    cost c "fiber" 1000 /. 1001. /. (cost c "fiber" 50 /. 51.)
  in
  let t claim value bound = { Study.claim; value; bound } in
  [
    t "basic-quick: threads / Lwt" (ratio "basic-quick") 0.65;
    t "basic-medium: threads / Lwt" (ratio "basic-medium") 1.1;
    t "basic-turn: threads / Lwt" (ratio "basic-turn") 1.1;
    t "recurse-medium at depth 1000: threads / Lwt" (at "recurse-medium" 1000) (1. /. 40.);
    t "recurse-turn at depth 1000: threads / Lwt" (at "recurse-turn" 1000) (1. /. 40.);
    t "recurse-medium at depth 1000: threads / the calls alone" (over_calls "recurse-medium") 1.25;
    t "recurse-turn at depth 1000: threads / the calls alone" (over_calls "recurse-turn") 1.25;
    t "recurse2-turn: threads / Lwt" (ratio "recurse2-turn") 1.0;
    t "recurse2-turn: cost per await, depth 1000 / depth 50" (growth "recurse2-turn") 1.1;
    t "recurse2-medium: threads / Lwt" (ratio "recurse2-medium") 1.0;
    t "recurse2-medium: cost per await, depth 1000 / depth 50" (growth "recurse2-medium") 1.1;
  ]

let measure ~quick ~progress (wname, w) (bname, b) =
  let test = wname ^ "-" ^ bname in
  let quota =
    if quick then { Measure.rounds = 3; seconds = 0.02 } else { rounds = 5; seconds = 0.25 }
  in
  let point n =
    progress (Printf.sprintf "threads: %s, N = %d" test n);
    let ms = List.map (fun (s, r) -> Measure.batches s r) (subjects w b n) in
    (n, Measure.all quota ms)
  in
  { test; points = List.map point (depths ~quick) }

let rows cases =
  List.concat_map
    (fun c ->
      List.concat_map
        (fun (n, ms) ->
          List.concat_map
            (fun (m : Measure.t) ->
              let test = Printf.sprintf "%s/%d" c.test n in
              Row.of_measure ~study:"threads" ~subject:m.name ~test m)
            ms)
        c.points)
    cases

let run ~quick ~progress =
  let cases =
    List.concat_map (fun w -> List.map (measure ~quick ~progress w) blockings) workloads
  in
  progress "threads: node";
  let node = Node.rows ~waits:(if quick then 40_000 else 2_000_000) in
  progress "threads: HTTP sessions";
  let sessions = Sessions.run ~quick in
  let noise c =
    List.concat_map
      (fun (n, ms) -> List.map (Printf.sprintf "%s, N = %d: %s" c.test n) (Measure.warnings ms))
      c.points
  in
  {
    Study.rows = rows cases @ Sessions.rows sessions @ Result.value node ~default:[];
    tables =
      List.map (fun c -> (caption c, table c)) cases
      @ List.map
          (fun c -> (c.test ^ ": minor words for a wait or call", words_table c))
          (List.filter (fun c -> String.ends_with ~suffix:"-turn" c.test) cases)
      @ [
          ( "Exponent of N in the time of recurse2, with its 95% interval (1 is linear)",
            exponents cases );
          Sessions.table sessions;
        ]
      @ [
          ( "Compiled to JavaScript, under node: time for a wait (a call, for recurse)",
            match node with Ok rows -> node_table rows | Error why -> "Not run: " ^ why ^ ".\n" );
        ];
    plots = figures cases;
    conclusion = conclusion cases @ [ Sessions.conclusion sessions ];
    targets = targets cases @ Sessions.targets sessions;
    warnings = List.concat_map noise cases @ Sessions.warnings sessions;
  }

let study =
  {
    Study.name = "threads";
    question =
      "What does a thread that keeps its stack cost, over one that binds promises: when it need \
       not wait, when it does, and as its stack grows?";
    run;
  }
