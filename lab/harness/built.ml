let why_not ~study folder name =
  match In_channel.(with_open_text (Filename.concat folder (name ^ ".why")) input_line) with
  | Some why -> why
  | None | (exception Sys_error _) ->
      Printf.sprintf "it has not been built; `lab/peers/build %s` builds it" study

let find ~study folder name =
  match folder with
  | None -> Error "WEIR_PEERS is not set; the script `weir` sets it"
  | Some folder ->
      let path = Filename.concat folder name in
      if Sys.file_exists path then Ok path else Error (why_not ~study folder name)
