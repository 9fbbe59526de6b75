open Weir_lab_harness

(* Published: seconds for [iterations]. The two curves of 2011. *)
let iterations = 15_000

let published =
  List.filter_map
    (function
      | [ subject; test; n; seconds ] ->
          Some ((subject, test), (float_of_string n, float_of_string seconds))
      | _ -> None)
    Weir_lab_data.(Csv.rows Published.threads)

let published_points subject test =
  List.filter_map (fun (k, p) -> if k = (subject, test) then Some p else None) published

let published_subjects = [ "lwt"; "delimcc" ]

(* The retest had fewer iterations; the study does not say how many. *)
let old_curves test =
  let of_ label test =
    List.filter_map
      (fun s ->
        match published_points s test with [] -> None | points -> Some (s, label ^ " " ^ s, points))
      published_subjects
  in
  of_ "published" test @ of_ "retest" (test ^ "-tenth")

type case = { test : string; points : (int * Measure.t list) list }

let seconds m = Measure.time m *. float iterations /. 1e9
let of_subject name ms = List.find (fun (m : Measure.t) -> m.name = name) ms

let cost case subject n =
  match List.assoc_opt n case.points with
  | Some ms -> (of_subject subject ms).time
  | None -> Sample.of_rounds [||]

let names case =
  match case.points with (_, ms) :: _ -> List.map (fun (m : Measure.t) -> m.name) ms | [] -> []

let caption case =
  let note =
    match case.test with
    | "recurse-slow" -> " (published: of more, the number is not given)"
    | "recurse2-slow" -> " (the published retest: of fewer, about a tenth)"
    | _ -> ""
  in
  case.test ^ ": seconds for 15,000 iterations" ^ note

let table case =
  let old = old_curves case.test in
  let show s = Table.Right (Printf.sprintf "%.3f" s) in
  let row (n, ms) =
    let was (_, _, points) =
      Option.fold ~none:(Table.Right "") ~some:show (List.assoc_opt (float n) points)
    in
    (Table.Right (string_of_int n) :: List.map (fun m -> show (seconds m)) ms) @ List.map was old
  in
  let heading (s, label, _) =
    String.sub label 0 (String.length label - String.length s - 1) ^ "\n" ^ s
  in
  Table.make (("N" :: names case) @ List.map heading old) (List.map row case.points)

let words_table case =
  let row (n, ms) =
    Table.Right (string_of_int n)
    :: List.map
         (fun (m : Measure.t) ->
           Table.Right (Printf.sprintf "%.1f" ((Sample.interval m.minor).value /. float n)))
         ms
  in
  Table.make ("N" :: names case) (List.map row case.points)

(* Subjects are rows and tests columns, because intervals are wide. *)
let recurse2 cases = List.filter (fun c -> String.starts_with ~prefix:"recurse2" c.test) cases

(* From the times of each round; for published times, from one line with its errors. *)
let exponent case name =
  let ns = List.map (fun (n, _) -> float n) case.points in
  let fit times = Fit.exponent (List.combine ns times) in
  Sample.interval (Sample.relative fit (List.map (fun (n, _) -> cost case name n) case.points))

let published_exponent points =
  let low, high = Fit.exponent_interval points in
  { Sample.value = Fit.exponent points; low; high }

let exponents cases =
  let cases = recurse2 cases in
  let all = match cases with c :: _ -> names c | [] -> [] in
  let show i = Table.Left (Sample.text i) in
  let measured name =
    let cell c = if List.mem name (names c) then show (exponent c name) else Table.Left "" in
    Table.Left name :: List.map cell cases
  in
  let old name =
    let cell c =
      match published_points name c.test with
      | [] -> Table.Left ""
      | points -> show (published_exponent points)
    in
    Table.Left ("published " ^ name) :: List.map cell cases
  in
  Table.make
    ("Subject" :: List.map (fun c -> c.test) cases)
    (List.map measured all @ List.map old published_subjects)

(* A row for each test, with both subjects. *)
let node_table rows =
  let tests = List.sort_uniq compare (List.map (fun (r : Row.t) -> r.test) rows) in
  let show subject test =
    match Row.find rows ~subject ~test ~metric:"time" with
    | Some ns -> Table.Right (Table.ns ns)
    | None -> Table.Right ""
  in
  Table.make [ "Test"; "lwt-js"; "fiber-js" ]
    (List.map (fun t -> [ Table.Left t; show "lwt-js" t; show "fiber-js" t ]) tests)

(* The published fibers on delimcc correspond to Prompt's. *)
let counterpart = function "delimcc" -> "prompt" | s -> s

(* -- figures ------------------------------------------------------------- *)

let plot case =
  let measured name =
    let points = List.map (fun (n, ms) -> (float n, seconds (of_subject name ms))) case.points in
    { Plot.label = name; published_of = None; points }
  in
  let old (s, label, points) = { Plot.label; published_of = Some (counterpart s); points } in
  Plot.svg
    {
      title = caption case;
      x = "N (waits, or calls on the stack)";
      y = "seconds, log scale";
      log_y = true;
      series = List.map measured (names case) @ List.map old (old_curves case.test);
    }

let exponents_figure cases =
  let cases = recurse2 cases in
  let all = match cases with c :: _ -> names c | [] -> [] in
  let measured name =
    let value c = if List.mem name (names c) then Some (exponent c name) else None in
    { Bars.label = name; published_of = None; values = List.map value cases }
  in
  let old name =
    let value c =
      match published_points name c.test with
      | [] -> None
      | points -> Some (published_exponent points)
    in
    {
      Bars.label = name ^ ", published";
      published_of = Some (counterpart name);
      values = List.map value cases;
    }
  in
  Bars.svg
    {
      title = "How recurse2's time grows with depth";
      unit_ = "exponent of N: 1 is linear, 2 quadratic";
      log = false;
      show = Printf.sprintf "%.2f";
      groups = List.map (fun c -> c.test) cases;
      series = List.map measured all @ List.map old published_subjects;
    }

let figures cases = List.map plot cases @ [ exponents_figure cases ]

(* -- conclusion ---------------------------------------------------------- *)

let median l =
  let l = List.sort compare l in
  List.nth l (List.length l / 2)

(* In each round the median over N. *)
let ratio case =
  let pairs = List.map (fun (n, _) -> (cost case "fiber" n, cost case "lwt" n)) case.points in
  Sample.relative
    (fun ratios -> if List.for_all Float.is_finite ratios then median ratios else nan)
    (List.map (fun (a, b) -> Sample.over a b) pairs)

let published_ratio test =
  match (published_points "delimcc" test, published_points "lwt" test) with
  | [], _ | _, [] -> None
  | fibers, lwt ->
      let at (n, seconds) = Option.map (fun lwt -> seconds /. lwt) (List.assoc_opt n lwt) in
      Some (median (List.filter_map at fibers))

let beside case =
  let was =
    Option.fold ~none:""
      ~some:(Printf.sprintf "; published fibers: %.2f")
      (published_ratio case.test)
  in
  Printf.sprintf "%s: threads take %s of Lwt's time%s." case.test
    (Sample.text (Sample.interval (ratio case)))
    was

let deepest case =
  let n, _ = List.nth case.points (List.length case.points - 1) in
  let lwt = Sample.interval (Sample.over (cost case "lwt" n) (cost case "fiber" n)) in
  let at subject = List.assoc_opt (float n) (published_points subject case.test) in
  let was =
    match (at "lwt", at "delimcc") with
    | Some l, Some d -> Printf.sprintf "; published: %.1f times" (l /. d)
    | _ -> ""
  in
  Printf.sprintf "%s at depth %d: Lwt takes %s times as long as threads%s." case.test n
    (Sample.text ~digits:1 lwt) was

let growth case =
  let was =
    match published_points "delimcc" case.test with
    | [] -> ""
    | points -> "; published fibers: " ^ Sample.text (published_exponent points)
  in
  Printf.sprintf "%s: threads' time grows as N to the power %s, plain Lwt's %s%s." case.test
    (Sample.text (exponent case "fiber"))
    (Sample.text (exponent case "lwt"))
    was

let summary cases =
  let of_case test f =
    Option.fold ~none:"?"
      ~some:(fun c -> Sample.text (Sample.interval (f c)))
      (List.find_opt (fun c -> c.test = test) cases)
  in
  let deepest c =
    let n, _ = List.nth c.points (List.length c.points - 1) in
    Sample.over (cost c "fiber" n) (cost c "lwt" n)
  in
  Printf.sprintf
    "A thread takes %s of the time of Lwt's binds if it need not wait, %s if it waits in a loop, \
     %s if it waits once under the deepest stack, and %s if it waits at each call."
    (of_case "basic-quick" ratio) (of_case "basic-medium" ratio)
    (of_case "recurse-medium" deepest)
    (of_case "recurse2-medium" ratio)

let conclusion cases =
  let by prefix = List.filter (fun c -> String.starts_with ~prefix c.test) cases in
  List.map beside (by "basic-")
  @ List.map deepest (by "recurse-")
  @ List.map growth (recurse2 cases)
