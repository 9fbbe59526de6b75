val cases : Weir_test.Suite.case list
