(* Short words for the suites that converse with a server. *)

open Weir_http

let get = Cases.get

let check_summary what expected outcome =
  Alcotest.(check string) what expected (Script.summary outcome)

let serve ?at_end ?(server = Server.create ()) ?(handler = Cases.handler) chunks =
  Script.serve ?at_end server handler chunks

let one outcome =
  match Script.replies outcome.Script.output with
  | [ reply ] -> reply
  | replies -> Alcotest.failf "%d replies instead of one" (List.length replies)

(* Long texts are compared by their digest, to keep failures readable. *)
let brief s =
  if String.length s < 100 then s
  else Printf.sprintf "%d bytes, %s" (String.length s) Digest.(to_hex (string s))

let same_texts what expected actual =
  Alcotest.(check (list string)) what (List.map brief expected) (List.map brief actual)

let bodies outcome = List.map (fun r -> r.Script.body) (Script.replies outcome.Script.output)

let post ?(fields = []) body =
  Cases.post (("Content-Length: " ^ string_of_int (String.length body)) :: fields) body

(* A stream of [n] bytes in pieces of at most [piece]; [closed] counts. *)
let stream ?length ?(piece = max_int) ?(closed = ref 0) n : Response.body =
  let left = ref n in
  let read b ~off ~len =
    let k = min (min len piece) !left in
    Bytes.fill b off k 's';
    left := !left - k;
    k
  in
  Stream { length; read; close = (fun () -> incr closed) }

let ready : Response.body -> Response.body = function Stream s -> Ready s | body -> body
let reply body : Handler.t = fun _ -> Response.make body
