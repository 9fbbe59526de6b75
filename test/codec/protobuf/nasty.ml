(* Random schemas whose names collide after whatever the generator makes of them: protoc takes
   them, and OCaml must take what comes out. *)

open Weir_test
module R = Random.State

let words =
  String.split_on_char ' '
    "t T _t t_ t__ Type type TYPE type_ list List option Option string int Int64 int64 Int_64 make \
     Make codec Codec codec_codec codecCodec CodecCodec read Read read_codec ReadCodec default \
     Default types Types Weir_types WeirTypes Weir_protobuf WeirProtobuf WeirProtobufTypes C D E I \
     J Desc layout Layout imports descriptors None Some none some unrecognized Unrecognized \
     unknown_fields s pos limit ref raise fooBar foo_bar FooBar FOO_BAR FOOBar foo__bar _ __ ___ a \
     A b B _a _A A_ a_1 A1 a1 _1 _1a X1 x1 V_1 V1 route Route RouteAction route_action \
     Route_action routeAction action Action intent_batch IntentBatch BatchRequest Stdlib to_int \
     of_int to_json handlers S M m M_m MM get_a get_b nan infinity unit bool float Float String \
     Bytes keys state seen kept init Unit Bool end begin effect Effect method Method module Module \
     val rec nonrec Nasty1Pb nasty_2_pb Nasty_3_pb NastyPb3 Types_pb any Any AnyPb Lazy lazy not \
     fst snd exit succ Obj HTTPServer HttpServer http_server HTTP_server x X y Y z Z l n p v w key \
     value read_t size_t write_t default_t t_codec t_descriptor T_codec descriptor Descriptor \
     result Result Ok Error"

let pick r l = List.nth l (R.int r (List.length l))
let words = List.sort_uniq compare words
let chance r n = R.int r n = 0

(* What one file has by now. *)
type file = {
  index : int;
  proto3 : bool;
  random : R.t;
  out : Buffer.t;
  mutable messages : string list; (* full names *)
  mutable enums : string list;
  mutable extensible : string list;
  mutable numbers : int; (* of extensions *)
}

(* protoc's own rule: a name once in a scope, and in proto3 a JSON name once. *)
let fresh f used =
  let json name = String.concat "" (String.split_on_char '_' (String.lowercase_ascii name)) in
  let rec go tries =
    let w = pick f.random words in
    let w = if tries > 20 then Printf.sprintf "%s%d" w tries else w in
    let key = if f.proto3 then json w else w in
    if Hashtbl.mem used key || Hashtbl.mem used w then go (tries + 1)
    else (
      Hashtbl.replace used key ();
      Hashtbl.replace used w ();
      w)
  in
  go 0

let line f depth fmt =
  Buffer.add_string f.out (String.make (2 * depth) ' ');
  Printf.ksprintf (fun s -> Buffer.add_string f.out (s ^ "\n")) fmt

let scalars =
  [ "int32"; "int64"; "uint32"; "uint64"; "sint32"; "fixed64"; "bool"; "float"; "double"; "string"; "bytes" ]
[@@ocamlformat "disable"]

let enum f used ~scope depth =
  let name = fresh f used in
  line f depth "enum %s {" name;
  let alias = chance f.random 4 in
  if alias then line f (depth + 1) "option allow_alias = true;";
  (* Two of a prefix that goes, and some that need not. *)
  let prefixed v = if chance f.random 3 then String.uppercase_ascii name ^ "_" ^ v else v in
  let taken = Hashtbl.create 8 in
  for i = 0 to 1 + R.int f.random 3 do
    let rec value () =
      let v = prefixed (fresh f used) in
      (* protoc tells values apart without case and prefix. *)
      let plain = String.concat "" (String.split_on_char '_' (String.lowercase_ascii v)) in
      let prefix = String.concat "" (String.split_on_char '_' (String.lowercase_ascii name)) in
      let plain =
        if String.starts_with ~prefix plain && plain <> prefix then
          String.sub plain (String.length prefix) (String.length plain - String.length prefix)
        else plain
      in
      if v = "option" || Hashtbl.mem taken plain || Hashtbl.mem used ("=" ^ v) then value ()
      else (
        Hashtbl.add taken plain ();
        Hashtbl.add used ("=" ^ v) ();
        Hashtbl.replace used v ();
        v)
    in
    line f (depth + 1) "%s = %d;" (value ()) (if alias && i > 0 then i / 2 else i)
  done;
  line f depth "}";
  f.enums <- (scope ^ "." ^ name) :: f.enums

let field_type f others =
  let r = f.random in
  match R.int r 6 with
  | (0 | 1) when f.messages <> [] -> pick r f.messages
  | 2 when f.enums <> [] -> pick r f.enums
  | 3 when others <> [] -> pick r others
  | _ -> pick r scalars

(* A field of a oneof, or one with a label. *)
let field f used others depth ~in_oneof number =
  let r = f.random in
  let type_ = field_type f others in
  let name = fresh f used in
  if (not in_oneof) && chance r 8 then
    line f depth "map<%s, %s> %s = %d;" (pick r [ "string"; "int32"; "bool" ]) type_ name number
  else
    let labels =
      if in_oneof then [ "" ]
      else if f.proto3 then [ ""; "optional "; "repeated " ]
      else [ "optional "; "optional "; "repeated "; "required " ]
    in
    let label = pick r labels in
    let options =
      match type_ with
      | "string" when label = "optional " && not f.proto3 -> " [default = \"a\\\"*) {|\"]"
      | "double" when label = "optional " && not f.proto3 -> " [default = nan]"
      | "int32" when label = "optional " && not f.proto3 -> " [default = -5]"
      | _ -> ""
    in
    line f depth "%s%s %s = %d%s;" label type_ name number options

let rec message f ~scope used others depth =
  let r = f.random in
  let name = fresh f used in
  let full = scope ^ "." ^ name in
  (* A message may refer to itself and to what is within. *)
  f.messages <- full :: f.messages;
  line f depth "message %s {" name;
  let own = Hashtbl.create 16 in
  (* What is called like the message, or like another one, is what is hardest. *)
  for _ = 1 to if depth > 1 then 0 else R.int r 3 do
    if chance r 3 then enum f own ~scope:full (depth + 1)
    else message f ~scope:full own others (depth + 1)
  done;
  let number = ref 0 in
  let next () =
    number := !number + 1 + R.int r 20;
    !number
  in
  for _ = 1 to R.int r 4 do
    if chance r 4 then (
      line f (depth + 1) "oneof %s {" (fresh f own);
      for _ = 0 to R.int r 3 do
        field f own others (depth + 2) ~in_oneof:true (next ())
      done;
      line f (depth + 1) "}")
    else field f own others (depth + 1) ~in_oneof:false (next ())
  done;
  if not f.proto3 then (
    line f (depth + 1) "extensions 1000 to max;";
    f.extensible <- full :: f.extensible;
    if chance r 3 then extension f own others (depth + 1));
  line f depth "}"

and extension f used others depth =
  match f.extensible with
  | [] -> ()
  | extensible ->
      f.numbers <- f.numbers + 1;
      let type_ = field_type f others in
      let label = pick f.random [ "optional"; "repeated" ] in
      line f depth "extend %s { %s %s %s = %d; }" (pick f.random extensible) label type_
        (fresh f used) (1000 + f.numbers)

let service f used =
  line f 0 "service %s {" (fresh f used);
  let own = Hashtbl.create 4 in
  for _ = 0 to R.int f.random 3 do
    let stream () = if chance f.random 3 then "stream " else "" in
    line f 1 "rpc %s(%s%s) returns (%s%s);" (fresh f own) (stream ()) (pick f.random f.messages)
      (stream ()) (pick f.random f.messages)
  done;
  line f 0 "}"

let name i = Printf.sprintf "nasty%d.proto" i

(* File [i], which may import those before it. *)
let schema random i earlier =
  let proto3 = chance random 3 in
  let package = Printf.sprintf "%s.p%d" (pick random [ "t"; "type"; "Weir_protobuf"; "a" ]) i in
  let f =
    {
      index = i;
      proto3;
      random;
      out = Buffer.create 1000;
      messages = [];
      enums = [];
      extensible = [];
      numbers = 0;
    }
  in
  line f 0 "syntax = \"%s\";" (if proto3 then "proto3" else "proto2");
  line f 0 "package %s;" package;
  let imported = if i = 0 then [] else List.filter (fun _ -> chance random 3) earlier in
  let public = if chance random 2 then "public " else "" in
  List.iter (fun e -> line f 0 "import %s\"%s\";" public (name e.index)) imported;
  let others = List.concat_map (fun e -> e.messages) imported in
  let used = Hashtbl.create 16 in
  for _ = 0 to R.int random 4 do
    match R.int random 6 with
    | 0 -> enum f used ~scope:("." ^ package) 0
    | 1 when not proto3 -> extension f used others 0
    | 2 when f.messages <> [] -> service f used
    | _ -> message f ~scope:("." ^ package) used others 0
  done;
  f

let schemas random n =
  let rec go i all =
    if i = n then List.rev all
    else go (i + 1) (schema random i (List.filteri (fun j _ -> j < 3) all) :: all)
  in
  go 0 []

let write file text = Out_channel.with_open_bin file (fun oc -> output_string oc text)

(* All of them through one protoc, with the plugin, and one compiler. *)
let compiles ?options ~seed ~files () =
  Suite.needs_program "protoc";
  let dir = Generator.temp_dir () in
  let in_dir file = Filename.concat dir file in
  let all = schemas (R.make [| seed |]) files in
  List.iter (fun f -> write (in_dir (name f.index)) (Buffer.contents f.out)) all;
  Compiled.generate ?options ~dir ~out:dir (List.map (fun f -> name f.index) all);
  Compiled.check ~dir (List.map (fun f -> Printf.sprintf "nasty%d_pb" f.index) all)

(* Clashes that were found in schemas that people use. *)
let found =
  [
    ( "a oneof's flat name is a nested message's",
      "message Route { message Action { int32 a = 1; } oneof action { Action b = 1; } }" );
    ( "a oneof's flat name is another message's",
      "message Route { oneof action { int32 b = 1; } } message RouteAction { int32 a = 1; }" );
    ( "a oneof is called like a message that its message refers to",
      "message BatchRequest { oneof intent_batch { IntentBatch inline = 2; } IntentBatch c = 3; }\n\
       message IntentBatch { int32 a = 1; }" );
    ("a oneof is called like its message", "message M { oneof m { M z = 4; } }");
    ( "functions of one message are called like another's",
      "message Read { int32 a = 1; } message Codec { int32 b = 1; Read read_codec = 2; }" );
    ( "a loop over a field is called like another message",
      "message A { message B__C { int32 x = 1; } repeated B__C c = 1; message B { map<string, B> c \
       = 1; } }" );
    ("a field is an underscore", "message _ { int32 _ = 1; _ _b = 2; oneof ___ { _ _a = 3; } }");
    ( "a message is called like the module of a file that it imports",
      "import \"google/protobuf/any.proto\"; message WeirProtobufTypes { google.protobuf.Any a = \
       1; }" );
    ( "a nested message hides one beside it",
      "message A { int32 x = 1; } message B { message A { .A outer = 1; B.A own = 2; } A a = 1; .A \
       b = 2; }" );
  ]

let clashes () =
  let dir = Generator.temp_dir () in
  let module_of i = Printf.sprintf "clash%d" i in
  List.iteri
    (fun i (_, text) ->
      write (Filename.concat dir (module_of i ^ ".proto")) ("syntax = \"proto3\";\n" ^ text))
    found;
  let one i (what, _) =
    Compiled.generate ~dir ~out:dir [ module_of i ^ ".proto" ];
    what
  in
  let all = List.mapi one found in
  Compiled.check ~dir (List.mapi (fun i _ -> module_of i ^ "_pb") all)

(* What stands behind does not rename what was there. *)
let grown () =
  let dir = Generator.temp_dir () in
  let interface text =
    write (Filename.concat dir "grows.proto") ("syntax = \"proto2\";\n" ^ text);
    Compiled.generate ~dir ~out:dir [ "grows.proto" ];
    Generator.read (Filename.concat dir "grows_pb.mli")
  in
  let names text =
    let is_name w = w <> "" && (w.[0] = '_' || (w.[0] >= 'A' && w.[0] <= 'z')) in
    List.filter is_name
      (String.split_on_char ' ' (String.map (fun c -> if c = '\n' then ' ' else c) text))
  in
  let one ~behind =
    let add s = if behind then s else "" in
    interface
      (Printf.sprintf
         "message A { %s optional int32 fooBar = 1; enum Kind { KIND_NONE = 0; KIND_A = 1; %s }\n\
          message B { optional int32 x = 1; } optional B b = 2; }\n\
          enum Colour { COLOUR_RED = 0; } %s"
         (add "optional int32 foo_bar = 9; message a {}")
         (add "OTHER = 2; KIND_2D = 3;")
         (add "message B { optional int32 y = 1; } message colour {} message get_foo {}"))
  in
  let before = names (one ~behind:false) and after = names (one ~behind:true) in
  let lost = List.filter (fun n -> not (List.mem n after)) before in
  Alcotest.(check (list string)) "names that are gone" [] lost;
  let holds line =
    List.mem line (List.map String.trim (String.split_on_char '\n' (one ~behind:true)))
  in
  List.iter
    (fun line -> Alcotest.(check bool) line true (holds line))
    [
      "foo_bar : int option;";
      "foo_bar_ : int option;";
      "b : B.t option;";
      "| None_";
      "| Kind_2_d";
      "| A";
      "| Red";
    ]

let large_oneof () =
  let dir = Generator.temp_dir () in
  let case i = Printf.sprintf "int32 c%d = %d;" i i in
  write
    (Filename.concat dir "large.proto")
    ("syntax = \"proto3\"; message M { oneof o { "
    ^ String.concat " " (List.init 300 (fun i -> case (i + 1)))
    ^ " } }");
  Compiled.generate ~dir ~out:dir [ "large.proto" ];
  Compiled.check ~dir [ "large_pb" ]

let cases =
  [
    Suite.case "clashes that were found" clashes;
    Suite.case "names stay when a schema grows" grown;
    Suite.case "200 files of nasty names" (compiles ~seed:(Suite.seed ()) ~files:200);
    Suite.case "20 of them with JSON of their own, arrays and slices"
      (compiles
         ~options:[ "json=fast"; "repeated=array"; "bytes=slice"; "string=slice" ]
         ~seed:(Suite.seed () + 1)
         ~files:20);
    Suite.case "a oneof of 300 cases" large_oneof;
  ]
