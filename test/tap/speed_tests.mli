val over : Station.kind -> Weir_test.Suite.case list
