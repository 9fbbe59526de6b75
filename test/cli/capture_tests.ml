(* What --pcap leaves: files that are whole however the program ends. *)

open Weir_programs

let lines env file = Usage_tests.lines (Programs.succeed env (Programs.weir "dump" [ file ]))

let rotated (env : Edges.env) =
  Programs.with_scratch @@ fun dir ->
  let options =
    [ "--pcap"; Filename.concat dir "c.pcap"; "--pcap-rotate"; "50kB"; "--pcap-keep"; "2" ]
  in
  let arguments = [ "-n"; "1000000"; "--no-offload"; "--pcap-snaplen"; "96" ] @ options in
  let r = Programs.run env (Programs.weir "iperf" arguments) in
  Alcotest.(check (pair int string)) "a good end" (0, "") (r.status, r.err);
  let files = List.sort compare (Array.to_list (Sys.readdir dir)) in
  Alcotest.(check int) "files" 2 (List.length files);
  let check name =
    let file = Filename.concat dir name in
    let size = (Unix.stat file).st_size in
    if size > 50_000 then Alcotest.failf "%s has %d bytes" name size;
    List.length (lines env file)
  in
  match List.map check files with
  | [ first; _ ] -> if first < (50_000 / (16 + 96)) - 1 then Alcotest.failf "only %d frames" first
  | _ -> assert false

(* Every answer that was printed had been recorded. *)
let killed signal (env : Edges.env) =
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "c.pcap" in
  Eio.Switch.run @@ fun sw ->
  let arguments = [ "10.0.0.1"; "-c"; "100000"; "-i"; "0.001"; "--pcap"; file ] in
  let ping = Programs.start ~sw env ~ready:"seq=20 " (Programs.weir "ping" arguments) in
  let status = Programs.finish ~signal ping in
  let answers =
    List.filter (fun l -> Programs.contains l "bytes from") (Usage_tests.lines (Programs.output ping))
  in
  let recorded = List.filter (fun l -> Programs.contains l "reply") (lines env file) in
  if List.length recorded < List.length answers then
    Alcotest.failf "%d answers, %d recorded" (List.length answers) (List.length recorded);
  Alcotest.(check bool) "by the signal" true (status > 128 || status = 0)
  [@@ocamlformat "disable"]

let through_a_pipe (env : Edges.env) =
  Programs.with_scratch @@ fun dir ->
  let fifo = Filename.concat dir "fifo" and file = Filename.concat dir "c.pcap" in
  Unix.mkfifo fifo 0o600;
  let ping = Programs.weir "ping" [ "10.0.0.1"; "-c"; "3"; "-i"; "0.01"; "--pcap"; fifo ] in
  let command =
    Printf.sprintf "cat %s >%s & %s >/dev/null && wait" (Filename.quote fifo) (Filename.quote file)
      (Filename.quote_command (List.hd ping) (List.tl ping))
  in
  ignore (Programs.succeed env [ "sh"; "-c"; command ]);
  let replies = List.filter (fun l -> Programs.contains l "reply") (lines env file) in
  Alcotest.(check int) "replies" 3 (List.length replies)

let to_standard_output (env : Edges.env) =
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "c.pcap" in
  let iperf = Programs.weir "iperf" [ "-n"; "100000"; "--pcap"; "/dev/stdout" ] in
  let command = Filename.quote_command (List.hd iperf) (List.tl iperf) in
  (* What iperf itself prints comes first, or between. *)
  let command = Printf.sprintf "%s | cat >%s" command (Filename.quote file) in
  ignore (Programs.succeed env [ "sh"; "-c"; command ]);
  let header = Weir_wire.Pcap.header ~snaplen:Weir_link.Pcap_link.longest in
  Alcotest.(check bool) "a capture is in it" true (Programs.contains (Programs.read file) header)

(* Nobody reads: the program ends all the same, and tells what is missing. *)
let unread_pipe (env : Edges.env) =
  Programs.with_scratch @@ fun dir ->
  let fifo = Filename.concat dir "fifo" in
  Unix.mkfifo fifo 0o600;
  let iperf = Programs.weir "iperf" [ "-n"; "3000000"; "--pcap"; fifo ] in
  let command =
    Printf.sprintf "exec 3<>%s; exec %s" (Filename.quote fifo)
      (Filename.quote_command (List.hd iperf) (List.tl iperf))
  in
  let r = Programs.run env [ "sh"; "-c"; command ] in
  Alcotest.(check int) "status" 0 r.status;
  match Usage_tests.lines r.err with
  | [ line ] ->
      let all = " frames are not in " ^ fifo ^ ": they came faster than it could be written" in
      if not (Programs.contains line all) then Alcotest.fail line
  | _ -> Alcotest.fail r.err

let cases =
  let case = Edges.case in
  [
    case "--pcap-rotate, --pcap-keep, --pcap-snaplen" rotated;
    case "--pcap and SIGTERM" (killed Sys.sigterm);
    case "--pcap and SIGINT" (killed Sys.sigint);
    case "--pcap into a pipe" through_a_pipe;
    case "--pcap /dev/stdout" to_standard_output;
    case "--pcap into a pipe that nobody reads" unread_pipe;
  ]
