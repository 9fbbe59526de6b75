let all =
  List.filter_map
    (function
      | [ subject; test; metric; value ] -> Some ((subject, test, metric), float_of_string value)
      | _ -> None)
    Weir_lab_data.(Csv.rows Published.codecs)

let find subject test metric = List.assoc_opt (subject, test, metric) all
