open Weir_dissect

(* What a trace can remember: many more connections than somebody looks at. *)
let most_connections = 4_096

let line numbers ~now mark (frame : Frame.t) =
  Link.complete frame;
  let layers = Weir_wire.Layers.of_frame frame.data ~off:frame.off ~len:frame.len in
  Fmt.str "%a %s %a" Weir_base.Time.pp now mark Weir_wire.Dump.pp (numbers layers)

class tracing ~numbers ~print (inner : Link.t) =
  object
    inherit Link.forward inner

    method! receive ~now =
      let frame = inner#receive ~now in
      if frame != Frame.none then print (line numbers ~now "in " frame);
      frame

    method! send ~now frame =
      print (line numbers ~now "out" frame);
      inner#send ~now frame
  end

let wrap ?(absolute = false) ~print inner =
  let numbers =
    if absolute then Fun.id
    else Conversations.relative (Conversations.create ~most:most_connections ())
  in
  new tracing ~numbers ~print inner
