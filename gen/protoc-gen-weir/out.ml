type t = { buffer : Buffer.t; mutable indent : int; mutable was_blank : bool }

let create () = { buffer = Buffer.create 4096; indent = 0; was_blank = true }

let put o s =
  if s = "" then ()
  else (
    Buffer.add_string o.buffer (String.make o.indent ' ');
    Buffer.add_string o.buffer s;
    o.was_blank <- false);
  Buffer.add_char o.buffer '\n'

let line o fmt = Printf.ksprintf (put o) fmt

let indented o f =
  o.indent <- o.indent + 2;
  f ();
  o.indent <- o.indent - 2

let width = 100

(* Short lines one behind the other, broken only where one ended. *)
let packed o f =
  let inner = create () in
  f inner;
  let lines = List.map String.trim (String.split_on_char '\n' (Buffer.contents inner.buffer)) in
  let rec go current = function
    | [] -> put o current
    | next :: rest when String.length current + String.length next + o.indent + 1 <= width ->
        go (current ^ " " ^ next) rest
    | next :: rest ->
        put o current;
        go ("  " ^ next) rest
  in
  match List.filter (fun l -> l <> "") lines with [] -> () | first :: rest -> go first rest

let blank o =
  if not o.was_blank then (
    Buffer.add_char o.buffer '\n';
    o.was_blank <- true)

(* OCaml reads strings and nested comments inside a comment, odoc reads markup:
   nothing of what the author wrote may be taken for either. *)
let harmless s =
  let b = Buffer.create (String.length s) in
  let braces = String.contains s '{' in
  String.iteri
    (fun i c ->
      let before = if i > 0 then s.[i - 1] else ' ' in
      match c with
      | '"' -> Buffer.add_string b "''"
      | '{' | '}' | '[' | ']' | '@' ->
          Buffer.add_char b '\\';
          Buffer.add_char b c
      | '|' when braces -> Buffer.add_char b '/'
      | '\\' -> Buffer.add_char b '/'
      | '*' when before = '(' -> Buffer.add_string b " *"
      | ')' when before = '*' -> Buffer.add_string b " )"
      | '\t' -> Buffer.add_char b ' '
      | c -> Buffer.add_char b c)
    s;
  Buffer.contents b

let rec drop_blank = function "" :: rest -> drop_blank rest | l -> l

let doc o s =
  let lines = String.split_on_char '\n' (harmless s) in
  let lines = List.map String.trim lines in
  match drop_blank (List.rev (drop_blank lines)) with
  | [] -> ()
  | [ one ] -> line o "(** %s *)" one
  | last :: before ->
      List.iteri
        (fun i l ->
          if i = 0 then line o "(** %s" l else if l = "" then put o "" else line o "    %s" l)
        (List.rev before);
      line o "    %s *)" last

let contents o = Buffer.contents o.buffer
