open Weir_test

let questions =
  Connecting.questions @ Listening.questions @ Accepting.questions @ Reading.questions
  @ Writing.questions @ Ending.questions @ Options.questions @ Datagrams.questions @ Texts.questions

let file = "test/parity/answers.expected"

let lines () =
  let path = Filename.concat (Suite.project_root ()) file in
  if Sys.file_exists path then
    String.split_on_char '\n' (In_channel.with_open_bin path In_channel.input_all)
  else []

let promoting = Sys.getenv_opt "WEIR_PROMOTE" = Some "1"

(* Another release may answer otherwise. *)
let system () =
  let release =
    In_channel.with_open_bin "/proc/sys/kernel/osrelease" In_channel.input_all
    |> String.split_on_char '.'
  in
  match release with a :: b :: _ -> Printf.sprintf "Linux %s.%s" a b | _ -> "Linux"

let asked_kernel = ref None

let ask_kernel () =
  Netns.apart ();
  Eio_main.run @@ fun env ->
  if env#backend_id <> "linux" then
    Suite.skip "Eio has no io_uring here, and its other backend answers a few questions otherwise";
  Subject.answers env Subject.kernel questions

let kernel () =
  let before = lines () in
  let answers =
    List.map2
      (fun (q : Question.t) answer ->
        if q.root && not (Netns.by_root ()) then
          Option.value (Table.kernel_of before q) ~default:answer
        else answer)
      questions (ask_kernel ())
  in
  asked_kernel := Some answers;
  let changed =
    List.concat
      (List.map2
         (fun (q : Question.t) answer ->
           match Table.kernel_of before q with
           | Some a when a = answer -> []
           | a ->
               [
                 Printf.sprintf "%s, %s: %s, not %s" q.group q.text answer
                   (Option.value a ~default:"asked before");
               ])
         questions answers)
  in
  if changed <> [] && not promoting then (
    List.iter print_endline changed;
    let n = List.length changed and there = Table.system_of before in
    if there = system () then Alcotest.failf "%d answers of the kernel's are new" n
    else (
      asked_kernel := None;
      Suite.skip (Printf.sprintf "%s answers %d questions unlike %s" (system ()) n there)))

(* Where the kernel cannot be asked, Weir is held to what it said elsewhere. *)
let kernel_answers () =
  match !asked_kernel with
  | Some answers -> (system (), answers)
  | None ->
      let before = lines () in
      ( Table.system_of before,
        List.map
          (fun q -> Option.value (Table.kernel_of before q) ~default:"not asked yet")
          questions )

let answered =
  lazy
    (let system, kernel = kernel_answers () in
     let alone, two =
       Eio_main.run @@ fun env ->
       Eio.Fiber.pair
         (fun () -> Subject.answers env Subject.alone questions)
         (fun () -> Subject.answers env Subject.two questions)
     in
     let rec rows questions kernel alone two =
       match (questions, kernel, alone, two) with
       | q :: questions, k :: kernel, a :: alone, t :: two ->
           (q, { Table.kernel = k; alone = a; two = t }) :: rows questions kernel alone two
       | _ -> []
     in
     (system, rows questions kernel alone two))

let weir () =
  let system, answered = Lazy.force answered in
  Suite.expected ~file (Table.to_string ~system answered)

let contains part s = Weir_test.Text.contains s part

let faults ((q : Question.t), (a : Table.answers)) =
  let differs = Table.differs a in
  let hangs = List.exists (contains "hangs") [ a.kernel; a.alone; a.two ] in
  List.filter_map
    (fun (wrong, what) ->
      if wrong then Some (Printf.sprintf "%s, %s: %s" q.group q.text what) else None)
    [
      (differs && q.why = None, "a difference without a reason");
      ((not differs) && q.why <> None, "a reason without a difference");
      (hangs && not q.hangs, "it hangs, and does not say so");
      (q.hangs && not hangs, "it does not hang");
    ]

(* The table is read by the questions' texts. *)
let asked_once () =
  let name (q : Question.t) = Table.line q "" in
  let rec check : Question.t list -> unit = function
    | [] -> ()
    | q :: rest ->
        let clashes (r : Question.t) =
          r.group = q.group
          && (String.starts_with ~prefix:(name q) (name r)
             || String.starts_with ~prefix:(name r) (name q))
        in
        if List.exists clashes rest then Alcotest.failf "%s, %s: asked twice" q.group q.text;
        check rest
  in
  check questions

let reasons () =
  asked_once ();
  let faults = List.concat_map faults (snd (Lazy.force answered)) in
  List.iter print_endline faults;
  if faults <> [] then Alcotest.failf "%d faults" (List.length faults)

let () =
  Netns.run @@ fun () ->
  Suite.run "parity"
    [
      ( "answers",
        [
          Suite.case "the kernel's" kernel;
          Suite.case "Weir's" weir;
          Suite.case "each difference has a reason" reasons;
        ] );
    ]
