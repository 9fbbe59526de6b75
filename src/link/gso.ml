module Segmentation = Weir_wire.Segmentation

class wrapped (inner : Link.t) =
  object (self)
    inherit Link.forward inner
    val pieces = Frame.pool ~size:(inner#mtu + Link.header_length) ()
    val joined = Frame.pool ~keep:4 ~size:Link.longest_frame ()

    val mutable next = Frame.none
    (** received from [inner], but not joined to the last frame returned *)

    method! capabilities = Link.all

    method! send ~now (frame : Frame.t) =
      if frame.segment_size = 0 then inner#send ~now frame
      else if Segmentation.cut pieces frame (fun piece -> inner#send ~now piece) then
        Frame.release frame
      else Link.refuse inner#stats frame

    method private join_more ~now long =
      let frame = inner#receive ~now in
      if frame != Frame.none then
        if Segmentation.join long frame then (
          Frame.release frame;
          self#join_more ~now long)
        else next <- frame

    method! receive ~now =
      let frame = if next == Frame.none then inner#receive ~now else next in
      next <- (if frame == Frame.none then frame else inner#receive ~now);
      if next == Frame.none then frame
      else
        let long = Frame.copy joined frame in
        if Segmentation.join long next then (
          Frame.release frame;
          Frame.release next;
          next <- Frame.none;
          self#join_more ~now long;
          long)
        else (
          Frame.release long;
          frame)

    method! close =
      Frame.release next;
      next <- Frame.none;
      inner#close
  end

let wrap inner = (new wrapped inner :> Link.t)
