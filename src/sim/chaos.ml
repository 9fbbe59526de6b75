let run ~random ~sleep ~every ~lasting faults =
  if faults = [] then invalid_arg "chaos: no fault to do";
  if every < 1 || lasting < 1 then invalid_arg "chaos: times are at least 1 ns";
  let up_to n = 1 + Random.State.full_int random n in
  let rec go () =
    sleep (up_to (2 * every));
    let undo = List.nth faults (Random.State.int random (List.length faults)) () in
    Fun.protect ~finally:undo (fun () -> sleep (up_to lasting));
    go ()
  in
  go ()
