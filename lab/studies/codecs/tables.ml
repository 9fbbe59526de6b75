open Weir_lab_harness

type measured = { subject : string; test : string; result : Measure.t }

let published =
  List.filter_map
    (function
      | [ subject; test; metric; value ] -> Some ((subject, test, metric), float_of_string value)
      | _ -> None)
    Weir_lab_data.(Csv.rows Published.codecs)

let was m metric = List.assoc_opt (m.subject, m.test, metric) published
let time m = m.result.Measure.time.per_run

let caption = function
  | "rw" ->
      "Write, and read what was written (published beside; percent of the slowest published row)"
  | "read" -> "Read to a value (published beside)"
  | "write" -> "Write a value (published beside)"
  | "visit" -> "Read all fields in place, in a message that is open: numbers added, texts by length"
  | "open-visit" -> "Open a message and read all fields in place"
  | test -> test

let header =
  [
    "Name";
    "Time/Run";
    "95%";
    "mWd/Run";
    "mjWd/Run";
    "Prom/Run";
    "Percentage";
    "published Time";
    "mWd";
    "mjWd";
    "Prom";
    "%";
  ]

let row slowest m =
  let r = m.result in
  let cost (e : Measure.estimate) = if Float.is_nan e.per_run then "" else Table.words e.per_run in
  let was metric show = Table.Right (Option.fold ~none:"" ~some:show (was m metric)) in
  Table.
    [
      Left m.subject;
      Right (ns r.time.per_run);
      Right (Printf.sprintf "%s…%s" (ns r.time.low) (ns r.time.high));
      Right (cost r.minor);
      Right (cost r.major);
      Right (cost r.promoted);
      Right (percent (100. *. r.time.per_run /. slowest));
      was "time" ns;
      was "minor_words" Table.words;
      was "major_words" Table.words;
      was "promoted_words" Table.words;
      was "percentage" percent;
    ]

let text header rows = Format.asprintf "%a" (fun ppf -> Table.print ppf header) rows

let times ms =
  let were = List.filter (fun m -> was m "time" <> None) ms in
  let slowest = List.fold_left (fun most m -> Float.max most (time m)) 0. were in
  List.filter_map
    (fun test ->
      match List.filter (fun m -> m.test = test) ms with
      | [] -> None
      | ms -> Some (caption test, text header (List.map (row slowest) ms)))
    [ "rw"; "read"; "write"; "visit"; "open-visit" ]

let sizes l =
  ( "Bytes on the wire: empty strings are present for binprot, the derivers, protobuf-bin-optional \
     and yojson-no-marshal, absent for the others",
    text [ "Name"; "Bytes" ]
      (List.map (fun (name, n) -> Table.[ Left name; Right (string_of_int n) ]) l) )

let title = function
  | "rw" -> "Write the message, and read what was written"
  | "read" -> "Read the message"
  | _ -> "Write the message"

let figure ms test =
  let ms = List.filter (fun m -> m.test = test) ms in
  let ms = List.sort (fun a b -> compare (time a) (time b)) ms in
  let measured m =
    let t = m.result.Measure.time in
    Some { Bars.value = t.per_run; low = t.low; high = t.high }
  in
  Bars.svg
    {
      title = title test;
      unit_ = "ns a run";
      log = true;
      show = Table.ns;
      groups = List.map (fun m -> m.subject) ms;
      series =
        [
          { label = "measured"; published_of = None; values = List.map measured ms };
          {
            label = "published";
            published_of = Some "measured";
            values = List.map (fun m -> Option.map Bars.exactly (was m "time")) ms;
          };
        ];
    }

let figures ms = List.map (figure ms) [ "rw"; "read"; "write" ]
