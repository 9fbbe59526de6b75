let () = Web_runtime.linked

let () =
  match Array.to_list Sys.argv with
  | [ _; "speed"; bytes ] ->
      for _ = 1 to 5 do
        Printf.printf "%.0f segments a second\n%!" (Web_report.speed ~bytes:(int_of_string bytes))
      done
  | _ :: seeds ->
      let seeds = match seeds with s :: _ -> int_of_string s | [] -> 1 in
      List.iter print_endline
        (Web_report.integers () @ Web_report.twins () @ Web_report.worlds ~seeds)
  | [] -> ()
