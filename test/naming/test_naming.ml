module Naming = Weir_naming
module Suite = Weir_test.Suite

let names () =
  let check what = Alcotest.(check string) what in
  check "camel case" "foo_bar" (Naming.snake "fooBar");
  check "initials" "http_server" (Naming.snake "HTTPServer");
  check "a keyword" "type_" (Naming.value "type");
  check "taken twice" "t__" (Naming.value ~taken:[ "t"; "t_" ] "t");
  check "a module" "Http_server" (Naming.capital "HTTPServer")

let lines l = String.concat "\n" l
let long = String.make 45 'x'

let layout () =
  let check what wanted code = Alcotest.(check string) what (lines wanted) (Naming.tidy code) in
  check "short lines stay" [ "let a = 1"; ""; "let b = 2" ] "let a = 1\n\n\n\nlet b = 2";
  check "after what is defined"
    [ "let f a ="; "  " ^ long ^ " (g a)" ^ long ]
    ("let f a = " ^ long ^ " (g a)" ^ long);
  check "between fields, not within one"
    [ "  let v : t ="; "    { first = \"" ^ long ^ "; \";"; "      second = (1, " ^ long ^ ") }" ]
    ("  let v : t = { first = \"" ^ long ^ "; \"; second = (1, " ^ long ^ ") }");
  let text = "let s = \"" ^ long ^ " " ^ long ^ "\"" in
  check "no string is broken" [ "let s ="; "  \"" ^ long ^ " " ^ long ^ "\"" ] text

(* Whatever is broken, the tokens are the same, and what can be no longer than a line is not. *)
let same_tokens =
  let open QCheck2.Gen in
  let word = string_size ~gen:(char_range 'a' 'z') (int_range 1 12) in
  let token =
    oneof
      [
        word;
        map (fun w -> "\"" ^ w ^ " \\\" " ^ w ^ "\"") word;
        oneof_list [ "("; ")"; "{"; "}"; "="; "->"; ";"; "|"; "then"; "else"; "'\"'"; "a'" ];
      ]
  in
  QCheck2.Test.make ~count:500 ~name:"the same tokens in short lines"
    (list_size (int_bound 80) token)
    (fun tokens ->
      let tokens = List.filter (fun t -> t <> "") tokens in
      let tidy = Naming.tidy (String.concat " " tokens) in
      let rejoined = String.split_on_char '\n' tidy |> List.map String.trim |> String.concat " " in
      rejoined = String.concat " " tokens && Naming.tidy tidy = tidy)

let () =
  Suite.run "naming"
    [
      ("names", [ Suite.case "from schemas" names ]);
      ("layout", [ Suite.case "long lines" layout; Suite.qcheck same_tokens ]);
    ]
