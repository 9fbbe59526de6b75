(* weir-http-eio weir-http eio eio_main *)
let () =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  ignore (Weir_http_eio.Server.create ~sw ~clock (fun _ -> Weir_http.Response.text "hello"))
