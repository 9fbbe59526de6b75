open Weir_lab_harness

(* subject, test, metric *)
let published =
  List.filter_map
    (function
      | [ subject; test; metric; value ] -> Some ((subject, test, metric), float_of_string value)
      | _ -> None)
    Weir_lab_data.(Csv.rows Published.flows)

let was subject test metric = List.assoc_opt (subject, test, metric) published

let find rows subject test metric =
  List.find_opt (fun (r : Row.t) -> (r.subject, r.test, r.metric) = (subject, test, metric)) rows

(* In the order in which they were measured. *)
let subjects rows tests =
  List.fold_left
    (fun known (r : Row.t) ->
      if List.mem r.test tests && not (List.mem r.subject known) then known @ [ r.subject ]
      else known)
    [] rows

(* The columns of the study's two tables and their formats. *)
let columns =
  [
    ("Time/Run", "time", Table.ns);
    ("mWd/Run", "minor_words", Table.words);
    ("mjWd/Run", "major_words", Table.words);
    ("Prom/Run", "promoted_words", Table.words);
    ("Percentage", "percentage", Table.percent);
  ]

let table rows ~test ~base =
  let subjects = subjects rows [ test ] in
  let value subject metric =
    Option.map (fun (r : Row.t) -> r.value) (find rows subject test metric)
  in
  let measured subject metric =
    if metric <> "percentage" then value subject metric
    else
      Option.bind (value subject "time") (fun t ->
          Option.map (fun whole -> 100. *. t /. whole) (value base "time"))
  in
  let old =
    List.filter
      (fun (_, metric, _) -> List.exists (fun s -> was s test metric <> None) subjects)
      columns
  in
  let cell f subject (_, metric, show) =
    Table.Right (Option.fold ~none:"" ~some:show (f subject metric))
  in
  let interval subject =
    let show (r : Row.t) = Table.interval_ns r.low r.high in
    Table.Right (Option.fold ~none:"" ~some:show (find rows subject test "time"))
  in
  let line subject =
    let cells = List.map (cell measured subject) columns in
    let beside = List.map (cell (fun s m -> was s test m) subject) old in
    (Table.Left subject :: List.hd cells :: interval subject :: List.tl cells) @ beside
  in
  let headings = List.map (fun (heading, _, _) -> heading) in
  Table.make
    (("Name" :: "Time/Run" :: "95%" :: List.tl (headings columns))
    @ List.map (fun h -> "published\n" ^ h) (headings old))
    (List.map line subjects)

(* -- figures ------------------------------------------------------------- *)

(* There are many subjects, so each is a group; the tests are the series. *)
let bars rows ~title ~unit_ ~log ~scale ~metric tests =
  let subjects = List.filter (fun s -> s <> "no-op") (subjects rows (List.map snd tests)) in
  let measured (label, test) =
    let value subject =
      Option.map
        (fun (r : Row.t) ->
          let by = scale test in
          { Bars.value = r.value *. by; low = r.low *. by; high = r.high *. by })
        (find rows subject test "time")
    in
    { Bars.label; published_of = None; values = List.map value subjects }
  in
  let old (label, test) =
    let value subject = Option.map Bars.exactly (was subject test metric) in
    {
      Bars.label = label ^ ", published";
      published_of = Some label;
      values = List.map value subjects;
    }
  in
  let series = List.concat_map (fun t -> [ measured t; old t ]) tests in
  let show v = if v >= 100. then Printf.sprintf "%.0f" v else Printf.sprintf "%.1f" v in
  Bars.svg { title; unit_; log; show; groups = subjects; series }

let time rows subject test = Option.value (Row.find rows ~subject ~test ~metric:"time") ~default:nan

let figures rows =
  let of_conduit3 test = 100. /. time rows "conduit3" test in
  [
    bars rows ~title:"Copy over Lwt: the pattern, then and now"
      ~unit_:"time, percent of Conduit 3's" ~log:false ~scale:of_conduit3 ~metric:"percentage"
      [ ("null", "null"); ("data", "data") ];
    bars rows ~title:"Copy of 4,096 bytes in pieces of 10" ~unit_:"ns a copy, log scale" ~log:true
      ~scale:(fun _ -> 1.)
      ~metric:"time"
      [ ("over Lwt", "data"); ("direct style", "direct-data") ];
    bars rows ~title:"One read by each kind of call" ~unit_:"ns a read, the loop included"
      ~log:false
      ~scale:(fun _ -> 0.01)
      ~metric:"time"
      [ ("10 bytes", "operation"); ("1,460 bytes", "operation-1460") ];
  ]

(* -- conclusion ---------------------------------------------------------- *)

(* The published order of the subjects, and the greatest distance from its percentages. *)
let pattern rows test =
  let there = List.filter (fun s -> was s test "percentage" <> None) (subjects rows [ test ]) in
  let percent s = 100. *. time rows s test /. time rows "conduit3" test in
  let pairs = List.map (fun s -> (s, Option.get (was s test "percentage"), percent s)) there in
  let list f = String.concat "/" (List.map (fun p -> Printf.sprintf "%.0f" (f p)) pairs) in
  Printf.sprintf "%s flows over Lwt (%s): %s percent of Conduit 3's time; published %s." test
    (String.concat ", " there)
    (list (fun (_, _, now) -> now))
    (list (fun (_, was, _) -> was))

let ratio rows a b =
  let sample (subject, test) = Row.sample rows ~subject ~test ~metric:"time" in
  match (sample a, sample b) with
  | Some a, Some b -> Sample.text (Sample.interval (Sample.over a b))
  | _ -> "?"

let summary rows =
  let of_conduit3 test subject = ratio rows (subject, test) ("conduit3", test) in
  Printf.sprintf
    "Over Lwt a flow that is an object takes %s of Conduit 3's time if it does nothing and %s if \
     it moves data, where a functor takes %s and %s; in direct style the object's own copy takes \
     %s of the functor's time over Lwt."
    (of_conduit3 "null" "oo") (of_conduit3 "data" "oo")
    (of_conduit3 "null" "mirage-flow")
    (of_conduit3 "data" "mirage-flow")
    (ratio rows ("oo-copy", "direct-data") ("mirage-flow", "data"))

let conclusion rows =
  let ratio = ratio rows in
  let direct = ("oo-copy", "direct-data") in
  [
    pattern rows "null";
    pattern rows "data";
    Printf.sprintf
      "In direct style the object flow's own copy takes %.0f ns for the data: %s of the Lwt \
       functor's time, %s of the Lwt object's, %s of Eio.Flow.copy's."
      (time rows "oo-copy" "direct-data")
      (ratio direct ("mirage-flow", "data"))
      (ratio direct ("oo", "data"))
      (ratio direct ("eio-flow", "direct-data"));
    Printf.sprintf
      "A read of 1,460 bytes through an object takes %s of a known call's time, one of 10 bytes \
       %s; through a closure %s and %s."
      (ratio ("oo", "operation-1460") ("known-call", "operation-1460"))
      (ratio ("oo", "operation") ("known-call", "operation"))
      (ratio ("closures", "operation-1460") ("known-call", "operation-1460"))
      (ratio ("closures", "operation") ("known-call", "operation"));
  ]
