open Weir_lab_harness

let studies =
  Weir_lab_studies.[ Flows.study; Threads.study ]
  @ [ Weir_lab_stack.Stack.study; Weir_lab_codecs.Codecs.study ]

let names = List.map (fun s -> s.Study.name) studies

let parts name =
  List.find_map
    (fun (s : Study.t) ->
      match s.measuring with Rounds { parts; _ } when s.name = name -> Some parts | _ -> None)
    studies

let be_worker_if_asked () =
  Weir_lab_stack.Worker.run_if_asked ();
  Session.run_if_asked parts

let progress () = if Unix.isatty Unix.stderr then Printf.eprintf "\r\027[K%s%!" else ignore

let select = function
  | [] -> Ok studies
  | wanted -> (
      match List.find_opt (fun n -> not (List.mem n names)) wanted with
      | Some n -> Error (Printf.sprintf "no study %s; there are %s" n (String.concat ", " names))
      | None -> Ok (List.filter (fun s -> List.mem s.Study.name wanted) studies))

let write file s = Out_channel.with_open_bin file (fun oc -> output_string oc s)

let rec make_folder dir =
  if not (Sys.file_exists dir) then begin
    make_folder (Filename.dirname dir);
    Sys.mkdir dir 0o755
  end

let command ~quick names =
  String.concat " " (("./weir lab" :: names) @ if quick then [ "--quick" ] else [])

let reports ~quick ?json ?html outcomes =
  let machine = Machine.facts () in
  let rows = List.concat_map (fun (_, o) -> o.Study.rows) outcomes in
  Option.iter (fun file -> write file (Row.json ~machine rows)) json;
  Option.iter
    (fun dir ->
      make_folder dir;
      write
        (Filename.concat dir "index.html")
        (Page.html ~command:(command ~quick) ~machine outcomes);
      List.iter
        (fun (s, o) ->
          write (Filename.concat dir (Page.json_file s)) (Row.json ~machine o.Study.rows))
        outcomes)
    html

(* -- measuring ------------------------------------------------------------- *)

let ( let* ) = Result.bind

let rec each f acc = function
  | [] -> Ok (List.rev acc)
  | x :: rest ->
      let* y = f x in
      each f (y :: acc) rest

type state = { study : Study.t; rounds : int; found : Session.results }

(* The rounds of all studies alternate, so that each study's lie as far apart as the run is long. *)
let rec alternate ~quick ~progress index states =
  if List.for_all (fun s -> index >= s.rounds) states then Ok states
  else
    let one s =
      if index >= s.rounds then Ok s
      else begin
        progress (Printf.sprintf "%s: round %d of %d" s.study.name (index + 1) s.rounds);
        match Session.run_round ~study:s.study.name ~quick ~index s.found with
        | Ok found -> Ok { s with found }
        | Error why -> Error (Printf.sprintf "%s, round %d: %s" s.study.name (index + 1) why)
      end
    in
    let* states = each one [] states in
    alternate ~quick ~progress (index + 1) states

let measure ~quick ?rounds ~progress studies =
  let state (study : Study.t) =
    match study.measuring with
    | Once _ -> { study; rounds = 0; found = Session.empty }
    | Rounds { rounds = full; _ } ->
        let rounds = Option.value rounds ~default:(if quick then 3 else full) in
        { study; rounds; found = Session.empty }
  in
  let* states = alternate ~quick ~progress 0 (List.map state studies) in
  let finish s =
    match s.study.measuring with
    | Once run -> (s.study, run ~quick ~progress)
    | Rounds { outcome; _ } -> (s.study, outcome (Session.settled s.found))
  in
  Ok (List.map finish states)

let outcomes ?(quick = false) ?rounds ?(progress = ignore) wanted =
  let* studies = select wanted in
  measure ~quick ?rounds ~progress studies

let run ?(quick = false) ?rounds ?json ?html ?baseline wanted =
  let progress = progress () in
  let* outcomes = outcomes ~quick ?rounds ~progress wanted in
  progress "";
  List.iter (fun (s, o) -> Study.print Format.std_formatter s o) outcomes;
  Option.iter
    (fun before ->
      let rows = List.concat_map (fun (_, o) -> o.Study.rows) outcomes in
      Printf.printf "\nCOMPARED WITH THE BASELINE\n%s%!" (Baseline.compare ~before rows))
    baseline;
  match reports ~quick ?json ?html outcomes with
  | () -> Ok ()
  | exception Sys_error e -> Error ("cannot write the report: " ^ e)
