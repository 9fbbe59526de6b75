(* weir-http *)
let () = assert (Weir_http.Status.reason 200 = "OK")
