module Pcap = Weir_wire.Pcap

class recording ~snaplen ~epoch_ns ~recorded ~write (inner : Link.t) =
  object (self)
    inherit Link.forward inner
    val header = Bytes.create Pcap.record_header_length
    method! capabilities = inner#capabilities

    method private note ~now (frame : Frame.t) =
      let captured = Int.min snaplen frame.len in
      let time = Int.max 0 (epoch_ns + now) in
      Pcap.record_header ~time ~captured ~original:frame.len header ~off:0;
      write header ~off:0 ~len:Pcap.record_header_length;
      write frame.data ~off:frame.off ~len:captured;
      recorded ()

    method! receive ~now =
      let frame = inner#receive ~now in
      if frame != Frame.none then self#note ~now frame;
      frame

    method! send ~now frame =
      self#note ~now frame;
      inner#send ~now frame
  end

let longest = 262_144

let record ?(snaplen = longest) ?(headed = false) ?(recorded = ignore) ~epoch_ns ~write inner =
  if not headed then (
    let header = Bytes.unsafe_of_string (Pcap.header ~snaplen) in
    write header ~off:0 ~len:(Bytes.length header));
  new recording ~snaplen ~epoch_ns ~recorded ~write inner
