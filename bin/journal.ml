module Lines = Weir_log.Lines

type t = { out : Lines.t; err : Lines.t Lazy.t }

let say t s = Lines.line t.out s
let warn t s = if s <> "" then Lines.line (Lazy.force t.err) ("weir: " ^ s)
let lost t = Lines.lost t.out

let finish t =
  Lines.close t.out;
  let untold = Lines.untold t.out in
  if untold > 0 then
    warn t
      (Printf.sprintf "%d line%s of standard output lost: %s" untold
         (if untold = 1 then "" else "s")
         (Option.value (Lines.failure t.out) ~default:"it was not read"));
  if Lazy.is_val t.err then Lines.close (Lazy.force t.err)

let run f =
  flush stdout;
  let t = { out = Lines.create Unix.stdout; err = lazy (Lines.create Unix.stderr) } in
  match f t with
  | () -> finish t
  | exception e ->
      let message, status = Fail.describe e in
      warn t message;
      finish t;
      raise (Fail.Told status)
