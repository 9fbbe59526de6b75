type t = { at : int; status : int; reason : string }

exception Failed of t

let none = { at = 0; status = 0; reason = "" }
let pp f t = Fmt.pf f "%s (byte %d of the message; status %d)" t.reason t.at t.status
let to_string t = Fmt.str "%a" pp t

let () =
  Printexc.register_printer (function
    | Failed t -> Some ("Weir_http.Error.Failed: " ^ to_string t)
    | _ -> None)
