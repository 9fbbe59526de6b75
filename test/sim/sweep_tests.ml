(* Sweeps: in several domains, in shards, and interrupted. *)

open Room
open Weir_scenarios

let usual = { Scenario.impairment = None; loss = None; delay_ns = None }

(* What each seed gave, in order of seed. *)
let digests ?shard ?stop ~jobs ~seeds (s : Scenario.t) =
  let all = ref [] and lock = Mutex.create () in
  let failures =
    Weir_sim.sweep ~jobs ?shard ?stop ~seeds (fun world ->
        Fun.protect ~finally:(fun () ->
            let seen = (Weir_sim.seed world, Weir_sim.digest world, Weir_sim.events world) in
            Mutex.protect lock (fun () -> all := seen :: !all))
        @@ fun () -> s.play usual world)
  in
  List.iter (fun f -> Alcotest.failf "%a" Weir_sim.Failure.pp f) failures;
  List.sort compare !all

let in_parallel =
  List.map
    (fun (s : Scenario.t) ->
      let make = if s.name = "syn-flood" then Suite.slow else Suite.case in
      make (s.name ^ " in one domain and in four") (fun () ->
          let last = match s.name with "syn-flood" -> 4 | "many-clients" -> 6 | _ -> 20 in
          let seeds = (1, last) in
          let one = digests ~jobs:1 ~seeds s in
          check_int "all seeds" last (List.length one);
          check_bool "the same digests" true (one = digests ~jobs:4 ~seeds s)))
    Scenarios.all

let sharded () =
  let seeds = (3, 25) in
  let whole = digests ~jobs:1 ~seeds Echoes.echo in
  List.iter
    (fun n ->
      let shards = List.init n (fun i -> digests ~jobs:2 ~shard:(i + 1, n) ~seeds Echoes.echo) in
      List.iteri
        (fun i shard ->
          check_int "as many as said" (Weir_sim.shard_runs (i + 1, n) ~seeds) (List.length shard))
        shards;
      check_bool "together the whole" true (List.sort compare (List.concat shards) = whole))
    [ 1; 2; 5; 23; 30 ];
  match Weir_sim.sweep ~shard:(3, 2) ~seeds ignore with
  | _ -> Alcotest.fail "shard 3/2"
  | exception Invalid_argument _ -> ()

let stopped () =
  let began = Atomic.make 0 in
  let stop () = Atomic.get began >= 5 in
  let failures =
    Weir_sim.sweep ~jobs:3 ~stop ~seeds:(1, 10_000) (fun world ->
        Atomic.incr began;
        Weir_sim.sleep world (`S 1))
  in
  check_bool "no failure" true (failures = []);
  check_bool "only those that had begun" true (Atomic.get began <= 8)

(* Hash tables that are iterated in an order of their own would show here. *)
let randomised () =
  let run setting =
    Unix.putenv "OCAMLRUNPARAM" setting;
    Fun.protect ~finally:(fun () -> Unix.putenv "OCAMLRUNPARAM" "") @@ fun () ->
    let weir = Filename.concat (Suite.project_root ()) "_build/default/bin/main.exe" in
    let command =
      Filename.quote_command weir [ "sim"; "chaos"; "router-crash"; "--seeds"; "1-5"; "--json" ]
    in
    In_channel.input_all (Unix.open_process_in command)
    |> String.split_on_char '\n'
    |> List.filter (fun l -> contains l "digest")
  in
  let plain = run "" in
  check_int "digests" 2 (List.length plain);
  Alcotest.(check (list string)) "the same" plain (run "R")

let cases =
  List.map (Suite.native "several domains") in_parallel
  @ [
      Suite.case "shards of a sweep" sharded;
      Suite.case "a sweep that is stopped" stopped;
      Suite.native "other processes" (Suite.case "with randomised hash tables" randomised);
    ]
