open Weir_test
open Weir_lab_harness

(* Runs made up from known variances, always the same ones: how often do two runs of the same
   program disagree, and how often does an interval miss the truth? *)

let normal rng =
  let u () = 1. -. Random.State.float rng 1. in
  sqrt (-2. *. log (u ())) *. cos (2. *. Float.pi *. u ())

type world = {
  speed : float;  (** deviation of the machine's speed, from one round to another *)
  slow : float;  (** the same, from one run to another *)
  drift : float;  (** a quantity's own, from one half of a run to the other *)
  process : Random.State.t -> float;  (** what a process's layout and noise do *)
}

let rounds = 12
let rows = 300

(* A run's samples, as logarithms about nothing: quantity [i] takes [exp i]. *)
let run world rng =
  let slow = world.slow *. normal rng in
  let speed = Array.init rounds (fun _ -> slow +. (world.speed *. normal rng)) in
  let sample i =
    let half = [| world.drift *. normal rng; world.drift *. normal rng |] in
    Array.init rounds (fun r ->
        exp (float (i mod 5) +. speed.(r) +. half.(2 * r / rounds) +. world.process rng))
    |> Sample.of_rounds
  in
  Sample.settle (List.init rows sample)

let percent part whole = 100. *. float part /. float whole

let disagree a b =
  let apart = List.filter Fun.id (List.map2 Sample.apart a b) in
  percent (List.length apart) (List.length a)

let ratios samples =
  let half = rows / 2 in
  let first = List.filteri (fun i _ -> i < half) samples in
  let second = List.filteri (fun i _ -> i >= half) samples in
  List.map2 (fun a b -> Sample.interval (Sample.over a b)) first second

(* The mean over pairs of runs. *)
let disagreement world =
  let rng = Random.State.make [| 7 |] in
  let pairs = 20 in
  let one _ =
    let a = run world rng and b = run world rng in
    let times l = List.map Sample.interval l in
    (disagree (times a) (times b), disagree (ratios a) (ratios b))
  in
  let all = List.init pairs one in
  let mean f = List.fold_left (fun n p -> n +. f p) 0. all /. float pairs in
  (mean fst, mean snd)

let gaussian sigma rng = sigma *. normal rng

(* One process in three lies badly. *)
let two_layouts rng = (if Random.State.int rng 3 = 0 then 0.25 else 0.) +. gaussian 0.01 rng

(* One round in ten is disturbed. *)
let disturbed rng = (if Random.State.int rng 10 = 0 then 0.5 else 0.) +. gaussian 0.02 rng
let quiet = { speed = 0.; slow = 0.; drift = 0.; process = gaussian 0.03 }

let agreement () =
  List.iter
    (fun (name, world) ->
      let times, ratios = disagreement world in
      let few what v =
        Alcotest.(check bool) (Printf.sprintf "%s: %s %.2f%%" name what v) true (v <= 5.)
      in
      if Sys.getenv_opt "WEIR_LAB_TELL" <> None then
        Printf.printf "%s: %.2f %.2f\n" name times ratios;
      few "times" times;
      few "ratios" ratios)
    [
      ("noise alone", quiet);
      ("layouts", { quiet with process = two_layouts });
      ("disturbances", { quiet with process = disturbed });
      ("a machine whose speed changes", { quiet with speed = 0.05; slow = 0.05 });
      ("drift", { quiet with drift = 0.03 });
      ("all together", { speed = 0.03; slow = 0.03; drift = 0.02; process = two_layouts });
    ]

(* An interval that is never wrong says nothing: of independent rounds, 95% hold the truth. *)
let coverage () =
  let rng = Random.State.make [| 8 |] in
  let samples = 4000 in
  let holds _ =
    let i =
      Sample.interval (Sample.of_rounds (Array.init rounds (fun _ -> exp (0.05 *. normal rng))))
    in
    i.low <= 1. && 1. <= i.high
  in
  let share = percent (List.length (List.filter Fun.id (List.init samples holds))) samples in
  Alcotest.(check (float 1.5)) "of 12 rounds" 95. share

let estimates () =
  let value i = (Sample.interval i).value in
  let near = Alcotest.(check (float 1e-9)) in
  near "the centre of logarithms" 10. (value (Sample.of_rounds [| 1.; 10.; 100. |]));
  near "of values, if one is not positive" 2. (value (Sample.of_rounds [| -1.; 2.; 5. |]));
  near "a tail does not count" 2. (value (Sample.of_rounds [| 2.; 2.; 2.; 2.; 9000. |]));
  near "a round without a value" 3. (value (Sample.of_rounds [| 3.; nan; 3. |]));
  Alcotest.(check bool) "no rounds" true (Float.is_nan (value (Sample.of_rounds [||])));
  let one = Sample.interval (Sample.of_rounds [| 4. |]) in
  Alcotest.(check bool) "one round says nothing of the next" true (one.high = infinity);
  let same = Sample.interval (Sample.of_rounds (Array.make 5 7.)) in
  near "no doubt, low" 7. same.low;
  near "no doubt, high" 7. same.high;
  (* By hand: logarithms -1, 0, 1: variance 1, over 3 rounds, t of 2 degrees 4.303. *)
  let i = Sample.interval (Sample.of_rounds [| exp (-1.); 1.; exp 1. |]) in
  Alcotest.(check (float 1e-6)) "Student" (exp (4.303 /. sqrt 3.)) i.high

(* What all share cancels in a ratio of each round, and not in a ratio of centres. *)
let paired () =
  let a = Sample.of_rounds [| 2.; 4.; 8.; 3. |] and b = Sample.of_rounds [| 1.; 2.; 4.; 1.5 |] in
  let i = Sample.interval (Sample.over a b) in
  Alcotest.(check (float 1e-9)) "value" 2. i.value;
  Alcotest.(check (float 1e-9)) "exact" 2. i.high;
  Alcotest.(check string) "text" "2.00" (Sample.text i);
  Alcotest.(check string)
    "text with an interval" "0.5 (0.4 to 0.6)"
    (Sample.text ~digits:1 { value = 0.5; low = 0.4; high = 0.6 })

let cases =
  Suite.
    [
      case "two runs of made-up machines agree" agreement;
      case "95% hold the truth" coverage;
      case "centre and interval" estimates;
      case "ratios of a round" paired;
    ]
