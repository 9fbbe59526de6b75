(* weir-eio weir-eio.gateway weir.link eio eio_main *)
let () =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let one, other = Weir_link.Memory.pair () in
  let a = Weir_eio.host ~sw ~clock ~link:one ~address:"10.0.0.1/24" () in
  let b = Weir_eio.host ~sw ~clock ~link:other ~address:"10.0.0.2/24" () in
  let address = `Tcp (Eio.Net.Ipaddr.of_raw "\010\000\000\001", 7) in
  let listener = Eio.Net.listen ~sw ~backlog:1 (Weir_eio.net a) address in
  Eio.Fiber.both
    (fun () -> Eio.Flow.copy_string "hello" (fst (Eio.Net.accept ~sw listener)))
    (fun () ->
      let flow = Eio.Net.connect ~sw (Weir_eio.net b) address in
      assert (Eio.Buf_read.(take 5 (of_flow ~max_size:100 flow)) = "hello"));
  (* It never returns. *)
  Eio.Fiber.first
    (fun () -> Weir_gateway.run ~clock ~net:(Weir_eio.net b) a)
    (fun () -> Eio.Time.Mono.sleep clock 0.01)
