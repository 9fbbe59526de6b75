open Weir_lab_harness

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
    sample = None;
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

let ratios test results =
  let rates readings =
    List.map
      (List.find_map (fun (r : Reading.t) -> if r.metric = "rate" then Some r.value else None))
      readings
  in
  let over ours theirs =
    List.filter_map
      (function Some a, Some b when b > 0. -> Some (a /. b) | _ -> None)
      (List.combine (rates ours) (rates theirs))
  in
  let against subject ours (other, theirs) =
    match over ours theirs with
    | [] -> None
    | values -> Some (row subject test ("rate_over_" ^ other, "times") values)
  in
  let of_subject subject =
    match List.assoc_opt subject results with
    | None -> []
    | Some ours ->
        List.filter (fun (other, _) -> other <> "weir-lwt" && other <> subject) results
        |> List.filter_map (against subject ours)
  in
  of_subject "weir-eio" @ of_subject "weir-lwt"
