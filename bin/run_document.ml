type run = {
  command : string list;
  seed : int;
  conditions : string list;
  started : float;
  began : Weir_base.Time.t;
  until : Weir_base.Time.t;
  ended : string;
}

let date seconds =
  let t = Unix.gmtime seconds in
  Printf.sprintf "%04d-%02d-%02d %02d:%02d:%02d UTC" (t.tm_year + 1900) (t.tm_mon + 1) t.tm_mday
    t.tm_hour t.tm_min t.tm_sec

let is_plain = function
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '-' | '.' | '/' | ':' | '=' | ',' | '@' | '%' | '+'
    ->
      true
  | _ -> false

(* Text that is not UTF-8 is no JSON. *)
let utf8 s = if String.is_valid_utf_8 s then s else String.escaped s

let word s =
  let s = utf8 s in
  if s <> "" && String.for_all is_plain s then s else Filename.quote s

let make run report series ~cuts ~queues : Yojson.Safe.t =
  let totals = Run_report.totals report in
  let strings l = `List (List.map (fun s -> `String (utf8 s)) l) in
  `Assoc
    [
      ("command", `String (String.concat " " (List.map word run.command)));
      ("seed", `Int run.seed);
      ("conditions", strings run.conditions);
      ("started", `String (date run.started));
      ("began_ns", `Int run.began);
      ("ended_ns", `Int run.until);
      ("ended", `String run.ended);
      ( "totals",
        `Assoc
          [
            ("connections", `Int totals.opened);
            ("failed", `Int totals.failed);
            ("bytes_out", `Int totals.sent);
            ("bytes_in", `Int totals.received);
            ("lost", `Int totals.lost);
          ] );
      ( "cuts",
        `List
          (List.map
             (fun (from, until, scope) ->
               `Assoc [ ("from_ns", `Int from); ("until_ns", `Int until); ("scope", `String scope) ])
             cuts) );
      ( "queues",
        `List
          (List.map
             (fun (rate, length, fullest) ->
               `Assoc [ ("rate", `String rate); ("bytes", `Int length); ("fullest", `Int fullest) ])
             queues) );
      ("series", Run_series.to_json series);
      ("not_listed", `Int (Run_report.not_kept report));
      ("connections", Run_report.to_json report);
    ]
