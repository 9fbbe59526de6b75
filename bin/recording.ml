open Cmdliner
open Weir_link
module Capture_files = Weir_link_unix.Capture_files
module Capture_writer = Weir_link_unix.Capture_writer

type t = { file : string; snaplen : int; rotation : Capture_files.rotation option }

let whole file = { file; snaplen = Pcap_link.longest; rotation = None }

(* -- options ------------------------------------------------------------- *)

let units = [ ("GB", 1_000_000_000); ("MB", 1_000_000); ("kB", 1_000); ("B", 1); ("", 1) ]

let size_conv =
  let parse s =
    let of_unit (unit, factor) =
      if not (String.ends_with ~suffix:unit s) then None
      else
        let digits = String.sub s 0 (String.length s - String.length unit) in
        let is_digit = function '0' .. '9' -> true | _ -> false in
        match int_of_string_opt digits with
        | Some n when String.for_all is_digit digits && n > 0 && n <= max_int / factor ->
            Some (n * factor)
        | _ -> None
    in
    match List.find_map of_unit units with
    | Some n -> Ok n
    | None -> Error (Printf.sprintf "%S is not a size, such as 500kB, 100MB or 2GB" s)
  in
  Arg.Conv.make ~docv:"SIZE" ~parser:parse ~pp:(fun f n -> Fmt.pf f "%dB" n) ()

let option docs kind name ~docv doc =
  Arg.(value & opt (some kind) None & info [ name ] ~docs ~docv ~doc)

type options = {
  pcap : string option;
  pcap_snaplen : int option;
  rotate : int option;
  keep : int option;
}

let chosen { pcap; pcap_snaplen = snaplen; rotate; keep } =
  let positive name =
    Option.iter (fun n -> if n < 1 then Fail.usage "--pcap-%s must be at least 1" name)
  in
  positive "snaplen" snaplen;
  positive "keep" keep;
  match (pcap, rotate) with
  | None, None when snaplen = None && keep = None -> None
  | None, _ -> Fail.usage "--pcap-snaplen, --pcap-rotate and --pcap-keep go with --pcap FILE"
  | Some _, None when keep <> None -> Fail.usage "--pcap-keep goes with --pcap-rotate"
  | Some file, _ ->
      let rotation = Option.map (fun bytes -> { Capture_files.bytes; keep }) rotate in
      let snaplen = Option.value snaplen ~default:Pcap_link.longest in
      Some { file; snaplen = Int.min snaplen Pcap_link.longest; rotation }

let term ~docs =
  let option kind = option docs kind in
  let file =
    option Arg.string "pcap" ~docv:"FILE"
      "Record every frame into $(docv), with nanosecond times. A domain of its own writes. If the \
       disk is too slow, frames are left out and counted, and the count is told in the end."
  and snaplen =
    option Arg.int "pcap-snaplen" ~docv:"N" "Record the first $(docv) bytes of each frame."
  and rotate =
    option size_conv "pcap-rotate" ~docv:"SIZE"
      "Record into files of at most $(docv), as $(b,100MB): each is a whole capture. For \
       $(b,--pcap c.pcap) they are $(b,c-0001.pcap), $(b,c-0002.pcap) and so on."
  and keep =
    option Arg.int "pcap-keep" ~docv:"N"
      "With $(b,--pcap-rotate): keep the latest $(docv) files and delete those before."
  in
  let make pcap pcap_snaplen rotate keep = { pcap; pcap_snaplen; rotate; keep } in
  Term.(const make $ file $ snaplen $ rotate $ keep)

(* -- the link ------------------------------------------------------------ *)

(* The service goes on without its capture; who asked for it is told in the end. *)
let finish t writer =
  Capture_writer.close writer;
  let lost = Capture_writer.lost writer in
  match Capture_writer.failure writer with
  | Some why when lost = 1 -> Fail.failed "%s; 1 frame is missing from the capture" why
  | Some why -> Fail.failed "%s; %d frames are missing from the capture" why lost
  | None ->
      if lost > 0 then
        Fail.tell
          (Printf.sprintf "%d of %d frames are not in %s: they came faster than it could be written"
             lost (Capture_writer.records writer) t.file)

(* Who has a use for such a signal says so later, and replaces this. *)
let save_at_signals writer =
  let save signal =
    Capture_writer.save writer;
    Sys.set_signal signal Signal_default;
    Unix.kill (Unix.getpid ()) signal
  in
  let if_default signal =
    let before = Sys.signal signal (Signal_handle save) in
    if before <> Signal_default then Sys.set_signal signal before
  in
  List.iter if_default [ Sys.sigint; Sys.sigterm; Sys.sighup ]

let writer ~notice ~header t =
  let on_error why = notice (why ^ ": frames are no longer recorded")
  and on_drop () =
    notice (t.file ^ " cannot be written as fast as frames come: not all are recorded")
  in
  match Capture_writer.create ?rotation:t.rotation ~on_error ~on_drop ~header t.file with
  | Error e -> Fail.usage "%s" e
  | Ok writer ->
      save_at_signals writer;
      writer

let link ~now ~at_end ~notice t link =
  let writer = writer ~notice ~header:(Weir_wire.Pcap.header ~snaplen:t.snaplen) t in
  at_end (fun () -> finish t writer);
  Pcap_link.record_by ~snaplen:t.snaplen
    ~epoch_ns:(Weir_link_unix.Wall_clock.epoch_ns ~now:(now ()))
    ~append:(fun ~head b ~off ~len -> Capture_writer.append writer ~head b ~off ~len)
    link
