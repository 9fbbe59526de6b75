module Checksum = Weir_base.Checksum

type t = { src_port : int; dst_port : int; data_length : int; checksummed : bool }

let length = 8

let decode ~pseudo b ~off ~len =
  if len < length then Error.truncated ~need:length ~have:len
  else
    let total = Bytes.get_uint16_be b (off + 4) in
    let checksum = Bytes.get_uint16_be b (off + 6) in
    let dst_port = Bytes.get_uint16_be b (off + 2) in
    if total < length then Error.malformed ~at:4 "length below 8"
    else if total > len then Error.truncated ~need:total ~have:len
    else if dst_port = 0 then Error.malformed ~at:2 "destination port 0"
    else if
      (* The pseudo-header holds the UDP length, which may be less than the IP payload's. *)
      pseudo >= 0 && checksum <> 0
      && Checksum.finish
           (Checksum.add (Checksum.sum b ~off ~len:total)
              (Checksum.add pseudo (total - len + 0xffff)))
         <> 0
    then Error Error.Bad_checksum
    else
      Ok
        {
          src_port = Bytes.get_uint16_be b off;
          dst_port;
          data_length = total - length;
          checksummed = checksum <> 0;
        }

let emit t ~pseudo b ~off =
  let total = length + t.data_length in
  Bytes.set_uint16_be b off t.src_port;
  Bytes.set_uint16_be b (off + 2) t.dst_port;
  Bytes.set_uint16_be b (off + 4) total;
  Bytes.set_uint16_be b (off + 6) 0;
  if t.checksummed then
    let sum = Checksum.finish (Checksum.add pseudo (Checksum.sum b ~off ~len:total)) in
    (* 0 means "no checksum", so 0xffff is sent instead: the same sum in one's complement. *)
    Bytes.set_uint16_be b (off + 6) (if sum = 0 then 0xffff else sum)

let pp f t =
  Fmt.pf f "UDP %d > %d, %d bytes%s" t.src_port t.dst_port t.data_length
    (if t.checksummed then "" else ", no checksum")
