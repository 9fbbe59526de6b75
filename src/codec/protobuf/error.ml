type t = { position : int; path : string list; reason : string }

exception Error of t

let[@inline never] at position reason = Error { position; path = []; reason }
let[@inline never] fail position reason = raise (Error { position; path = []; reason })
let longest = 40

(* One character as it is shown; none ends the line. *)
let add_shown b s at d =
  let code = Uchar.to_int (Uchar.utf_decode_uchar d) in
  if not (Uchar.utf_decode_is_valid d) then
    for i = at to at + Uchar.utf_decode_length d - 1 do
      Printf.bprintf b "\\x%02x" (Char.code s.[i])
    done
  else if code < 0x20 || (code >= 0x7f && code < 0xa0) || code = 0x2028 || code = 0x2029 then
    Printf.bprintf b "\\u{%x}" code
  else Buffer.add_utf_8_uchar b (Uchar.of_int code)

let excerpt s =
  let b = Buffer.create 64 in
  let rec go at n =
    if at < String.length s then (
      if n = longest then Buffer.add_string b "..."
      else
        let d = String.get_utf_8_uchar s at in
        add_shown b s at d;
        go (at + Uchar.utf_decode_length d) (n + 1))
  in
  go 0 0;
  Buffer.contents b

let to_string e =
  let where = if e.path = [] then "" else ", in " ^ String.concat "." e.path in
  Printf.sprintf "byte %d%s: %s" e.position where e.reason

let pp ppf e = Format.pp_print_string ppf (to_string e)

let () =
  Printexc.register_printer (function
    | Error e -> Some ("Weir_protobuf.Error: " ^ to_string e)
    | _ -> None)
