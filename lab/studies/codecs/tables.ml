open Weir_lab_harness

type measured = { subject : string; test : string; result : Measure.t }

let was m metric = Published.find m.subject m.test metric
let time m = Measure.time m.result

let caption = function
  | "rw" ->
      "Write, and read what was written (published beside; percent of the slowest published row)"
  | "read" -> "Read to a value (published beside)"
  | "write" -> "Write a value (published beside)"
  | "visit" -> "Read all fields in place, in a message that is open: numbers added, texts by length"
  | "open-visit" -> "Open a message and read all fields in place"
  | test -> test

(* The study's columns and their formats. *)
let columns =
  [
    ("Time/Run", "time", Table.ns);
    ("mWd/Run", "minor_words", Table.words);
    ("mjWd/Run", "major_words", Table.words);
    ("Prom/Run", "promoted_words", Table.words);
    ("Percentage", "percentage", Table.percent);
  ]

let row old slowest m =
  let r = m.result in
  let cost words =
    let { Sample.value; _ } = Sample.interval words in
    Table.Right (if Float.is_nan value then "" else Table.words value)
  in
  let { Sample.value; low; high } = Sample.interval r.time in
  let beside (_, metric, show) = Table.Right (Option.fold ~none:"" ~some:show (was m metric)) in
  Table.
    [
      Left m.subject;
      Right (ns value);
      Right (interval_ns low high);
      cost r.minor;
      cost r.major;
      cost r.promoted;
      Right (percent (100. *. value /. slowest));
    ]
  @ List.map beside old

(* Omits the published columns if no row of the test was published. *)
let table slowest ms =
  let headings = List.map (fun (heading, _, _) -> heading) in
  let old = List.filter (fun (_, m, _) -> List.exists (fun r -> was r m <> None) ms) columns in
  let header =
    ("Name" :: "Time/Run" :: "95%" :: List.tl (headings columns))
    @ List.map (fun h -> "published\n" ^ h) (headings old)
  in
  Table.make header (List.map (row old slowest) ms)

let times ms =
  let were = List.filter (fun m -> was m "time" <> None) ms in
  let slowest = List.fold_left (fun most m -> Float.max most (time m)) 0. were in
  List.filter_map
    (fun test ->
      match List.filter (fun m -> m.test = test) ms with
      | [] -> None
      | ms -> Some (caption test, table slowest ms))
    [ "rw"; "read"; "write"; "visit"; "open-visit" ]

(* A row for each test, a column for each subject: the time, and its ratio to that of C++. *)
let large ms =
  let in_order f = List.fold_left (fun l m -> if List.mem (f m) l then l else l @ [ f m ]) [] ms in
  let subjects = in_order (fun m -> m.subject) and tests = in_order (fun m -> m.test) in
  let find test subject = List.find_opt (fun m -> m.test = test && m.subject = subject) ms in
  let cell test subject =
    match (find test subject, find test "cpp-protobuf") with
    | None, _ -> Table.Right ""
    | Some m, Some cpp when m.subject <> cpp.subject ->
        Right (Printf.sprintf "%s (%.2f)" (Table.ns (time m)) (time cpp /. time m))
    | Some m, _ -> Right (Table.ns (time m))
  in
  if ms = [] then []
  else
    [
      ( "Large messages, by shape and megabytes (in brackets: how many times as fast as C++)",
        Table.make ("Test" :: subjects)
          (List.map (fun test -> Table.Left test :: List.map (cell test) subjects) tests) );
    ]

let sizes l =
  ( "Bytes on the wire: empty strings are present for binprot, the derivers, protobuf-bin-optional \
     and yojson-no-marshal, absent for the others",
    Table.make [ "Name"; "Bytes" ]
      (List.map (fun (name, n) -> Table.[ Left name; Right (string_of_int n) ]) l) )

let title = function
  | "rw" -> "Write the message, and read what was written"
  | "read" -> "Read the message"
  | _ -> "Write the message"

let figure ms test =
  let ms = List.filter (fun m -> m.test = test) ms in
  let ms = List.sort (fun a b -> compare (time a) (time b)) ms in
  let measured m = Some (Sample.interval m.result.Measure.time) in
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
