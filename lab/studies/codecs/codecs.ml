open Weir_lab_harness

let subjects () =
  Binprot.subjects @ Protobuf.subjects @ Capnp.subjects @ Thrift.subjects @ Json.subjects

let measure ~quick ~progress (subjects : Subject.t list) =
  let quota = if quick then Measure.quick else Measure.full in
  let tests =
    List.concat_map
      (fun (s : Subject.t) -> List.map (fun (test, f) -> (s.name, test, f)) s.tests)
      subjects
  in
  let progress what = progress ("codecs: " ^ what) in
  Measure.all ~progress quota
    (List.map (fun (subject, test, f) -> Measure.subject (subject ^ " " ^ test) f) tests)
  |> List.map2 (fun (subject, test, _) result -> { Tables.subject; test; result }) tests

let length_row (s : Subject.t) =
  let value = float s.bytes in
  {
    Row.study = "codecs";
    subject = s.name;
    test = "write";
    metric = "bytes";
    unit_ = "bytes";
    value;
    low = value;
    high = value;
    n = 1;
  }

let run ~quick ~progress =
  let subjects = subjects () in
  List.iter (fun (s : Subject.t) -> s.check ()) subjects;
  let ms = measure ~quick ~progress subjects in
  let rows =
    List.concat_map
      (fun (m : Tables.measured) ->
        Row.of_measure ~study:"codecs" ~subject:m.subject ~test:m.test m.result)
      ms
    @ List.map length_row subjects
  in
  {
    Study.rows;
    tables =
      Tables.times ms
      @ [ Tables.sizes (List.map (fun (s : Subject.t) -> (s.name, s.bytes)) subjects) ];
    plots = [ Tables.figure ms ];
    targets = Targets.all rows;
    warnings = Measure.warnings (List.map (fun (m : Tables.measured) -> m.result) ms);
  }

let study =
  {
    Study.name = "codecs";
    question =
      "What does it cost to write a message and to read it, in each format: from a schema, from \
       OCaml types, binary and JSON?";
    run;
  }
