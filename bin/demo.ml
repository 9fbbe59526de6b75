let cmd = Cmdliner.Cmd.v (Cmdliner.Cmd.info "demo") Cmdliner.Term.(const 0)
