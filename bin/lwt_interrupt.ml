let came () =
  let came, come = Lwt.task () in
  let handle signal =
    ignore
      (Lwt_unix.on_signal signal (fun s ->
           Sys.set_signal s Signal_default;
           if Lwt.is_sleeping came then Lwt.wakeup_later come ())
        : Lwt_unix.signal_handler_id)
  in
  handle Sys.sigint;
  handle Sys.sigterm;
  came

let on_usr1 f = ignore (Lwt_unix.on_signal Sys.sigusr1 (fun _ -> f ()) : Lwt_unix.signal_handler_id)
