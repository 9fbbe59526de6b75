open Weir_lab_harness

type test = { name : string; task : Worker.task; rounds : int; caption : string }

let memory ?(transport = Driver.Tcp) ?(offload = false) ?(pcap = false) ?(watched = false) ~bytes
    name rounds caption =
  { name; task = Memory { transport; offload; bytes; pcap; watched }; rounds; caption }

let mb n = n * 1_000_000

let in_memory ~quick =
  let bytes = mb (if quick then 5 else 100) and many = if quick then 1 else 12 in
  let mem how =
    Printf.sprintf "%d MB in memory between two hosts, MTU 1500, %s" (bytes / mb 1) how
  in
  let plain = mem "no offloads" in
  [
    memory ~bytes "mem-bulk" many ("TCP, " ^ plain);
    memory ~offload:true ~bytes "mem-bulk-offload" many ("TCP, " ^ mem "offloads");
    memory ~pcap:true ~bytes "mem-bulk-pcap" many ("TCP, " ^ plain ^ ", every frame recorded");
    memory ~transport:Udp ~bytes "mem-udp" many ("UDP, " ^ plain);
    memory ~transport:Udp ~pcap:true ~bytes "mem-udp-pcap" many
      ("UDP, " ^ plain ^ ", every frame recorded");
    memory ~watched:true ~bytes "mem-bulk" 1 "On the way: TCP, not recorded";
    memory ~pcap:true ~watched:true ~bytes "mem-bulk-pcap" 1 "On the way: TCP, every frame recorded";
  ]

let few ~quick = if quick then 1 else 6
let offloads offload = if offload then "offloads" else "no offloads"

let bulk ~quick ~offload direction =
  let bytes = mb (if quick then 5 else if offload then 2000 else 400) in
  let name, what =
    match direction with
    | `In -> ("tap-bulk-in", "TCP from a kernel socket")
    | `Out -> ("tap-bulk-out", "TCP to a kernel socket")
  in
  let caption =
    Printf.sprintf
      "%s, %d MB, MTU 1500, reno, %s: all over a TAP, but weir-packet, weir-xdp and the kernel \
       over veth"
      what
      (bytes / mb 1)
      (offloads offload)
  in
  let name = if offload then name ^ "-offload" else name in
  { name; task = Bulk { direction; offload; bytes }; rounds = few ~quick; caption }

let http ~quick ~offload connections =
  let seconds = if quick then 1 else if connections = 1 then 2 else 5 in
  let caption =
    Printf.sprintf
      "HTTP, 2,053 bytes an answer, wrk -t%d -c%d -d%ds, %s: all over a TAP, but weir-packet, \
       weir-xdp and nginx (one process) over veth"
      (min 2 connections) connections seconds (offloads offload)
  in
  let name = Printf.sprintf "http-c%d%s" connections (if offload then "-offload" else "") in
  { name; task = Http { connections; offload; seconds }; rounds = few ~quick; caption }

let tests ~quick =
  let both test = [ test ~offload:false; test ~offload:true ] in
  in_memory ~quick
  @ List.concat_map
      (fun test -> both test)
      [
        (fun ~offload -> bulk ~quick ~offload `In);
        (fun ~offload -> bulk ~quick ~offload `Out);
        (fun ~offload -> http ~quick ~offload 256);
        (fun ~offload -> http ~quick ~offload 1);
      ]

let subjects =
  [
    ("weir-eio", Worker.Eio);
    ("weir-lwt", Lwt);
    ("weir-packet", Eio_card Packet);
    ("weir-xdp", Eio_card Xdp);
    ("kernel", Kernel);
    ("nginx", Nginx);
  ]
  @ List.map (fun r -> (r.Rival.name, Worker.Rival r)) Rival.all

(* -- measuring ----------------------------------------------------------- *)

type found = { rows : Row.t list; missing : string list }

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
    rows =
      List.concat_map (fun (name, _, readings, _) -> Rounds.rows name test.name !readings) results
      @ Rounds.ratios test.name (List.map (fun (name, _, readings, _) -> (name, !readings)) results);
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
  let scale, failed = Scale.run ~quick ~progress in
  let missing = List.concat_map (fun (_, f) -> f.missing) found @ failed in
  let rows = List.concat_map (fun (_, f) -> f.rows) found @ scale in
  let tell (t, f) =
    match t.task with
    | _ when f.rows = [] -> []
    | Memory { watched = true; _ } -> [ (t.caption, Report.growth rows t.name) ]
    | _ ->
        (Printf.sprintf "%s (median of %d)" t.caption t.rounds, Report.table rows t.name)
        :: Report.ratios rows t.name
  in
  {
    Study.rows;
    tables =
      (List.concat_map tell found
      @ (if scale = [] then [] else [ (Scale.caption, Scale.table scale) ])
      @
      if missing = [] then []
      else
        [
          ( "Not measured",
            Table.make [ "What, and why" ] (List.map (fun m -> [ Table.Left m ]) missing) );
        ]);
    plots = Report.figures rows @ Scale.figures scale;
    summary = Conclusion.summary rows;
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
    published =
      "In memory the stack moves 790 Mbit/s in direct style and 1,155 under Lwt; with every frame \
       recorded 249 and 555, and what lives in direct style grows with the transfer.";
    measuring = Once run;
  }
