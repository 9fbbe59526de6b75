let () =
  for _ = 1 to 5 do
    Printf.printf "%.0f segments a second\n%!"
      (Web_report.speed ~bytes:(int_of_string Sys.argv.(1)))
  done
