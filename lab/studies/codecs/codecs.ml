open Weir_lab_harness

let subjects () =
  Binprot.subjects @ Protobuf.subjects @ Deriving.subjects @ Capnp.subjects @ Thrift.subjects
  @ Json.subjects

(* Subject, test and function of each measurement. The subjects of a test are compared. *)
let here (s : Subject.t) = List.map (fun (test, f) -> (test, Measure.subject s.name f)) s.tests

let there { Peers.subject; peer } =
  List.map (fun test -> (test, Measure.elsewhere subject (Peer.run peer test))) Peers.tests

let by_test l =
  let tests = List.fold_left (fun ts (t, _) -> if List.mem t ts then ts else t :: ts) [] l in
  List.rev_map
    (fun t -> (t, List.filter_map (fun (t', s) -> if t = t' then Some s else None) l))
    tests

let seconds session = if Session.quick session then 0.01 else 0.06

(* bin_prot allocates its new buffers with malloc. *)
let part session =
  Machine.keep_memory ();
  let subjects = subjects () in
  List.iter (fun (s : Subject.t) -> s.check ()) subjects;
  let peers, missing = Peers.start (Sys.getenv_opt "WEIR_PEERS") in
  List.iter (fun (name, why) -> Session.leave_out session name why) missing;
  Fun.protect
    ~finally:(fun () -> List.iter (fun p -> Peer.stop p.Peers.peer) peers)
    (fun () ->
      List.concat_map here subjects @ List.concat_map there peers
      |> by_test
      |> List.iter (fun (test, subjects) ->
          Session.measure session ~group:test ~seconds:(seconds session) subjects))

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
    sample = None;
  }

let reference test =
  if String.starts_with ~prefix:Large.prefix test then "cpp-protobuf" else "binprot"

(* Only Cap'n Proto can be read in place; its time is compared with bin_prot's read. *)
let visits results =
  let time test name =
    List.find_opt (fun (m : Measure.t) -> m.name = name) (Session.group results test)
  in
  match time "read" "binprot" with
  | None -> []
  | Some read ->
      List.filter_map
        (fun test ->
          Option.map
            (fun m ->
              Row.ratio ~study:"codecs" ~subject:"capnp" ~test ~reference:"binprot-read" m read)
            (time test "capnp"))
        [ "visit"; "open-visit" ]

let outcome results =
  let groups = Session.groups results in
  let rows =
    List.concat_map
      (fun (test, ms) ->
        List.concat_map
          (fun (m : Measure.t) -> Row.of_measure ~study:"codecs" ~subject:m.name ~test m)
          ms
        @ Row.ratios ~study:"codecs" ~test ~reference:(reference test) ms)
      groups
    @ visits results
  in
  let measured =
    List.concat_map
      (fun (test, ms) ->
        List.map (fun (m : Measure.t) -> { Tables.subject = m.name; test; result = m }) ms)
      groups
  in
  let large, ms =
    List.partition
      (fun (m : Tables.measured) -> String.starts_with ~prefix:Large.prefix m.test)
      measured
  in
  let subjects = subjects () in
  let sizes = List.map (fun (s : Subject.t) -> (s.name, s.bytes)) subjects in
  {
    Study.rows = rows @ List.map length_row subjects;
    tables =
      Tables.times ms @ Tables.large large
      @ [ Tables.sizes sizes ]
      @ Study.not_measured (Session.left_out results);
    plots = Tables.figures ms;
    summary = Conclusion.summary rows;
    conclusion = Conclusion.sentences rows;
    targets = Targets.all rows;
    warnings = Session.warnings results;
  }

let study =
  {
    Study.name = "codecs";
    question =
      "What does it cost to write a message and to read it, in each format: from a schema, from \
       OCaml types, binary and JSON?";
    published =
      "To write and read the message, protobuf takes 3.1 times as long as bin_prot, Cap'n Proto \
       3.4, and JSON 15 (atdgen) to 20 (a deriver).";
    measuring = Rounds { rounds = 12; parts = part :: Large.parts; outcome };
  }
