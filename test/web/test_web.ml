module Suite = Weir_test.Suite

let program = "_build-web/default/web/node/print.bc.js"
let seeds = 2

let printed =
  lazy
    (let channel =
       Unix.open_process_in (Filename.quote_command "node" [ program; string_of_int seeds ])
     in
     let lines = In_channel.input_lines channel in
     ignore (Unix.close_process_in channel);
     lines)

let has_node = lazy (Sys.command "node --version >/dev/null 2>&1" = 0)

(* The part of the report that begins after [before] lines. *)
let same lines ~before () =
  if not (Sys.file_exists program) then Suite.skip "scripts/web has not run";
  if not (Lazy.force has_node) then Suite.skip "node is not installed";
  let got =
    Lazy.force printed |> List.filteri (fun i _ -> i >= before && i < before + List.length lines)
  in
  List.iteri
    (fun i want ->
      Alcotest.(check string) "line" want (Option.value (List.nth_opt got i) ~default:"nothing"))
    lines

(* -- the page's text ------------------------------------------------------- *)

module Setting = Web_stage.Setting
module Play = Web_stage.Play

let settings =
  [
    ("", None);
    ("seed=7&bytes=1000&client.cc=bbr&server.sack=0&cut=1.5&heal=3&mtu=1000&silent=1", None);
    ("link=delay=10ms&back=loss=2%,delay=80ms", None);
    ("back=delay=-1ms", Some "delay is negative");
    ("scenario=none", Some {|scenario cannot be "none"|});
    ("seed=-1", Some {|seed cannot be "-1"|});
    ("client.cc=vegas", Some {|client.cc cannot be "vegas"|});
    ("client.color=1", Some {|there is no setting "client.color"|});
    ("cut", Some {|"cut" has no value|});
    ("cut=1e99", Some {|cut cannot be "1e99"|});
    ("mtu=10", Some {|mtu cannot be "10"|});
  ]

let read text want () =
  let got = match Setting.of_string text with Ok _ -> None | Error why -> Some why in
  Alcotest.(check (option string)) text want got

let transfer () =
  let text = "seed=3&bytes=300000&link=loss=1%,delay=20ms,rate=10mbit,queue=64kB" in
  let t = Play.run (Result.get_ok (Setting.of_string text)) in
  let packets = Array.to_list (Play.packets t) in
  let count f = List.length (List.filter f packets) in
  let lost (p : Web_stage.Recorder.packet) =
    List.exists (fun (l : Web_stage.Recorder.leg) -> l.arrive = None && l.fate <> "") p.legs
  in
  Alcotest.(check (option string)) "outcome" None (Play.outcome t);
  Alcotest.(check int) "bytes" 300_000 (Play.delivered t);
  Alcotest.(check bool) "losses" true (count lost > 0);
  Alcotest.(check bool) "sent again" true (count (fun p -> p.kind = Again) > 0);
  Alcotest.(check int)
    "each packet's way is known to its end" 0
    (count (fun p ->
         (not (lost p)) && List.exists (fun (l : Web_stage.Recorder.leg) -> l.arrive = None) p.legs));
  Alcotest.(check int)
    "segments go by the router" 0
    (count (fun p -> p.kind = Data && (not (lost p)) && List.length p.legs <> 2));
  Alcotest.(check bool)
    "a line for each" true
    (List.for_all (fun (p : Web_stage.Recorder.packet) -> Play.line t p.number <> "") packets);
  let again = Play.run (Result.get_ok (Setting.of_string text)) in
  Alcotest.(check int) "the same digest" (Play.digest t) (Play.digest again)

(* The ways of the middle link, there and back. *)
let ways () =
  let text = "bytes=100000&link=delay=10ms,rate=10mbit&back=loss=20%,delay=60ms" in
  let packets = Array.to_list (Play.packets (Play.run (Result.get_ok (Setting.of_string text)))) in
  let of_way from =
    List.concat_map (fun (p : Web_stage.Recorder.packet) -> p.legs) packets
    |> List.filter (fun (l : Web_stage.Recorder.leg) -> l.from = from && l.to_ <> "client")
  in
  let lost = List.filter (fun (l : Web_stage.Recorder.leg) -> l.fate = "lost") in
  let there = of_way "router" and back = of_way "server" in
  let takes delay (l : Web_stage.Recorder.leg) =
    Option.fold ~none:true ~some:(fun at -> at - l.leave = delay * 1_000_000) l.arrive
  in
  Alcotest.(check bool) "both have packets" true (List.length there > 70 && List.length back > 20);
  Alcotest.(check int) "none is lost on the way there" 0 (List.length (lost there));
  Alcotest.(check bool) "some are on the way back" true (List.length (lost back) > 3);
  Alcotest.(check bool) "10 ms there" true (List.for_all (takes 10) there);
  Alcotest.(check bool) "60 ms back" true (List.for_all (takes 60) back)

let () =
  let integers = Web_report.integers () and twins = Web_report.twins () in
  let n = List.length integers in
  Suite.run "web"
    [
      ("settings", List.map (fun (text, want) -> Suite.case text (read text want)) settings);
      ( "plays",
        [
          Suite.case "a transfer, and what is known of it" transfer;
          Suite.case "a link with two ways" ways;
        ] );
      ( "node",
        [
          Suite.case "integers of 53 bits are OCaml's" (same integers ~before:0);
          Suite.case "functions in C have twins" (same twins ~before:n);
          Suite.case "a seed gives the same world" (fun () ->
              same (Web_report.worlds ~seeds) ~before:(n + List.length twins) ());
        ] );
    ]
