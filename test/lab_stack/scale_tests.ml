(* What one connection costs among many: words and bytes, never time. *)

open Weir_test
open Weir_lab_stack

let value readings metric =
  match List.find_opt (fun (r : Reading.t) -> r.metric = metric) readings with
  | Some r -> r.value
  | None -> Alcotest.failf "no %s" metric

let at_most what limit v =
  Printf.printf "%s: %.1f, at most %.1f\n" what v limit;
  if v > limit then Alcotest.failf "%s: %.1f, more than %.1f" what v limit

(* After a request and three seconds: no buffer is left. *)
let idle_bytes () =
  let many = Scale.measure ~connections:2_000 ~count:400 in
  at_most "bytes of an idle connection in the core" 2_048. (value many "idle.bytes")

(* A fifth more than among few, and as many as 20,000 connections a second can have. *)
let words () =
  let few = Scale.measure ~connections:10 ~count:4_000 in
  let many = Scale.measure ~connections:5_000 ~count:4_000 in
  List.iter
    (fun (metric, limit) ->
      at_most metric limit (value few metric);
      at_most (metric ^ " among 5,000")
        (Float.min limit (1.2 *. value few metric))
        (value many metric))
    [ ("all.minor_words", 120.); ("one.minor_words", 120.); ("open.minor_words", 1_600.) ]

(* While a crowd asks, what is not on its way holds no buffer either. *)
let crowd () =
  let t = Crowd.create () in
  Crowd.grow t 500;
  let before = Load.live_words () in
  for i = 0 to 499 do
    Crowd.request t i;
    Crowd.step t ~among:500
  done;
  let more = (Load.live_words () -. before) /. 1_000. in
  at_most "words that a connection holds between two requests" 64. more;
  Alcotest.(check int) "connections" 500 (Crowd.length t)

let cases =
  [
    Suite.case "bytes of an idle connection" idle_bytes;
    Suite.case "words against the number of connections" words;
    Suite.case "buffers of a crowd" crowd;
  ]
