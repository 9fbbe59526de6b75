(* What generated code means: services, defaults, constants, names that meet its own. *)

open Weir_thrift
module Suite = Weir_test.Suite
open Samples

let services () =
  List.iter
    (fun (_, p) ->
      let client =
        Rpc.client p ~send:(fun s -> ignore (serve p s)) (fun s -> Option.get (serve p s))
      in
      let open K.Calculator.Client in
      Alcotest.(check int) "add" 5 (add client ~left:2 ~right:3);
      hint client ~text:"later";
      Alcotest.(check string) "oneway" "later" !Handler.hinted;
      Alcotest.(check bool) "absent" true (shape client ~tree:None = Named "none");
      let other = Rpc.client p (fun s -> Option.get (Rpc.serve p (fun _ _ -> None) s)) in
      (match add other ~left:1 ~right:1 with
      | _ -> Alcotest.fail "no such method"
      | exception Application.E e -> Alcotest.(check int) "why" Application.unknown_method e.kind);
      let cut =
        Rpc.client p (fun s -> Option.get (serve p (String.sub s 0 (String.length s - 2))))
      in
      match add cut ~left:1 ~right:1 with
      | _ -> Alcotest.fail "cut off"
      | exception Application.E e -> Alcotest.(check int) "why" Application.protocol_error e.kind)
    protocols

let evolution () =
  List.iter
    (fun (_, p) ->
      (* Unknown fields are passed over, fields of another type too, absent ones get their defaults. *)
      Alcotest.(check bool) "kinds as empty" true (K.Empty.decode p (K.Kinds.encode p kinds) = Ok ());
      let d = ok (K.Defaults.decode p (K.Empty.encode p ())) in
      Alcotest.(check bool)
        "defaults" true
        (d = K.Defaults.default && d.word = -70000
        && d.words = [ 1; -2; 3 ]
        && d.long = Some 5000000000L
        && d.point = Some (point 5 (-6))
        && d.colour = Green && d.flag && d.real = -2.25);
      ignore (ok (K.Defaults.decode p (K.Kinds.encode p kinds)));
      refused "no required field" (K.Strict.decode p (K.Empty.encode p ()));
      Alcotest.(check bool)
        "unknown member" true
        (K.Shape.decode p (K.Empty.encode p ()) = Ok (Unrecognized 0));
      let c = ok (S.Point.decode p (S.Point.encode p (point max_int 0))) in
      Alcotest.(check int) "modulo 32 bits" (-1) c.x)
    protocols;
  Alcotest.(check int) "limit" 16 K.limit;
  Alcotest.(check string) "greeting" "bon\"jour" K.greeting;
  Alcotest.(check (list int)) "primes" [ 2; 3; 5; 7 ] K.primes;
  Alcotest.(check bool) "shade" true (K.shade = Green && K.corner = point 3 (-4));
  Alcotest.(check bool) "ratios" true (K.ratios = [ ("half", 0.5); ("two", 2.); ("small", 1e-3) ])

(* Constants of odd.thrift, and calls whose names meet the generated code's. *)
let odd () =
  Alcotest.(check (list int))
    "plain" [ 1; 4; 7; 8; 9; 16 ]
    [ O.ignore_; O.r_; O.read_node___; O.foo_bar; O.foo_bar_; O.number ];
  Alcotest.(check bool)
    "of another type" true
    (O.wider = 1L && O.real = 4. && O.least = Int64.min_int && O.one);
  Alcotest.(check bool)
    "in containers" true
    (O.nested = [ ("a", [ (1, [ "x"; "y" ]); (2, []) ]); ("b", []) ]
    && O.names = [ (B.Color.Red, "red"); (Neg, "neg") ]
    && O.points = [ { x = 4; y = 2 }; { x = 64; y = 7 }; { x = 0; y = 7 } ]
    && O.either = Many [ Left 2; Right "r"; Either (Left 2) ]
    && O.history = [ ("h", [ 2L; Int64.min_int ]) ]);
  let module H = struct
    let ping () = ()
    let echo ~text = text
    let w ~w ~v ~r = w + v + r
    let fire ~client:_ ~w:_ = ()
    let raise_ () = raise (B.Oops.E { message = "oops"; colour = Some Neg })
    let ignore ~ignore = raise (O.E.E { e = string_of_int ignore; cause = None })
    let option ~option = Option.get option
    let complex ~nodes ~u:_ ~opt:_ = [ List.map (fun n -> ("n", n)) nodes ]
    let unit ~unit = Option.get unit
    let w2 () = "w2"
  end in
  List.iter
    (fun (_, p) ->
      let serve = Rpc.serve p (O.Odder.dispatch (module H)) in
      let c = Rpc.client p ~send:(fun s -> ignore (serve s)) (fun s -> Option.get (serve s)) in
      let open O.Odder.Client in
      Alcotest.(check int) "w" 6 (w c ~w:1 ~v:2 ~r:3);
      Alcotest.(check string) "of the child" "w2" (w2 c ());
      Alcotest.(check string) "of the grandparent" "t" (echo c ~text:"t");
      fire c ~client:"" ~w:1;
      unit c ~unit:(Some ());
      Alcotest.(check bool)
        "nested" true
        (complex c ~nodes:[ node ] ~u:(Some (Flag true)) ~opt:None = [ [ ("n", node) ] ]);
      (match raise_ c () with
      | () -> Alcotest.fail "nothing was raised"
      | exception B.Oops.E e -> Alcotest.(check string) "raised" "oops" e.message);
      match ignore c ~ignore:5 with
      | (_ : int) -> Alcotest.fail "nothing was raised"
      | exception O.E.E e -> Alcotest.(check string) "raised" "5" e.e)
    protocols

let cases =
  [
    Suite.case "services" services;
    Suite.case "evolution, defaults and constants" evolution;
    Suite.case "odd names" odd;
  ]
