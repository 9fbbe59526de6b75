open Weir_lab_harness

type t = { name : string; offload : bool }

let all =
  [
    { name = "limit"; offload = true };
    { name = "smoltcp"; offload = false };
    { name = "netstack"; offload = true };
    { name = "lwip"; offload = false };
  ]

let program t = Weir_lab_harness.Built.find ~study:"stack" (Sys.getenv_opt "WEIR_PEERS") t.name
let unavailable t = match program t with Ok _ -> None | Error why -> Some why

(* Of the same length as Weir's and nginx's, within some bytes. *)
let answer () =
  Printf.sprintf
    "HTTP/1.1 200 OK\r\n\
     Date: %s\r\n\
     Content-Type: text/plain; charset=utf-8\r\n\
     Content-Length: %d\r\n\
     \r\n\
     %s"
    (Weir_http.Date.to_string (int_of_float (Unix.time ())))
    (String.length Load.page) Load.page

let become t ~test ~offload ~bytes =
  match program t with
  | Error why -> Child.failed "%s: %s" t.name why
  | Ok path -> (
      match (Space.open_link ~offload Tap)#readiness with
      | Weir_link_unix.Descriptor.Fd fd ->
          Unix.dup2 ~cloexec:false fd Unix.stdin;
          let how = if offload then "offload" else "plain" in
          Unix.execv path [| t.name; test; how; string_of_int bytes; answer () |]
      | _ -> Child.failed "a TAP without a descriptor")
