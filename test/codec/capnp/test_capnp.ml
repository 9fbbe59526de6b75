module Suite = Weir_test.Suite

let () =
  Suite.run "capnp"
    [
      ("generator", Generator.cases);
      ("interop", Interop.cases);
      ("segments", Segments.cases);
      ("limits", Hostile.limits);
      ("fields", Fields.cases);
      ("bounds", Bounds.cases);
      ("memory", Memory.cases);
      ("handles", Handles.cases);
      ("shared bytes", Shared.cases);
      ( "random",
        [ Suite.qcheck Random_values.round_trip; Suite.case "mutated messages" Hostile.fuzz ] );
    ]
