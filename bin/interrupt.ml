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

let on_usr1 f =
  let came = Eio.Condition.create () and flag = ref false in
  Sys.set_signal Sys.sigusr1
    (Signal_handle
       (fun _ ->
         flag := true;
         Eio.Condition.broadcast came));
  Eio.Condition.loop_no_mutex came (fun () ->
      if !flag then (
        flag := false;
        f ());
      None)
