val over : Station.kind -> Weir_test.Suite.case list
val cases : Weir_test.Suite.case list
