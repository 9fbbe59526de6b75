type t = { position : int; path : string list; reason : string }

exception Error of t

let[@inline never] at position reason = Error { position; path = []; reason }
let[@inline never] fail_in path position reason = raise (Error { position; path; reason })
let fail position reason = fail_in [] position reason

let to_string e =
  let where = if e.path = [] then "" else ", in " ^ String.concat "." e.path in
  Printf.sprintf "byte %d%s: %s" e.position where e.reason

let pp ppf e = Format.pp_print_string ppf (to_string e)

let () =
  Printexc.register_printer (function
    | Error e -> Some ("Weir_protobuf.Error: " ^ to_string e)
    | _ -> None)
