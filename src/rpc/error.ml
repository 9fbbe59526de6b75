type ending = Stopped | Draining | Ended | Abandoned | Lost of exn | Violation of string

type t =
  | Remote of Failure.t
  | Timed_out
  | Too_large of int
  | Undecodable of string
  | Closed of ending

let pp_ending ppf = function
  | Stopped -> Format.pp_print_string ppf "it was closed here"
  | Draining -> Format.pp_print_string ppf "the server is shutting down"
  | Ended -> Format.pp_print_string ppf "the peer ended it"
  | Abandoned -> Format.pp_print_string ppf "the peer ended the stream with calls unanswered"
  | Lost e -> Format.fprintf ppf "it failed: %s" (Printexc.to_string e)
  | Violation why -> Format.fprintf ppf "the peer violated the protocol: %s" why

let pp ppf = function
  | Remote f -> Failure.pp ppf f
  | Timed_out -> Format.pp_print_string ppf "no answer came in time"
  | Too_large n -> Format.fprintf ppf "the request is longer than the server's limit, %d bytes" n
  | Undecodable why -> Format.fprintf ppf "the answer cannot be decoded: %s" why
  | Closed ending -> Format.fprintf ppf "the connection is over: %a" pp_ending ending

let ending_to_string e = Format.asprintf "%a" pp_ending e
let to_string e = Format.asprintf "%a" pp e
