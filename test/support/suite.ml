type case = { name : string; slow : bool; native : string option; body : unit -> unit }

exception Skipped of string

let case name body = { name; slow = false; native = None; body }
let slow name body = { name; slow = true; native = None; body }
let native why c = { c with native = Some why }
let since_1970 = "integers of 63 bits, for ns since 1970"
let in_javascript = match Sys.backend_type with Other _ -> true | Native | Bytecode -> false
let skip why = raise (Skipped why)

let seed () =
  match Option.bind (Sys.getenv_opt "WEIR_SEED") int_of_string_opt with Some s -> s | None -> 2026

let qcheck test =
  let (QCheck2.Test.Test cell) = test in
  case (QCheck2.Test.get_name cell) (fun () ->
      let seed = seed () in
      try QCheck2.Test.check_cell_exn ~rand:(Random.State.make [| seed |]) cell
      with e -> Alcotest.failf "WEIR_SEED=%d: %s" seed (Printexc.to_string e))

let rec bits n =
  let open QCheck2.Gen in
  if n <= 30 then int_bound ((1 lsl n) - 1)
  else map2 (fun high low -> (high lsl 24) lor low) (bits (n - 24)) (int_bound 0xff_ffff)

let on_path p =
  String.split_on_char ':' (Option.value (Sys.getenv_opt "PATH") ~default:"")
  |> List.exists (fun dir -> Sys.file_exists (Filename.concat dir p))

let needs_program p = if not (on_path p) then skip (p ^ " is not installed")

let rec find_root dir =
  if Sys.file_exists (Filename.concat dir "scripts/with-ocaml") then dir
  else
    let up = Filename.dirname dir in
    if up = dir then failwith "not inside the source tree" else find_root up

(* _build holds no copy of scripts/, so the search ends at the source tree. *)
let project_root () = find_root (Sys.getcwd ())
let read file = In_channel.with_open_bin file In_channel.input_all

let expected ~file actual =
  let path = Filename.concat (project_root ()) file in
  if Sys.getenv_opt "WEIR_PROMOTE" = Some "1" then
    Out_channel.with_open_bin path (fun oc -> output_string oc actual)
  else
    let want = if Sys.file_exists path then read path else "" in
    if want <> actual then (
      let got = Filename.temp_file "weir" ".actual" in
      Out_channel.with_open_bin got (fun oc -> output_string oc actual);
      ignore (Sys.command (Filename.quote_command "diff" [ "-u"; path; got ]));
      Alcotest.failf "%s differs (now in %s); `make promote` accepts it" file got)

let iterations n =
  match Option.bind (Sys.getenv_opt "WEIR_FUZZ") int_of_string_opt with Some n -> n | None -> n

let print_left_out groups =
  let left_out group c =
    Option.iter (Printf.printf "left out: %s: %s (%s)\n" group c.name) c.native
  in
  List.iter (fun (group, cases) -> List.iter (left_out group) cases) groups

let run name groups =
  let passed = ref 0 and failed = ref 0 and skipped = ref [] in
  let count group c () =
    match c.body () with
    | () -> incr passed
    | exception Skipped why ->
        skipped := (group ^ ": " ^ c.name, why) :: !skipped;
        Alcotest.skip ()
    | exception e ->
        let bt = Printexc.get_raw_backtrace () in
        incr failed;
        Printexc.raise_with_backtrace e bt
  in
  let quick = Sys.getenv_opt "WEIR_QUICK" <> None in
  let runs c = not ((quick && c.slow) || (in_javascript && c.native <> None)) in
  let tests =
    List.filter_map
      (fun (group, cases) ->
        match List.filter runs cases with
        | [] -> None
        | cases ->
            Some (group, List.map (fun c -> Alcotest.test_case c.name `Quick (count group c)) cases))
      groups
  in
  let ok =
    try
      Alcotest.run ~and_exit:false name tests;
      true
    with Alcotest.Test_error -> false
  in
  Format.pp_print_flush Format.std_formatter ();
  print_newline ();
  if in_javascript then print_left_out groups;
  List.iter (fun (c, why) -> Printf.printf "skipped: %s (%s)\n" c why) (List.rev !skipped);
  Printf.printf "suite %s: %d passed, %d failed, %d skipped\n%!" name !passed !failed
    (List.length !skipped);
  if not ok then exit 1
