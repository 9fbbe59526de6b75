(* Structs whose bytes plain fields, groups and unions share: what one of them writes leaves the
   others' as they are, and all of it is written. *)

open Weir_capnp
open QCheck2.Gen
module Suite = Weir_test.Suite
module X = Capnp_corpus.Shared_capnp

let text = string_size ~gen:printable (int_bound 40)
let wide = map Int64.of_int int

let bare : X.bare t =
  oneof
    [
      map (fun n -> (Old n : X.bare)) wide;
      pure (New : X.bare);
      map (fun n -> (Unrecognized n : X.bare)) (int_range 2 65535);
    ]

let only : X.only t =
  oneof
    [
      pure (None : X.only);
      map (fun b -> (Flag b : X.only)) bool;
      map2
        (fun (one, two) text -> (Both { one; two = Float.of_int two; text } : X.only))
        (pair bool (int_range (-100) 100))
        text;
      map (fun l -> (List l : X.only)) (list_size (int_bound 6) bare);
      map (fun n -> (Wide (Float.of_int n) : X.only)) int;
      map (fun n -> (Unrecognized n : X.only)) (int_range 5 65535);
    ]

let which : X.shared_which t =
  oneof
    [
      map (fun b -> (B b : X.shared_which)) bool;
      map (fun n -> (C n : X.shared_which)) (int_range (-128) 127);
      map (fun s -> (D s : X.shared_which)) text;
      map3 (fun f g h -> (E { f; g; h } : X.shared_which)) bool bool text;
      pure (Z : X.shared_which);
      map (fun n -> (Unrecognized n : X.shared_which)) (int_range 5 65535);
    ]

let group : X.shared_j t =
  let* k = bool
  and* l = int_range (-128) 127
  and* m = map Bits.of_list (list_size (oneof [ int_bound 5; int_range 60 70 ]) bool)
  and* n =
    oneof
      [
        map (fun b -> (O b : X.shared_j_n)) bool;
        pure (P : X.shared_j_n);
        map (fun n -> (Q n : X.shared_j_n)) wide;
      ]
  in
  pure ({ k; l; m; n } : X.shared_j)

let rec shared n : X.shared t =
  let* a = bool
  and* i = bool
  and* j = group
  and* r = bool
  and* s = int_range (-32768) 32767
  and* t = int_bound 255
  and* u = option only
  and* v = list_size (int_bound 4) only
  and* w = if n = 0 then pure [] else list_size (int_bound 3) (shared (n - 1))
  and* x = oneof [ pure "full"; pure ""; text ]
  and* y = bool
  and* which = which in
  pure ({ a; i; j; r; s; t; u; v; w; x; y; which } : X.shared)

let same v = function Ok w -> compare (v : X.shared) w = 0 | Error _ -> false

let there_and_back =
  Suite.qcheck
    (QCheck2.Test.make ~count:500 ~name:"read as they were written, whatever lay there"
       (pair (shared 2) (int_range 1 40))
       (fun (v, segment_words) ->
         let s = X.Shared.encode v in
         let over fill =
           let b = Builder.create ~words:((String.length s / 8) + 8) () in
           Bytes.fill b.buf 0 (Bytes.length b.buf) fill;
           X.Shared.write b v;
           Builder.to_string b
         in
         let parts = Builder.create ~words:1 ~segment_words () in
         X.Shared.write parts v;
         same v (X.Shared.decode s)
         && over '\255' = s
         && over '\000' = s
         && same v (X.Shared.decode (Builder.to_string parts))))

(* By itself a group writes its own fields only. *)
let groups_alone =
  Suite.qcheck
    (QCheck2.Test.make ~count:300 ~name:"a group written alone leaves the rest"
       (pair (shared 1) (pair group (int_range 1 40)))
       (fun (v, (j, segment_words)) ->
         let v = { v with j = { v.j with m = Bits.empty } } in
         let b = Builder.create ~segment_words () in
         let h = X.Shared.init b in
         X.Shared.to_builder b h v;
         X.Shared.J.to_builder b (X.Shared.B.j b h) j;
         same { v with j } (X.Shared.decode (Builder.to_string b))))

(* The reference implementation lays the message out anew; its own is read as ours. *)
let interop () =
  let state = Random.State.make [| Suite.seed () |] in
  for _ = 1 to 20 do
    let v = generate1 ~rand:state (shared 1) in
    let theirs = Tool.convert "binary:binary" "shared" "Shared" (X.Shared.encode v) in
    if not (same v (X.Shared.decode theirs)) then
      Alcotest.failf "laid out as another: %s" (Tool.decode "shared" "Shared" theirs)
  done

let cases = [ there_and_back; groups_alone; Suite.case "laid out by the capnp tool" interop ]
