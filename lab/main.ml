open Cmdliner

let lab quick json html studies =
  match Weir_lab.Lab.run ~quick ?json ?html studies with
  | Ok () -> 0
  | Error e ->
      prerr_endline ("weir lab: " ^ e);
      1

let quick = Arg.(value & flag & info [ "quick" ] ~doc:"Measure less: seconds instead of minutes.")

let json =
  Arg.(
    value
    & opt (some string) None
    & info [ "json" ] ~docv:"FILE" ~doc:"Write the numbers to $(docv).")

let html =
  Arg.(
    value
    & opt (some string) None
    & info [ "html" ] ~docv:"DIR" ~doc:"Write a page with tables and plots to $(docv).")

let studies =
  let doc =
    "The studies to run: " ^ String.concat ", " Weir_lab.Lab.names ^ ". All if none is named."
  in
  Arg.(value & pos_all string [] & info [] ~docv:"STUDY" ~doc)

let () =
  let info = Cmd.info "lab" ~doc:"Rerun the studies on this machine." in
  exit (Cmd.eval' (Cmd.v info Term.(const lab $ quick $ json $ html $ studies)))
