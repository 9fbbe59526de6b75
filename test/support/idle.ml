type used = { cpu : float; wakes : int; stolen : int }
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

(* What the machine's host took from all its processors, in the kernel's ticks. *)
let stolen () =
  match In_channel.with_open_bin "/proc/stat" In_channel.input_line with
  | exception Sys_error _ -> 0
  | None -> 0
  | Some line -> (
      match List.filter (( <> ) "") (String.split_on_char ' ' line) with
      | "cpu" :: counts when List.length counts > 7 ->
          Option.value ~default:0 (int_of_string_opt (List.nth counts 7))
      | _ -> 0)

let start () =
  let tasks = "/proc/self/task" in
  let threads = try Sys.readdir tasks with Sys_error _ -> [||] in
  let wakes =
    Array.fold_left
      (fun n t -> n + thread_wakes (String.concat "/" [ tasks; t; "status" ]))
      0 threads
  in
  { cpu = Sys.time (); wakes; stolen = stolen () }

let used from =
  let now = start () in
  { cpu = now.cpu -. from.cpu; wakes = now.wakes - from.wakes; stolen = now.stolen - from.stolen }

let most_wakes = 20
let most_cpu = 0.005

let check u =
  if u.wakes > most_wakes || u.cpu > most_cpu then
    Alcotest.failf
      "%.1f ms of CPU and %d wakes in an idle second; the machine's host took %d ticks meanwhile"
      (u.cpu *. 1e3) u.wakes u.stolen
