let () = Web_runtime.linked

let () =
  let seeds = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 1 in
  List.iter print_endline
    (Web_report.integers () @ Web_report.twins () @ Web_report.worlds ~seeds)
