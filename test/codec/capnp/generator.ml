(* What the generator makes of a small schema, as committed; what it reads of its own request; and the
   requests that dune's rules generate from, against what capnp makes today of the same schemas. *)

open Weir_capnp
module Suite = Weir_test.Suite
open Samples

let request bytes =
  let m = Message.of_string bytes in
  Message.set_traversal m max_int;
  m

let path file = Filename.concat (Suite.project_root ()) file
let kept file = request (In_channel.with_open_bin (path file) In_channel.input_all)

let made m =
  List.map
    (fun (file, text) -> (Filename.basename file, text))
    (Capnpc_weir.Plugin.generate (Capnpc_weir.Load.request m))

let schemas = "test/codec/capnp/schemas"
let corpus = [ "golden"; "kinds"; "names"; "payload"; "schema"; "shapes"; "shared"; "through" ]
let here = lazy (made (kept (schemas ^ "/schemas.request")))

let golden () =
  List.iter
    (fun name ->
      Suite.expected ~file:("test/codec/capnp/golden/" ^ name) (List.assoc name (Lazy.force here)))
    [ "golden_capnp.ml"; "golden_capnp.mli" ]

(* Each schema by itself. What is generated is compared, since a request says which capnp made it. *)
let kept_of folder file names =
  let file = Filename.concat folder file and dir = path folder in
  let ours =
    lazy
      (if Sys.getenv_opt "WEIR_PROMOTE" = Some "1" then
         Suite.expected ~file (Tool.request ~dir names);
       made (kept file))
  in
  let case name =
    Suite.case
      (Printf.sprintf "capnp makes %s of %s" (Filename.basename file) name)
      (fun () ->
        let theirs = made (request (Tool.request ~dir [ name ])) in
        let ours = List.filter (fun (file, _) -> List.mem_assoc file theirs) (Lazy.force ours) in
        Alcotest.(check (list (pair string string))) "what is generated" theirs ours)
  in
  List.map case names

(* That names.capnp's code compiles is half of its test. *)
let odd_names () =
  let module N = Capnp_corpus.Names_capnp in
  Alcotest.(check (list int))
    "constants" [ 7; 1; 2; 3; 4 ]
    [ N.Point.default.x; N.ignore_; N.read_point_; N.default1; N.point_of_int_ ];
  (* Its default has a field of the same default. *)
  Alcotest.(check bool) "a default ends" true (N.point = { x = 1; back = None });
  Alcotest.(check bool) "a default" true (N.Point.default = { x = 7; back = Some N.point });
  let b = Builder.create () in
  let h = N.Names.init b in
  let g = N.Names.B.ignore_ b h in
  N.Names.Ignore.B.set_inner b g (-5);
  N.Names.Ignore.Not.B.set_innermost b (N.Names.Ignore.B.not_ b g) false;
  N.Names.B.set_not_ b h true;
  let v = ok (N.Names.decode (Builder.to_string b)) in
  Alcotest.(check bool)
    "groups" true
    (v.not && v.usually && v.ignore.inner = -5 && not v.ignore.not.innermost);
  Alcotest.(check bool) "back" true (N.Names.decode (N.Names.encode v) = Ok v)

let cases =
  [
    Suite.case "a small schema comes out as committed" golden;
    Suite.case "odd names" odd_names;
    Suite.case "the plugin reads its request as code generated for it does" (fun () ->
        Own_request.check (kept (schemas ^ "/schemas.request")));
  ]
  @ kept_of schemas "schemas.request" corpus
  @ kept_of "lab/studies/codecs/schemas" "capnp.request" [ "payload" ]
