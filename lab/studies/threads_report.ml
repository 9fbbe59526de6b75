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

(* The retest was of fewer iterations: how many, the study does not say. *)
let old_curves test =
  let of_ label test =
    List.filter_map
      (fun s ->
        match published_points s test with [] -> None | points -> Some (s, label ^ " " ^ s, points))
      published_subjects
  in
  of_ "published" test @ of_ "retest" (test ^ "-tenth")

type case = { test : string; points : (int * Measure.t list) list }

let seconds (m : Measure.t) = m.time.per_run *. float iterations /. 1e9
let of_subject name ms = List.find (fun (m : Measure.t) -> m.name = name) ms

let cost case subject n =
  match List.assoc_opt n case.points with
  | Some ms -> (of_subject subject ms).time.per_run
  | None -> nan

let names case =
  match case.points with (_, ms) :: _ -> List.map (fun (m : Measure.t) -> m.name) ms | [] -> []

let print header rows = Format.asprintf "%a" (fun ppf -> Table.print ppf header) rows

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
  print (("N" :: names case) @ List.map heading old) (List.map row case.points)

let words_table case =
  let row (n, ms) =
    Table.Right (string_of_int n)
    :: List.map
         (fun (m : Measure.t) -> Table.Right (Printf.sprintf "%.1f" (m.minor.per_run /. float n)))
         ms
  in
  print ("N" :: names case) (List.map row case.points)

(* Subjects down, tests across: an interval is wide. *)
let recurse2 cases = List.filter (fun c -> String.starts_with ~prefix:"recurse2" c.test) cases

let times case name =
  List.map (fun (n, ms) -> (float n, (of_subject name ms).Measure.time.per_run)) case.points

let exponents cases =
  let cases = recurse2 cases in
  let all = match cases with c :: _ -> names c | [] -> [] in
  let show points =
    let low, high = Fit.exponent_interval points in
    Table.Left (Printf.sprintf "%.2f (%.2f…%.2f)" (Fit.exponent points) low high)
  in
  let measured name =
    let cell c = if List.mem name (names c) then show (times c name) else Table.Left "" in
    Table.Left name :: List.map cell cases
  in
  let old name =
    let cell c =
      match published_points name c.test with [] -> Table.Left "" | points -> show points
    in
    Table.Left ("published " ^ name) :: List.map cell cases
  in
  print
    ("Subject" :: List.map (fun c -> c.test) cases)
    (List.map measured all @ List.map old published_subjects)

(* Each test's two rows beside each other. *)
let node_table rows =
  let tests = List.sort_uniq compare (List.map (fun (r : Row.t) -> r.test) rows) in
  let show subject test =
    match Row.find rows ~subject ~test ~metric:"time" with
    | Some ns -> Table.Right (Table.ns ns)
    | None -> Table.Right ""
  in
  Format.asprintf "%a"
    (fun ppf rows -> Table.print ppf [ "Test"; "lwt-js"; "fiber-js" ] rows)
    (List.map (fun t -> [ Table.Left t; show "lwt-js" t; show "fiber-js" t ]) tests)

(* Fibers of delimited control are still what Prompt's are. *)
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
  let fit points =
    let low, high = Fit.exponent_interval points in
    Some { Bars.value = Fit.exponent points; low; high }
  in
  let measured name =
    let value c = if List.mem name (names c) then fit (times c name) else None in
    { Bars.label = name; published_of = None; values = List.map value cases }
  in
  let old name =
    let value c = match published_points name c.test with [] -> None | points -> fit points in
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

let ratio case =
  median (List.map (fun (n, _) -> cost case "fiber" n /. cost case "lwt" n) case.points)

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
  Printf.sprintf "%s: threads take %.2f of Lwt's time%s." case.test (ratio case) was

let deepest case =
  let n, _ = List.nth case.points (List.length case.points - 1) in
  let lwt = cost case "lwt" n /. cost case "fiber" n in
  let at subject = List.assoc_opt (float n) (published_points subject case.test) in
  let was =
    match (at "lwt", at "delimcc") with
    | Some l, Some d -> Printf.sprintf "; published: %.1f times" (l /. d)
    | _ -> ""
  in
  Printf.sprintf "%s at depth %d: Lwt takes %.1f times what threads do%s." case.test n lwt was

let growth case =
  let show points =
    let low, high = Fit.exponent_interval points in
    Printf.sprintf "%.2f (%.2f to %.2f)" (Fit.exponent points) low high
  in
  let was =
    match published_points "delimcc" case.test with
    | [] -> ""
    | points -> "; published fibers: " ^ show points
  in
  Printf.sprintf "%s: threads' time grows as N to the power %s, plain Lwt's %s%s." case.test
    (show (times case "fiber"))
    (show (times case "lwt"))
    was

let conclusion cases =
  let by prefix = List.filter (fun c -> String.starts_with ~prefix c.test) cases in
  List.map beside (by "basic-")
  @ List.map deepest (by "recurse-")
  @ List.map growth (recurse2 cases)
