exception Usage of string
exception Failed of string
exception Told of int

let usage fmt = Fmt.kstr (fun s -> raise (Usage s)) fmt
let failed fmt = Fmt.kstr (fun s -> raise (Failed s)) fmt
let one_line = Weir_arguments.one_line

(* The reader of a pipe closed it and so knows that the output is cut. *)
let broken_pipe = Unix.error_message EPIPE

(* An error of a file begins with its path and a colon; one of a channel does not. *)
let of_system s =
  if s = broken_pipe then ""
  else if String.contains s ':' then s
  else "cannot write to standard output: " ^ s

let reason : Eio.Exn.Backend.t -> string = function
  | Eio_unix.Unix_error (code, _, why) ->
      Unix.error_message code ^ if why = "" then "" else Printf.sprintf " (%s)" why
  | e -> Fmt.str "%a" Eio.Exn.Backend.pp e

let rec describe = function
  | Usage s -> (s, 2)
  | Failed s -> (s, 1)
  | Sys_error s -> (of_system s, 1)
  | Eio.Io (Eio.Net.E (Connection_failure (Refused e)), _)
  | Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (_, "connect", _) as e), _) ->
      ("cannot connect: " ^ reason e, 1)
  | Eio.Io (Eio.Net.E (Connection_reset e), _) | Eio.Io (Eio.Exn.X e, _) ->
      ("the connection failed: " ^ reason e, 1)
  | Eio.Io (Eio.Net.E (Address_lookup_failed e), _) ->
      (Fmt.str "cannot look up the name: %s" (Eio.Net.Getaddrinfo_error.to_message e), 1)
  | Eio.Io _ as e -> (Fmt.str "%a" Eio.Exn.pp e, 1)
  | Weir_flow.Flow.Error e -> (Fmt.str "the connection failed: %a" Weir_flow.Flow.pp_error e, 1)
  | Unix.Unix_error (e, call, what) -> (Fmt.str "%s %s: %s" call what (Unix.error_message e), 1)
  | Eio.Exn.Multiple ((e, _) :: _) -> describe e
  | Fun.Finally_raised e -> describe e
  | Invalid_argument s -> (s, 2)
  | Told status -> ("", status)
  | e -> (Printexc.to_string e, 1)

let describe e =
  let message, status = describe e in
  (one_line message, status)

(* Standard error may be closed, or its disk full. *)
let tell message =
  if message <> "" then try Printf.eprintf "weir: %s\n%!" message with Sys_error _ -> ()

(* Later writes to [fd] go to /dev/null. *)
let give_up fd =
  let null = Unix.openfile "/dev/null" [ O_WRONLY; O_CLOEXEC ] 0 in
  Unix.dup2 ~cloexec:false null fd;
  Unix.close null

let flush_all ~told =
  let out () =
    Format.pp_print_flush Format.std_formatter ();
    flush stdout
  and err () =
    Format.pp_print_flush Format.err_formatter ();
    flush stderr
  in
  let status =
    match out () with
    | () -> 0
    | exception Sys_error s ->
        give_up Unix.stdout;
        if not told then tell (of_system s);
        1
  in
  (try err () with Sys_error _ -> give_up Unix.stderr);
  status

let run_status f =
  match f () with
  | status -> status
  | exception e ->
      let message, status = describe e in
      tell message;
      status

let run f =
  run_status (fun () ->
      f ();
      0)

let exits = Weir_arguments.exits
