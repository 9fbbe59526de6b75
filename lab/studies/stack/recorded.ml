open Weir_lab_harness
open Weir_link_unix

let with_ ~pcap link f =
  match pcap with
  | None -> f link
  | Some path -> (
      let header = Weir_wire.Pcap.header ~snaplen:Weir_link.Pcap_link.longest in
      match Capture_writer.create ~header path with
      | Error e -> Child.failed "%s" e
      | Ok file ->
          Fun.protect ~finally:(fun () -> Capture_writer.close file) @@ fun () ->
          f
            (Weir_link.Pcap_link.record_by
               ~epoch_ns:(Wall_clock.epoch_ns ~now:(Weir_lab_harness.Clock.wall_ns ()))
               ~append:(fun ~head b ~off ~len -> Capture_writer.append file ~head b ~off ~len)
               link))
