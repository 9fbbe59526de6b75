(* weir-sim eio *)
let () =
  Weir_sim.run ~seed:1 @@ fun world ->
  let lan = Weir_sim.lan world in
  let h = Weir_sim.host world lan "10.0.0.1/24" in
  ignore h.net;
  Weir_sim.sleep world (`S 1)
