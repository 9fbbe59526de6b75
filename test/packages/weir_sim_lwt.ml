(* weir-sim-lwt weir-sim weir-lwt lwt *)
let () =
  Weir_sim.run ~seed:1 @@ fun world ->
  let lan = Weir_sim.lan world in
  let h = Weir_sim_lwt.host world lan "10.0.0.1/24" in
  Weir_sim_lwt.run h (fun network -> Weir_lwt.Clock.sleep (Weir_lwt.Host.clock network) 1_000_000)
