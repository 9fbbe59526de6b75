module Time = Weir_base.Time

type t = {
  seed : int;
  changes : Run_change.t list;
  cuts : (Time.t * Time.t * Run_change.t) list;
  schedules : Run_schedule.t list;
}

let changes t =
  t.changes
  @ List.map (fun (_, _, c) -> c) t.cuts
  @ List.concat_map (fun (s : Run_schedule.t) -> List.map snd s.changes) t.schedules

let filter keep t =
  {
    t with
    changes = List.filter keep t.changes;
    cuts = List.filter (fun (_, _, c) -> keep c) t.cuts;
    schedules =
      List.map
        (fun (s : Run_schedule.t) ->
          { s with changes = List.filter (fun (_, c) -> keep c) s.changes })
        t.schedules
      |> List.filter (fun (s : Run_schedule.t) -> s.changes <> []);
  }

let is_between (c : Run_change.t) = Run_scope.is_between c.scope

(* A heal that names no place is for both. *)
let heals_all (c : Run_change.t) = c.what = Heal && c.scope.where = Run_where.everywhere
let outside t = filter (fun c -> not (is_between c)) t
let has_between t = List.exists is_between (changes t)

let between t =
  if has_between t then filter (fun c -> is_between c || heals_all c) t
  else filter (fun _ -> false) t

let concerning t a b =
  let either scope = Run_scope.(concerns scope ~from:a ~to_:b || concerns scope ~from:b ~to_:a) in
  filter (fun c -> heals_all c || either c.scope) t

(* -- for other processes ---------------------------------------------------------- *)

let text c = Option.get (Run_change.to_text c)

let to_lines t =
  let change c = "change " ^ text c
  and cut (from, until, c) = Printf.sprintf "span %d %d %s" from until (text c)
  and table (s : Run_schedule.t) =
    Printf.sprintf "table %d" (Option.value s.period ~default:0)
    :: List.map (fun (at, c) -> Printf.sprintf "at %d %s" at (text c)) s.changes
  in
  Printf.sprintf "seed %d" t.seed
  :: (List.map change t.changes @ List.map cut t.cuts @ List.concat_map table t.schedules)

let nothing = { seed = 1; changes = []; cuts = []; schedules = [] }

let words n s =
  String.split_on_char ' ' s |> fun l ->
  (List.filteri (fun i _ -> i < n) l, String.concat " " (List.filteri (fun i _ -> i >= n) l))

let in_table t at change =
  match t.schedules with
  | s :: rest -> { t with schedules = { s with changes = (at, change) :: s.changes } :: rest }
  | [] -> t

(* Lists are built from the end. *)
let add t line =
  let change s f = match Run_change.of_text s with Ok c -> f c | Error _ -> t in
  match String.split_on_char ' ' line with
  | [ "seed"; n ] -> { t with seed = int_of_string n }
  | "change" :: _ -> change (snd (words 1 line)) (fun c -> { t with changes = c :: t.changes })
  | "span" :: from :: until :: _ ->
      change
        (snd (words 3 line))
        (fun c -> { t with cuts = (int_of_string from, int_of_string until, c) :: t.cuts })
  | [ "table"; period ] ->
      let period = match int_of_string period with 0 -> None | p -> Some p in
      { t with schedules = { changes = []; period } :: t.schedules }
  | "at" :: at :: _ -> change (snd (words 2 line)) (in_table t (int_of_string at))
  | _ -> t

let of_lines lines =
  let t = List.fold_left add nothing lines in
  {
    t with
    changes = List.rev t.changes;
    cuts = List.rev t.cuts;
    schedules =
      List.rev_map (fun (s : Run_schedule.t) -> { s with changes = List.rev s.changes }) t.schedules;
  }

(* -- in words ------------------------------------------------------------------------ *)

let in_words t =
  let change c = Fmt.str "%a" Run_change.pp c and at n = Fmt.str "%g s" (Time.to_float_s n) in
  let cut (from, until, (c : Run_change.t)) =
    Fmt.str "cut%a from %s %s" Run_scope.pp c.scope (at from)
      (if until = Time.never then "on" else "to " ^ at until)
  and table (s : Run_schedule.t) =
    let lines = List.map (fun (n, c) -> at n ^ " " ^ change c) s.changes in
    lines @ match s.period with Some p -> [ "again after " ^ at p ] | None -> []
  in
  List.map change t.changes @ List.map cut t.cuts @ List.concat_map table t.schedules

(* -- options --------------------------------------------------------------------------- *)

open Cmdliner

let conv docv parser pp = Arg.Conv.make ~docv ~parser ~pp ()
let change option docv = conv docv (Run_change.parse option) Run_change.pp

let repeated ~docs name docv kind doc =
  Arg.(value & opt_all kind [] & info [ name ] ~docs ~docv ~doc)

let scope =
  "Behind it may stand $(b,/in) or $(b,/out), and $(b,@WHERE): an address, a network, a name or \
   $(b,*.NAME), with :PORT behind it or alone. Before it may stand $(b,A,B:) for what two programs \
   of $(b,--join) send each other."

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
        $(b,5s..); between programs of $(b,--join), since their network's. " ^ scope)
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
