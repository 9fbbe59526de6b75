(* weir.link weir.base *)
let () =
  let a, b = Weir_link.Memory.pair () in
  let pool = Weir_base.Frame.pool ~size:1514 () in
  let frame = Weir_base.Frame.alloc pool in
  Weir_base.Frame.set_length frame 60;
  a#send ~now:0 frame;
  a#flush;
  let got = b#receive ~now:0 in
  assert (got.Weir_base.Frame.len = 60)
