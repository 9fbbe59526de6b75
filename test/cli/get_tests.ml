(* `weir get -o`: a file that is whole, or none. *)

open Weir_programs
open Edges

let data = String.init 100_000 (fun i -> Char.chr (i * 13 land 255))

(* Serves one answer a connection, and closes after [sent] bytes of [data]. *)
let one_file env ~sw ~sent =
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:4 (net env) (loopback 0) in
  let answer flow _ =
    ignore (Eio.Buf_read.line (Eio.Buf_read.of_flow ~max_size:10_000 flow));
    Eio.Flow.copy_string
      (Printf.sprintf "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" (String.length data)
         (String.sub data 0 sent))
      flow
  in
  Eio.Fiber.fork_daemon ~sw (fun () -> Eio.Net.run_server socket answer ~on_error:ignore);
  match Eio.Net.listening_addr socket with
  | `Tcp (_, port) -> Printf.sprintf "http://127.0.0.1:%d/file" port
  | `Unix _ -> assert false

let in_folder f =
  Programs.with_scratch @@ fun dir ->
  let target = Filename.concat dir "target" in
  f dir target

let only dir expected =
  Alcotest.(check (list string))
    "what is there" expected
    (List.sort compare (Array.to_list (Sys.readdir dir)))

let fails_alone (r : Programs.result) expected =
  Alcotest.(check int) "status" 1 r.status;
  match Usage_tests.lines r.err with
  | [ line ] when Programs.contains line expected -> ()
  | _ -> Alcotest.failf "not %S but %S" expected r.err

let get_cut (env : env) =
  in_folder @@ fun dir target ->
  Eio.Switch.run @@ fun sw ->
  let get sent = Programs.run env (Programs.weir "get" [ one_file env ~sw ~sent; "-o"; target ]) in
  fails_alone (get 50_000) "the connection ended within the body";
  only dir [];
  Programs.write target "as before";
  fails_alone (get 50_000) "the connection ended within the body";
  only dir [ "target" ];
  Alcotest.(check string) "kept" "as before" (Programs.read target);
  Unix.chmod target 0o640;
  let r = get (String.length data) in
  if r.status <> 0 then Alcotest.fail r.err;
  Alcotest.(check bool) "whole" true (Programs.read target = data);
  Alcotest.(check int) "its permissions" 0o640 ((Unix.stat target).st_perm land 0o777);
  let link = Filename.concat dir "link" in
  Unix.symlink "target" link;
  Programs.write target "as before";
  let url = one_file env ~sw ~sent:(String.length data) in
  ignore (Programs.succeed env (Programs.weir "get" [ url; "-o"; link ]));
  only dir [ "link"; "target" ];
  Alcotest.(check bool) "by way of a link" true (Programs.read target = data);
  ignore (Programs.succeed env (Programs.weir "get" [ url; "-o"; "/dev/null" ]));
  Alcotest.(check bool) "a device stays" true ((Unix.stat "/dev/null").st_kind = S_CHR)

(* No file may grow past 8 KiB: the disk is full for this program. *)
let get_full_disk (env : env) =
  in_folder @@ fun dir target ->
  Eio.Switch.run @@ fun sw ->
  let url = one_file env ~sw ~sent:(String.length data) in
  let command = Filename.quote_command (List.hd (Programs.weir "get" [])) [ "get"; url; "-o"; target ] in
  let limited = [ "sh"; "-c"; "trap '' XFSZ; ulimit -f 16; exec " ^ command ] in
  fails_alone (Programs.run env limited) (Printf.sprintf "cannot write %s: File too large" target);
  only dir [];
  if Sys.file_exists "/dev/full" then
    fails_alone
      (Programs.run env (Programs.weir "get" [ url; "-o"; "/dev/full" ]))
      "cannot write /dev/full: No space left on device";
  fails_alone
    (Programs.run env (Programs.weir "get" [ url; "-o"; Filename.concat dir "no/such" ]))
    "No such file or directory"
  [@@ocamlformat "disable"]

let get_interrupted (env : env) =
  in_folder @@ fun dir target ->
  Eio.Switch.run @@ fun sw ->
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:4 (net env) (loopback 0) in
  let answer flow _ =
    Eio.Flow.copy_string "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc" flow;
    Eio.Fiber.await_cancel ()
  in
  Eio.Fiber.fork_daemon ~sw (fun () -> Eio.Net.run_server socket answer ~on_error:ignore);
  let port = match Eio.Net.listening_addr socket with `Tcp (_, p) -> p | `Unix _ -> 0 in
  let url = Printf.sprintf "http://127.0.0.1:%d/" port in
  let r = Programs.start ~sw env (Programs.weir "get" [ url; "-o"; target ]) in
  within env 10. "a temporary file" (fun () ->
      while Sys.readdir dir = [||] do
        sleep env 0.01
      done);
  Alcotest.(check int) "ended by the signal" 130 (Programs.finish ~signal:Sys.sigint r);
  only dir []

let get_error_page (env : env) =
  in_folder @@ fun dir target ->
  Eio.Switch.run @@ fun sw ->
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:4 (net env) (loopback 0) in
  let answer flow _ =
    ignore (Eio.Buf_read.line (Eio.Buf_read.of_flow ~max_size:10_000 flow));
    Eio.Flow.copy_string "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone" flow
  in
  Eio.Fiber.fork_daemon ~sw (fun () -> Eio.Net.run_server socket answer ~on_error:ignore);
  let port = match Eio.Net.listening_addr socket with `Tcp (_, p) -> p | `Unix _ -> 0 in
  let url = Printf.sprintf "http://127.0.0.1:%d/" port in
  fails_alone (Programs.run env (Programs.weir "get" [ url; "-o"; target ])) "answered 404";
  only dir []

let cases =
  [
    case "get -o: whole or not there" get_cut;
    case "get -o: a full disk" get_full_disk;
    case "get -o: interrupted" get_interrupted;
    case "get -o: an error's page" get_error_page;
  ]
