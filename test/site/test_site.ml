(* The site's tutorial, followed to its end, and the check of its links. *)

open Weir_test

let root = Suite.project_root ()
let in_root path = Filename.concat root path
let read path = In_channel.with_open_bin path In_channel.input_all
let write path text = Out_channel.with_open_bin path (fun c -> output_string c text)
let files folder = Array.to_list (Sys.readdir folder)

let in_folder f =
  let folder = Filename.temp_dir "weir-site" "" in
  Fun.protect
    ~finally:(fun () -> ignore (Sys.command ("rm -rf " ^ Filename.quote folder)))
    (fun () -> f folder)

(* -- the tutorial ---------------------------------------------------------- *)

(* What each [Run] printed, beside the [Output] that follows it. *)
let rec outputs ~folder i = function
  | Tutorial.Run _ :: Output expected :: rest ->
      (expected, read (Filename.concat folder (string_of_int i))) :: outputs ~folder (i + 2) rest
  | Run _ :: rest ->
      let printed = read (Filename.concat folder (string_of_int i)) in
      if printed <> "" then Alcotest.failf "the tutorial does not show this:\n%s" printed;
      outputs ~folder (i + 1) rest
  | _ :: rest -> outputs ~folder (i + 1) rest
  | [] -> []

(* As the reader does, all commands run in the shell that `make shell` opens. The
   reader's home is a fresh folder. *)
let follow ~folder steps =
  let script = Filename.concat folder "script" and home = Filename.concat folder "home" in
  Sys.mkdir home 0o755;
  write script (Tutorial.script ~folder steps);
  let cache =
    try Sys.getenv "XDG_CACHE_HOME" with Not_found -> Filename.concat (Sys.getenv "HOME") ".cache"
  in
  Printf.sprintf
    "cd %s && make -s && HOME=%s XDG_CACHE_HOME=%s SHELL=/bin/sh timeout 300 make -s shell <%s"
    (Filename.quote root) home (Filename.quote cache) script
  |> Sys.command
  |> function
  | 0 -> ()
  | status ->
      let last = List.fold_left max 0 (List.filter_map int_of_string_opt (files folder)) in
      Alcotest.failf "status %d, after:\n%s" status
        (read (Filename.concat folder (string_of_int last)))

let tutorial () =
  Suite.needs_program "make";
  let path = in_root "doc/tutorial.md" in
  let text = read path in
  match Tutorial.steps text with
  | Run "make\nmake shell\n" :: steps ->
      in_folder @@ fun folder ->
      follow ~folder steps;
      let pairs = outputs ~folder 0 steps in
      if Sys.getenv_opt "WEIR_PROMOTE" <> None then
        write path (Tutorial.with_outputs text (List.map snd pairs))
      else
        List.iter
          (fun (expected, printed) ->
            Alcotest.(check string) "as the tutorial says" expected printed)
          pairs
  | _ -> Alcotest.fail "the tutorial begins with make and make shell"

(* -- links ------------------------------------------------------------------ *)

let check_links folder =
  let program = Filename.concat (Filename.dirname Sys.executable_name) "../../doc/site/site.exe" in
  let out = Filename.concat folder "out" in
  let status =
    Sys.command (Filename.quote_command program ~stdout:out ~stderr:out [ "--check"; folder ])
  in
  (status, read out)

let links () =
  in_folder @@ fun folder ->
  let page name body = write (Filename.concat folder name) body in
  page "a.html"
    {|<h1 id="top">A</h1> <a href="b.html#there">B</a> <a href="https://example.org/x">x</a>|};
  page "b.html" {|<p id="there"><a href="a.html">A</a> <a href="#there">here</a></p>|};
  Alcotest.(check (pair int string))
    "whole"
    (0, "2 pages, all links lead somewhere\n")
    (check_links folder);
  page "b.html"
    {|<p><a href="a.html#nowhere"></a> <a href="c.html"></a> <a href="https://x y"></a> <img src="d.png"></p>|};
  Alcotest.(check (pair int string))
    "broken"
    ( 1,
      "site: broken links:\n\
       a.html: b.html#there: no such anchor\n\
       b.html: a.html#nowhere: no such anchor\n\
       b.html: c.html: no such file\n\
       b.html: https://x y: no address\n\
       b.html: d.png: no such file\n" )
    (check_links folder)

let documents () =
  let pages = read (in_root "doc/site/pages.ml") in
  let listed path =
    match Str.search_forward (Str.regexp_string (Printf.sprintf "%S" path)) pages 0 with
    | _ -> true
    | exception Not_found -> false
  in
  files (in_root "doc")
  |> List.filter (fun f -> Filename.check_suffix f ".md" && not (listed ("doc/" ^ f)))
  |> Alcotest.(check (list string)) "documents that are on no page" []

let () =
  Suite.run "site"
    [
      ("tutorial", [ Suite.slow "followed to its end" tutorial ]);
      ("links", [ Suite.case "broken ones are found" links ]);
      ("documents", [ Suite.case "all are on the site" documents ]);
    ]
