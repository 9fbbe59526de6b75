module Suite = Weir_test.Suite

let program = "_build-web/default/web/node/print.bc.js"
let seeds = 2

let printed =
  lazy
    (let channel = Unix.open_process_in (Filename.quote_command "node" [ program; string_of_int seeds ]) in
     let lines = In_channel.input_lines channel in
     ignore (Unix.close_process_in channel);
     lines)

let has_node = lazy (Sys.command "node --version >/dev/null 2>&1" = 0)

(* The part of the report that begins after [before] lines. *)
let same lines ~before () =
  if not (Sys.file_exists program) then Suite.skip "scripts/web has not run";
  if not (Lazy.force has_node) then Suite.skip "node is not installed";
  let got = Lazy.force printed |> List.filteri (fun i _ -> i >= before && i < before + List.length lines) in
  List.iteri
    (fun i want -> Alcotest.(check string) "line" want (Option.value (List.nth_opt got i) ~default:"nothing"))
    lines

let () =
  let integers = Web_report.integers () and twins = Web_report.twins () in
  let n = List.length integers in
  Suite.run "web"
    [
      ( "node",
        [
          Suite.case "integers of 53 bits are OCaml's" (same integers ~before:0);
          Suite.case "functions in C have twins" (same twins ~before:n);
          Suite.case "a seed gives the same world" (fun () ->
              same (Web_report.worlds ~seeds) ~before:(n + List.length twins) ());
        ] );
    ]
