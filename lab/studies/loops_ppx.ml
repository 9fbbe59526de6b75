let keep = Weir_lab_harness.Measure.keep

let times n f =
  for%lwt _i = 1 to n do
    f ()
  done

let basic fn n = times n fn

let recurse fn n =
  let rec sum n =
    if n = 0 then
      let%lwt () = fn () in
      Lwt.return 0
    else
      let%lwt below = sum (n - 1) in
      Lwt.return (n + below)
  in
  let%lwt v = sum n in
  keep v;
  Lwt.return_unit

let recurse2 fn n =
  let rec sum n =
    let%lwt () = fn () in
    if n = 0 then Lwt.return 0
    else
      let%lwt below = sum (n - 1) in
      Lwt.return (n + below)
  in
  let%lwt v = sum n in
  keep v;
  Lwt.return_unit
