open Weir_programs
open Weir_test

let outside = "198.51.100.7"
let other = "198.51.100.8"

let run env ?seconds ?(options = []) command =
  Programs.run env ?seconds (Programs.weir "run" (options @ ("--" :: command)))

let sh script = [ "sh"; "-c"; script ]

let status what expected (r : Programs.result) =
  if r.status <> expected then
    Alcotest.failf "%s: status %d, not %d\n%s\n%s" what r.status expected r.out r.err

let says what (r : Programs.result) part =
  if not (Programs.contains r.err part) then
    Alcotest.failf "%s: %S is not in\n%s\n%s" what part r.err r.out

type t = { env : Programs.env; sw : Eio.Switch.t; folder : string }

let with_ f () =
  Netns.needed ();
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  Programs.with_scratch @@ fun folder ->
  List.iter
    (fun address ->
      ignore (Programs.run env [ "ip"; "address"; "replace"; address ^ "/32"; "dev"; "lo" ]))
    [ outside; other ];
  f { env; sw; folder }

let path t name = Filename.concat t.folder name
let big = String.init 1_000_000 (fun i -> Char.chr (i * (i lsr 5) land 255))

let web ?(address = outside) t port =
  Programs.write (path t "big") big;
  ignore
    (Programs.start ~sw:t.sw t.env ~ready:"Serving"
       [
         "python3"; "-u"; "-m"; "http.server"; string_of_int port; "--bind"; address; "-d"; t.folder;
       ]
      : Programs.running)

let url ?(address = outside) port = Printf.sprintf "http://%s:%d/big" address port
let curl ?(seconds = 20) url = [ "curl"; "-sS"; "--max-time"; string_of_int seconds; url ]

let fetched what (r : Programs.result) =
  status what 0 r;
  Alcotest.(check bool) (what ^ ": the bytes") true (r.out = big)

let python t code arguments =
  let file = path t "program.py" in
  Programs.write file code;
  "python3" :: file :: arguments

let timed f =
  let before = Unix.gettimeofday () in
  let x = f () in
  (x, Unix.gettimeofday () -. before)
