open Weir_test

let write file text =
  let rec folder dir =
    if not (Sys.file_exists dir) then (
      folder (Filename.dirname dir);
      Sys.mkdir dir 0o755)
  in
  folder (Filename.dirname file);
  Out_channel.with_open_bin file (fun oc -> output_string oc text)

(* Two of one name, and one that refers to both. *)
let protos =
  [
    ("a/v1/x.proto", "a.v1", "message X { int32 a = 1; }");
    ("a/v2/x.proto", "a.v2", "import \"a/v1/x.proto\"; message X { a.v1.X old = 1; }");
    ( "b-c/use.proto",
      "b",
      "import \"a/v1/x.proto\"; import \"a/v2/x.proto\"; import \"google/protobuf/any.proto\";\n\
       message A { a.v1.X one = 1; a.v2.X two = 2; google.protobuf.Any any = 3; }" );
  ]

let tree dir =
  List.iter
    (fun (path, package, text) ->
      write (Filename.concat dir path)
        (Printf.sprintf "syntax = \"proto3\"; package %s; %s" package text))
    protos

let paths = List.map (fun (path, _, _) -> path) protos

let generated options =
  let dir = Generator.temp_dir () in
  tree dir;
  let out = Filename.concat dir "out" in
  Sys.mkdir out 0o755;
  Compiled.generate ~options ~dir ~out paths;
  out

let packages () =
  let dir = generated [ "paths=package" ] in
  Compiled.check ~dir [ "a_v1_x_pb"; "a_v2_x_pb"; "b_use_pb" ]

let exists dir file = Alcotest.(check bool) file true (Sys.file_exists (Filename.concat dir file))

let in_folders () =
  let dir = generated [ "paths=folders" ] in
  List.iter (exists dir) [ "a/v1/a_v1_x_pb.ml"; "a/v2/a_v2_x_pb.ml"; "b_c/b_use_pb.mli" ]

let environment () =
  let root = Filename.concat (Suite.project_root ()) "_build/install/default" in
  if not (Sys.file_exists (Filename.concat root "lib/weir/META")) then
    Suite.skip "_build/install is not there: dune build makes it";
  let before name = Option.fold ~none:"" ~some:(( ^ ) ":") (Sys.getenv_opt name) in
  [
    "env";
    "-u"; "INSIDE_DUNE"; "-u"; "DUNE_BUILD_DIR";
    "OCAMLPATH=" ^ Filename.concat root "lib" ^ before "OCAMLPATH";
    "PATH=" ^ Filename.concat root "bin" ^ before "PATH";
  ] [@ocamlformat "disable"]

(* A dune project of these files, with a program that uses them. *)
let builds dir program =
  Suite.needs_program "dune";
  Suite.needs_program "protoc";
  write (Filename.concat dir "dune-project") "(lang dune 3.14)";
  write (Filename.concat dir "use/dune") "(executable (name use) (libraries protos))";
  write (Filename.concat dir "use/use.ml") program;
  match environment () with
  | program :: arguments ->
      Compiled.run "dune" program
        (arguments @ [ "dune"; "build"; "--root"; dir; "--display"; "quiet"; "./use/use.exe" ])
  | [] -> ()

let qualified () =
  let dir = generated [ "paths=source_relative" ] in
  write (Filename.concat dir "dune")
    "(include_subdirs qualified)\n\
     (library (name protos) (libraries weir-protobuf weir-protobuf.types))";
  (* Programs stand outside of a library's folder. *)
  let project = Generator.temp_dir () in
  Sys.rename dir (Filename.concat project "protos");
  builds project "let _ = Protos.B_c.Use_pb.A.make ~one:(Protos.A.V1.X_pb.X.make ()) ()"

(* The blocks of doc/protobuf.md that begin with a comment of a file's name. *)
let documented () =
  let doc = Generator.read (Filename.concat (Suite.project_root ()) "doc/protobuf.md") in
  let dir = Generator.temp_dir () in
  tree (Filename.concat dir "proto");
  let rec blocks = function
    | "```lisp" :: first :: rest when String.starts_with ~prefix:"; " first ->
        let rec body acc = function
          | "```" :: rest -> (String.concat "\n" (List.rev acc), rest)
          | l :: rest -> body (l :: acc) rest
          | [] -> Alcotest.fail "a block without end"
        in
        let text, rest = body [] rest in
        (String.sub first 2 (String.length first - 2), text) :: blocks rest
    | _ :: rest -> blocks rest
    | [] -> []
  in
  let found = blocks (String.split_on_char '\n' doc) in
  Alcotest.(check (list string)) "dune files" [ "gen/dune"; "protos/dune" ] (List.map fst found);
  List.iter (fun (file, text) -> write (Filename.concat dir file) text) found;
  builds dir "let _ = Protos.B_use_pb.A.make ~one:(Protos.A_v1_x_pb.X.make ()) ()"

let cases =
  [
    Suite.case "a tree in one call, packages before names" packages;
    Suite.case "the same in folders" in_folders;
    Suite.slow "folders as dune's qualified subtree" qualified;
    Suite.slow "the documented rule for a folder builds" documented;
  ]
