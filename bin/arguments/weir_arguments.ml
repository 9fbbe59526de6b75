open Cmdliner

let version = "0.1.0" ^ if Commit.name = "" then "" else Printf.sprintf " (commit %s)" Commit.name

let one_line s =
  String.concat " " (List.filter (( <> ) "") (List.map String.trim (String.split_on_char '\n' s)))

let exits =
  Cmd.Exit.
    [
      info 0 ~doc:"on success.";
      info 1 ~doc:"on failure.";
      info 2 ~doc:"if the arguments are wrong.";
    ]

let rec plain = function
  | '\027' :: rest -> after_escape rest
  | c :: rest -> c :: plain rest
  | [] -> []

and after_escape = function 'm' :: rest -> plain rest | _ :: rest -> after_escape rest | [] -> []

(* Cmdliner shows usage first and the fault after it, on wrapped and coloured
   lines; of these the fault is kept, in one line. *)
let fault ~name said =
  let said = String.of_seq (List.to_seq (plain (List.of_seq (String.to_seq said)))) in
  let prefix = name ^ ": " in
  let rec from = function
    | l :: _ as lines when String.starts_with ~prefix l -> lines
    | _ :: rest -> from rest
    | [] -> [ prefix; said ]
  in
  one_line (String.concat "\n" (from (String.split_on_char '\n' said)))

(* Scripts expect 2 for bad arguments, and [weir run] gives any status of its program. *)
let evaluate ?(run = fun f -> f ()) cmd =
  let said = Buffer.create 256 and refused = ref false in
  let err = Format.formatter_of_buffer said in
  let status =
    run (fun () ->
        match Cmd.eval_value ~catch:false ~err cmd with
        | Ok (`Ok status) -> status
        | Ok (`Version | `Help) -> 0
        | Error (`Parse | `Term) ->
            refused := true;
            2
        | Error `Exn -> 1)
  in
  Format.pp_print_flush err ();
  let said = Buffer.contents said in
  (try
     if !refused then prerr_endline (fault ~name:(Cmd.name cmd) said ^ " (see --help)")
     else prerr_string said
   with Sys_error _ -> ());
  status
