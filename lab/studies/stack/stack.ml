open Weir_lab_harness

type test = { name : string; task : Worker.task; rounds : int; caption : string }

let memory ?(transport = Driver.Tcp) ?(pcap = false) ?(watched = false) ~bytes name rounds caption =
  { name; task = Memory { transport; bytes; pcap; watched }; rounds; caption }

let bulk direction ~bytes name rounds caption =
  { name; task = Bulk { direction; bytes }; rounds; caption }

let http connections ~seconds name rounds caption =
  { name; task = Http { connections; seconds }; rounds; caption }

let tests ~quick =
  let mb n = n * 1_000_000 in
  let few, many = if quick then (1, 1) else (6, 12) in
  let bytes = mb (if quick then 5 else 100) in
  let over_tap = mb (if quick then 5 else 400) in
  let seconds full = if quick then 1 else full in
  let mem =
    Printf.sprintf "%d MB in memory between two hosts, MTU 1500, no offloads" (bytes / mb 1)
  in
  let tap =
    Printf.sprintf "%d MB, MTU 1500, no offloads: Weir over a TAP, the kernel over veth"
      (over_tap / mb 1)
  in
  let wrk c s =
    Printf.sprintf
      "HTTP, 2,053 bytes an answer, wrk -t%d -c%d -d%ds: Weir over a TAP; nginx (one process) over \
       veth"
      (min 2 c) c s
  in
  [
    memory ~bytes "mem-bulk" many ("TCP, " ^ mem);
    memory ~pcap:true ~bytes "mem-bulk-pcap" many ("TCP, " ^ mem ^ ", every frame recorded");
    memory ~transport:Udp ~bytes "mem-udp" many ("UDP, " ^ mem);
    memory ~transport:Udp ~pcap:true ~bytes "mem-udp-pcap" many
      ("UDP, " ^ mem ^ ", every frame recorded");
    memory ~watched:true ~bytes "mem-bulk" 1 "On the way: TCP, not recorded";
    memory ~pcap:true ~watched:true ~bytes "mem-bulk-pcap" 1 "On the way: TCP, every frame recorded";
    bulk `In ~bytes:over_tap "tap-bulk-in" few ("TCP from a kernel socket, " ^ tap);
    bulk `Out ~bytes:over_tap "tap-bulk-out" few ("TCP to a kernel socket, " ^ tap);
    http 256 ~seconds:(seconds 5) "http-c256" few (wrk 256 (seconds 5));
    http 1 ~seconds:(seconds 2) "http-c1" few (wrk 1 (seconds 2));
  ]

let subjects = [ ("weir-eio", Worker.Eio); ("weir-lwt", Lwt); ("kernel", Kernel); ("nginx", Nginx) ]

(* -- measuring ----------------------------------------------------------- *)

type found = { rows : Row.t list; missing : string list }

(* A reading on the way, as [rate/30], is of the test's own mark. *)
let row subject test (metric, unit_) values =
  let s = Summary.of_list values in
  let metric, test =
    match String.split_on_char '/' metric with
    | [ metric; mark ] -> (metric, test ^ "/" ^ mark)
    | _ -> (metric, test)
  in
  {
    Row.study = "stack";
    subject;
    test;
    metric;
    unit_;
    value = s.median;
    low = s.low;
    high = s.high;
    n = s.n;
  }

let rows subject test rounds =
  List.concat rounds
  |> List.map (fun (r : Reading.t) -> (r.metric, r.unit_))
  |> List.sort_uniq compare
  |> List.map (fun key ->
      List.concat rounds
      |> List.filter_map (fun (r : Reading.t) ->
          if (r.metric, r.unit_) = key then Some r.value else None)
      |> row subject test key)

(* One failure does not end a study; a subject that fails each time has no rows. *)
let attempt failures subject test =
  match Worker.measure subject test.task with
  | readings -> readings
  | exception Child.Failed e ->
      failures := e :: !failures;
      []

let test_rounds ~progress test subjects =
  let results = List.map (fun (name, s) -> (name, s, ref [], ref [])) subjects in
  for round = 1 to test.rounds do
    List.iter
      (fun (name, s, readings, failures) ->
        progress (Printf.sprintf "stack: %s, round %d of %d: %s" test.name round test.rounds name);
        readings := attempt failures s test :: !readings)
      results
  done;
  {
    rows = List.concat_map (fun (name, _, readings, _) -> rows name test.name !readings) results;
    missing =
      List.concat_map
        (fun (name, _, _, failures) ->
          match !failures with
          | [] -> []
          | e :: _ as all ->
              [ Printf.sprintf "%s %s failed %d times: %s" test.name name (List.length all) e ])
        results;
  }

let one ~progress test =
  let candidates = List.filter (fun (_, s) -> Worker.can s test.task) subjects in
  let why (name, s) = Option.map (fun w -> (name, w)) (Worker.unavailable s test.task) in
  let missing =
    List.filter_map why candidates
    |> List.map (fun (name, why) -> Printf.sprintf "%s %s left out: %s" test.name name why)
  in
  let possible = List.filter (fun s -> why s = None) candidates in
  let found = test_rounds ~progress test possible in
  { found with missing = missing @ found.missing }

(* -- telling ------------------------------------------------------------- *)

let wide (r : Row.t) =
  if r.metric = "rate" && r.n > 1 && r.high > 1.5 *. r.low then
    Some
      (Printf.sprintf "%s %s: rates from %s to %s %s" r.test r.subject (Report.number r.low)
         (Report.number r.high) r.unit_)
  else None

(* Rates are by the wall clock, as the published ones; beside them stands what
   the processor's time would give. *)
let busy rows (r : Row.t) =
  match Row.find rows ~subject:r.subject ~test:r.test ~metric:"rate_cpu" with
  | Some cpu when r.metric = "rate" && cpu > 1.2 *. r.value ->
      Some
        (Printf.sprintf
           "%s %s: the process ran for %.0f%% of the time only (other load, or the disk)" r.test
           r.subject
           (100. *. r.value /. cpu))
  | _ -> None

let run ~quick ~progress =
  let found = List.map (fun t -> (t, one ~progress t)) (tests ~quick) in
  let missing = List.concat_map (fun (_, f) -> f.missing) found in
  let rows = List.concat_map (fun (_, f) -> f.rows) found in
  let tell (t, f) =
    match t.task with
    | _ when f.rows = [] -> None
    | Memory { watched = true; _ } -> Some (t.caption, Report.growth rows t.name)
    | _ -> Some (Printf.sprintf "%s (median of %d)" t.caption t.rounds, Report.table rows t.name)
  in
  {
    Study.rows;
    tables =
      (List.filter_map tell found
      @ if missing = [] then [] else [ ("Not measured", String.concat "\n" missing ^ "\n") ]);
    plots = Report.figures rows;
    conclusion = Conclusion.of_rows rows;
    targets = [];
    warnings = List.filter_map wide rows @ List.filter_map (busy rows) rows;
  }

let study =
  {
    Study.name = "stack";
    question =
      "How fast is a TCP/IP stack in OCaml, in direct style and under Lwt, in memory and against \
       the kernel, and what does it allocate?";
    run;
  }
