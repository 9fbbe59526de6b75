open Weir_test

let () =
  Suite.run "link"
    [
      ("memory", Memory_tests.cases);
      ("hub", Hub_tests.cases);
      ("impairment", Impairment_tests.cases);
      ("bottleneck", Bottleneck_tests.cases);
      ("impair", Impair_tests.cases @ Impair_properties.cases);
      ("record", Record_tests.cases);
      ("capture", Capture_tests.cases);
      ("bridge", Bridge_tests.cases);
    ]
