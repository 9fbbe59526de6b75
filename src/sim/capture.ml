open Weir_link_unix
module Pcap = Weir_wire.Pcap

type t = { epoch : Weir_base.Time.t; file : File_writer.t; header : Bytes.t }

let snaplen = 262_144

let create ~epoch path =
  match File_writer.create path with
  | Error e -> raise (Sys_error e)
  | Ok file ->
      let opening = Bytes.unsafe_of_string (Pcap.header ~snaplen) in
      File_writer.write file opening ~off:0 ~len:(Bytes.length opening);
      { epoch; file; header = Bytes.create Pcap.record_header_length }

let add t ~now (frame : Weir_link.Frame.t) =
  let { Weir_link.Frame.len; off; data; _ } = frame in
  Pcap.record_header ~time:(t.epoch + now) ~captured:len ~original:len t.header ~off:0;
  File_writer.write t.file t.header ~off:0 ~len:Pcap.record_header_length;
  File_writer.write t.file data ~off ~len

let close t = File_writer.close t.file
