let line ~now mark (frame : Frame.t) =
  Link.complete frame;
  Fmt.str "%a %s %a" Weir_base.Time.pp now mark
    (fun f () -> Weir_wire.Dump.pp_frame f frame.data ~off:frame.off ~len:frame.len)
    ()

class tracing ~print (inner : Link.t) =
  object
    inherit Link.forward inner

    method! receive ~now =
      let frame = inner#receive ~now in
      if frame != Frame.none then print (line ~now "in " frame);
      frame

    method! send ~now frame =
      print (line ~now "out" frame);
      inner#send ~now frame
  end

let wrap ~print inner = new tracing ~print inner
