(* weir-threads lwt lwt.unix *)
let () =
  assert (
    Lwt_main.run (Weir_threads.Threads.start (fun () -> Weir_threads.Threads.await (Lwt.return 3)))
    = 3)
