(* weir-thrift: what it makes of a small file, as committed; of the others, wherever they are; and what
   it refuses. *)

module Suite = Weir_test.Suite

let generate folder file =
  let path = Filename.concat folder (file ^ ".thrift") in
  Weir_thrift_gen.Compiler.run ~folders:[] ~recursive:false path

let golden () =
  List.iter
    (fun (name, text) -> Suite.expected ~file:("test/codec/thrift/golden/" ^ name) text)
    (generate (Filename.concat (Peer.folder ()) "idl") "golden")

(* dune's rule made it of a copy, by a relative path, and of all files at once. *)
let anywhere file =
  Suite.case
    ("what is made of " ^ file ^ " is the same anywhere")
    (fun () ->
      let built = "_build/default/test/codec/thrift/corpus" in
      let built = Filename.concat (Suite.project_root ()) built in
      List.iter
        (fun (name, text) ->
          let path = Filename.concat built name in
          Alcotest.(check string) name (In_channel.with_open_bin path In_channel.input_all) text)
        (generate (Filename.concat (Peer.folder ()) "idl") file))

let bad_files () =
  let folder = Filename.temp_file "weir" ".d" in
  Sys.remove folder;
  Sys.mkdir folder 0o700;
  let file = Filename.concat folder "bad.thrift" in
  let why text =
    Out_channel.with_open_bin file (fun oc -> output_string oc text);
    match Weir_thrift_gen.Compiler.run ~folders:[] ~recursive:false file with
    | _ -> Alcotest.failf "accepted: %s" text
    | exception Weir_thrift_gen.Program.Failed why ->
        let n = String.length folder + 1 in
        if String.starts_with ~prefix:folder why then String.sub why n (String.length why - n)
        else why
  in
  let check text want = Alcotest.(check string) text want (why text) in
  check "struct A { 1: Missing x }" "bad: no type Missing";
  check "struct A {\n1: i32 }" "bad.thrift, line 2: a name expected, not }";
  check "struct A { 1: i32 x 1: i32 y }" "bad.thrift, line 1: two fields have the same id";
  check "/* not closed" "bad.thrift, line 1: a comment is not closed";
  check "const i32 x = \"text\"" "bad: a constant is not of its type";
  check "include \"bad.thrift\""
    ( file ^ " includes itself" |> fun s ->
      String.sub s (String.length folder + 1) (String.length s - String.length folder - 1) );
  check "struct A {} struct A {}" "bad: A is defined twice";
  check "typedef B A typedef A B" "bad: typedef A is defined by itself";
  check "typedef list<map<i32, A>> A" "bad: typedef A is defined by itself";
  check "const i32 A = B const i64 B = A" "bad: A is defined by itself";
  check "const i32 A = A" "bad: A is defined by itself";
  check "const list<i32> A = [B] const i32 B = C const i32 C = B" "bad: B is defined by itself";
  check "struct A { 1: required i32 x } const A a = {'x': 1, 'y': 2}" "bad: A has no field y";
  check "service A extends B {} struct B {}" "bad: B is no service";
  check "service A { void f() throws (1: B b) } struct B {}" "bad: B is no exception";
  check "const uuid A = '{00000000-0000-0000-0000-000000000000'"
    "bad: {00000000-0000-0000-0000-000000000000 is no UUID";
  check "const uuid A = '0_000000-0000-0000-0000-000000000000'"
    "bad: 0_000000-0000-0000-0000-000000000000 is no UUID";
  check "struct A { 40000: i32 x }" "bad.thrift, line 1: a field id of 16 bits expected, not i32";
  Sys.remove file;
  Sys.rmdir folder

(* What the reference compiler refuses, and need not be. *)
let later_constants () =
  let folder = Filename.temp_dir "weir" "later" in
  let file = Filename.concat folder "later.thrift" in
  Out_channel.with_open_bin file (fun oc ->
      output_string oc "const list<i64> A = [B, 1] const i32 B = 2 const list<i64> C = A");
  let out = Weir_thrift_gen.Compiler.run ~folders:[] ~recursive:false file in
  Sys.remove file;
  Sys.rmdir folder;
  let lines = String.split_on_char '\n' (List.assoc "later_thrift.ml" out) in
  List.iter
    (fun want -> Alcotest.(check bool) want true (List.mem want lines))
    [ "let a : int64 list = [ (2L); (1L) ]"; "let b : int = (2)"; "let c : int64 list = a" ]

(* 2^40 of them to the first. *)
let many_paths () =
  let folder = Filename.temp_dir "weir" "paths" in
  let file i side = Printf.sprintf "%c%d.thrift" side i in
  let write name text =
    Out_channel.with_open_bin (Filename.concat folder name) (fun oc -> output_string oc text)
  in
  List.iter
    (fun i ->
      List.iter
        (fun side ->
          write (file i side)
            (if i = 0 then "struct S { 1: i32 x }"
             else
               Printf.sprintf "include %S include %S struct T { 1: a%d.%c x }"
                 (file (i - 1) 'a')
                 (file (i - 1) 'b')
                 (i - 1)
                 (if i = 1 then 'S' else 'T')))
        [ 'a'; 'b' ])
    (List.init 41 Fun.id);
  let out =
    Weir_thrift_gen.Compiler.run ~folders:[] ~recursive:true (Filename.concat folder "a40.thrift")
  in
  Alcotest.(check int) "files" (2 * ((2 * 40) + 1)) (List.length out);
  (* Another file of that name, from elsewhere. *)
  Sys.mkdir (Filename.concat folder "c") 0o700;
  write "c/a1.thrift" "struct Other {}";
  write "both.thrift" "include 'a1.thrift' include 'c/a1.thrift'";
  (match
     Weir_thrift_gen.Compiler.run ~folders:[] ~recursive:false
       (Filename.concat folder "both.thrift")
   with
  | _ -> Alcotest.fail "two files of a name"
  | exception Weir_thrift_gen.Program.Failed _ -> ());
  ignore (Sys.command (Filename.quote_command "rm" [ "-r"; folder ]))

let cases =
  Suite.case "a small file comes out as committed" golden
  :: List.map anywhere
       [ "payload"; "shared"; "kinds"; "odd_base"; "odd"; "parts.v1"; "accepted"; "own" ]
  @ [
      Suite.case "bad files" bad_files;
      Suite.case "many paths to a file" many_paths;
      Suite.case "constants named before they are defined" later_constants;
    ]
