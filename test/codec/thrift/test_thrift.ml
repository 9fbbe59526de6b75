module Suite = Weir_test.Suite
open Samples

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
      ("compiler", Compiler.cases);
      ("memory", Memory.cases);
      ("interop", Interop.cases);
      ("values", Generated.cases @ Hostile.cases);
      ("random", [ Suite.qcheck round_trip; Suite.case "mutated values" Hostile.fuzz ]);
    ]
