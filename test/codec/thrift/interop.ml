(* Apache Thrift's Python library as a peer: the same bytes, and calls both ways. *)

open Weir_thrift
module Suite = Weir_test.Suite
open Samples

let rec frames s =
  if s = "" then []
  else
    match Frame.extent (Bytes.of_string s) ~off:0 ~len:(String.length s) with
    | Need _ -> Alcotest.fail "a frame is cut off"
    | Whole n -> String.sub s 4 n :: frames (String.sub s (n + 4) (String.length s - n - 4))

let there_and_back () =
  List.iter
    (fun (name, p) ->
      let ours = List.map (fun v -> v.bytes p) values in
      let types = List.map (fun v -> v.file ^ "." ^ v.ty) values in
      let theirs =
        Peer.python p ("again" :: types) (String.concat "" (List.map Frame.of_string ours))
      in
      List.iter2
        (fun (v, ours) theirs ->
          Alcotest.(check string) (name ^ " " ^ v.ty) ours theirs;
          if not (v.same p theirs) then Alcotest.failf "%s %s" name v.ty)
        (List.combine values ours) (frames theirs))
    protocols

(* What defaults stand for, as the reference compiler understands them. *)
let same_defaults () =
  List.iter
    (fun (name, p) ->
      Alcotest.(check (list string))
        name
        [ A.Defaults.encode p A.Defaults.default ]
        (frames (Peer.python p [ "defaults"; "accepted.Defaults" ] "")))
    protocols

let frame_content s = match frames s with [ one ] -> one | _ -> Alcotest.fail "not one frame"

let asking_python () =
  List.iter
    (fun (_, p) ->
      let client =
        Rpc.client p
          ~send:(fun s -> ignore (Peer.python p [ "serve" ] (Frame.of_string s)))
          (fun s -> frame_content (Peer.python p [ "serve" ] (Frame.of_string s)))
      in
      let open K.Calculator.Client in
      Alcotest.(check int) "add" (-5) (add client ~left:2 ~right:(-7));
      Alcotest.(check int) "divide" 14 (divide client ~by:7);
      (match divide client ~by:0 with
      | _ -> Alcotest.fail "by zero"
      | exception S.Trouble.E t ->
          Alcotest.(check bool) "trouble" true (t = { why = "by zero"; code = 7 }));
      Alcotest.(check string) "inherited" "python" (name client ());
      reset client ();
      hint client ~text:"go";
      Alcotest.(check bool)
        "a union" true
        (shape client ~tree:(Some (tree 2)) = Corner (point 2000 2)))
    protocols

let answering_python () =
  List.iter
    (fun (_, p) ->
      let ask name args =
        let request = Peer.python p ("call" :: name :: args) "" in
        match serve p (frame_content request) with
        | Some reply -> String.trim (Peer.python p [ "result"; name ] (Frame.of_string reply))
        | None -> "nothing"
      in
      Alcotest.(check string) "add" "5" (ask "add" [ "2"; "3" ]);
      Alcotest.(check string) "throws" "Trouble zero" (ask "divide" [ "0" ]);
      Alcotest.(check string) "inherited" "weir" (ask "name" []);
      Alcotest.(check string) "void" "None" (ask "reset" []);
      Alcotest.(check string) "oneway" "nothing" (ask "hint" [ "text" ]);
      Alcotest.(check string) "hinted" "text" !Handler.hinted)
    protocols

let cases =
  [
    Suite.case "Python reads and writes the same bytes" there_and_back;
    Suite.case "defaults as Python has them" same_defaults;
    Suite.case "calling Python" asking_python;
    Suite.case "called by Python" answering_python;
  ]
