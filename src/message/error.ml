type t =
  | End
  | Truncated of { have : int; want : int }
  | Too_long of int
  | Malformed of string
  | Undecodable of string

let pp ppf = function
  | End -> Format.pp_print_string ppf "the stream ended"
  | Truncated { have; want } ->
      Format.fprintf ppf "the stream ended inside a frame, after %d of at least %d bytes" have want
  | Too_long n -> Format.fprintf ppf "a frame of %d bytes is longer than the limit" n
  | Malformed why -> Format.fprintf ppf "not a frame: %s" why
  | Undecodable why -> Format.fprintf ppf "cannot decode the message: %s" why

let to_string e = Format.asprintf "%a" pp e
