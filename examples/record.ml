(* Every frame of a short conversation, recorded into a capture file that
   Wireshark opens, and shown here as they pass. *)

open Eio.Std
open Weir_link
open Weir_link_unix

let recorded ~now file link =
  let write b ~off ~len = File_writer.write file b ~off ~len in
  Pcap_link.record ~epoch_ns:(Wall_clock.epoch_ns ~now) ~write link

let () =
  let path = if Array.length Sys.argv > 1 then Sys.argv.(1) else "example.pcap" in
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let now = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock)) in
  let file = File_writer.create path |> Result.fold ~ok:Fun.id ~error:failwith in
  Switch.on_release sw (fun () -> File_writer.close file);
  let one_end, other_end = Memory.pair () in
  let watched = Trace_link.wrap ~print:print_endline (recorded ~now file one_end) in
  let host link address = Weir_eio.(net (host ~sw ~clock ~link ~address ())) in
  let server = host watched "10.0.0.1/24" and client = host other_end "10.0.0.2/24" in
  let address = `Tcp (Eio.Net.Ipaddr.of_raw "\010\000\000\001", 7) in
  let socket = Eio.Net.listen ~sw ~backlog:1 server address in
  Fiber.both
    (fun () ->
      Switch.run @@ fun sw ->
      let flow, _peer = Eio.Net.accept ~sw socket in
      Eio.Flow.copy flow flow)
    (fun () ->
      Switch.run @@ fun sw ->
      let flow = Eio.Net.connect ~sw client address in
      Eio.Flow.copy_string "for the record" flow;
      Eio.Flow.shutdown flow `Send;
      print_endline (Eio.Flow.read_all flow))
