open Weir_threads

let finish p =
  while Lwt.is_sleeping p do
    Lwt.wakeup_paused ()
  done;
  match Lwt.state p with Lwt.Return v -> v | Lwt.Fail e -> raise e | Lwt.Sleep -> assert false

(* [waits n] is 1 + 2 + … + n, by n waits, in each of the ways. *)
module Direct = struct
  let basic fn n =
    let s = ref 0 in
    for i = 1 to n do
      Threads.await (fn ());
      s := !s + i
    done;
    !s

  let recurse fn n =
    let rec sum n =
      if n = 0 then begin
        Threads.await (fn ());
        0
      end
      else n + sum (n - 1)
    in
    sum n

  let recurse2 fn n =
    let rec sum n =
      Threads.await (fn ());
      if n = 0 then 0 else n + sum (n - 1)
    in
    sum n
end

module Bound = struct
  let ( >>= ) = Lwt.bind

  let basic fn n =
    let rec go i s = if i > n then Lwt.return s else fn () >>= fun () -> go (i + 1) (s + i) in
    go 1 0

  let recurse fn n =
    let rec sum n =
      if n = 0 then fn () >>= fun () -> Lwt.return 0
      else sum (n - 1) >>= fun below -> Lwt.return (n + below)
    in
    sum n

  let recurse2 fn n =
    let rec sum n =
      fn () >>= fun () ->
      if n = 0 then Lwt.return 0 else sum (n - 1) >>= fun below -> Lwt.return (n + below)
    in
    sum n
end

type test = Basic | Recurse | Recurse2

let both = function
  | Basic -> (Bound.basic, Direct.basic)
  | Recurse -> (Bound.recurse, Direct.recurse)
  | Recurse2 -> (Bound.recurse2, Direct.recurse2)

let ns_of_wait test ~direct ~turn ~depth ~waits =
  let bound, in_direct_style = both test and fn = if turn then Lwt.pause else Lwt.return in
  let once () =
    if direct then finish (Threads.start (fun () -> in_direct_style fn depth))
    else finish (bound fn depth)
  in
  let times = max 1 (waits / depth) in
  let began = Sys.time () in
  for _ = 1 to times do
    if once () <> depth * (depth + 1) / 2 then failwith "wrong sum"
  done;
  (Sys.time () -. began) *. 1e9 /. float (times * depth)
