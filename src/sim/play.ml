open Weir_base

let variable = "WEIR_SIM_SEED"

let chosen_seed () =
  match Sys.getenv_opt variable with
  | None | Some "" -> None
  | Some text -> (
      match int_of_string_opt text with
      | Some _ as seed -> seed
      | None -> invalid_arg (Printf.sprintf "%s is %S: a seed is a whole number" variable text))

let replay_this seed =
  let command = Filename.quote_command Sys.argv.(0) (List.tl (Array.to_list Sys.argv)) in
  Printf.sprintf "%s=%d %s" variable seed command

(* 1 January 2026, in seconds. *)
let default_epoch = 1_767_225_600.

let waiting_lines scheduler =
  List.map
    (fun (w : Scheduler.waiting) ->
      let who = if w.group = "" then "the world" else w.group in
      let place = match w.place with None -> "" | Some p -> ", called by " ^ p in
      Printf.sprintf "%s: %s%s" who w.operation place)
    (Scheduler.waiting scheduler)

(* What is known about a run while it goes on, for when it fails. *)
type progress = {
  seed : int;
  replay : int -> string;
  mutable scheduler : Scheduler.t option;
  mutable core : World.t option;
  mutable stopped : (Time.t * Scheduler.stop * string list * string list) option;
}

exception Stop

let on_stop p scheduler why =
  let connections = match p.core with None -> [] | Some w -> World.connections w in
  p.stopped <- Some (Scheduler.now scheduler, why, waiting_lines scheduler, connections);
  Option.iter (fun w -> Eio.Switch.fail (World.sw w) Stop) p.core

let fail p ~abandoned raised =
  let events = match p.scheduler with Some s -> Scheduler.events s | None -> 0 in
  let now = match p.scheduler with Some s -> Scheduler.now s | None -> 0 in
  let failure at cause waiting connections : Failure.t =
    { seed = p.seed; at; events; cause; waiting; connections; abandoned; replay = p.replay p.seed }
  in
  match (p.stopped, raised) with
  | Some (at, why, waiting, connections), _ ->
      raise (Failure.Failed (failure at (Stopped why) waiting connections))
  | None, Some (error, backtrace) ->
      let host, error, backtrace =
        match error with
        | World.Host_failed (host, e, bt) -> (Some host, e, bt)
        | e -> (None, e, backtrace)
      in
      let cause = Failure.Raised { host; error; backtrace } in
      Printexc.raise_with_backtrace (Failure.Failed (failure now cause [] [])) backtrace
  | None, None -> assert false

let run_world p ~epoch ~offload ?congestion ?trace ?trace_absolute ?watch ?pcap f scheduler =
  p.scheduler <- Some scheduler;
  Fun.protect ~finally:(fun () -> Option.iter World.close p.core) @@ fun () ->
  Eio.Switch.run ~name:"world" @@ fun sw ->
  let epoch = Time.of_float_s epoch in
  let pcap = Option.map (Capture.create ~epoch) pcap in
  let core =
    World.create scheduler ~sw ~seed:p.seed ~epoch ~offload ?congestion ?trace ?trace_absolute
      ?watch ?pcap ()
  in
  p.core <- Some core;
  let clocks = Clock.create scheduler ~epoch in
  (* What is cancelled now must be able to run. *)
  Fun.protect ~finally:(fun () -> Scheduler.resume_all scheduler) (fun () -> f core ~clocks)

let run ?seed ?(time_limit = Time.s 3_600) ?(event_limit = 100_000_000) ?(shuffle = false)
    ?(epoch = default_epoch) ?(offload = false) ?congestion ?trace ?trace_absolute ?watch ?pcap
    ?(replay = replay_this) f =
  let seed = match seed with Some s -> s | None -> Option.value (chosen_seed ()) ~default:1 in
  if not (epoch >= 0. && epoch < 9e9) then invalid_arg "epoch: not within 0 and 9e9 s";
  let p = { seed; replay; scheduler = None; core = None; stopped = None } in
  let shuffle = if shuffle then Some (Random.State.make (World.seeds ~seed Order [])) else None in
  match
    Scheduler.run ?shuffle ~time_limit ~event_limit ~on_stop:(on_stop p)
      (run_world p ~epoch ~offload ?congestion ?trace ?trace_absolute ?watch ?pcap f)
  with
  | Some v when Option.is_none p.stopped -> v
  | Some _ -> fail p ~abandoned:false None
  | None ->
      Option.iter World.close p.core;
      fail p ~abandoned:true None
  | exception (Sys_error _ as e) when Option.is_none p.core -> raise e
  | exception e -> fail p ~abandoned:false (Some (e, Printexc.get_raw_backtrace ()))
