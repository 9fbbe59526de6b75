open Weir_test
open Weir_lab_harness

let near = Alcotest.(check (float 1e-6))
let str = Alcotest.(check string)

let lines () =
  let l = Fit.line [| (1., 5.); (2., 7.); (4., 11.) |] in
  near "slope" 2. l.slope;
  near "intercept" 3. l.intercept;
  near "r2" 1. l.r2;
  let flat = Fit.line [| (1., 4.); (2., 4.); (3., 4.) |] in
  near "flat" 0. flat.slope;
  near "flat r2" 1. flat.r2;
  near "no line" 0. (Fit.line [| (2., 1.); (2., 3.) |]).slope;
  let known = Fit.line [| (0., 0.); (1., 2.); (2., 1.) |] in
  near "scattered slope" 0.5 known.slope;
  near "scattered r2" 0.25 known.r2

let steady () =
  let points = Array.init 10 (fun i -> (1.6 ** float i, 5. +. (2. *. (1.6 ** float i)))) in
  near "a line" 2. (Fit.steady_slope points);
  let off i =
    let points = Array.copy points in
    points.(i) <- (fst points.(i), 1000.);
    Fit.steady_slope points
  in
  List.iter (fun i -> Alcotest.(check (float 0.05)) "one far off" 2. (off i)) [ 0; 3; 7 ];
  Alcotest.(check bool)
    "the line of least squares turns" true
    (let off = Array.copy points in
     off.(0) <- (1., 1000.);
     (Fit.line off).slope < 0.);
  near "no slope" 0. (Fit.steady_slope [| (2., 1.); (2., 3.) |])

let rounds () =
  near "median" 2. (Fit.median [| 9.; 1.; 2. |]);
  near "median of four" 2.5 (Fit.median [| 9.; 1.; 3.; 2. |]);
  let round slope = Array.map (fun x -> (x, slope *. x)) [| 1.; 2.; 4. |] in
  let disturbed = [| round 3.1; round 40.; round 3.; round 3.1; round 5. |] in
  near "passes that were disturbed do not count" 3. (Fit.steady_slope (Fit.least disturbed))

let exponents () =
  near "square" 2. (Fit.exponent [ (1., 3.); (2., 12.); (10., 300.) ]);
  near "linear" 1. (Fit.exponent [ (50., 5.); (100., 10.) ]);
  let exact = List.map (fun x -> (x, 3. *. (x ** 1.5))) [ 1.; 2.; 4.; 8. ] in
  let low, high = Fit.exponent_interval exact in
  near "no error, low" 1.5 low;
  near "no error, high" 1.5 high;
  (* y = 1, 2, 8 at x = 1, 2, 4: slope 1.5, residues 1/6, -1/3, 1/6 of log 2, one degree. *)
  let low, high = Fit.exponent_interval [ (1., 1.); (2., 2.); (4., 8.) ] in
  let half = 12.71 *. sqrt (1. /. 6. /. 2.) in
  Alcotest.(check (float 1e-6)) "low" (1.5 -. half) low;
  Alcotest.(check (float 1e-6)) "high" (1.5 +. half) high;
  Alcotest.(check bool)
    "two points" true
    (Fit.exponent_interval [ (1., 1.); (2., 2.) ] = (neg_infinity, infinity))

type cell = { a : int; b : int }

(* One round of each, by name. *)
let round ?(seconds = 0.02) subjects =
  Measure.round ~seconds ~largest:(fun _ -> None) subjects
  |> List.map (fun (name, found) ->
      match found with Ok r -> r | Error why -> Alcotest.failf "%s: %s" name why)

let measured () =
  let keep_one = ref [] in
  let subjects =
    [
      Measure.subject "nothing" ignore;
      Measure.subject "three words" (fun () ->
          let a = Sys.opaque_identity 1 in
          Measure.keep { a; b = 2 });
      Measure.subject "major" (fun () -> keep_one := [ Bytes.create (8 * 1000) ]);
    ]
  in
  match round subjects with
  | [ nothing; three; major ] ->
      Alcotest.(check (float 0.01)) "nothing allocates" 0. nothing.minor;
      Alcotest.(check (float 0.01)) "three words" 3. three.minor;
      Alcotest.(check (float 2.)) "major words" 1002. major.major;
      Alcotest.(check bool) "time" true (Float.is_finite three.time);
      Alcotest.(check bool) "runs" true (three.runs > 1000)
  | _ -> Alcotest.fail "a result for each"

let linear asked n =
  asked := n :: !asked;
  { Measure.cpu_ns = 1000 + (7 * n); wall_ns = 1000 + (14 * n) }

let elsewhere () =
  let asked = ref [] in
  match round ~seconds:0.001 [ Measure.elsewhere "peer" (linear asked) ] with
  | [ r ] ->
      near "time" 7. r.time;
      Alcotest.(check bool) "words are not known" true (Float.is_nan r.minor);
      Alcotest.(check bool) "all was asked for" true (r.runs <= List.fold_left ( + ) 0 !asked);
      let m = Measure.of_readings "peer" [| Some r; None; Some r |] in
      Alcotest.(check int) "runs of both rounds" (2 * r.runs) m.n;
      let rows = Row.of_measure ~study:"codecs" ~subject:"peer" ~test:"rw" m in
      Alcotest.(check (list string)) "rows" [ "time" ] (List.map (fun r -> r.Row.metric) rows)
  | _ -> Alcotest.fail "one result"

(* The sizes of an earlier round are used again. A run that fills a batch is alone in it. *)
let known_sizes () =
  let sizes largest =
    let asked = ref [] in
    ignore
      (Measure.round ~seconds:1.
         ~largest:(fun _ -> Some largest)
         [ Measure.elsewhere "peer" (linear asked) ]);
    List.sort_uniq compare !asked
  in
  Alcotest.(check (list int)) "four" [ 10; 20; 40; 80 ] (sizes 80);
  Alcotest.(check (list int)) "one" [ 1 ] (sizes 1)

let failing () =
  let fails =
    Measure.elsewhere "bad" (fun n -> if n > 2 then failwith "it broke" else linear (ref []) n)
  in
  match
    Measure.round ~seconds:0.001
      ~largest:(fun _ -> None)
      [ fails; Measure.elsewhere "good" (linear (ref [])) ]
  with
  | [ ("bad", Error why); ("good", Ok r) ] ->
      str "why" "it broke" why;
      near "the other is measured" 7. r.time
  | _ -> Alcotest.fail "one fails and one does not"

(* A batch costs once what is not in the slope. *)
let per_batch () =
  let s =
    Measure.batches "set-up" (fun ~timed n ->
        timed (fun () ->
            Measure.keep (Array.make 200 0.);
            for _ = 1 to n do
              Measure.keep (ref (Sys.opaque_identity n))
            done))
  in
  match round ~seconds:0.01 [ s ] with
  | [ r ] -> Alcotest.(check (float 0.01)) "a ref is 2 words" 2. r.minor
  | _ -> Alcotest.fail "one result"

let tables () =
  let t =
    Table.(
      to_string
        (make [ "Name"; "Time/Run" ]
           [ [ Left "é"; Right (ns 20.333) ]; [ Left "oo_data"; Right (ns 12_570.) ]; [ Left "x" ] ]))
  in
  str "table"
    "┌─────────┬──────────┐\n\
     │ Name    │ Time/Run │\n\
     ├─────────┼──────────┤\n\
     │ é       │  20.33ns │\n\
     │ oo_data │  12.57us │\n\
     │ x       │          │\n\
     └─────────┴──────────┘\n"
    t;
  str "words" "23.85kw" (Table.words 23_850.);
  str "no words" "" (Table.words 0.001)

let row value =
  {
    Row.study = "flows";
    subject = "o\"o\n";
    test = "null";
    metric = "time";
    unit_ = "ns";
    value;
    low = 1.;
    high = 2.;
    n = 3;
    sample = None;
  }

let json () =
  let text = Row.json ~machine:[ ("cpu", "x \\ y") ] [ row 1.5; row nan ] in
  let open Yojson.Safe.Util in
  let j = Yojson.Safe.from_string text in
  str "machine" "x \\ y" (j |> member "machine" |> member "cpu" |> to_string);
  match j |> member "results" |> to_list with
  | [ a; b ] ->
      str "subject" "o\"o\n" (a |> member "subject" |> to_string);
      near "value" 1.5 (a |> member "value" |> to_float);
      Alcotest.(check int) "n" 3 (a |> member "n" |> to_int);
      Alcotest.(check bool) "nan" true (b |> member "value" = `Null)
  | _ -> Alcotest.fail "two results"

let times sub s =
  let n = String.length sub in
  let rec from i found =
    if i + n > String.length s then found
    else from (i + 1) (if String.sub s i n = sub then found + 1 else found)
  in
  from 0 0

let drawn svg l =
  List.iter (fun (sub, n) -> Alcotest.(check int) (sub ^ " in the figure") n (times sub svg)) l

let plot () =
  let series =
    { Plot.label = "a < b"; published_of = Some "b"; points = [ (1., 10.); (2., 1000.); (3., 0.) ] }
  in
  let figure series = Plot.svg { title = "t"; x = "x (s)"; y = "y"; log_y = true; series } in
  drawn (figure [ series ])
    [
      ("<svg ", 1);
      ("</svg>", 1);
      ("a &lt; b", 1);
      ("x (s)", 1);
      ("stroke-dasharray", 2);
      (">1000</text>", 1);
    ];
  drawn (figure []) [ ("<polyline", 0) ]

let bars () =
  let v value = Some (Bars.exactly value) in
  let series =
    [
      { Bars.label = "ours"; published_of = None; values = [ v 10.; v 100.; None ] };
      { label = "none"; published_of = None; values = [ None; None; None ] };
      { label = "theirs & old"; published_of = Some "ours"; values = [ v 1000.; v 0.; v nan ] };
      {
        label = "wide";
        published_of = None;
        values = [ Some { value = 50.; low = 40.; high = 60. } ];
      };
    ]
  in
  let figure ?(log = false) series =
    let show = Printf.sprintf "%.0f!" in
    Bars.svg
      { title = "a < b"; unit_ = "Mbit/s"; log; show; groups = [ "in"; "out"; "off" ]; series }
  in
  drawn (figure series)
    [
      ("a &lt; b", 1);
      ("Mbit/s", 1);
      ("theirs &amp; old", 1);
      (">none<", 0);
      ("<pattern", 1);
      ("url(#hatch0)", 3);
      ("1000!", 1);
      (">0!", 1);
      ("<path", 1);
      (">in<", 1);
      (">off<", 0);
    ];
  drawn (figure ~log:true series) [ (">0!", 0); ("url(#hatch0)", 2); (">10!", 1) ];
  let unknown = Some { Bars.value = 5.; low = neg_infinity; high = infinity } in
  drawn
    (figure [ { label = "s"; published_of = None; values = [ unknown ] } ])
    [ ("5!", 1); ("nan", 0); ("inf", 0); ("<path", 0) ];
  drawn (figure []) [ ("</svg>", 1) ]

let cases =
  Suite.
    [
      case "least squares" lines;
      case "median of slopes" steady;
      case "least of passes" rounds;
      case "exponent" exponents;
      case "words per run" measured;
      case "cost per batch" per_batch;
      case "measured elsewhere" elsewhere;
      case "sizes of batches" known_sizes;
      case "a subject that fails" failing;
      case "tables" tables;
      case "JSON" json;
      case "plot" plot;
      case "bars" bars;
    ]
