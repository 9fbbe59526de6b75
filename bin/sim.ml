open Cmdliner
open Weir_base
open Weir_link
open Weir_scenarios
open Sim_runs

(* -- what was asked ------------------------------------------------------ *)

let chosen o =
  match o.names with
  | [] -> Scenarios.all
  | names ->
      List.map
        (fun name ->
          match Scenarios.find name with
          | Some s -> s
          | None -> Fail.usage "%s: no such scenario; --list prints the scenarios" name)
        names

let seeds o =
  match (o.seed, o.seeds) with
  | Some _, Some _ -> Fail.usage "choose one of --seed and --seeds"
  | Some s, None -> (s, s)
  | None, Some (first, last) ->
      if last < first then Fail.usage "--seeds %d-%d: the first seed is above the last" first last;
      (first, last)
  | None, None -> (1, 20)

let check o scenarios (first, last) =
  let single = List.length scenarios = 1 && first = last in
  if (o.trace || o.pcap <> None) && not single then
    Fail.usage "--trace and --pcap show one run: name a scenario and give --seed";
  if o.absolute && not o.trace then Fail.usage "--absolute needs --trace";
  if o.trace && o.json then Fail.usage "choose one of --trace and --json";
  if o.time_limit < 1 then Fail.usage "--time-limit must be at least 1";
  if o.jobs < 1 || o.jobs > 64 then Fail.usage "--jobs must be 1 to 64";
  match o.settings.loss with
  | Some p when not (p >= 0. && p <= 1.) -> Fail.usage "--loss must be 0 to 100%%"
  | _ -> ()

let run o =
  (* The arguments choose the seeds; a variable for tests must not. *)
  Unix.putenv "WEIR_SIM_SEED" "";
  let scenarios = chosen o in
  let ((first, last) as range) = seeds o in
  check o scenarios range;
  if o.list then Sim_report.print_list ()
  else
    let all = List.map (play o range) scenarios in
    if o.json then print_endline (Yojson.Safe.pretty_to_string (Sim_report.json all))
    else (
      (match all with
      | [ t ] when first = last -> Sim_report.print_single t
      | all -> Sim_report.table all);
      Sim_report.print_failures all);
    let failed = List.fold_left (fun n t -> n + List.length t.failures) 0 all in
    let total = List.fold_left (fun n t -> n + runs t) 0 all in
    if failed > 0 then Fail.failed "%d of %d runs failed" failed total

(* -- arguments ----------------------------------------------------------- *)

let range_conv =
  let parse s =
    match List.map int_of_string_opt (String.split_on_char '-' s) with
    | [ Some a; Some b ] -> Ok (a, b)
    | _ -> Error (Printf.sprintf "%S: give a range A-B, such as 1-20" s)
  in
  let pp f (a, b) = Fmt.pf f "%d-%d" a b in
  Arg.Conv.make ~docv:"A-B" ~parser:parse ~pp ()

let probability_conv =
  let parse s =
    match Impairment.of_string ("loss=" ^ s) with
    | Ok { loss = Steady p; _ } -> Ok p
    | Ok _ -> Error "give a probability, such as 5% or 0.05"
    | Error e -> Error e
  in
  Arg.Conv.make ~docv:"P" ~parser:parse ~pp:Fmt.float ()

let names =
  Arg.(
    value & pos_all string []
    & info [] ~docv:"SCENARIO" ~doc:"The scenarios to play (default: all). See $(b,--list).")

let seed =
  Arg.(value & opt (some int) None & info [ "seed" ] ~docv:"N" ~doc:"Play with this seed only.")

let seeds_arg =
  Arg.(
    value
    & opt (some range_conv) None
    & info [ "seeds" ] ~docv:"A-B" ~doc:"Play with each of these seeds (default 1-20).")

let loss =
  Arg.(
    value
    & opt (some probability_conv) None
    & info [ "loss" ] ~docv:"P"
        ~doc:"Lose frames with this probability, such as $(b,5%) or $(b,0.05).")

let delay =
  Arg.(
    value
    & opt (some float) None
    & info [ "delay" ] ~docv:"MS" ~doc:"The delay of a frame between two hosts, in milliseconds.")

let impair =
  Arg.(
    value
    & opt (some Attach.impair_conv) None
    & info [ "impair" ] ~docv:"WHAT"
        ~doc:
          "Replace the scenario's own impairments, such as $(b,loss=2%,delay=10ms,reorder=1%:5ms).")

let pcap =
  Arg.(
    value
    & opt (some string) None
    & info [ "pcap" ] ~docv:"FILE" ~doc:"Record every frame of one run into $(docv).")

let trace =
  Arg.(
    value & flag
    & info [ "trace" ]
        ~doc:"Print a line for each frame of one run, with what the network did to the frame.")

let absolute =
  Arg.(
    value & flag
    & info [ "absolute" ]
        ~doc:
          "With --trace, show sequence numbers as they are in the packets, not relative to the \
           first of their connection.")

let json_arg = Arg.(value & flag & info [ "json" ] ~doc:"Print one JSON object.")
let list_arg = Arg.(value & flag & info [ "list" ] ~doc:"List the scenarios.")
let shuffle = Arg.(value & flag & info [ "shuffle" ] ~doc:"Choose the next fiber to run at random.")

let offload =
  Arg.(
    value & flag
    & info [ "offload" ]
        ~doc:
          "Let the hosts' network cards segment and merge frames of up to 64 KB, as real ones do.")

let time_limit =
  Arg.(
    value & opt int 3_600
    & info [ "time-limit" ] ~docv:"SECONDS" ~doc:"The most virtual time of a run (default 3600).")

let jobs =
  Arg.(
    value
    & opt int (Domain.recommended_domain_count ())
    & info [ "j"; "jobs" ] ~docv:"N" ~absent:"one for each core"
        ~doc:"The number of seeds to play at once.")

let options names seed seeds loss delay impairment pcap trace absolute json list shuffle offload
    time_limit jobs =
  let delay_ns =
    Option.map
      (fun ms ->
        if not (ms >= 0. && ms <= 1e6) then Fail.usage "--delay must be 0 to 1000000";
        Time.of_float_s (ms /. 1e3))
      delay
  in
  let settings = { Scenario.impairment; loss; delay_ns } in
  {
    names;
    seed;
    seeds;
    settings;
    pcap;
    trace;
    absolute;
    json;
    list;
    shuffle;
    offload;
    time_limit;
    jobs;
  }

let cmd =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Plays scenarios: ordinary Eio programs on Weir's own TCP/IP, in simulated worlds with \
         virtual time. There networks lose frames and are partitioned, and hosts crash. A run \
         depends only on its seed: for each failure, the command that repeats it is printed.";
      `S Manpage.s_examples;
      `P "$(b,weir sim) plays each scenario with seeds 1 to 20.";
      `P "$(b,weir sim restart --seeds 1-1000) looks for a seed that makes a check fail.";
      `P "$(b,weir sim restart --seed 17 --trace) shows every frame of one run.";
      `P "$(b,weir sim bulk --seed 1 --loss 10% --pcap bulk.pcap) records a run over a worse link.";
    ]
  in
  let go a b c d e f g h i j k l m n o =
    Fail.run (fun () -> run (options a b c d e f g h i j k l m n o))
  in
  Cmd.v
    (Cmd.info "sim" ~exits:Fail.exits ~man
       ~doc:"play scenarios in simulated worlds, with many seeds")
    Term.(
      const go $ names $ seed $ seeds_arg $ loss $ delay $ impair $ pcap $ trace $ absolute
      $ json_arg $ list_arg $ shuffle $ offload $ time_limit $ jobs)
