open Weir_lab_harness

let subjects = [ "weir-eio"; "weir-lwt"; "kernel"; "nginx" ]

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

let print header rows = Format.asprintf "%a" (fun ppf -> Table.print ppf header) rows

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
  let once = not (there (fun r -> r.n > 1)) in
  let with_interval value interval =
    Table.Right value :: (if once then [] else [ Right interval ])
  in
  let cells metric subject =
    match find rows ~subject ~test ~metric with
    | None -> with_interval "" ""
    | Some r when r.low = r.high -> with_interval (number r.value) ""
    | Some r -> with_interval (number r.value) (number r.low ^ "…" ^ number r.high)
  in
  let unit_ metric = (List.find (fun (r : Row.t) -> r.metric = metric) rows).unit_ in
  let line metric =
    (Table.Left metric :: Left (unit_ metric) :: List.concat_map (cells metric) subjects)
    @ List.map (was ~test ~metric) old
  in
  print
    (("Metric" :: "Unit" :: List.concat_map (fun s -> if once then [ s ] else [ s; "95%" ]) subjects)
    @ published_headings old)
    (List.map line metrics)

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
  print
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
  let line label dashed points = { Plot.label; dashed; points } in
  let ours s = line s false (along rows ~subject:s ~test ~metric:"live_words") in
  let theirs (s, _) =
    line (s ^ ", published") true (Published.along ~subject:s ~test ~metric:"live_words")
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

let figures rows =
  let memory metric =
    [
      ("TCP", "mem-bulk", metric);
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
  let linear = bars ~log:false rows and log = bars ~log:true rows in
  List.concat
    [
      linear ~title:"In memory, between two hosts" ~unit_:"Mbit/s" (memory "rate");
      linear ~title:"Allocation in memory, both hosts"
        ~unit_:"minor words a data segment or datagram"
        (memory "minor_words_per_segment");
      growth_figure rows;
      linear ~title:"Against a kernel socket" ~unit_:"Mbit/s"
        [ ("in", "tap-bulk-in", "rate"); ("out", "tap-bulk-out", "rate") ];
      linear ~title:"HTTP, 2,053 bytes an answer" ~unit_:"requests/s"
        [ ("256 connections", "http-c256", "rate"); ("1 connection", "http-c1", "rate") ];
      log ~title:"HTTP latency" ~unit_:"ms, log scale"
        (latency "256 connections" "http-c256" @ latency "1 connection" "http-c1");
    ]

(* -- conclusion ---------------------------------------------------------- *)

let ( let* ) = Option.bind
let percent a b = 100. *. a /. b

let drivers rows name test =
  let* eio = find rows ~subject:"weir-eio" ~test ~metric:"rate" in
  let* lwt = find rows ~subject:"weir-lwt" ~test ~metric:"rate" in
  let against =
    if min eio.n lwt.n < 6 then
      Printf.sprintf "%.0f%%, but of too few runs to tell" (percent lwt.value eio.value)
    else if eio.low > lwt.high || lwt.low > eio.high then
      Printf.sprintf "%.0f%% of direct style's" (percent lwt.value eio.value)
    else "no difference beyond the noise"
  in
  let theirs =
    match
      List.map (fun (subject, _) -> Published.find ~subject ~test ~metric:"rate") Published.subjects
    with
    | [ Some e; Some l ] ->
        Printf.sprintf " The published pair: %s and %s, %.0f%%." (number e) (number l) (percent l e)
    | [ Some e; None ] -> Printf.sprintf " Published, direct style: %s." (number e)
    | _ -> ""
  in
  Some
    (Printf.sprintf "%s: %s %s in direct style, %s under Lwt: %s.%s" name (number eio.value)
       eio.unit_ (number lwt.value) against theirs)

let recording rows =
  let kept find subject =
    let* plain = find ~subject ~test:"mem-bulk" ~metric:"rate" in
    let* recorded = find ~subject ~test:"mem-bulk-pcap" ~metric:"rate" in
    Some (percent recorded plain)
  in
  let ours ~subject ~test ~metric = Row.find rows ~subject ~test ~metric in
  let* e = kept ours "weir-eio" in
  let* l = kept ours "weir-lwt" in
  let* e' = kept Published.find "tcpip-eio" in
  let* l' = kept Published.find "tcpip-lwt" in
  Some
    (Printf.sprintf
       "Recording every frame leaves %.0f%% of TCP's rate in direct style and %.0f%% under Lwt; it \
        left the published stacks %.0f%% and %.0f%%."
       e l e' l')

(* What lives at the last mark by what lived at the first. *)
let leaking rows =
  let test = "mem-bulk-pcap" and metric = "live_words" in
  let grows along subject =
    match along ~subject ~test ~metric with
    | (_, first) :: (_ :: _ as rest) -> Some (snd (List.nth rest (List.length rest - 1)) /. first)
    | _ -> None
  in
  let* ours = grows (along rows) "weir-eio" in
  let* theirs = grows Published.along "tcpip-eio" in
  Some
    (Printf.sprintf
       "What lives while frames are recorded, at the last mark over the first: %.2f here, %.2f as \
        published (it kept what it had recorded)."
       ours theirs)

let beside rows name test other =
  let* them = find rows ~subject:other ~test ~metric:"rate" in
  let* e = Row.find rows ~subject:"weir-eio" ~test ~metric:"rate" in
  let* l = Row.find rows ~subject:"weir-lwt" ~test ~metric:"rate" in
  Some
    (Printf.sprintf "%s: %.0f%% of what %s does (%s %s) in direct style, %.0f%% under Lwt." name
       (percent e them.value)
       (if other = "kernel" then "the kernel" else other)
       (number them.value) them.unit_ (percent l them.value))

let tail rows =
  let p99 subject = Row.find rows ~subject ~test:"http-c256" ~metric:"latency_p99" in
  let* e = p99 "weir-eio" in
  let* l = p99 "weir-lwt" in
  let nginx =
    Option.fold ~none:"" ~some:(fun n -> Printf.sprintf ", nginx %s ms" (number n)) (p99 "nginx")
  in
  Some
    (Printf.sprintf "p99 of 256 connections: direct style %s ms, Lwt %s ms%s." (number e) (number l)
       nginx)

let conclusion rows =
  List.filter_map Fun.id
    [
      drivers rows "TCP in memory" "mem-bulk";
      recording rows;
      leaking rows;
      drivers rows "UDP in memory" "mem-udp";
      beside rows "TCP in, over the TAP" "tap-bulk-in" "kernel";
      beside rows "TCP out, over the TAP" "tap-bulk-out" "kernel";
      drivers rows "HTTP, 256 connections" "http-c256";
      beside rows "HTTP, 256 connections" "http-c256" "nginx";
      tail rows;
    ]
