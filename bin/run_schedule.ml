module Time = Weir_base.Time

type t = { changes : (Time.t * Run_change.t) list; period : Time.t option }

let ( let* ) = Result.bind
let error fmt = Printf.ksprintf Result.error fmt

(* Comments begin at # and end with the line. *)
let without_comment s = match String.index_opt s '#' with Some i -> String.sub s 0 i | None -> s

let words s =
  String.map (fun c -> if c = '\t' || c = '\r' then ' ' else c) (without_comment s)
  |> String.split_on_char ' '
  |> List.filter (fun w -> w <> "")

type line = Empty | Change of Time.t * Run_change.t | Repeat of Time.t

let line s =
  match words s with
  | [] -> Ok Empty
  | [ at; "repeat" ] ->
      let* at = Run_change.time at in
      if at > 0 then Ok (Repeat at) else Error "the time of repeat must be above 0"
  | at :: change :: rest ->
      let* at = Run_change.time at in
      let* c = Run_change.parse change (String.concat "" rest) in
      Ok (Change (at, c))
  | [ _ ] -> Error "give a time, a change and its value"

type reading = { known : t; last : Time.t; number : int }

let add reading s =
  let* r = reading in
  let number = r.number + 1 in
  let in_order at =
    if r.known.period <> None then error "line %d: nothing may follow repeat" number
    else if at < r.last then error "line %d: its time is before that of the line above" number
    else Ok ()
  in
  match line s with
  | Error why -> error "line %d: %s" number why
  | Ok Empty -> Ok { r with number }
  | Ok (Change (at, c)) ->
      let* () = in_order at in
      Ok { known = { r.known with changes = (at, c) :: r.known.changes }; last = at; number }
  | Ok (Repeat at) ->
      let* () = in_order at in
      Ok { known = { r.known with period = Some at }; last = at; number }

let of_string s =
  let start = Ok { known = { changes = []; period = None }; last = 0; number = 0 } in
  let* { known; _ } = List.fold_left add start (String.split_on_char '\n' s) in
  Ok { known with changes = List.rev known.changes }

let is_trace s =
  let lines = String.split_on_char '\n' s |> List.map words |> List.filter (( <> ) []) in
  lines <> []
  && List.for_all (function [ w ] -> String.for_all Char.Ascii.is_digit w | _ -> false) lines

let contents path =
  try Ok (In_channel.with_open_bin path In_channel.input_all) with Sys_error why -> Error why

let read name =
  let of_trace () =
    let* c = Run_change.trace name in
    Ok { changes = [ (0, c) ]; period = None }
  in
  if not (Sys.file_exists name) then
    match Run_scope.split name with
    | Ok (path, _) when Sys.file_exists path -> of_trace ()
    | _ -> error "%s: no such file" name
  else
    let* s = contents name in
    if is_trace s then of_trace ()
    else Result.map_error (fun why -> name ^ ": " ^ why) (of_string s)
