open Weir_lab_harness

let studies =
  Weir_lab_studies.[ Flows.study; Threads.study ]
  @ [ Weir_lab_stack.Stack.study; Weir_lab_codecs.Codecs.study ]

let names = List.map (fun s -> s.Study.name) studies
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
        (Study.page ~command:(command ~quick) ~machine outcomes))
    html

let run ?(quick = false) ?json ?html ?baseline wanted =
  Result.bind (select wanted) (fun studies ->
      let progress = progress () in
      let one s =
        let o = s.Study.run ~quick ~progress in
        progress "";
        Study.print Format.std_formatter s o;
        (s, o)
      in
      let outcomes = List.map one studies in
      Option.iter
        (fun before ->
          let rows = List.concat_map (fun (_, o) -> o.Study.rows) outcomes in
          Printf.printf "\nAGAINST THE BASELINE\n%s%!" (Baseline.compare ~before rows))
        baseline;
      match reports ~quick ?json ?html outcomes with
      | () -> Ok ()
      | exception Sys_error e -> Error ("cannot write the report: " ^ e))
