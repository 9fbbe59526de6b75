(* Random values. *)

open Weir_capnp
module Suite = Weir_test.Suite
open Samples
open QCheck2.Gen

let short_string = string_size ~gen:char (int_bound 20)

let gen_shape : K.Shape.t t =
  let point : S.Point.t t =
    map2 (fun x y -> point x y) (int_range (-2147483648) 2147483647) (int_range (-5) 5)
  in
  let clean = map (String.map (fun c -> if c = '\000' then '.' else c)) short_string in
  sized_size (int_bound 6)
  @@ fix (fun self n ->
      let which : K.Shape.which t =
        oneof
          ([
             map (fun f -> (Circle f : K.Shape.which)) float;
             map (fun l -> (Polygon l : K.Shape.which)) (list_size (int_bound 5) point);
             map (fun s -> (Named s : K.Shape.which)) clean;
             pure (Nothing : K.Shape.which);
             map2
               (fun a b -> (Box { width = a; height = b } : K.Shape.which))
               (int_bound 65535) (int_bound 65535);
           ]
          @
          if n = 0 then [] else [ map (fun s -> (Inner s : K.Shape.which)) (option (self (n - 1))) ]
          )
      in
      let* which = which and* area = float and* text = clean and* on = int_range (-100) 100 in
      pure
        ({ area; which; label = { text; colour = Green }; state = (if on < 0 then Off else On on) }
          : K.Shape.t))

let round_trip =
  QCheck2.Test.make ~count:300 ~name:"any shape, over any segments, packed or not"
    (pair gen_shape (int_range 1 60))
    (fun (v, segment_words) ->
      let b = Builder.create ~words:1 ~segment_words () in
      K.Shape.write b v;
      let s = Builder.to_string b in
      compare (ok (K.Shape.decode s)) v = 0
      && Packed.unpack (Packed.pack s) = s
      && Canonical.of_message (Message.of_string s)
         = Canonical.of_message (Message.of_string (K.Shape.encode v)))
