open Weir_lab_harness
open Weir_lab_rivals
open Weir_flow

let keep = Measure.keep
let cbuf = Cstruct.create 4096
let bbuf = Bytes.create 4096

module Mirage_null = Mirage.Test (Mirage.Null)
module Mirage_data = Mirage.Test (Mirage.Data)
module Mirage_null_direct = Mirage.Test_direct (Mirage.Null_direct)
module Mirage_data_direct = Mirage.Test_direct (Mirage.Data_direct)

(* A promise that is not resolved with [Ok] is an error in the study. *)
let finished p =
  match Lwt.state p with Lwt.Return (Ok v) -> v | _ -> failwith "flows: the copy did not end"

let conduit_null = finished (Conduit3.connect () Conduit3.null)
let conduit_direct_null = Conduit3.Direct.null ()
let no_op = ("no-op", fun () -> keep 0)

let lwt_null =
  [
    no_op;
    ("mirage-flow", fun () -> finished (Mirage_null.copy ()));
    ("conduit3", fun () -> finished (Conduit3.copy cbuf conduit_null));
    ("conduit-oo", fun () -> finished (Conduit_oo.copy cbuf Conduit_oo.null));
    ("oo", fun () -> finished (Flow_oo.copy cbuf Flow_oo.null));
    ("oo2", fun () -> finished (Flow_oo.copy2 Flow_oo.null));
  ]

let lwt_data =
  [
    ( "mirage-flow",
      fun () ->
        let f = Mirage.Data.create () in
        finished (Mirage_data.copy f);
        keep (Mirage.Data.close f) );
    ( "conduit3",
      fun () ->
        let f = finished (Conduit3.connect () Conduit3.data) in
        finished (Conduit3.copy cbuf f);
        finished (Conduit3.close f) );
    ( "conduit-oo",
      fun () ->
        let f = Conduit_oo.data () in
        finished (Conduit_oo.copy cbuf f);
        finished (Conduit_oo.close f) );
    ( "oo",
      fun () ->
        let f = Flow_oo.data () in
        finished (Flow_oo.copy cbuf f);
        f#close );
    ( "oo2",
      fun () ->
        let f = Flow_oo.data () in
        finished (Flow_oo.copy2 f);
        f#close );
  ]

let direct_null =
  [
    no_op;
    ("mirage-flow", fun () -> Mirage_null_direct.copy bbuf ());
    ("conduit3", fun () -> Conduit3.Direct.copy bbuf conduit_direct_null);
    ("conduit-oo", fun () -> Conduit_oo.Direct.copy bbuf Conduit_oo.Direct.null);
    ("oo", fun () -> Flow_oo.copy_direct bbuf Null.flow);
    ("oo2", fun () -> Flow_oo.copy2_direct Null.flow);
    ("oo-copy", fun () -> keep (Flow.copy Null.flow Null.flow));
    ("closures", fun () -> Others.copy bbuf Others.null);
    ("eio-flow", fun () -> Others.eio_copy Others.eio_null);
  ]

let direct_data =
  [
    ( "mirage-flow",
      fun () ->
        let f = Mirage.Data_direct.create () in
        Mirage_data_direct.copy bbuf f;
        Mirage.Data_direct.close f );
    ( "conduit3",
      fun () ->
        let f = Conduit3.Direct.data () in
        Conduit3.Direct.copy bbuf f;
        Conduit3.Direct.close f );
    ( "conduit-oo",
      fun () ->
        let f = Conduit_oo.Direct.data () in
        Conduit_oo.Direct.copy bbuf f;
        f#close );
    ( "oo",
      fun () ->
        let f = Flow_oo.data_direct () in
        Flow_oo.copy_direct bbuf f;
        f#close );
    ( "oo2",
      fun () ->
        let f = Flow_oo.data_direct () in
        Flow_oo.copy2_direct f;
        f#close );
    ( "oo-copy",
      fun () ->
        let f = Flow_oo.data_direct () in
        keep (Flow.copy f f);
        f#close );
    ( "closures",
      fun () ->
        let f = Others.data () in
        Others.copy bbuf f;
        f.close () );
    ( "eio-flow",
      fun () ->
        let f = Others.eio_data () in
        Others.eio_copy f;
        f.check () );
  ]

(* One operation: a read of a data device that starts again at its end, by a known function that is
   not inlined, and by the same code behind each kind of dispatch. A run has 100, so that the loop's
   cost is negligible. *)
let operations = 100
let at = ref 0

let[@inline never] known b ~off ~len =
  if !at = Message.size then at := 0;
  let n = Int.min len (Message.size - !at) in
  Slice.blit Message.bytes !at b off n;
  at := !at + n;
  n

let object_reader : Flow.reader =
  object
    inherit Flow.reader

    method read_into b ~off ~len =
      if !at = Message.size then at := 0;
      let n = Int.min len (Message.size - !at) in
      Slice.blit Message.bytes !at b off n;
      at := !at + n;
      n
  end

let[@inline never] by_known b len =
  for _ = 1 to operations do
    keep (known b ~off:0 ~len)
  done

let[@inline never] by_object (r : Flow.reader) b len =
  for _ = 1 to operations do
    keep (Flow.read_into r b ~off:0 ~len)
  done

let[@inline never] by_closure f b len =
  for _ = 1 to operations do
    keep (f b ~off:0 ~len)
  done

let[@inline never] by_nothing () =
  for i = 1 to operations do
    keep i
  done

let operation len =
  [
    ("nothing", by_nothing);
    ("known-call", fun () -> by_known bbuf len);
    ("oo", fun () -> by_object object_reader bbuf len);
    ("closures", fun () -> by_closure (Sys.opaque_identity known) bbuf len);
  ]

let segment = 1460

let tests =
  [
    ("null", lwt_null);
    ("data", lwt_data);
    ("direct-null", direct_null);
    ("direct-data", direct_data);
    ("operation", operation Message.chunk);
    ("operation-1460", operation segment);
  ]

let caption = function
  | "null" -> "Null flows over Lwt (published beside)"
  | "data" -> "Data flows over Lwt: 4096 bytes in pieces of 10 (published beside)"
  | "direct-null" -> "Null flows, direct style"
  | "direct-data" -> "Data flows, direct style"
  | "operation" -> "A read of 10 bytes, direct style (100 a run)"
  | _ -> "A read of 1460 bytes, direct style (100 a run)"

let base test = if String.starts_with ~prefix:"operation" test then "known-call" else "conduit3"

let targets rows =
  let sample ?(metric = "time") subject test = Row.sample rows ~subject ~test ~metric in
  let target ?(reason = "") claim bound measured =
    Option.map (fun s -> { Study.claim; measured = Sample.interval s; bound; reason }) measured
  in
  let relative f l =
    let l = List.map (fun (subject, test) -> sample subject test) l in
    if List.mem None l then None else Some (Sample.relative f (List.filter_map Fun.id l))
  in
  let ratio ?reason claim a b bound =
    target ?reason claim bound (relative (function [ a; b ] -> a /. b | _ -> nan) [ a; b ])
  in
  let each_operation s =
    Sample.of_rounds (Array.map (fun v -> v /. float operations) (Sample.rounds s))
  in
  let net = function [ a; a0; b; b0 ] -> (a -. a0) /. (b -. b0) | _ -> nan in
  List.filter_map Fun.id
    [
      target "words allocated by a dispatched operation" 0.01
        (Option.map each_operation (sample ~metric:"minor_words" "oo" "operation"));
      ratio "a dispatched read of a segment / by a known call" ("oo", "operation-1460")
        ("known-call", "operation-1460") 1.25;
      ratio "a dispatched read of 10 bytes / by a known call" ("oo", "operation")
        ("known-call", "operation") 1.25
        ~reason:
          "A method call costs about a nanosecond more than a known one, and a read of 10 bytes \
           takes about three.";
      target "null Flow.copy, direct / Lwt flow, each less the empty run's cost" 0.20
        ~reason:"Both take tens of nanoseconds, so a nanosecond more or less decides."
        (relative net
           [
             ("oo-copy", "direct-null"); ("no-op", "direct-null"); ("oo", "null"); ("no-op", "null");
           ]);
      ratio "data Flow.copy, direct / Lwt functor" ("oo-copy", "direct-data")
        ("mirage-flow", "data") 0.35;
      ratio "data Flow.copy, direct / Eio.Flow.copy" ("oo-copy", "direct-data")
        ("eio-flow", "direct-data") 0.35;
    ]

let part (test, subjects) session =
  let seconds = if Session.quick session then 0.01 else 0.05 in
  Session.measure session ~group:test ~seconds
    (List.map (fun (name, f) -> Measure.subject name f) subjects)

let outcome results =
  let rows =
    List.concat_map
      (fun (test, _) ->
        let ms = Session.group results test in
        List.concat_map
          (fun (m : Measure.t) -> Row.of_measure ~study:"flows" ~subject:m.name ~test m)
          ms
        @ Row.ratios ~study:"flows" ~test ~reference:(base test) ms)
      tests
  in
  {
    Study.rows;
    tables =
      List.map
        (fun (test, _) -> (caption test, Flows_report.table rows ~test ~base:(base test)))
        tests;
    plots = Flows_report.figures rows;
    summary = Flows_report.summary rows;
    conclusion = Flows_report.conclusion rows;
    targets = targets rows;
    warnings = Session.warnings results;
  }

let study =
  {
    Study.name = "flows";
    question =
      "What does it cost to read and write through an interface that hides the device: as a \
       functor, Conduit 3's registry, objects, and in direct style?";
    published =
      "A flow that is an object takes about half of the time of one behind Conduit 3's registry, \
       and as long as a functor's if it does nothing (51 and 49 percent), longer if it moves data \
       (47 to 58 and 34).";
    measuring = Rounds { rounds = 12; parts = List.map part tests; outcome };
  }
