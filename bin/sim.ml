open Cmdliner
open Weir_base
open Weir_link
open Weir_scenarios
open Sim_runs

(* -- what was asked ------------------------------------------------------ *)

let no_options =
  {
    names = [];
    seed = None;
    seeds = None;
    shard = None;
    settings = { impairment = None; loss = None; delay_ns = None };
    pcap = None;
    trace = false;
    absolute = false;
    json = false;
    list = false;
    shuffle = false;
    offload = false;
    congestion = None;
    time_limit = 3_600;
    jobs = 1;
  }

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
  if o.shard <> None && (o.trace || o.pcap <> None) then
    Fail.usage "--trace and --pcap show one run, without --shard";
  if o.time_limit < 1 then Fail.usage "--time-limit must be at least 1";
  if o.jobs < 1 || o.jobs > 64 then Fail.usage "--jobs must be 1 to 64";
  match o.settings.loss with
  | Some p when not (p >= 0. && p <= 1.) -> Fail.usage "--loss must be 0 to 100%%"
  | _ -> ()

(* As of a program that SIGINT has ended: 1 would tell that the results are complete. *)
let interrupted_status = 130

let exits =
  Cmd.Exit.info interrupted_status ~doc:"if it was interrupted: not all seeds were run."
  :: Fail.exits

let show o s =
  if o.json then print_endline (Yojson.Safe.pretty_to_string (Sim_json.write s))
  else (
    (match Sim_runs.single s with
    | Some t -> Sim_report.print_single t
    | None -> Sim_report.table s.all);
    Sim_report.print_failures s.all);
  let sum f = List.fold_left (fun n t -> n + f t) 0 s.all in
  let failed = sum (fun t -> List.length t.failures) and played = sum (fun t -> t.runs) in
  if s.interrupted then (
    let wanted = List.length s.all * Weir_sim.shard_runs s.shard ~seeds:s.seeds in
    Fail.tell (Printf.sprintf "interrupted after %d of %d runs; %d failed" played wanted failed);
    raise (Fail.Told interrupted_status));
  if failed > 0 then Fail.failed "%d of %d runs failed" failed played

let merge o files =
  let only_json =
    { o with names = []; json = false }
    = { no_options with jobs = o.jobs; time_limit = o.time_limit }
  in
  if not only_json then Fail.usage "merge takes files and --json, and no other option";
  show o (Sim_merge.merge files)

let run o =
  (* The arguments choose the seeds; a variable for tests must not. *)
  Unix.putenv "WEIR_SIM_SEED" "";
  match o.names with
  | "merge" :: files -> merge o files
  | _ ->
      let scenarios = chosen o in
      let range = seeds o in
      check o scenarios range;
      if o.list then Sim_report.print_list () else show o (play o range scenarios)

(* -- arguments ----------------------------------------------------------- *)

let range_conv =
  let parse s =
    match List.map int_of_string_opt (String.split_on_char '-' s) with
    | [ Some a; Some b ] -> Ok (a, b)
    | _ -> Error (Printf.sprintf "%S: give a range A-B, such as 1-20" s)
  in
  let pp f (a, b) = Fmt.pf f "%d-%d" a b in
  Arg.Conv.make ~docv:"A-B" ~parser:parse ~pp ()

let shard_conv =
  let parse s =
    match List.map int_of_string_opt (String.split_on_char '/' s) with
    | [ Some i; Some n ] when 1 <= i && i <= n && n <= 1_000_000 -> Ok (i, n)
    | _ -> Error (Printf.sprintf "%S: give a shard I/N, from 1/N to N/N" s)
  in
  let pp f (i, n) = Fmt.pf f "%d/%d" i n in
  Arg.Conv.make ~docv:"I/N" ~parser:parse ~pp ()

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
    & info [] ~docv:"SCENARIO"
        ~doc:"The scenarios to run (default: all). See $(b,--list). Or $(b,merge) and files.")

let seed =
  Arg.(value & opt (some int) None & info [ "seed" ] ~docv:"N" ~doc:"Run with this seed only.")

let seeds_arg =
  Arg.(
    value
    & opt (some range_conv) None
    & info [ "seeds" ] ~docv:"A-B" ~doc:"Run with each of these seeds (default 1-20).")

let shard =
  Arg.(
    value
    & opt (some shard_conv) None
    & info [ "shard" ] ~docv:"I/N"
        ~doc:
          "Play only the $(i,I)th of $(i,N) equal parts of the seeds, counted from 1: every \
           $(i,N)th seed. With --json, $(b,weir sim merge) puts the parts together.")

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
    & opt (some Link_options.impair_conv) None
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

let congestion = Link_options.congestion_of "all hosts'" ~docs:Manpage.s_options

let time_limit =
  Arg.(
    value & opt int 3_600
    & info [ "time-limit" ] ~docv:"SECONDS" ~doc:"The most virtual time of a run (default 3600).")

let jobs =
  Arg.(
    value
    & opt int (Domain.recommended_domain_count ())
    & info [ "j"; "jobs" ] ~docv:"N" ~absent:"one for each core"
        ~doc:"The number of seeds to run at once.")

let options names seed seeds shard loss delay impairment pcap trace absolute json list shuffle
    offload congestion time_limit jobs =
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
    shard;
    settings;
    pcap;
    trace;
    absolute;
    json;
    list;
    shuffle;
    offload;
    congestion;
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
      `P
        "After an interrupt (Ctrl-C) no other run begins, and the results so far are printed; a \
         second one ends the program.";
      `P
        "$(b,weir sim merge) $(i,FILE)… puts together what runs with $(b,--shard) and $(b,--json) \
         have written, also on several machines. Its output is that of one run of all seeds.";
      `S Manpage.s_examples;
      `P "$(b,weir sim) runs each scenario with seeds 1 to 20.";
      `P "$(b,weir sim restart --seeds 1-1000) looks for a seed that makes a check fail.";
      `P "$(b,weir sim restart --seed 17 --trace) shows every frame of one run.";
      `P "$(b,weir sim bulk --seed 1 --loss 10% --pcap bulk.pcap) records a run over a worse link.";
      `P "$(b,weir sim bulk --congestion bbr --loss 2%) plays with BBR in place of CUBIC.";
      `P
        "$(b,weir sim --seeds 1-1000 --shard 1/2 --json > 1.json), the same with $(b,2/2) on \
         another machine, then $(b,weir sim merge 1.json 2.json).";
    ]
  in
  let go a b c d e f g h i j k l m n o p q =
    Fail.run (fun () -> run (options a b c d e f g h i j k l m n o p q))
  in
  Cmd.v
    (Cmd.info "sim" ~exits ~man ~doc:"run scenarios in simulated worlds, with many seeds")
    Term.(
      const go $ names $ seed $ seeds_arg $ shard $ loss $ delay $ impair $ pcap $ trace $ absolute
      $ json_arg $ list_arg $ shuffle $ offload $ congestion $ time_limit $ jobs)
