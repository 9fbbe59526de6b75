(* What is made of the numbers: medians, the page, a comparison with an earlier run. *)

open Weir_test
open Weir_lab_harness
open Weir_lab_stack

let near = Alcotest.(check (float 1e-9))
let yes what b = Alcotest.(check bool) what true b

(* The ranks, from 1, of the 95% interval of a median, as tables print them. *)
let ranks =
  [ (1, 1, 1); (2, 1, 2); (5, 1, 5); (6, 1, 6); (8, 1, 8); (9, 2, 8); (12, 3, 10); (20, 6, 15) ]

let summaries () =
  List.iter
    (fun (n, low, high) ->
      let s = Summary.of_list (List.init n (fun i -> float (n - i))) in
      near "low" (float low) s.low;
      near "high" (float high) s.high;
      near "median" (float (n + 1) /. 2.) s.median;
      Alcotest.(check int) "n" n s.n)
    ranks;
  match Summary.of_list [] with
  | _ -> Alcotest.fail "no values have no median"
  | exception Invalid_argument _ -> ()

let readings () =
  let r = Reading.of_line "reading rate Mbit/s 12.5" in
  yes "read" (r = Some (Reading.make "rate" "Mbit/s" 12.5));
  List.iter
    (fun s -> yes s (Reading.of_line s = None))
    [ ""; "ready"; "reading"; "reading rate Mbit/s"; "reading rate Mbit/s x"; "reading a b 1 2" ]

let page () = Alcotest.(check int) "as long as the study's" 2053 (String.length Load.page)

let fails what f =
  match f () with _ -> Alcotest.failf "%s did not fail" what | exception Child.Failed _ -> ()

let row ?(subject = "weir-eio") ?(metric = "rate") value low high =
  {
    Row.study = "stack";
    subject;
    test = "mem-bulk";
    metric;
    unit_ = "Mbit/s";
    value;
    low;
    high;
    n = 6;
    sample = None;
  }

let in_file text f =
  let file = Filename.temp_file "weir-test" ".json" in
  Fun.protect ~finally:(fun () -> Sys.remove file) @@ fun () ->
  Out_channel.with_open_bin file (fun oc -> output_string oc text);
  f file

let contains = Weir_test.Text.contains

let baselines () =
  let rows = [ row 100. 90. 110.; row ~subject:"kernel" 50. 40. 60.; row ~metric:"x" nan 0. 0. ] in
  let back = in_file (Row.json ~machine:[ ("cpu", "a \"b\"") ] rows) Weir_lab.Baseline.read in
  match back with
  | Error e -> Alcotest.fail e
  | Ok before ->
      yes "all but null come back" (before = [ List.nth rows 0; List.nth rows 1 ]);
      let now =
        [ row 300. 290. 310.; row ~subject:"kernel" 55. 45. 65.; row ~metric:"new" 1. 1. 1. ]
      in
      let text = Weir_lab.Baseline.compare ~before now in
      yes "three times" (contains text "3.00");
      yes "the kernel is as before" (not (contains text "kernel"));
      yes "counted"
        (contains text
           "1 of 2 rows have not changed by more than 3% and beyond both intervals. 1 are not in")

(* What is told: beyond both intervals and beyond 3%; a time by its ratio alone. *)
let told_changes () =
  let told before now = contains (Weir_lab.Baseline.compare ~before:[ before ] [ now ]) "│ stack" in
  yes "beyond both" (told (row 100. 99. 101.) (row 110. 109. 111.));
  yes "within one" (not (told (row 100. 99. 101.) (row 110. 100. 120.)));
  yes "2%" (not (told (row 100. 99.9 100.1) (row 102. 101.9 102.1)));
  let words v = { (row ~metric:"minor_words" v v v) with unit_ = "words" } in
  yes "a word" (told (words 3.) (words 4.));
  yes "a collection" (not (told (words 0.01) (words 0.2)));
  let text =
    Weir_lab.Baseline.compare
      ~before:[ row ~metric:"time" 100. 99. 101.; row ~metric:"time_over_lwt" 1. 0.99 1.01 ]
      [ row ~metric:"time" 200. 199. 201.; row ~metric:"time_over_lwt" 1. 0.99 1.01 ]
  in
  yes "a slower machine is no change" (contains text "1 of 1 rows");
  yes "its times are counted" (contains text "1 of 1 times have intervals");
  yes "its ratios agree" (contains text "0 of 1 ratios have intervals")

let bad_baselines () =
  List.iter
    (fun text ->
      match in_file text Weir_lab.Baseline.read with
      | Ok _ -> Alcotest.failf "%S was taken" text
      | Error _ -> ())
    [
      ""; "{"; "[]"; "{}"; "{\"results\":[1]}"; "{\"results\":[{\"value\":1,\"low\":1,\"high\":1}]}";
    ];
  yes "no file" (Result.is_error (Weir_lab.Baseline.read "/nonexistent"))

let tests =
  [
    ( "numbers",
      [ Suite.case "summaries" summaries; Suite.case "readings" readings; Suite.case "page" page ]
    );
    ( "baseline",
      [
        Suite.case "compared" baselines;
        Suite.case "what is told" told_changes;
        Suite.case "bad files" bad_baselines;
      ] );
  ]
