type t = { names : string list; slash : bool }

let forbidden = function '/' | '\\' | '\000' .. '\031' | '\127' -> true | _ -> false

let name segment =
  match Percent.decode segment with
  | None -> Error "a path with malformed percent-encoding"
  | Some ("." | "..") -> Error "a path with dot segments"
  | Some name when String.exists forbidden name ->
      Error "a path with a slash, backslash or control character in a name"
  | Some name -> Ok name

let rec names acc = function
  | [] -> Ok (List.rev acc)
  | "" :: rest -> names acc rest
  | segment :: rest -> (
      match name segment with Ok name -> names (name :: acc) rest | Error e -> Error e)

let of_encoded s =
  if s = "/" then Ok { names = []; slash = true }
  else if s = "" || s.[0] <> '/' then Error "a path that does not begin with a slash"
  else
    match names [] (String.split_on_char '/' s) with
    | Error e -> Error e
    | Ok names -> Ok { names; slash = s.[String.length s - 1] = '/' }

let to_encoded { names; slash } =
  let path = String.concat "/" ("" :: List.map Percent.encode names) in
  if slash || names = [] then path ^ "/" else path
