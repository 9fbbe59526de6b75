open Weir_thrift
module Suite = Weir_test.Suite
module Words = Weir_test.Words
open Samples

let ok = function Ok v -> v | Error e -> Alcotest.failf "%a" Weir_thrift.Error.pp e
let protocols = [ ("binary", Kind.Binary); ("compact", Kind.Compact) ]

let refused name = function
  | Ok _ -> Alcotest.failf "%s was accepted" name
  | Error (_ : Error.t) -> ()

(* {1 The compiler} *)

let corpus file =
  Suite.case ("what is generated from " ^ file) (fun () ->
      let path = Filename.concat (Peer.folder ()) ("idl/" ^ file ^ ".thrift") in
      List.iter
        (fun (name, text) -> Suite.expected ~file:("test/codec/thrift/corpus/" ^ name) text)
        (Weir_thrift_gen.Compiler.run ~folders:[] ~recursive:false path))

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

(* {1 Interop} *)

type value = {
  file : string;
  ty : string;
  bytes : Kind.protocol -> string;
  same : Kind.protocol -> string -> bool;
  refuses : Kind.protocol -> string -> bool;
}

let values =
  let v file ty encode decode x =
    {
      file;
      ty;
      bytes = (fun p -> encode p x);
      same = (fun p s -> ok (decode p s) = x);
      refuses = (fun p s -> Result.is_error (decode p s));
    }
  in
  [
    v "kinds" "Kinds" K.Kinds.encode K.Kinds.decode kinds;
    v "payload" "Payload" P.Payload.encode P.Payload.decode payload;
    v "kinds" "Tree" K.Tree.encode K.Tree.decode (tree 5);
    v "kinds" "Empty" K.Empty.encode K.Empty.decode ();
    v "kinds" "Defaults" K.Defaults.encode K.Defaults.decode K.Defaults.default;
    v "kinds" "Unnumbered" K.Unnumbered.encode K.Unnumbered.decode { first = 1; second = "2" };
    v "kinds" "Strict" K.Strict.encode K.Strict.decode { here = 1; point = point 2 3; flag = true };
  ]
  @ List.map (v "kinds" "Shape" K.Shape.encode K.Shape.decode) shapes
  @ [
      v "odd" "Keywords" O.Keywords.encode O.Keywords.decode keywords;
      v "odd" "Node" O.Node.encode O.Node.decode node;
      v "odd" "node" O.Node_.encode O.Node_.decode { lower = 1 };
      v "odd" "Bool" O.Bool.encode O.Bool.decode bools;
      v "odd" "Defaults" O.Defaults.encode O.Defaults.decode O.Defaults.default;
      v "odd" "Ids" O.Ids.encode O.Ids.decode
        { big = 1; one = 2; far = true; near = false; b20 = true };
      v "odd" "Option" O.Option_.encode O.Option_.decode
        { O.Option_.default with option = Some O.Option_.default };
      v "odd" "E" O.E.encode O.E.decode { e = "a"; cause = Some { e = "b"; cause = None } };
    ]
  @ [ v "accepted" "Defaults" A.Defaults.encode A.Defaults.decode A.Defaults.default ]
  @ List.map (v "odd" "U" O.U.encode O.U.decode) unions

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

module Handler = struct
  let name () = "weir"
  let add ~left ~right = left + right
  let divide ~by = if by = 0 then raise (S.Trouble.E { why = "zero"; code = 1 }) else 100 / by
  let reset () = ()
  let hinted = ref ""
  let hint ~text = hinted := text

  let shape ~tree =
    match tree with
    | None -> K.Shape.Named "none"
    | Some (t : K.Tree.t) -> Circle (Int64.to_float t.value)
end

let serve p = Rpc.serve p (K.Calculator.dispatch (module Handler))

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

(* {1 By ourselves} *)

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

let too_long () =
  let refused name f =
    match f () with _ -> Alcotest.failf "%s was written" name | exception Invalid_argument _ -> ()
  in
  (* Its pages are never touched. *)
  let s = Bytes.unsafe_to_string (Bytes.create 0x8000_0000) in
  List.iter
    (fun (_, p) ->
      let w = Writer.create p in
      refused "2 GiB" (fun () -> Writer.string w s);
      Alcotest.(check int) "nothing" 0 (Writer.length w))
    protocols;
  refused "a frame of 2 GiB" (fun () -> ignore (Frame.of_string s));
  Alcotest.(check int) "the longest" 0x7fff_ffff (Writer.size 0x7fff_ffff);
  refused "a length beyond" (fun () -> ignore (Writer.size 0x8000_0000))

let limits () =
  let rec nest n : K.Shape.t = if n = 0 then Nothing true else Inner (nest (n - 1)) in
  List.iter
    (fun (_, p) ->
      ignore (ok (K.Shape.decode p (K.Shape.encode p (nest 60))));
      let deep = K.Shape.encode p (nest 100_000) in
      refused "nested" (K.Shape.decode p deep);
      refused "nested and skipped" (K.Strict.decode p deep);
      refused "more" (K.Empty.decode p (K.Empty.encode p () ^ "\000")))
    protocols;
  (* A list that says it has 2^31 - 1 elements. *)
  refused "a long list" (K.Kinds.decode Compact "\x09\x3e\xf1\xff\xff\xff\xff\x07");
  refused "a long list" (K.Kinds.decode Binary "\x0f\x00\x1e\x02\x7f\xff\xff\xff");
  refused "a negative length" (K.Kinds.decode Binary "\x0b\x00\x07\xff\xff\xff\xff");
  refused "a long varint"
    (K.Kinds.decode Compact "\x46\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00");
  match Frame.extent (Bytes.of_string "\x7f\xff\xff\xff") ~off:0 ~len:4 with
  | _ -> Alcotest.fail "a long frame"
  | exception Error.Error _ -> ()

let truncated () =
  List.iter
    (fun (_, p) ->
      List.iter
        (fun v ->
          let s = v.bytes p in
          for n = 0 to String.length s - 1 do
            if not (v.refuses p (String.sub s 0 n)) then Alcotest.failf "%s was accepted" v.ty
          done;
          let framed = Bytes.of_string (Frame.of_string s) in
          for n = 0 to Bytes.length framed - 1 do
            match Frame.extent framed ~off:0 ~len:n with
            | Need more -> if more <= n then Alcotest.fail "a frame that needs what it has"
            | Whole _ -> Alcotest.failf "a frame is whole after %d bytes" n
          done)
        values;
      (* A call that is cut off is answered with an exception, or is none. *)
      let call = ref "" in
      let client =
        Rpc.client p (fun s ->
            call := s;
            Option.get (serve p s))
      in
      ignore (K.Calculator.Client.shape client ~tree:(Some (tree 2)));
      for n = 0 to String.length !call - 1 do
        match serve p (String.sub !call 0 n) with
        | exception Error.Error _ -> ()
        | None -> Alcotest.fail "no answer"
        | Some reply ->
            let r = Reader.of_string p reply in
            Alcotest.(check bool) "an exception" true ((Message.read r p).kind = Exception)
      done)
    protocols

let fuzz () =
  let rng = Random.State.make [| 11 |] in
  for _ = 1 to Suite.iterations 50_000 do
    let _, p = List.nth protocols (Random.State.int rng 2) in
    let v = List.nth values (Random.State.int rng (List.length values)) in
    let s = Bytes.of_string (v.bytes p) in
    for _ = 0 to Random.State.int rng 5 do
      let i = Random.State.int rng (Bytes.length s) in
      match Random.State.int rng 3 with
      | 0 -> Bytes.set_uint8 s i (Random.State.int rng 256)
      | 1 -> Bytes.set_uint8 s i (Bytes.get_uint8 s i lxor (1 lsl Random.State.int rng 8))
      | _ -> Bytes.set s i '\255'
    done;
    let s = Bytes.to_string s in
    let attempt f =
      Words.check_small "a mutation" ~bytes:(String.length s) (fun () ->
          try f () with e -> Alcotest.failf "%s on %S" (Printexc.to_string e) s)
    in
    attempt (fun () -> ignore (K.Kinds.decode p s));
    attempt (fun () -> ignore (K.Tree.decode p s));
    attempt (fun () -> ignore (K.Shape.decode p s));
    attempt (fun () -> ignore (P.Payload.decode p s));
    attempt (fun () -> ignore (K.Empty.decode p s));
    attempt (fun () -> match serve p s with _ -> () | exception Error.Error _ -> ())
  done

let round_trip =
  let open QCheck2.Gen in
  let gen =
    let* words = list_size (int_bound 40) (int_range (-2147483648) 2147483647)
    and* text = string_size (int_bound 300)
    and* longs =
      list_size (int_bound 20) (map2 (fun a s -> Int64.shift_right a s) int64 (int_bound 63))
    and* flags = list_size (int_bound 20) bool
    and* real = float
    and* short = int_range (-32768) 32767
    and* maybe = option bool
    and* switches = list_size (int_bound 5) (pair string bool) in
    pure { kinds with words; text; longs; flags; real; short; maybe; switches }
  in
  QCheck2.Test.make ~count:500 ~name:"any value in both protocols" gen (fun v ->
      List.for_all
        (fun (_, p) -> compare (ok (K.Kinds.decode p (K.Kinds.encode p v))) v = 0)
        protocols)

let () =
  Suite.run "thrift"
    [
      ( "compiler",
        List.map corpus
          [ "payload"; "shared"; "kinds"; "odd_base"; "odd"; "parts.v1"; "accepted"; "own" ]
        @ [
            Suite.case "bad files" bad_files;
            Suite.case "many paths to a file" many_paths;
            Suite.case "constants named before they are defined" later_constants;
          ] );
      ("memory", Memory.cases);
      ( "interop",
        [
          Suite.case "Python reads and writes the same bytes" there_and_back;
          Suite.case "defaults as Python has them" same_defaults;
          Suite.case "calling Python" asking_python;
          Suite.case "called by Python" answering_python;
        ] );
      ( "values",
        [
          Suite.case "services" services;
          Suite.case "evolution, defaults and constants" evolution;
          Suite.case "odd names" odd;
          Suite.case "limits" limits;
          Suite.case "lengths beyond 32 bits" too_long;
          Suite.case "every truncation" truncated;
        ] );
      ("random", [ Suite.qcheck round_trip; Suite.case "mutated values" fuzz ]);
    ]
