(* The table, then the same in every cut. *)

open Weir_test

let outcome chunks = Script.serve (Cases.server ()) Cases.handler chunks

let table (name, raw, expected) =
  Suite.case name (fun () ->
      Alcotest.(check string) name expected (Script.summary (outcome [ raw ])))

(* However the bytes come, the answers are the same to the byte, error position
   included. *)
let same_in_any_cut (name, raw, _) =
  let whole = outcome [ raw ] in
  let same how chunks =
    let cut = outcome chunks in
    Alcotest.(check string) (name ^ ", " ^ how) whole.output cut.output;
    Alcotest.(check bool) (name ^ ", " ^ how ^ ": kept") whole.kept cut.kept
  in
  for i = 1 to String.length raw - 1 do
    same (Printf.sprintf "cut at %d" i) (Script.halves raw i)
  done;
  same "byte by byte" (Script.bytewise raw)

let positions =
  let at raw expected () =
    match Script.replies (outcome [ raw ]).output with
    | [ { body; _ } ] ->
        Alcotest.(check string) "position" expected (List.hd (String.split_on_char ':' body))
    | _ -> Alcotest.fail "not one reply"
  in
  [
    Suite.case "of a bad byte in the target" (at "GET /a\000b HTTP/1.1\r\n" "6");
    Suite.case "of a bad byte in a name" (at "GET / HTTP/1.1\r\nHo st: a\r\n" "18");
    Suite.case "of a bad byte in a value" (at "GET / HTTP/1.1\r\nHost: a\000" "23");
    Suite.case "of a bad chunk size" (at (Cases.chunked "x") (string_of_int (String.length (Cases.chunked ""))));
    Suite.case "counts from the message's own start" (fun () ->
        match Script.replies (outcome [ Cases.get [] ^ "G\000" ]).output with
        | [ _; { body; _ } ] -> Alcotest.(check char) "position" '1' body.[0]
        | _ -> Alcotest.fail "not two replies");
  ]
  [@@ocamlformat "disable"]

let groups =
  List.map (fun (name, cases) -> (name, List.map table cases)) Cases.groups
  @ [
      ( "any cut",
        List.map
          (fun (name, cases) -> Suite.case name (fun () -> List.iter same_in_any_cut cases))
          Cases.groups );
      ("error positions", positions);
    ]
