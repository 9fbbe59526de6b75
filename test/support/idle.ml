type used = { cpu : float; wakes : int }
type meter = used

let key = "voluntary_ctxt_switches:"

(* Linux counts the waits of each thread; elsewhere there is the time alone. *)
let thread_wakes status =
  match In_channel.with_open_bin status In_channel.input_all with
  | exception Sys_error _ -> 0
  | text ->
      String.split_on_char '\n' text
      |> List.find_map (fun line ->
          if String.starts_with ~prefix:key line then
            let n = String.length key in
            int_of_string_opt (String.trim (String.sub line n (String.length line - n)))
          else None)
      |> Option.value ~default:0

let start () =
  let tasks = "/proc/self/task" in
  let threads = try Sys.readdir tasks with Sys_error _ -> [||] in
  let wakes =
    Array.fold_left
      (fun n t -> n + thread_wakes (String.concat "/" [ tasks; t; "status" ]))
      0 threads
  in
  { cpu = Sys.time (); wakes }

let used from =
  let now = start () in
  { cpu = now.cpu -. from.cpu; wakes = now.wakes - from.wakes }

let rounds = 3
let most_wakes = 20
let most_cpu = 0.005

let check seconds =
  List.iter
    (fun s -> if s.wakes > most_wakes then Alcotest.failf "%d wakes in an idle second" s.wakes)
    seconds;
  let least = List.fold_left (fun t s -> Float.min t s.cpu) infinity seconds in
  if least > most_cpu then Alcotest.failf "%.1f ms of CPU in an idle second" (least *. 1e3)
