open Weir_test
open Weir_flow

(* As a user adds an operation of their own, seen by the compiler… *)
type key_flow = < Flow.flow ; new_key : unit >

(* …and found when the program runs. *)
type _ Flow.ty += Key_flow : key_flow Flow.ty

let keyed () : key_flow * int ref =
  let keys = ref 0 in
  ( object (self)
      inherit Flow.flow
      method read_into _ ~off:_ ~len:_ = 0
      method write _ ~off:_ ~len:_ = ()
      method new_key = incr keys

      method! cast : type a. a Flow.ty -> a option =
        function Key_flow -> Some (self :> key_flow) | _ -> None
    end,
    keys )

let static () =
  let change (f : < key_flow ; .. >) = f#new_key in
  let f, keys = keyed () in
  change f;
  Alcotest.(check int) "key" 1 !keys

let dynamic () =
  let f, keys = keyed () in
  let plain = (f :> Flow.flow) in
  (match Flow.cast plain Key_flow with Some f -> f#new_key | None -> Alcotest.fail "not found");
  Alcotest.(check int) "key" 1 !keys;
  Alcotest.(check bool) "not there" true (Option.is_none (Flow.cast Null.flow Key_flow));
  Alcotest.(check bool) "another" true (Option.is_none (Flow.cast plain Flow.Tcp));
  let counted = Wrap.count (Wrap.counter ()) plain in
  Alcotest.(check bool) "through a wrapper" true (Option.is_some (Flow.cast counted Key_flow))

(* Programs that must not compile, and what the compiler says of them. *)
let mistakes =
  [
    ( "writing to a reader",
      "let f (r : Weir_flow.Flow.reader) = Weir_flow.Flow.write_string r \"x\"" );
    ( "a flow without new_key",
      "type key_flow = < Weir_flow.Flow.flow; new_key : unit >\n\
       let change (f : key_flow) = f#new_key\n\
       let () = change Weir_flow.Null.flow" );
    ( "a flow without write",
      "let f : Weir_flow.Flow.flow = object inherit Weir_flow.Flow.flow\n\
      \  method read_into _ ~off:_ ~len:_ = 0 end" );
    ("closing what has no close", "let f (x : Weir_flow.Flow.flow) = x#close");
  ]

let write file s = Out_channel.with_open_bin file (fun oc -> output_string oc s)
let read file = In_channel.with_open_bin file In_channel.input_all

let complaint program =
  let dir = Filename.temp_dir "weir" "types" in
  let src = Filename.concat dir "mistake.ml" and out = Filename.concat dir "out" in
  write src (program ^ "\n");
  let objs room = Filename.concat (Suite.project_root ()) ("_build/default/src/" ^ room) in
  let cmd =
    Filename.quote_command "ocamlfind" ~stdout:out ~stderr:out
      [
        "ocamlc";
        "-package";
        "fmt";
        "-color";
        "never";
        "-c";
        "-I";
        objs "flow/.weir_flow.objs/byte";
        "-I";
        objs "base/.weir_base.objs/byte";
        src;
      ]
  in
  let status = Sys.command cmd in
  let said = read out in
  if status = 0 then Alcotest.fail "it compiled";
  String.split_on_char '\n' said
  |> List.filter (fun l -> not (String.starts_with ~prefix:"File " l))
  |> String.concat "\n"

let type_errors () =
  Suite.needs_program "ocamlfind";
  List.map (fun (name, p) -> Printf.sprintf "# %s\n%s\n\n%s\n" name p (complaint p)) mistakes
  |> String.concat "\n"
  |> Suite.expected ~file:"test/flow/mistakes.expected"

let cases =
  Suite.
    [ case "static" static; case "dynamic" dynamic; case "mistakes are type errors" type_errors ]
