open Weir_lab_harness

let ours = [ "weir-eio"; "weir-lwt" ]

let rivals =
  [ "weir-packet"; "weir-xdp"; "kernel"; "nginx" ] @ List.map (fun r -> r.Rival.name) Rival.all

let subjects = ours @ rivals

let metrics =
  [
    "rate";
    "rate_cpu";
    "time";
    "bytes";
    "requests";
    "read";
    "transfer";
    "latency_mean";
    "latency_stdev";
    "latency_within";
    "latency_p50";
    "latency_p99";
    "latency_max";
    "thread_rate";
    "thread_rate_stdev";
    "thread_rate_within";
    "thread_rate_max";
    "minor_words_per_segment";
    "live_words";
    "errors";
  ]

let find rows ~subject ~test ~metric =
  List.find_opt (fun (r : Row.t) -> (r.subject, r.test, r.metric) = (subject, test, metric)) rows

let number x =
  if Float.abs x >= 1e6 then Printf.sprintf "%.3fM" (x /. 1e6)
  else if Float.abs x >= 100. || Float.is_integer x then Printf.sprintf "%.0f" x
  else Printf.sprintf "%.3g" x

let interval (r : Row.t) =
  let low = number r.low and high = number r.high in
  if low = high then "" else low ^ "…" ^ high

let with_interval r = match interval r with "" -> number r.value | i -> number r.value ^ " " ^ i

(* -- tables -------------------------------------------------------------- *)

let was ~test ~metric (theirs, _) =
  match Published.find ~subject:theirs ~test ~metric with
  | Some v -> Table.Right (number v)
  | None -> Right ""

let published_headings = List.map (fun (theirs, _) -> "published\n" ^ theirs)

let table rows test =
  let rows = List.filter (fun (r : Row.t) -> r.test = test) rows in
  let there f = List.exists f rows in
  let subjects = List.filter (fun s -> there (fun r -> r.subject = s)) subjects in
  let metrics = List.filter (fun m -> there (fun r -> r.metric = m)) metrics in
  let old =
    List.filter
      (fun (s, _) -> List.exists (fun m -> was ~test ~metric:m (s, "") <> Right "") metrics)
      Published.subjects
  in
  let cell metric subject =
    match find rows ~subject ~test ~metric with
    | None -> Table.Right ""
    | Some r -> Right (with_interval r)
  in
  let unit_ metric = (List.find (fun (r : Row.t) -> r.metric = metric) rows).unit_ in
  let line metric =
    (Table.Left metric :: Left (unit_ metric) :: List.map (cell metric) subjects)
    @ List.map (was ~test ~metric) old
  in
  Table.make (("Metric" :: "Unit" :: subjects) @ published_headings old) (List.map line metrics)

(* What is known of Weir's rate over others' in the same rounds. *)
let ratios rows test =
  let over subject other = find rows ~subject ~test ~metric:("rate_over_" ^ other) in
  let subjects = List.filter (fun s -> find rows ~subject:s ~test ~metric:"rate" <> None) ours in
  let line other =
    let cell subject =
      Table.Right (Option.fold ~none:"" ~some:with_interval (over subject other))
    in
    Table.Left other :: List.map cell subjects
  in
  let there other = List.exists (fun s -> over s other <> None) subjects in
  match List.filter there ("weir-eio" :: rivals) with
  | [] -> []
  | others ->
      [
        ( test ^ ": Weir's rate over another's in the same round (median)",
          Table.make ("Over" :: subjects) (List.map line others) );
      ]

(* At each mark that was measured, by its megabytes. *)
let along rows ~subject ~test ~metric =
  List.filter_map
    (fun (r : Row.t) ->
      match String.split_on_char '/' r.test with
      | [ t; at ] when (r.subject, t, r.metric) = (subject, test, metric) ->
          Some (float_of_string at, r.value)
      | _ -> None)
    rows
  |> List.sort compare

let growth rows test =
  let ours = List.map (fun s -> (s, along rows ~subject:s ~test)) subjects in
  let theirs =
    List.map
      (fun (s, _) -> (s ^ ", published", Published.along ~subject:s ~test))
      Published.subjects
  in
  let lines (who, along) =
    let at metric mb = Option.fold ~none:"" ~some:number (List.assoc_opt mb (along ~metric)) in
    List.map
      (fun (mb, live) ->
        Table.
          [
            Left who;
            Right (Printf.sprintf "%.1f" mb);
            Right (at "time" mb);
            Right (at "rate" mb);
            Right (number live);
          ])
      (along ~metric:"live_words")
  in
  Table.make
    [ "Subject"; "MB so far"; "ms"; "Mbit/s so far"; "live words" ]
    (List.concat_map lines (ours @ theirs))

(* -- figures ------------------------------------------------------------- *)

(* Bars for some pairs of a test and a metric, each a group. *)
let bars rows ~title ~unit_ ~log groups =
  let ours subject =
    let value (_, test, metric) =
      Option.map
        (fun (r : Row.t) -> { Bars.value = r.value; low = r.low; high = r.high })
        (find rows ~subject ~test ~metric)
    in
    { Bars.label = subject; published_of = None; values = List.map value groups }
  in
  let theirs (subject, beside) =
    let value (_, test, metric) = Option.map Bars.exactly (Published.find ~subject ~test ~metric) in
    {
      Bars.label = subject ^ ", published";
      published_of = Some beside;
      values = List.map value groups;
    }
  in
  let measured (_, test, metric) =
    List.exists (fun (r : Row.t) -> r.test = test && r.metric = metric) rows
  in
  if not (List.exists measured groups) then []
  else
    let groups_ = List.map (fun (name, _, _) -> name) groups in
    let series = List.map ours subjects @ List.map theirs Published.subjects in
    [ Bars.svg { title; unit_; log; show = number; groups = groups_; series } ]

let growth_figure rows =
  let test = "mem-bulk-pcap" in
  let line label published_of points = { Plot.label; published_of; points } in
  let ours s = line s None (along rows ~subject:s ~test ~metric:"live_words") in
  let theirs (s, beside) =
    line (s ^ ", published") (Some beside) (Published.along ~subject:s ~test ~metric:"live_words")
  in
  let measured = List.filter (fun s -> s.Plot.points <> []) (List.map ours subjects) in
  if measured = [] then []
  else
    [
      Plot.svg
        {
          title = "What lives while every frame is recorded";
          x = "MB transferred";
          y = "live words, log scale";
          log_y = true;
          series = measured @ List.map theirs Published.subjects;
        };
    ]

(* Direct style's rate over each other's in the same rounds. *)
let ratio_figure rows =
  let tests =
    List.filter
      (fun test ->
        List.exists
          (fun o -> find rows ~subject:"weir-eio" ~test ~metric:("rate_over_" ^ o) <> None)
          rivals)
      (List.sort_uniq compare (List.map (fun (r : Row.t) -> r.test) rows))
  in
  let series other =
    let value test =
      Option.map
        (fun (r : Row.t) -> { Bars.value = r.value; low = r.low; high = r.high })
        (find rows ~subject:"weir-eio" ~test ~metric:("rate_over_" ^ other))
    in
    { Bars.label = "over " ^ other; published_of = None; values = List.map value tests }
  in
  if tests = [] then []
  else
    [
      Bars.svg
        {
          title = "Weir in direct style over others, in the same rounds";
          unit_ = "times the other's rate, log scale";
          log = true;
          show = number;
          groups = tests;
          series = List.map series rivals;
        };
    ]

let figures rows =
  let memory metric =
    [
      ("TCP", "mem-bulk", metric);
      ("TCP, offloads", "mem-bulk-offload", metric);
      ("TCP, recorded", "mem-bulk-pcap", metric);
      ("UDP", "mem-udp", metric);
      ("UDP, recorded", "mem-udp-pcap", metric);
    ]
  in
  let latency name test =
    [
      (name ^ ", mean", test, "latency_mean");
      (name ^ ", p50", test, "latency_p50");
      (name ^ ", p99", test, "latency_p99");
      (name ^ ", max", test, "latency_max");
    ]
  in
  let http =
    [
      ("256 connections", "http-c256", "rate");
      ("256 connections, offloads", "http-c256-offload", "rate");
      ("1 connection", "http-c1", "rate");
      ("1 connection, offloads", "http-c1-offload", "rate");
    ]
  in
  let linear = bars ~log:false rows and log = bars ~log:true rows in
  List.concat
    [
      linear ~title:"In memory, between two hosts" ~unit_:"Mbit/s" (memory "rate");
      linear ~title:"Allocation in memory, both hosts"
        ~unit_:"minor words a data segment or datagram"
        (memory "minor_words_per_segment");
      growth_figure rows;
      linear ~title:"Against a kernel socket, without offloads" ~unit_:"Mbit/s"
        [ ("in", "tap-bulk-in", "rate"); ("out", "tap-bulk-out", "rate") ];
      linear ~title:"Against a kernel socket, with offloads" ~unit_:"Mbit/s"
        [ ("in", "tap-bulk-in-offload", "rate"); ("out", "tap-bulk-out-offload", "rate") ];
      linear ~title:"HTTP, 2,053 bytes an answer" ~unit_:"requests/s" http;
      ratio_figure rows;
      log ~title:"HTTP latency" ~unit_:"ms, log scale"
        (latency "256 connections" "http-c256" @ latency "1 connection" "http-c1");
    ]
