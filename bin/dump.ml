open Cmdliner
open Weir_dissect

type options = {
  file : string;
  filter : Filter.t;
  absolute : bool;
  follow : bool;
  count : int option;
  json : bool;
  stream : Dump_stream.t option;
}

(* -- a line a packet ----------------------------------------------------- *)

let pp_time f ns =
  let t = Unix.gmtime (float_of_int (ns / 1_000_000_000)) in
  Fmt.pf f "%02d:%02d:%02d.%09d" t.tm_hour t.tm_min t.tm_sec (ns mod 1_000_000_000)

let print o (d : Dissection.t) =
  print_endline
    (if o.json then Yojson.Safe.to_string (Dump_json.of_packet d)
     else Fmt.str "%a %a" pp_time d.time Dissection.pp d)

(* -- all of them --------------------------------------------------------- *)

(* What is allocated for a packet dies with it, so a small minor heap serves as well: 256 KB, not 2 MB. *)
let minor_words = 32_768

let run o =
  Gc.set { (Gc.get ()) with minor_heap_size = minor_words };
  (* SIGPIPE ends `weir dump FILE | head`, as for any filter. *)
  Sys.set_signal Sys.sigpipe Signal_default;
  let conversations = Conversations.create () in
  let number = ref 0 and left = ref (Option.value o.count ~default:max_int) in
  let each bytes p =
    incr number;
    let d = Dissection.make conversations ~absolute:o.absolute ~number:!number bytes p in
    if Filter.matches o.filter d then (
      decr left;
      match o.stream with None -> print o d | Some stream -> Dump_stream.add stream d);
    if !left > 0 then `Go_on else `Stop
  in
  Capture_input.iter ~follow:o.follow ~on_pause:(fun () -> flush stdout) o.file each;
  Option.iter Dump_stream.finish o.stream

(* -- arguments ----------------------------------------------------------- *)

let options file words display absolute follow count json stream raw =
  let filter =
    match (words, display) with
    | _ :: _, Some _ -> Fail.usage "give one filter: either words after the file, or -Y"
    | words, None -> String.concat " " words
    | [], Some s -> s
  in
  let filter =
    match Filter.parse filter with
    | Ok filter -> filter
    | Error e -> Fail.usage "%s" (Fmt.str "%a" Filter.pp_error e)
  in
  if Option.fold ~none:false ~some:(fun n -> n < 1) count then Fail.usage "-c must be at least 1";
  let format : Dump_stream.format =
    match raw with
    | None -> if json then Json else Text
    | Some _ when json -> Fail.usage "choose one of --raw and --json"
    | Some _ when stream = None -> Fail.usage "--raw needs --follow-stream"
    | Some side -> Raw side
  in
  let stream = Option.map (fun which -> Dump_stream.create which format) stream in
  { file; filter; absolute; follow; count; json; stream }

let file =
  Arg.(
    required
    & pos 0 (some string) None
    & info [] ~docv:"FILE" ~doc:"A pcap or pcapng file, or - for standard input.")

let words =
  Arg.(
    value & pos_right 0 string []
    & info [] ~docv:"FILTER"
        ~doc:"The packets to print, such as $(b,port 80 and tcp.rst). See FILTERS.")

let display =
  Arg.(
    value
    & opt (some string) None
    & info [ "Y"; "filter" ] ~docv:"FILTER" ~doc:"The filter as one argument, as in tshark.")

let absolute =
  Arg.(
    value & flag
    & info [ "absolute" ]
        ~doc:
          "Show sequence numbers as they are in the packets, not relative to the first of their \
           connection.")

let follow =
  Arg.(
    value & flag
    & info [ "f"; "follow" ]
        ~doc:
          "Wait for more packets at the end of the file. When the file is truncated or replaced, \
           read the new one.")

let count =
  Arg.(
    value
    & opt (some int) None
    & info [ "c"; "count" ] ~docv:"N" ~doc:"Stop after $(docv) packets that match the filter.")

let json =
  Arg.(
    value & flag
    & info [ "json" ]
        ~doc:"Print one JSON object for each packet, on a line. FIELDS lists its paths.")

let stream =
  Arg.(
    value
    & opt (some Dump_stream.which) None
    & info [ "follow-stream" ] ~docv:"STREAM"
        ~doc:
          "Print the bytes of one TCP stream in order. The client's lines begin with $(b,>), the \
           server's with $(b,<). $(docv) is the stream's number (the field tcp.stream, from 0) or \
           its endpoints, such as 10.0.0.1:1234,10.0.0.2:80. Bytes that are not printable ASCII \
           are shown as \\\\x00.")

let raw =
  let sides = Arg.enum [ ("client", `Client); ("server", `Server) ] in
  Arg.(
    value
    & opt (some sides) None
    & info [ "raw" ] ~docv:"SIDE"
        ~doc:
          "With --follow-stream, print the bytes sent by $(docv) (client or server) unchanged. If \
           the capture lacks some of them, the exit status is 1.")

let term =
  let go file words display absolute follow count json stream raw =
    Fail.run (fun () -> run (options file words display absolute follow count json stream raw))
  in
  Term.(const go $ file $ words $ display $ absolute $ follow $ count $ json $ stream $ raw)

let cmd =
  Cmd.v
    (Cmd.info "dump" ~exits:Fail.exits ~man:Dump_manual.blocks
       ~doc:"print a capture, one line for each packet")
    term
