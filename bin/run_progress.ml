type t = { mutable last : (float * Run_report.totals) option }

let create () = if Unix.isatty Unix.stderr then Some { last = None } else None

let rec scaled units x =
  match units with
  | [ unit ] -> Printf.sprintf "%.0f %s" x unit
  | unit :: _ when x < 1_000. -> Printf.sprintf "%.3g %s" x unit
  | _ :: rest -> scaled rest (x /. 1_000.)
  | [] -> ""

let rate = scaled [ "B/s"; "kB/s"; "MB/s"; "GB/s" ]
let erase = "\r\027[K"

let show t (now : Run_report.totals) ~seconds =
  let since, before = Option.value t.last ~default:(0., { now with sent = 0; received = 0 }) in
  let span = Float.max 0.001 (seconds -. since) in
  let per a b = rate (float_of_int (a - b) /. span) in
  t.last <- Some (seconds, now);
  Printf.eprintf "%sweir: %.0f s, %d connections, %d open, %d failed, %s out, %s in%s%!" erase
    seconds now.opened now.open_now now.failed (per now.sent before.sent)
    (per now.received before.received)
    (if now.lost = 0 then "" else Printf.sprintf ", %d packets lost" now.lost)

let clear (_ : t) = Printf.eprintf "%s%!" erase
