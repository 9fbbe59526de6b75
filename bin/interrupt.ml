let await () =
  let came = Eio.Condition.create () and flag = ref false in
  let handle signal =
    Sys.set_signal signal
      (Signal_handle
         (fun s ->
           Sys.set_signal s Signal_default;
           flag := true;
           Eio.Condition.broadcast came))
  in
  handle Sys.sigint;
  handle Sys.sigterm;
  Eio.Condition.loop_no_mutex came (fun () -> if !flag then Some () else None)
