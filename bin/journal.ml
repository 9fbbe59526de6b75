module Lines = Weir_log.Lines

type t = { mutable out : Lines.t option; err : Lines.t Lazy.t }

let lines t =
  match t.out with
  | Some lines -> lines
  | None ->
      let lines = Lines.create Unix.stdout in
      t.out <- Some lines;
      lines

let log t s = Lines.line (lines t) s

(* A pipe that is ready takes this many bytes without waiting. *)
let short = 4_096

let takes fd =
  match Unix.select [] [ fd ] [] 0. with
  | _, [], _ -> false
  | _ -> true
  | exception Unix.Unix_error _ -> false

(* Without a log, no thread is started: it would wake the process from time to time. *)
let say t s =
  let line = s ^ "\n" in
  let n = String.length line in
  match t.out with
  | None when n <= short && takes Unix.stdout -> (
      match Unix.write_substring Unix.stdout line 0 n with
      | (_ : int) -> ()
      | exception Unix.Unix_error _ -> log t s)
  | _ -> log t s

let share t =
  ignore (lines t : Lines.t);
  ignore (Lazy.force t.err : Lines.t)

let warn t s = if s <> "" then Lines.line (Lazy.force t.err) ("weir: " ^ s)
let lost t = Option.fold t.out ~none:0 ~some:Lines.lost

let tell_of_untold t out =
  match Lines.untold out with
  | 0 -> ()
  | n ->
      let why = Option.value (Lines.failure out) ~default:"it was not read" in
      warn t
        (Printf.sprintf "%d line%s of standard output lost: %s" n (if n = 1 then "" else "s") why)

let finish t =
  let close out =
    Lines.close out;
    tell_of_untold t out
  in
  Option.iter close t.out;
  if Lazy.is_val t.err then Lines.close (Lazy.force t.err)

let run f =
  flush stdout;
  let t = { out = None; err = lazy (Lines.create Unix.stderr) } in
  match f t with
  | () -> finish t
  | exception e ->
      let message, status = Fail.describe e in
      warn t message;
      finish t;
      raise (Fail.Told status)
