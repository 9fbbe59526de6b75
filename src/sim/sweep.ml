let run ~jobs ~on_done ~first ~last one =
  let count = last - first + 1 in
  let results = Array.make (Int.max count 0) None in
  let next = Atomic.make 0 and told = Mutex.create () in
  let rec work () =
    let i = Atomic.fetch_and_add next 1 in
    if i < count then (
      let found = one (first + i) in
      results.(i) <- found;
      Mutex.protect told (fun () -> on_done ~seed:(first + i) found);
      work ())
  in
  let others = List.init (Int.max 0 (Int.min jobs count - 1)) (fun _ -> Domain.spawn work) in
  Fun.protect work ~finally:(fun () -> List.iter Domain.join others);
  List.filter_map Fun.id (Array.to_list results)
