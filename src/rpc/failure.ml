type code =
  | Unknown_method
  | Undecodable
  | Too_large
  | Timed_out
  | Cancelled
  | Shutting_down
  | Internal
  | Application of int

type t = { code : code; message : string }

exception Failed of t

let make code message = { code; message }
let fail code message = raise (Failed { code; message })

(* Codes below 16 are the protocol's, the others the application's. *)
let first = 16

let to_int = function
  | Unknown_method -> 1
  | Undecodable -> 2
  | Too_large -> 3
  | Timed_out -> 4
  | Cancelled -> 5
  | Shutting_down -> 6
  | Application n when n >= 0 && n < 1 lsl 60 -> first + n
  | Internal | Application _ -> 7

let of_int = function
  | 1 -> Unknown_method
  | 2 -> Undecodable
  | 3 -> Too_large
  | 4 -> Timed_out
  | 5 -> Cancelled
  | 6 -> Shutting_down
  | n when n >= first -> Application (n - first)
  | _ -> Internal

let name = function
  | Unknown_method -> "unknown method"
  | Undecodable -> "undecodable request"
  | Too_large -> "answer too large"
  | Timed_out -> "timed out"
  | Cancelled -> "cancelled"
  | Shutting_down -> "shutting down"
  | Internal -> "internal failure"
  | Application n -> "failure " ^ string_of_int n

let pp ppf { code; message } =
  Format.pp_print_string ppf (name code);
  if message <> "" then Format.fprintf ppf ": %s" message

let to_string f = Format.asprintf "%a" pp f

let () =
  Printexc.register_printer (function
    | Failed f -> Some (Format.asprintf "Weir_rpc.Failure.Failed: %a" pp f)
    | _ -> None)
