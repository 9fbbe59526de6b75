open Weir_lab_harness

let subjects () =
  Binprot.subjects @ Protobuf.subjects @ Deriving.subjects @ Capnp.subjects @ Thrift.subjects
  @ Json.subjects

let full = { Measure.rounds = 24; seconds = 0.9 }

(* What is measured: its subject, its test and how. *)
let here (s : Subject.t) =
  List.map (fun (test, f) -> (s.name, test, fun name -> Measure.subject name f)) s.tests

let there { Peers.subject; peer } =
  List.map
    (fun test -> (subject, test, fun name -> Measure.elsewhere name (Peer.run peer test)))
    Peers.tests

let measure ~quick ~progress tests =
  let progress what = progress ("codecs: " ^ what) in
  Measure.all ~progress
    (if quick then Measure.quick else full)
    (List.map (fun (subject, test, how) -> how (subject ^ " " ^ test)) tests)
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

let not_measured = function
  | [] -> []
  | l ->
      let line (subject, why) = Printf.sprintf "%s: not measured, %s\n" subject why in
      [ ("Not measured", String.concat "" (List.map line l)) ]

let outcome subjects missing ms large =
  let rows =
    List.concat_map
      (fun (m : Tables.measured) ->
        Row.of_measure ~study:"codecs" ~subject:m.subject ~test:m.test m.result)
      (ms @ large)
    @ List.map length_row subjects
  in
  let sizes = List.map (fun (s : Subject.t) -> (s.name, s.bytes)) subjects in
  {
    Study.rows;
    tables = Tables.times ms @ Tables.large large @ [ Tables.sizes sizes ] @ not_measured missing;
    plots = Tables.figures ms;
    conclusion = Conclusion.sentences rows;
    targets = Targets.all rows;
    warnings = Measure.warnings (List.map (fun (m : Tables.measured) -> m.result) (ms @ large));
  }

(* bin_prot's new buffers are malloc's. *)
let run ~quick ~progress =
  Machine.keep_memory ();
  let subjects = subjects () in
  List.iter (fun (s : Subject.t) -> s.check ()) subjects;
  let folder = Sys.getenv_opt "WEIR_PEERS" in
  let peers, missing = Peers.start folder in
  let measured =
    Fun.protect
      ~finally:(fun () -> List.iter (fun p -> Peer.stop p.Peers.peer) peers)
      (fun () ->
        measure ~quick ~progress (List.concat_map here subjects @ List.concat_map there peers))
  in
  let large, missing_there = Large.measure ~quick ~progress folder in
  outcome subjects (missing @ missing_there) measured large

let study =
  {
    Study.name = "codecs";
    question =
      "What does it cost to write a message and to read it, in each format: from a schema, from \
       OCaml types, binary and JSON?";
    run;
  }
