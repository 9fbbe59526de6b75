open Weir_base

type stop = Scheduler.stop = Deadlock | Time_limit of Time.t | Event_limit of int

type cause =
  | Stopped of stop
  | Raised of { host : string option; error : exn; backtrace : Printexc.raw_backtrace }

type t = {
  seed : int;
  at : Time.t;
  events : int;
  cause : cause;
  waiting : string list;
  connections : string list;
  abandoned : bool;
  replay : string;
}

exception Failed of t

let one_line s =
  String.split_on_char '\n' s |> List.map String.trim
  |> List.filter (( <> ) "")
  |> String.concat " "

let pp_cause f = function
  | Stopped why -> Scheduler.pp_stop f why
  | Raised { host; error; _ } ->
      Option.iter (Fmt.pf f "%s: ") host;
      Fmt.string f (one_line (Printexc.to_string error))

let pp_list title f = function
  | [] -> ()
  | lines -> Fmt.pf f "@,  %s:%a" title Fmt.(list ~sep:nop (any "@,    " ++ string)) lines

let pp f t =
  Fmt.pf f "@[<v>seed %d failed at %a s of virtual time: %a%a%a%s@,  replay: %s@]" t.seed Time.pp
    t.at pp_cause t.cause (pp_list "waiting") t.waiting (pp_list "connections") t.connections
    (if t.abandoned then " (some fibers did not end when cancelled)" else "")
    t.replay

let () = Printexc.register_printer (function Failed t -> Some (Fmt.str "%a" pp t) | _ -> None)
