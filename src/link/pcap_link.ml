module Pcap = Weir_wire.Pcap

class recording ~snaplen ~epoch_ns ~append (inner : Link.t) =
  object (self)
    inherit Link.forward inner
    val header = Bytes.create Pcap.record_header_length
    method! capabilities = { (inner#capabilities) with gathers = false }

    method private note ~now (frame : Frame.t) =
      let captured = Int.min snaplen frame.len in
      let time = Int.max 0 (epoch_ns + now) in
      Pcap.record_header ~time ~captured ~original:frame.len header ~off:0;
      append ~head:header frame.data ~off:frame.off ~len:captured

    method! receive ~now =
      let frame = inner#receive ~now in
      if frame != Frame.none then self#note ~now frame;
      frame

    method! send ~now frame =
      self#note ~now frame;
      inner#send ~now frame
  end

let longest = 262_144

let record_by ?(snaplen = longest) ~epoch_ns ~append inner =
  new recording ~snaplen ~epoch_ns ~append inner

let record ?(snaplen = longest) ?(recorded = ignore) ~epoch_ns ~write inner =
  let header = Bytes.unsafe_of_string (Pcap.header ~snaplen) in
  write header ~off:0 ~len:(Bytes.length header);
  let append ~head b ~off ~len =
    write head ~off:0 ~len:(Bytes.length head);
    write b ~off ~len;
    recorded ()
  in
  new recording ~snaplen ~epoch_ns ~append inner
