exception Usage of string
exception Failed of string

let usage fmt = Fmt.kstr (fun s -> raise (Usage s)) fmt
let failed fmt = Fmt.kstr (fun s -> raise (Failed s)) fmt

let one_line s =
  String.concat " " (List.filter (( <> ) "") (List.map String.trim (String.split_on_char '\n' s)))

let reason : Eio.Exn.Backend.t -> string = function
  | Eio_unix.Unix_error (code, _, why) ->
      Unix.error_message code ^ if why = "" then "" else Printf.sprintf " (%s)" why
  | e -> Fmt.str "%a" Eio.Exn.Backend.pp e

let rec describe = function
  | Usage s -> (s, 2)
  | Failed s | Sys_error s -> (s, 1)
  | Eio.Io (Eio.Net.E (Connection_failure (Refused e)), _)
  | Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (_, "connect", _) as e), _) ->
      ("cannot connect: " ^ reason e, 1)
  | Eio.Io (Eio.Net.E (Connection_reset e), _) | Eio.Io (Eio.Exn.X e, _) ->
      ("the connection broke: " ^ reason e, 1)
  | Eio.Io (Eio.Net.E (Address_lookup_failed e), _) ->
      (Fmt.str "cannot look it up: %s" (Eio.Net.Getaddrinfo_error.to_message e), 1)
  | Eio.Io _ as e -> (Fmt.str "%a" Eio.Exn.pp e, 1)
  | Weir_flow.Flow.Error e -> (Fmt.str "the connection broke: %a" Weir_flow.Flow.pp_error e, 1)
  | Unix.Unix_error (e, call, what) -> (Fmt.str "%s %s: %s" call what (Unix.error_message e), 1)
  | Eio.Exn.Multiple ((e, _) :: _) -> describe e
  | Invalid_argument s -> (s, 2)
  | e -> (Printexc.to_string e, 1)

let run f =
  match f () with
  | () -> 0
  | exception e ->
      let message, status = describe e in
      Printf.eprintf "weir: %s\n%!" (one_line message);
      status

let exits =
  Cmdliner.Cmd.Exit.
    [
      info 0 ~doc:"on success.";
      info 1 ~doc:"if it was tried and did not work.";
      info 2 ~doc:"if the arguments ask for what cannot be.";
    ]
