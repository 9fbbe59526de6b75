open Cmdliner
open Weir_wire

let pp_time f ns =
  let t = Unix.gmtime (float_of_int (ns / 1_000_000_000)) in
  Fmt.pf f "%02d:%02d:%02d.%09d" t.tm_hour t.tm_min t.tm_sec (ns mod 1_000_000_000)

let print b (p : Pcap.packet) =
  if p.link_type = Pcap.ethernet then
    Fmt.pr "%a %a@." pp_time p.time (fun f () -> Dump.pp_frame f b ~off:p.off ~len:p.captured) ()
  else Fmt.pr "%a link type %d, %d bytes@." pp_time p.time p.link_type p.original

let run file =
  (* `weir dump FILE | head` ends here like any filter. *)
  Sys.set_signal Sys.sigpipe Signal_default;
  let b =
    match In_channel.with_open_bin file In_channel.input_all with
    | s -> Bytes.unsafe_of_string s
    | exception Sys_error e -> Fail.usage "%s" e
  in
  match Pcap.fold (fun () p -> print b p) () b with
  | Ok () -> ()
  | Error e -> Fail.failed "%s: %s" file (Fmt.str "%a" Error.pp e)

let file =
  Arg.(required & pos 0 (some string) None & info [] ~docv:"FILE" ~doc:"A pcap or pcapng file.")

let cmd =
  let man = [ `S Manpage.s_examples; `P "$(b,weir dump demo.pcap | head)" ] in
  Cmd.v
    (Cmd.info "dump" ~exits:Fail.exits ~man ~doc:"print a capture, a line a packet")
    Term.(const (fun f -> Fail.run (fun () -> run f)) $ file)
