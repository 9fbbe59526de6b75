open Weir_lab_harness
open Weir_lab_rivals

(* How a thread waits: not at all, for the scheduler's next iteration, or for a timer of 0 s.
   [Medium] is Lwt.pause under Lwt_main, whose engine makes a system call in each iteration. A
   system call also makes the processor mispredict returns from deep stacks (the subject "calls"
   shows this cost). [Turn] is the same under a loop that only wakes paused promises, to measure the
   threads alone. *)
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

(* Lwt's loop does not notice a task of lwt_direct that resolves the last promise. A pause after it
   wakes the loop. *)
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

(* Without threads and promises: calls of the same depth, and at their base one iteration of Lwt's
   loop. It shows the cost of returning from a deep stack after other calls or a system call, which
   no thread can avoid. *)
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

(* The ratio for all N is the median of theirs. Depth has its own targets. *)
let targets cases =
  let case t = List.find_opt (fun c -> c.test = t) cases in
  let target claim test measured bound reason =
    Option.map
      (fun c ->
        { Study.claim = test ^ claim; measured = Sample.interval (measured c); bound; reason })
      (case test)
  in
  let switches = "A wait leaves the thread's stack and comes back to it; a bind does neither." in
  let over_lwt ?(reason = switches) test bound = target ": threads / Lwt" test ratio bound reason in
  let at_depth test =
    target " at depth 1000: threads / Lwt" test
      (fun c -> Sample.over (cost c "fiber" 1000) (cost c "lwt" 1000))
      (1. /. 40.)
      "The calls alone take almost as long: a deep stack is slow to return from once something \
       else has run."
  in
  let over_calls test =
    target " at depth 1000: threads / the calls alone" test
      (fun c -> Sample.over (cost c "fiber" 1000) (cost c "calls" 1000))
      1.25 "The difference is two switches of stacks and the promise."
  in
  let growth test =
    let each = function [ deep; shallow ] -> deep /. 1001. /. (shallow /. 51.) | _ -> nan in
    target ": cost per await, depth 1000 / depth 50" test
      (fun c -> Sample.relative each [ cost c "fiber" 1000; cost c "fiber" 50 ])
      1.1 "A deeper stack touches more memory between two waits."
  in
  List.filter_map Fun.id
    [
      over_lwt "basic-quick" 0.65
        ~reason:
          "A thread's wait for what is there already is a call and a test; a bind of it costs \
           little more on this machine.";
      over_lwt "basic-medium" 1.1;
      over_lwt "basic-turn" 1.1;
      at_depth "recurse-medium";
      at_depth "recurse-turn";
      over_calls "recurse-medium";
      over_calls "recurse-turn";
      over_lwt "recurse2-turn" 1.0;
      growth "recurse2-turn";
      over_lwt "recurse2-medium" 1.0;
      growth "recurse2-medium";
    ]

let tests =
  List.concat_map
    (fun (wname, w) -> List.map (fun (bname, b) -> (wname ^ "-" ^ bname, w, b)) blockings)
    workloads

let group test n = Printf.sprintf "%s/%d" test n

let parts_of (test, w, b) =
  let point n session =
    let quick = Session.quick session in
    if List.mem n (depths ~quick) then
      let seconds = if quick then 0.007 else 0.02 in
      Session.measure session ~group:(group test n) ~seconds
        (List.map (fun (s, r) -> Measure.batches s r) (subjects w b n))
  in
  List.map point (depths ~quick:false)

let node_group = "node: "

let node session =
  match Node.readings ~waits:(if Session.quick session then 40_000 else 200_000) with
  | Ok readings ->
      List.iter
        (fun (test, name, reading) ->
          Session.record session ~group:(node_group ^ test) name reading)
        readings
  | Error why -> Session.leave_out session "node" why

let cases results =
  List.map
    (fun (test, _, _) ->
      let point n =
        match Session.group results (group test n) with [] -> None | ms -> Some (n, ms)
      in
      { test; points = List.filter_map point (depths ~quick:false) })
    tests

let rows cases =
  List.concat_map
    (fun c ->
      List.concat_map
        (fun (n, ms) ->
          let test = group c.test n in
          List.concat_map
            (fun (m : Measure.t) -> Row.of_measure ~study:"threads" ~subject:m.name ~test m)
            ms
          @ Row.ratios ~study:"threads" ~test ~reference:"lwt" ms)
        c.points)
    cases

let node_rows results =
  let of_group (group, ms) =
    if not (String.starts_with ~prefix:node_group group) then []
    else
      let from = String.length node_group in
      let test = String.sub group from (String.length group - from) in
      let time (m : Measure.t) =
        Row.of_sample ~study:"threads" ~subject:m.name ~test ~metric:"time" ~unit_:"ns a wait"
          ~n:m.n m.time
      in
      List.map time ms @ Row.ratios ~study:"threads" ~test ~reference:"lwt-js" ms
  in
  List.concat_map of_group (Session.groups results)

let outcome results =
  let cases = cases results in
  let node = node_rows results in
  let sessions = Sessions.of_results results in
  {
    Study.rows = rows cases @ Sessions.rows sessions @ node;
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
      @ (if node = [] then []
         else
           [
             ( "Compiled to JavaScript, under node: time for a wait (a call, for recurse)",
               node_table node );
           ])
      @ Study.not_measured (Session.left_out results);
    plots = figures cases;
    summary = summary cases;
    conclusion = conclusion cases @ [ Sessions.conclusion sessions ];
    targets = targets cases @ Sessions.targets sessions;
    warnings = Session.warnings results;
  }

let study =
  {
    Study.name = "threads";
    question =
      "What does a thread that keeps its stack cost, over one that binds promises: when it need \
       not wait, when it does, and as its stack grows?";
    published =
      "Fibers of delimited control take 0.4 of Lwt's time if they wait once at the base of 1,000 \
       calls, about as long if they need not wait, 1.5 to 1.9 times as long if they do, and 15 \
       times if they wait at each of 1,000 calls, as every wait copies the stack.";
    measuring =
      Rounds
        { rounds = 12; parts = (node :: Sessions.parts) @ List.concat_map parts_of tests; outcome };
  }
