type row = {
  sent : int;
  received : int;
  lost : int;
  open_now : int;
  rtt_ns : int;  (** the median; 0: unknown *)
  longest_rtt_ns : int;
}

type t = {
  began : int;
  mutable rows : row Dynarray.t;
  mutable every : int;  (** base steps in a row *)
  mutable partial : row list;  (** those of an unfinished row, the latest first *)
  mutable last : Run_report.totals;
}

let base_step_ns = 100_000_000
let most = 1_200

let nothing : Run_report.totals =
  { opened = 0; open_now = 0; failed = 0; sent = 0; received = 0; lost = 0 }

let create ~now =
  { began = now; rows = Dynarray.create (); every = 1; partial = []; last = nothing }

let step_ns t = t.every * base_step_ns
let median = function [] -> 0 | l -> List.nth (List.sort Int.compare l) (List.length l / 2)

let join rows =
  let sum f = List.fold_left (fun n r -> n + f r) 0 rows
  and largest f = List.fold_left (fun n r -> Int.max n (f r)) 0 rows in
  {
    sent = sum (fun r -> r.sent);
    received = sum (fun r -> r.received);
    lost = sum (fun r -> r.lost);
    open_now = largest (fun r -> r.open_now);
    rtt_ns = median (List.filter (( <> ) 0) (List.map (fun r -> r.rtt_ns) rows));
    longest_rtt_ns = largest (fun r -> r.longest_rtt_ns);
  }

let halve t =
  let old = t.rows in
  t.rows <- Dynarray.create ();
  for n = 0 to (Dynarray.length old / 2) - 1 do
    Dynarray.add_last t.rows (join [ Dynarray.get old (2 * n); Dynarray.get old ((2 * n) + 1) ])
  done;
  t.every <- 2 * t.every

let sample t (now : Run_report.totals) ~rtts =
  let row =
    {
      sent = now.sent - t.last.sent;
      received = now.received - t.last.received;
      lost = now.lost - t.last.lost;
      open_now = now.open_now;
      rtt_ns = median rtts;
      longest_rtt_ns = List.fold_left Int.max 0 rtts;
    }
  in
  t.last <- now;
  t.partial <- row :: t.partial;
  if List.length t.partial >= t.every then (
    Dynarray.add_last t.rows (join t.partial);
    t.partial <- [];
    if Dynarray.length t.rows >= most then halve t)

let is_empty t = Dynarray.is_empty t.rows && t.partial = []

let to_json t : Yojson.Safe.t =
  let rows = Dynarray.to_list t.rows @ if t.partial = [] then [] else [ join t.partial ] in
  let list f = `List (List.map (fun r -> `Int (f r)) rows) in
  `Assoc
    [
      ("began_ns", `Int t.began);
      ("step_ns", `Int (step_ns t));
      ("bytes_out", list (fun r -> r.sent));
      ("bytes_in", list (fun r -> r.received));
      ("lost", list (fun r -> r.lost));
      ("open", list (fun r -> r.open_now));
      ("rtt_ns", list (fun r -> r.rtt_ns));
      ("longest_rtt_ns", list (fun r -> r.longest_rtt_ns));
    ]
