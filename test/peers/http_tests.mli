val over : World.link -> Weir_test.Suite.case list
