let subjects = [ ("tcpip-eio", "weir-eio"); ("tcpip-lwt", "weir-lwt") ]

let rows =
  List.filter_map
    (function
      | [ subject; test; metric; _; value ] ->
          Option.map (fun v -> (subject, test, metric, v)) (float_of_string_opt value)
      | _ -> None)
    Weir_lab_data.(Csv.rows Published.stack)

let find ~subject ~test ~metric =
  List.find_map
    (fun (s, t, m, v) -> if (s, t, m) = (subject, test, metric) then Some v else None)
    rows

let along ~subject ~test ~metric =
  let on_the_way (s, t, m, v) =
    match String.split_on_char '/' t with
    | [ t; at ] when (s, t, m) = (subject, test, metric) -> Some (float_of_string at, v)
    | _ -> None
  in
  let last =
    match (find ~subject ~test ~metric:"bytes", find ~subject ~test ~metric) with
    | Some bytes, Some v -> [ (bytes /. 1e6, v) ]
    | _ -> []
  in
  List.sort compare (List.filter_map on_the_way rows @ last)
