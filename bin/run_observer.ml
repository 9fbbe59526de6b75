open Weir_link
module G = Weir_gateway
module Record = Weir_gateway.Record
module Time = Weir_base.Time

type options = {
  plan : Run_plan.t;
  pcap : Recording.options;
  log : [ `None | `Text | `Json ];
  summary : bool;
  json : string option;
  html : string option;
  progress : bool;
}

type t = {
  options : options;
  conditions : Run_conditions.t;
  asked : Run_asked.t;
  report : Run_report.t;
  next_number : unit -> int;
  mutable flows : Run_flows.t option;  (** between members *)
  recording : Recording.t option;
  faults : (int, Run_change.kind) Hashtbl.t;  (** of open connections, by number *)
  mutable current : Run_change.kind option;  (** the fault of the connection that began last *)
  mutable capture : Run_capture.t option;
  mutable command : string list;
  mutable now : unit -> Time.t;
  mutable began : Time.t;
  mutable until : Time.t;
  mutable series : Run_series.t;
  mutable line : Run_progress.t option;
  mutable started : float;
}

let counting () =
  let n = ref (-1) in
  fun () ->
    incr n;
    !n

let make (options : options) ~own ~name =
  let asked = Run_asked.create () in
  let conditions = Run_conditions.make options.plan ~names:(Run_asked.names asked) in
  let keep = options.json <> None || options.html <> None in
  let names a = match name a with None -> Run_asked.latest asked a | known -> known in
  {
    options;
    conditions;
    asked;
    report = Run_report.make ~log:options.log ~keep ~names ~own;
    next_number = counting ();
    flows = None;
    recording = Recording.chosen options.pcap;
    faults = Hashtbl.create 8;
    current = None;
    capture = None;
    command = [];
    now = (fun () -> 0);
    began = 0;
    until = 0;
    series = Run_series.create ~now:0;
    line = None;
    started = 0.;
  }

let is_plain t = Run_conditions.is_plain t.conditions

let start t ~command ~now =
  t.command <- command;
  t.now <- now;
  t.capture <- Option.map (Run_capture.start ~now) t.recording

(* -- packets ------------------------------------------------------------------------- *)

let in_words : Lane.fate -> string option = function
  | Sent -> None
  | Lost -> Some "lost"
  | No_room -> Some "lost: the queue was full"
  | Cut -> Some "lost: cut"
  | Twice -> Some "delivered twice"
  | Corrupted -> Some "delivered with one bit changed"
  | Truncated -> Some "delivered cut short"
  | Late -> Some "delivered out of order"

let seen t ~now _ packet frame fate =
  Option.iter (fun c -> Run_capture.frame c ~now ?comment:(in_words fate) frame) t.capture;
  Option.iter (fun p -> Run_report.packet t.report p fate) packet

let link t device =
  if is_plain t then match t.capture with None -> device | Some c -> Run_capture.link c device
  else Run_conditions.wrap t.conditions ~watch:(seen t) device

let go t =
  t.began <- t.now ();
  t.started <- Unix.gettimeofday ();
  t.series <- Run_series.create ~now:t.began;
  if t.options.progress then t.line <- Run_progress.create ();
  Run_conditions.start t.conditions ~now:t.began

(* -- connections ------------------------------------------------------------------------ *)

let comment t (r : Record.t) what about =
  match t.capture with
  | Some c when r.protocol <> Icmp ->
      Run_capture.comment c (Run_report.key t.report r)
        (Printf.sprintf "%s %s: %s" (Run_report.number_of r) what (about t.report r))
  | _ -> ()

let began t ~exempt (r : Record.t) =
  Run_report.began t.report r;
  comment t r "begins" Run_report.name;
  t.current <-
    (if r.protocol = Icmp || exempt r.destination then None
     else Run_conditions.fault t.conditions ~now:(t.now ()) r.destination);
  Option.iter
    (fun kind ->
      Hashtbl.replace t.faults r.number kind;
      match (kind : Run_change.kind) with
      | Refuse | Black_hole -> Run_report.set_fault t.report r kind
      | Reset _ | Stall _ | Dns _ -> ())
    t.current

let decide t otherwise protocol destination : G.Decision.t =
  let fault = t.current in
  t.current <- None;
  match fault with
  | Some Refuse -> Refuse
  | Some Black_hole -> Drop
  | _ -> otherwise protocol destination

let limit t (r : Record.t) : G.Decision.limit option =
  match Hashtbl.find_opt t.faults r.number with
  | Some (Reset bytes) -> Some { bytes; counted = `Both; then_ = `Reset }
  | Some (Stall bytes) -> Some { bytes; counted = `Both; then_ = `Stall }
  | _ -> None

let ended t (r : Record.t) =
  (match Hashtbl.find_opt t.faults r.number with
  | Some kind ->
      Hashtbl.remove t.faults r.number;
      if r.ending = Some Limited then Run_report.set_fault t.report r kind
  | None -> ());
  comment t r "ended" Run_report.describe;
  Run_report.ended t.report r

(* -- between members ------------------------------------------------------------------------ *)

let member_began t r =
  Run_report.began t.report r;
  comment t r "begins" Run_report.name

let joined t =
  t.flows <- Some (Run_flows.make ~number:t.next_number ~began:(member_began t) ~ended:(ended t))

(* What arrives is recorded as it arrives. *)
let is_recorded (way : Run_scope.way) (fate : Lane.fate) =
  match (way, fate) with
  | Out, _ | In, (Sent | Lost | No_room | Cut) -> true
  | In, (Twice | Corrupted | Truncated | Late) -> false

let between t ~now way frame fate =
  let packet = Run_packet.read way frame in
  (match (packet, t.flows) with
  | Some p, Some flows when way = Run_scope.Out || fate = Lane.Sent ->
      Run_flows.packet flows ~now p frame
  | _ -> ());
  if is_recorded way fate then
    Option.iter (fun c -> Run_capture.frame c ~now ?comment:(in_words fate) frame) t.capture;
  Option.iter (fun p -> Run_report.packet t.report p fate) packet

(* -- for the gateway ------------------------------------------------------------------------ *)

let number t = t.next_number ()
let datagrams t outer = Run_dns.datagrams t.asked t.conditions ~now:(fun () -> t.now ()) outer
let names t = Run_asked.names t.asked
let heard t name addresses = List.iter (Run_asked.add t.asked name) addresses
let dns_fault t m = Run_dns.fault t.conditions ~now:(fun () -> t.now ()) m
let all_sent t = Run_report.all_sent t.report

(* -- meanwhile ------------------------------------------------------------------------------ *)

let steps_shown = 3

let watch t ~clock =
  let sampled = t.options.json <> None || t.options.html <> None in
  let step n =
    let totals = Run_report.totals t.report in
    if sampled then Run_series.sample t.series totals ~rtts:(Run_report.rtts t.report);
    if n mod steps_shown = 0 then
      Option.iter
        (fun line -> Run_progress.show line totals ~seconds:(Time.to_float_s (t.now () - t.began)))
        t.line
  in
  let rec go n at =
    Eio.Time.Mono.sleep_until clock (Mtime.of_uint64_ns (Int64.of_int at));
    step n;
    go (n + 1) (Int.max (at + Run_series.base_step_ns) (t.now ()))
  in
  if sampled || t.line <> None then go 1 (t.began + Run_series.base_step_ns)
  else Eio.Fiber.await_cancel ()

(* -- the end ------------------------------------------------------------------------------------ *)

let told f = try f () with Fail.Failed why | Sys_error why -> Fail.tell why

let close t =
  t.until <- t.now ();
  Option.iter (Run_flows.close ~now:t.until) t.flows;
  Option.iter Run_progress.clear t.line;
  Option.iter
    (fun c -> told (fun () -> Run_capture.finish c ~now:t.until ~names:(Run_asked.all t.asked)))
    t.capture;
  t.capture <- None

let since t at = Int.max 0 (Int.min at t.until - t.began)

let cuts t between =
  Run_conditions.cuts t.conditions ~now:t.until
  @ List.filter_map
      (fun (from, until, scope) ->
        if until <= t.began then None else Some (since t from, since t until, scope))
      (Option.fold between ~none:[] ~some:Run_join.cuts)

let document t ~ended ~between ~queues =
  let run : Run_document.run =
    {
      command = t.command;
      seed = t.options.plan.seed;
      conditions =
        Run_plan.in_words t.options.plan @ Option.fold between ~none:[] ~some:Run_join.in_words;
      started = t.started;
      began = t.began;
      until = t.until;
      ended;
    }
  in
  Run_document.make run t.report t.series ~cuts:(cuts t between) ~queues

let write path text =
  told (fun () ->
      Whole_file.write path (fun out ->
          out (Bytes.unsafe_of_string text) ~off:0 ~len:(String.length text)))

let finish t ~ended ~between =
  let queues =
    Run_conditions.queues t.conditions @ Option.fold between ~none:[] ~some:Run_join.queues
  in
  if Run_series.is_empty t.series then
    Run_series.sample t.series (Run_report.totals t.report) ~rtts:[];
  if t.options.summary then Run_report.summary t.report ~queues;
  if t.options.json <> None || t.options.html <> None then (
    let document = document t ~ended ~between ~queues in
    Option.iter (fun path -> write path (Yojson.Safe.to_string document ^ "\n")) t.options.json;
    Option.iter (fun path -> write path (Run_page.of_json document)) t.options.html)

let plan (o : options) = o.plan

(* -- options -------------------------------------------------------------------------------------- *)

open Cmdliner

let log =
  Arg.(
    value
    & opt (enum [ ("none", `None); ("text", `Text); ("json", `Json) ]) `None
    & info [ "log" ] ~docv:"FORMAT"
        ~doc:
          "Print a line on standard error for each connection that ends: $(b,text), $(b,json) or \
           $(b,none).")

let summary =
  Arg.(
    value & flag
    & info [ "summary" ] ~doc:"At the end, print where the program went on standard error.")

let file name doc = Arg.(value & opt (some string) None & info [ name ] ~docv:"FILE" ~doc)

let term ~docs =
  let json = file "json" "At the end, write all that is known of the run into $(docv), as JSON."
  and html =
    file "html"
      "At the end, write a page into $(docv): a time line of all connections, throughput, \
       round-trip times, losses. It needs no network."
  and progress =
    Arg.(
      value & flag & info [ "progress" ] ~doc:"Show a live line, if standard error is a terminal.")
  in
  let make plan pcap log summary json html progress =
    { plan; pcap; log; summary; json; html; progress }
  in
  Term.(
    const make $ Run_plan.term ~docs $ Recording.term ~docs $ log $ summary $ json $ html $ progress)
