open Cmdliner

let be_worker_if_asked = ignore

let run _ =
  Fail.run (fun () ->
      Fail.usage "the lab is not installed: run ./weir lab in a checkout of Weir's sources")

let cmd =
  Cmd.v
    (Cmd.info "lab" ~exits:Fail.exits
       ~doc:"measure flows, threads, stacks and codecs (in a checkout)")
    Term.(const run $ Arg.(value & pos_all string [] & info []))
