(* Whatever an input says, reading it takes at most 16 times its length and 1 MB: each input here
   took far more, as elements of a byte become cells of a list, boxed numbers, records. *)

open Weir_thrift
module Suite = Weir_test.Suite
module Words = Weir_test.Words
open Samples

let raw bytes w () = String.iter (fun c -> Writer.u8 w (Char.code c)) bytes

(* [Kinds] whose field [id] is what [write] writes. *)
let field p id kind write =
  let w = Writer.create p in
  ignore (Writer.field w 0 id kind);
  write w;
  Writer.stop w;
  Writer.to_string w

let list p id kind n element =
  field p id Kind.list (fun w -> Writer.list w kind (raw element) (List.init n ignore))

let map p id key value n ~bytes:(k, v) =
  let entries = List.init n (fun _ -> ((), ())) in
  field p id Kind.map (fun w -> Writer.map w key value (raw k) (raw v) entries)

(* Elements in as few bytes as there can be; [n] bytes or so in all. *)
let inputs p n =
  let zeros wide = if p = Kind.Compact then "\000" else String.make wide '\000' in
  let list name id kind element = (name, list p id kind (n / String.length element) element) in
  let map name id key value ~bytes:(k, v) =
    (name, map p id key value (n / (String.length k + String.length v)) ~bytes:(k, v))
  in
  [
    list "booleans" 30 Kind.bool "\001";
    list "bytes" 31 Kind.i8 "\001";
    list "shorts" 32 Kind.i16 (zeros 2);
    list "words" 33 Kind.i32 (zeros 4);
    list "longs" 34 Kind.i64 (zeros 8);
    list "doubles" 35 Kind.double (String.make 8 '\001');
    list "empty strings" 36 Kind.string (zeros 4);
    list "short strings" 36 Kind.string (if p = Kind.Compact then "\001x" else "\000\000\000\001x");
    list "empty structs" 37 Kind.struct_ "\000";
    list "unknown enums" 38 Kind.i32 (if p = Kind.Compact then "\100" else "\000\000\000\100");
    list "empty lists" 42 Kind.list (if p = Kind.Compact then "\004" else "\004\000\000\000\000");
    map "empty names" 39 Kind.i32 Kind.string ~bytes:(zeros 4, zeros 4);
    map "switches" 41 Kind.string Kind.bool ~bytes:(zeros 4, "\001");
    map "empty maps" 43 Kind.i64 Kind.map
      ~bytes:(zeros 8, if p = Kind.Compact then "\000" else "\003\011\000\000\000\000");
    (let again =
       if p = Kind.Compact then "\x06\x0a\x02" else "\x0a\x00\x05\000\000\000\000\000\000\000\001"
     in
     let times = n / String.length again in
     ("a field again and again", String.concat "" (List.init times (fun _ -> again)) ^ "\000"));
    list "unknown to the schema" 77 Kind.i64 (zeros 8);
  ]

let bounded () =
  List.iter
    (fun (name, p) ->
      List.iter
        (fun n ->
          List.iter
            (fun (shape, s) ->
              Words.check_small (Printf.sprintf "%s, %s" name shape) ~bytes:(String.length s)
                (fun () ->
                  match K.Kinds.decode p s with
                  | Ok _ -> ()
                  | Error e ->
                      if e.what <> "memory limit reached" then
                        Alcotest.failf "%s, %s: %a" name shape Error.pp e))
            (inputs p n))
        [ 100; 20_000; 1_000_000 ])
    protocols

(* What is passed over takes nothing, so no length of it is refused. *)
let passed_over () =
  List.iter
    (fun (name, p) ->
      let s = List.assoc "unknown to the schema" (inputs p 4_000_000) in
      match K.Kinds.decode p s with
      | Ok v -> Alcotest.(check bool) name true (v = K.Kinds.default)
      | Error e -> Alcotest.failf "%s: %a" name Error.pp e)
    protocols

(* 24 times its length, but there are only so many of them; more on request. *)
let still_read () =
  let flags = List.init 100_000 (fun i -> i mod 3 = 0) in
  let v = { K.Kinds.default with flags } in
  List.iter
    (fun (name, p) ->
      Alcotest.(check bool) name true (K.Kinds.decode p (K.Kinds.encode p v) = Ok v);
      let s = List.assoc "booleans" (inputs p 1_000_000) in
      (match K.Kinds.decode p s with
      | Ok _ -> Alcotest.fail "24 times the input"
      | Error e -> Alcotest.(check string) "why" "memory limit reached" e.what);
      let all = K.Kinds.read (Reader.of_string ~memory:4_000_000 p s) in
      Alcotest.(check int) "with more memory" 1_000_000 (List.length all.flags))
    protocols

let cases =
  [
    Suite.case "what an input unfolds to" bounded;
    Suite.case "what the schema does not know" passed_over;
    Suite.case "long lists, and more on request" still_read;
  ]
