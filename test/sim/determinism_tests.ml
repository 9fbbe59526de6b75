(* All is a function of the seed. *)

open Eio.Std
open Room
open Weir_scenarios

let usual = { Scenario.impairment = None; loss = None; delay_ns = None }

type seen = { digest : int; trace : string; capture : string; time : int }

let watched seed play =
  let lines = Buffer.create 10_000 in
  (* Captures have ns since 1970, too many for JavaScript. *)
  let pcap = if Suite.in_javascript then None else Some (Filename.temp_file "weir" ".pcap") in
  Fun.protect ~finally:(fun () -> Option.iter Sys.remove pcap) @@ fun () ->
  let trace l =
    Buffer.add_string lines l;
    Buffer.add_char lines '\n'
  in
  let digest, time =
    Weir_sim.run ~seed ~trace ?pcap (fun world ->
        play world;
        (Weir_sim.digest world, Weir_sim.now world))
  in
  {
    digest;
    trace = Buffer.contents lines;
    capture = Option.fold ~none:"" ~some:Suite.read pcap;
    time;
  }

let same name play () =
  let first = watched 11 play and again = watched 11 play and other = watched 12 play in
  check_int (name ^ ": digest") first.digest again.digest;
  check_int (name ^ ": time") first.time again.time;
  check_bool (name ^ ": frames were traced") true (String.length first.trace > 500);
  check_bool (name ^ ": trace") true (String.equal first.trace again.trace);
  check_bool (name ^ ": capture") true (String.equal first.capture again.capture);
  check_bool (name ^ ": another seed differs") true
    (first.digest <> other.digest && first.trace <> other.trace
    && (Suite.in_javascript || first.capture <> other.capture))

let replayed =
  List.map
    (fun (s : Scenario.t) ->
      let make = if s.name = "syn-flood" then Suite.slow else Suite.case in
      make (s.name ^ " again and again") (same s.name (s.play usual)))
    Scenarios.all

(* One more host, which does nothing, leaves the others' chances as they are. *)
let independent () =
  let digest extra =
    Weir_sim.run ~seed:3 (fun world ->
        let p = pair ~impairment:lossy world in
        if extra then
          ignore (Weir_sim.host world (Weir_sim.lan world) "10.9.0.1/24" : Weir_sim.host);
        ignore (ask p.client p.server (text 50_000) : string);
        Weir_sim.digest world)
  in
  check_int "digest" (digest false) (digest true)

(* -- the same program on the kernel -------------------------------------- *)

let program ~net_server ~net_client address =
  let out = Buffer.create 100 in
  Switch.run (fun sw ->
      let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:5 net_server address in
      let address = Eio.Net.listening_addr socket in
      Fiber.fork_daemon ~sw (fun () ->
          Eio.Net.run_server socket ~on_error:raise (fun flow _ ->
              let input = Eio.Buf_read.of_flow ~max_size:100_000 flow in
              Seq.iter
                (fun line -> Eio.Flow.copy_string (String.uppercase_ascii line ^ "\n") flow)
                (Eio.Buf_read.lines input)));
      Fiber.all
        (List.init 4 (fun i () ->
             Switch.run @@ fun sw ->
             let flow = Eio.Net.connect ~sw net_client address in
             Eio.Flow.copy_string (Printf.sprintf "line %d\n%s\n" i (text 30_000)) flow;
             Eio.Flow.shutdown flow `Send;
             let answer = Eio.Flow.read_all flow in
             Buffer.add_string out
               (Printf.sprintf "%d: %s\n" i (Digest.to_hex (Digest.string answer))))));
  List.sort compare (String.split_on_char '\n' (Buffer.contents out))

let as_on_the_kernel () =
  let kernel =
    System.run (fun net ->
        program ~net_server:net ~net_client:net (`Tcp (Eio.Net.Ipaddr.V4.loopback, 0)))
  in
  List.iter
    (fun seed ->
      let simulated =
        Weir_sim.run ~seed (fun world ->
            let p = pair ~impairment:lossy world ~main:ignore in
            program ~net_server:p.server.net ~net_client:p.client.net (tcp p.server 0))
      in
      Alcotest.(check (list string)) "output" kernel simulated)
    [ 1; 2; 3 ]

(* -- sweeps -------------------------------------------------------------- *)

exception Planted

(* A program that does not expect the first SYN to be lost. *)
let buggy world =
  let p = pair world ~latency:(`Ms 10) ~loss:0.05 in
  ignore (ask p.client p.server "x" : string);
  if Weir_sim.now world > 500_000_000 then raise Planted

let planted () =
  let found = Weir_sim.sweep ~seeds:(1, 100) buggy in
  let n = List.length found in
  check_bool "some seeds, not all" true (n > 0 && n < 60);
  List.iter
    (fun (f : Weir_sim.Failure.t) ->
      let again = failure (fun () -> Weir_sim.run ~seed:f.seed buggy) in
      check_int "at the same time" f.at again.at;
      check_int "after as many events" f.events again.events;
      match again.cause with
      | Raised { error = Planted; _ } -> ()
      | _ -> Alcotest.fail "another error")
    found

let told_by_variable () =
  let found = Weir_sim.sweep ~seeds:(1, 100) buggy in
  let { Weir_sim.Failure.seed; replay; _ } = List.hd found in
  let setting = Printf.sprintf "WEIR_SIM_SEED=%d " seed in
  check_bool "the command" true (String.starts_with ~prefix:setting replay);
  Unix.putenv "WEIR_SIM_SEED" (string_of_int seed);
  Fun.protect ~finally:(fun () -> Unix.putenv "WEIR_SIM_SEED" "") @@ fun () ->
  let seeds =
    List.map (fun (f : Weir_sim.Failure.t) -> f.seed) (Weir_sim.sweep ~seeds:(1, 100) buggy)
  in
  Alcotest.(check (list int)) "only this one was run" [ seed ] seeds

let refused () =
  let check what f =
    match f () with () -> Alcotest.failf "%s: accepted" what | exception Invalid_argument _ -> ()
  in
  let sweep seeds = ignore (Weir_sim.sweep ~seeds ignore : Weir_sim.Failure.t list) in
  check "no seeds" (fun () -> sweep (2, 1));
  check "no epoch" (fun () -> Weir_sim.run ~epoch:nan ignore);
  Unix.putenv "WEIR_SIM_SEED" "seven";
  Fun.protect ~finally:(fun () -> Unix.putenv "WEIR_SIM_SEED" "") @@ fun () ->
  check "no number, in a sweep" (fun () -> sweep (1, 2));
  check "no number, in a run" (fun () -> Weir_sim.run ignore);
  Weir_sim.run ~seed:1 ignore

let in_two_domains () =
  let seeds jobs =
    List.map
      (fun (f : Weir_sim.Failure.t) -> (f.seed, f.at, f.events))
      (Weir_sim.sweep ~jobs ~seeds:(1, 100) buggy)
  in
  check_bool "the same failures" true (seeds 1 = seeds 2)

let thousand () =
  let told = ref 0 in
  let failures =
    Weir_sim.sweep ~seeds:(1, 1_000)
      ~on_done:(fun ~seed:_ _ -> incr told)
      (Echoes.echo.play { usual with loss = Some 0.05 })
  in
  check_int "told of each" 1_000 !told;
  List.iter (fun f -> Alcotest.failf "%a" Weir_sim.Failure.pp f) failures

(* Worlds that are over leave nothing behind. *)
let no_growth () =
  let live () =
    Gc.compact ();
    (Gc.quick_stat ()).heap_words
  in
  let play n = ignore (Weir_sim.sweep ~seeds:(1, n) buggy : Weir_sim.Failure.t list) in
  play 50;
  let before = live () in
  play 200;
  let after = live () in
  check_bool "the heap" true (after < before + 1_000_000)

let cases =
  replayed
  @ [
      Suite.case "another host changes nothing for the rest" independent;
      Suite.native "the kernel" (Suite.case "the same output as on the kernel" as_on_the_kernel);
      Suite.case "a sweep finds a planted bug, its seed replays it" planted;
      Suite.native "the environment" (Suite.case "WEIR_SIM_SEED" told_by_variable);
      Suite.native "the environment" (Suite.case "seeds and times that make no sense" refused);
      Suite.case "a sweep in two domains" in_two_domains;
      Suite.case "1,000 lossy echoes" thousand;
      Suite.native "OCaml's heap" (Suite.case "worlds leave nothing behind" no_growth);
    ]

(* Seeds of long sweeps that have failed. *)
let failed_once = function "renumbering" -> [ 4_734 ] | _ -> []

(* A sweep of 500 seeds that would take a million frames is of 100. As JavaScript test/web plays
   each scenario, and compares its digests. *)
let scenarios =
  List.map
    (fun (s : Scenario.t) ->
      Suite.native "minutes"
      @@
      let n, others =
        match s.name with "syn-flood" -> (100, 1) | "many-clients" -> (500, 4) | _ -> (500, 25)
      in
      let n = if Sys.getenv_opt "WEIR_QUICK" = None then n else others in
      Suite.case (Printf.sprintf "%s, %d seeds" s.name n) (fun () ->
          let play ?offload ~shuffle first n =
            Weir_sim.sweep ?offload ~shuffle
              ~jobs:(Domain.recommended_domain_count ())
              ~seeds:(first, first + n - 1)
              (s.play usual)
          in
          match
            play ~shuffle:false 101 n @ play ~shuffle:true 1_001 others
            @ play ~offload:true ~shuffle:false 2_001 others
            @ List.concat_map (fun seed -> play ~shuffle:false seed 1) (failed_once s.name)
          with
          | [] -> ()
          | f :: _ -> Alcotest.failf "%a" Weir_sim.Failure.pp f))
    Scenarios.all
