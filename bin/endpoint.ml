let without_network cidr = List.hd (String.split_on_char '/' cidr)

let authority address port =
  Fmt.str (if String.contains address ':' then "[%s]:%d" else "%s:%d") address port

let shown address ~port =
  if port <> 80 then authority address port
  else if String.contains address ':' then "[" ^ address ^ "]"
  else address

let of_string s =
  let port_and address port =
    match (Ipaddr.of_string address, int_of_string_opt port) with
    | Ok a, Some p when p > 0 && p < 65_536 -> Some (a, p)
    | _ -> None
  in
  match String.rindex_opt s ':' with
  | None -> None
  | Some colon ->
      let port = String.sub s (colon + 1) (String.length s - colon - 1) in
      if colon > 2 && s.[0] = '[' && s.[colon - 1] = ']' then
        port_and (String.sub s 1 (colon - 2)) port
      else if String.index s ':' = colon then port_and (String.sub s 0 colon) port
      else None
