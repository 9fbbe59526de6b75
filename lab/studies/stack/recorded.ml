open Weir_link_unix

let with_ ~pcap link f =
  match pcap with
  | None -> f link
  | Some path -> (
      match File_writer.create path with
      | Error e -> Child.failed "%s" e
      | Ok file ->
          Fun.protect ~finally:(fun () -> File_writer.close file) @@ fun () ->
          f
            (Weir_link.Pcap_link.record
               ~epoch_ns:(Wall_clock.epoch_ns ~now:(Weir_lab_harness.Clock.wall_ns ()))
               ~write:(fun b ~off ~len -> File_writer.write file b ~off ~len)
               link))
