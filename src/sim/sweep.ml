let seeds ~shard:(i, n) ~first ~last =
  let start = first + i - 1 in
  (start, n, if start > last then 0 else ((last - start) / n) + 1)

let run ~jobs ~stop ~on_done ~shard ~first ~last one =
  let start, step, count = seeds ~shard ~first ~last in
  let results = Array.make count None in
  let next = Atomic.make 0 and told = Mutex.create () in
  let rec work () =
    if not (stop ()) then
      let i = Atomic.fetch_and_add next 1 in
      if i < count then (
        let seed = start + (i * step) in
        let found = one seed in
        results.(i) <- found;
        Mutex.protect told (fun () -> on_done ~seed found);
        work ())
  in
  let others = List.init (Int.max 0 (Int.min jobs count - 1)) (fun _ -> Domain.spawn work) in
  Fun.protect work ~finally:(fun () -> List.iter Domain.join others);
  List.filter_map Fun.id (Array.to_list results)
