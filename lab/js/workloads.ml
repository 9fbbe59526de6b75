open Js_ways.Ways

let depth = 400

let () =
  let waits = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 40_000 in
  List.iter
    (fun (blocking, turn) ->
      List.iter
        (fun (name, test) ->
          let report subject direct =
            Printf.printf "%s %s-%s/%d %.1f\n" subject name blocking depth
              (ns_of_wait test ~direct ~turn ~depth ~waits)
          in
          report "lwt-js" false;
          report "fiber-js" true)
        [ ("basic", Basic); ("recurse", Recurse); ("recurse2", Recurse2) ])
    [ ("quick", false); ("turn", true) ];
  print_endline "ok"
