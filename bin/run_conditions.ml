open Weir_link
module Time = Weir_base.Time

type options = {
  seed : int;
  changes : Run_change.t list;
  cuts : (Time.t * Time.t * Run_change.t) list;
  schedules : Run_schedule.t list;
}

(* -- what there may be ----------------------------------------------------------- *)

(* Each scope that any option names has its own; the most specific that is in force decides. *)
type 'a place = { where : Run_where.t; thing : 'a; mutable in_force : bool }
type rated = { bottleneck : Bottleneck.t; mutable rate : Run_change.rate option }

type direction = {
  way : Run_scope.way;
  lanes : Lane.t place list;  (** the last, of everywhere, is always in force *)
  rates : rated place list;
  untouched : Lane.t;  (** for control packets, so that they draw no verdicts *)
}

type cut = { scope : Run_scope.t; mutable is_cut : bool; mutable since : Time.t }

type fault = {
  what : Run_change.kind;
  at : Run_scope.t;
  die : Random.State.t;
  mutable chance : float;
}

type event = Change of Run_change.t | Begin of cut | End of cut

type table = {
  events : (Time.t * event) array;
  period : Time.t option;
  mutable next : int;
  mutable base : Time.t;  (** when this round began, since the start *)
}

type t = {
  out : direction;
  in_ : direction;
  cuts : cut list;
  faults : fault list;
  tables : table list;
  names : Ipaddr.t -> string list;
  plain : bool;
  scoped : bool;  (** addresses matter *)
  mutable start : Time.t;  (** [Time.never] before it *)
  mutable due : Time.t;  (** of the next event of all tables *)
  mutable past_cuts : (Time.t * Time.t * string) list;
}

(* -- making it --------------------------------------------------------------------- *)

let all_changes (o : options) =
  o.changes @ List.concat_map (fun (s : Run_schedule.t) -> List.map snd s.changes) o.schedules

let concerns way (c : Run_change.t) = List.mem way c.scope.ways
let number = function Run_scope.In -> 0 | Out -> 1

(* The seeds of everywhere are those of [Impair.wrap]; the others depend on their text alone, so
   that one option does not change the verdicts of another. *)
let seed (o : options) way where =
  let n = number way in
  if where = Run_where.everywhere then [| o.seed; n |]
  else [| o.seed; n; Hashtbl.hash (Fmt.str "%a" Run_where.pp where) |]

let wheres changes =
  List.sort_uniq Stdlib.compare (List.map (fun (c : Run_change.t) -> c.scope.where) changes)

let places wheres make =
  List.map (fun where -> { where; thing = make where; in_force = false }) wheres
  |> List.stable_sort (fun a b -> Run_where.most_specific_first a.where b.where)

let direction (o : options) way =
  let mine = List.filter (concerns way) (all_changes o) in
  let of_kind f = wheres (List.filter (fun (c : Run_change.t) -> f c.what) mine) in
  let impaired = of_kind (function Impair _ -> true | _ -> false) in
  let limited = of_kind (function Rate _ -> true | _ -> false) in
  let lane where = Lane.create ~seed:(seed o way where) Impairment.none in
  let rated _ =
    { bottleneck = Bottleneck.create ~rate_bps:Impairment.unlimited ~queue_bytes:1; rate = None }
  in
  let lanes = places (List.sort_uniq Stdlib.compare (Run_where.everywhere :: impaired)) lane in
  List.iter (fun p -> p.in_force <- p.where = Run_where.everywhere) lanes;
  let untouched = Lane.create ~seed:[| 0 |] Impairment.none in
  { way; lanes; rates = places limited rated; untouched }

let faults (o : options) =
  let of_change (c : Run_change.t) =
    match c.what with Fault f -> Some (f.kind, c.scope) | _ -> None
  in
  List.filter_map of_change (all_changes o)
  |> List.sort_uniq Stdlib.compare
  |> List.mapi (fun n (what, at) ->
      { what; at; chance = 0.; die = Random.State.make [| o.seed; 2; n |] })

let new_cut scope = { scope; is_cut = false; since = 0 }

let table ?period events =
  let events = List.stable_sort (fun (a, _) (b, _) -> Int.compare a b) events in
  { events = Array.of_list events; period; next = 0; base = 0 }

let has_letters t =
  let named p = p.where <> Run_where.everywhere in
  List.exists named t.lanes || List.exists named t.rates

let is_about_packets (c : Run_change.t) =
  match c.what with Impair _ | Rate _ | Cut | Heal -> true | Fault _ -> false

let next_at table =
  if table.next < Array.length table.events then table.base + fst table.events.(table.next)
  else
    match table.period with
    | Some p when Array.length table.events > 0 -> table.base + p
    | _ -> Time.never

let soonest tables = List.fold_left (fun at t -> Int.min at (next_at t)) Time.never tables

let make (o : options) ~names =
  let command_cuts =
    List.map (fun (from, until, (c : Run_change.t)) -> (from, until, new_cut c.scope)) o.cuts
  in
  let table_cuts =
    List.filter_map
      (fun (c : Run_change.t) -> if c.what = Cut then Some c.scope else None)
      (all_changes o)
    |> List.sort_uniq Stdlib.compare |> List.map new_cut
  in
  let of_command =
    List.map (fun c -> (0, Change c)) o.changes
    @ List.concat_map
        (fun (from, until, cut) -> [ (from, Begin cut); (until, End cut) ])
        command_cuts
  in
  let of_schedule (s : Run_schedule.t) =
    table ?period:s.period (List.map (fun (at, c) -> (at, Change c)) s.changes)
  in
  let tables = table of_command :: List.map of_schedule o.schedules in
  let out = direction o Out and in_ = direction o In in
  let cuts = List.map (fun (_, _, c) -> c) command_cuts @ table_cuts in
  let cut_somewhere c = c.scope.where <> Run_where.everywhere in
  {
    out;
    in_;
    cuts;
    faults = faults o;
    tables;
    names;
    plain = o.cuts = [] && not (List.exists is_about_packets (all_changes o));
    scoped = has_letters out || has_letters in_ || List.exists cut_somewhere cuts;
    start = Time.never;
    due = soonest tables;
    past_cuts = [];
  }

let is_plain t = t.plain

(* -- as time passes ------------------------------------------------------------------ *)

let default_queue = Impairment.none.queue_bytes
let in_place where places f = List.iter (fun p -> if p.where = where then f p) places

let limit t ~at place (rate : Run_change.rate) =
  let { bottleneck; _ } = place.thing in
  place.in_force <- true;
  place.thing.rate <- Some rate;
  match rate with
  | Constant { bps; queue } ->
      Bottleneck.set bottleneck ~rate_bps:bps
        ~queue_bytes:(Option.value queue ~default:default_queue)
  | Trace { trace; queue; _ } ->
      let queue_bytes = Option.value queue ~default:default_queue in
      Bottleneck.follow bottleneck ~start:(t.start + at) ~queue_bytes trace

let most_cuts = 10_000

let end_cut t ~at cut =
  if cut.is_cut then (
    cut.is_cut <- false;
    if List.length t.past_cuts < most_cuts then
      t.past_cuts <- (cut.since, at, Fmt.str "%a" Run_scope.pp cut.scope) :: t.past_cuts)

let begin_cut ~at cut =
  if not cut.is_cut then (
    cut.is_cut <- true;
    cut.since <- at)

(* A heal ends the cuts of its ways that it names, or all if it names no place. *)
let healed (scope : Run_scope.t) cut =
  List.for_all (fun way -> List.mem way scope.ways) cut.scope.ways
  && (scope.where = Run_where.everywhere || scope.where = cut.scope.where)

let change t ~at (c : Run_change.t) =
  let on_ways f =
    if List.mem Run_scope.Out c.scope.ways then f t.out;
    if List.mem Run_scope.In c.scope.ways then f t.in_
  in
  match c.what with
  | Impair i ->
      on_ways (fun d ->
          in_place c.scope.where d.lanes (fun p ->
              p.in_force <- true;
              Lane.set p.thing i))
  | Rate rate -> on_ways (fun d -> in_place c.scope.where d.rates (fun p -> limit t ~at p rate))
  | Cut -> List.iter (fun cut -> if cut.scope = c.scope then begin_cut ~at cut) t.cuts
  | Heal -> List.iter (fun cut -> if healed c.scope cut then end_cut t ~at cut) t.cuts
  | Fault f ->
      List.iter
        (fun fault -> if fault.what = f.kind && fault.at = c.scope then fault.chance <- f.chance)
        t.faults

let happen t ~at = function
  | Change c -> change t ~at c
  | Begin cut -> begin_cut ~at cut
  | End cut -> end_cut t ~at cut

let rec go_on t table ~now =
  let at = next_at table in
  if at <= now then (
    if table.next < Array.length table.events then (
      happen t ~at (snd table.events.(table.next));
      table.next <- table.next + 1)
    else (
      table.base <- at;
      table.next <- 0);
    go_on t table ~now)

let since_start t ~now = if t.start = Time.never then -1 else now - t.start

let advance t ~now =
  let passed = since_start t ~now in
  if t.due <= passed then (
    List.iter (fun table -> go_on t table ~now:passed) t.tables;
    t.due <- soonest t.tables)

let start t ~now =
  t.start <- now;
  advance t ~now

(* -- packets ---------------------------------------------------------------------------- *)

type watch = now:Time.t -> Run_scope.way -> Run_packet.t option -> Frame.t -> Lane.fate -> unit

let chosen t places packet =
  match (packet, places) with
  | None, _ | _, [] -> List.find_opt (fun p -> p.where = Run_where.everywhere && p.in_force) places
  | Some { Run_packet.remote = a, port; _ }, _ ->
      let names = if t.scoped then t.names a else [] in
      List.find_opt (fun p -> p.in_force && Run_where.matches ~names p.where a ~port) places

let is_cut t way packet =
  List.exists
    (fun cut ->
      cut.is_cut
      && List.mem way cut.scope.Run_scope.ways
      &&
      match packet with
      | None -> cut.scope.where = Run_where.everywhere
      | Some { Run_packet.remote = a, port; _ } ->
          Run_where.matches ~names:(t.names a) cut.scope.where a ~port)
    t.cuts

(* The bytes as they were, for a watch: a lane changes them or lets them go. *)
let before pool (f : Frame.t) =
  Link.complete f;
  Frame.copy pool f

let impair t d ~pool ~watch ~now frame =
  let packet = if t.scoped || watch <> None then Run_packet.read d.way frame else None in
  let copy = Option.map (fun w -> (w, before pool frame)) watch in
  let fate =
    if is_cut t d.way packet then (
      Frame.release frame;
      Lane.Cut)
    else
      match chosen t d.lanes packet with
      | None -> assert false (* everywhere is always in force *)
      | Some { thing = lane; _ } ->
          let shared = Option.map (fun p -> p.thing.bottleneck) (chosen t d.rates packet) in
          Lane.enter ?shared lane ~now frame
  in
  Option.iter
    (fun (watch, copy) ->
      watch ~now d.way packet copy fate;
      Frame.release copy)
    copy

let enter t d ~pool ~watch ~now frame =
  advance t ~now;
  if Run_packet.is_control frame then ignore (Lane.enter d.untouched ~now frame : Lane.fate)
  else impair t d ~pool ~watch ~now frame

let wrap t ?watch (link : Link.t) =
  let pool = Frame.pool ~size:(link#mtu + Link.header_length) () in
  let way d : Impair.way =
    {
      lanes = Array.of_list (d.untouched :: List.map (fun p -> p.thing) d.lanes);
      enter = (fun ~now frame -> enter t d ~pool ~watch ~now frame);
    }
  in
  (* What is received from the device is what the program sends. *)
  Impair.through ~outbound:(way t.in_) ~inbound:(way t.out) link

(* -- faults ------------------------------------------------------------------------------- *)

(* Each fault that applies draws, so that one fault's verdicts do not depend on another's. *)
let drawn t ~now applies =
  advance t ~now;
  List.filter
    (fun f -> applies f && f.chance > 0. && Random.State.float f.die 1. < f.chance)
    t.faults

let fault t ~now (address, port) =
  let applies f =
    (match f.what with Dns _ -> false | _ -> true)
    && Run_where.matches ~names:(t.names address) f.at.where address ~port
  in
  match drawn t ~now applies with [] -> None | f :: _ -> Some f.what

let dns_fault t ~now name =
  let applies f =
    match (f.what, f.at.where.place) with
    | Dns _, Name n -> Run_where.covers n name
    | Dns _, Everywhere -> true
    | _ -> false
  in
  match drawn t ~now applies with { what = Dns how; _ } :: _ -> Some how | _ -> None

(* -- reports -------------------------------------------------------------------------------- *)

let cuts t ~until =
  List.iter (fun cut -> end_cut t ~at:until cut) t.cuts;
  List.rev_map (fun (from, at, scope) -> (from, Int.min at until, scope)) t.past_cuts

let queues t =
  let of_direction (d : direction) =
    List.filter_map
      (fun p ->
        Option.map
          (fun rate ->
            let scope = { Run_scope.ways = [ d.way ]; where = p.where } in
            let queue =
              match rate with Run_change.Constant { queue; _ } | Trace { queue; _ } -> queue
            in
            ( Fmt.str "%a" Run_change.pp { what = Rate rate; scope },
              Option.value queue ~default:default_queue,
              Bottleneck.fullest p.thing.bottleneck ))
          p.thing.rate)
      d.rates
  in
  of_direction t.out @ of_direction t.in_

let in_words (o : options) =
  let change c = Fmt.str "%a" Run_change.pp c and at n = Fmt.str "%g s" (Time.to_float_s n) in
  let cut (from, until, (c : Run_change.t)) =
    Fmt.str "cut%a from %s %s" Run_scope.pp c.scope (at from)
      (if until = Time.never then "on" else "to " ^ at until)
  and table (s : Run_schedule.t) =
    let lines = List.map (fun (n, c) -> at n ^ " " ^ change c) s.changes in
    lines @ match s.period with Some p -> [ "again after " ^ at p ] | None -> []
  in
  List.map change o.changes @ List.map cut o.cuts @ List.concat_map table o.schedules

(* -- options ---------------------------------------------------------------------------------- *)

open Cmdliner

let conv docv parser pp = Arg.Conv.make ~docv ~parser ~pp ()
let change option docv = conv docv (Run_change.parse option) Run_change.pp

let repeated ~docs name docv kind doc =
  Arg.(value & opt_all kind [] & info [ name ] ~docs ~docv ~doc)

let scope =
  "Behind it may stand $(b,/in) or $(b,/out), and $(b,@WHERE): an address, a network, a name or \
   $(b,*.NAME), with :PORT behind it or alone."

let term ~docs =
  let repeated name = repeated ~docs name in
  let impair =
    repeated "impair" "WHAT" (change "impair" "WHAT")
      ("Impair the program's packets, such as $(b,loss=2%,delay=50ms). " ^ scope
     ^ " The most specific decides.")
  and rate =
    repeated "rate" "RATE" (change "rate" "RATE")
      ("Limit the rate, as $(b,10mbit), $(b,10mbit,queue=64kB) or $(b,trace:FILE). The queue has \
        256 KiB if nothing is said. " ^ scope)
  and cut =
    repeated "cut" "TIMES"
      (conv "TIMES" Run_change.times (fun f (_, _, c) -> Run_change.pp f c))
      ("Lose every packet sent between these times since the program's start, as $(b,5s..8s) or \
        $(b,5s..). " ^ scope)
  and fault =
    repeated "fault" "FAULT" (change "fault" "FAULT")
      "What befalls connections, by chance: $(b,refuse=20%), $(b,blackhole=5%), \
       $(b,reset=100kB:10%), $(b,stall=1MB), $(b,dns=10%:nxdomain). Behind it may stand \
       $(b,@WHERE)."
  and schedule =
    repeated "schedule" "FILE"
      (conv "FILE" Run_schedule.read (fun f (_ : Run_schedule.t) -> Fmt.string f "FILE"))
      "Change the network by the time table in $(docv), whose lines are as $(b,10s impair loss=5%) \
       or $(b,12s cut @10.0.0.0/8), or limit its rate by a trace of mahimahi's format."
  and seed =
    Arg.(
      value & opt int 1
      & info [ "seed" ] ~docs ~docv:"N" ~doc:"Random seed of impairments and faults.")
  in
  let make impair rate cuts fault schedules seed =
    { seed; changes = impair @ rate @ fault; cuts; schedules }
  in
  Term.(const make $ impair $ rate $ cut $ fault $ schedule $ seed)
