open Cmdliner
open Weir_link

let capture = "demo.pcap"
let mb n = Printf.sprintf "%.1f MB" (float_of_int n /. 1e6)
let stage s = if Unix.isatty Unix.stderr then Printf.eprintf "... %s\r%!" s
let clear_stage () = if Unix.isatty Unix.stderr then Printf.eprintf "\027[K%!"

(* Two hosts on a memory link, the server's end wrapped by [wrap]. *)
let pair ~sw ~clock wrap =
  let a, b = Memory.pair () in
  let host link v4 v6 =
    Weir_eio.host ~sw ~clock ~link ~address:(Printf.sprintf "%s/24,%s/64" v4 v6) ()
  in
  (host (wrap a) Ends.server_ip Ends.server_ipv6, host b Ends.client_ip Ends.client_ipv6)

type family = V4 | V6

let server_in = function V4 -> Ends.server_ip | V6 -> Ends.server_ipv6
let named = function V4 -> "IPv4" | V6 -> "IPv6"

(* -- a site, served and fetched ------------------------------------------ *)

let fetch client ~family (path, content) =
  let encoded = String.concat "%20" (String.split_on_char ' ' path) in
  let server = match family with V4 -> Ends.server_ip | V6 -> "[" ^ Ends.server_ipv6 ^ "]" in
  let url = Printf.sprintf "http://%s/%s" server encoded in
  let url = match Weir_http.Url.parse url with Ok u -> u | Error e -> Fail.failed "%s" e in
  match Weir_http.Client.get client url with
  | Error e -> Fail.failed "GET %s: %s" path (Fmt.str "%a" Weir_http.Error.pp e)
  | Ok r -> (
      match Weir_http.Client.read_all ~limit:20_000_000 r with
      | Error e -> Fail.failed "GET %s: %s" path (Fmt.str "%a" Weir_http.Error.pp e)
      | Ok body -> r.head.status = 200 && Digest.string body = Digest.string content)

type fetched = { label : string; identical : bool; seconds : float; again : int }

let site_over ~clock ~family label wrap =
  let label = label ^ ", " ^ named family in
  stage ("fetching a site, " ^ label);
  Eio.Switch.run @@ fun sw ->
  let server, client = pair ~sw ~clock (wrap ~sw) in
  let web =
    Weir_http_eio.Server.create ~sw ~clock
      (Weir_http.Files.handler (Weir_http.Files.memory (Demo_site.files ())))
  in
  let listener = Weir_eio.Network.listen server ~sw ~port:80 ~backlog:16 in
  let began = Weir_eio.Host.now client in
  let identical = ref false in
  Eio.Fiber.first
    (fun () -> Weir_http_eio.Server.run_on_host web listener)
    (fun () ->
      Eio.Switch.run @@ fun sw ->
      let address = Ipaddr.of_string_exn (server_in family) in
      let c = Weir_eio.Network.connect client ~sw address ~port:80 in
      let http = Weir_http.Client.create (Weir_eio.Connection.flow c) in
      identical := List.for_all (fetch http ~family) (Demo_site.files ());
      Weir_eio.Connection.close c);
  let seconds = float_of_int (Weir_eio.Host.now client - began) /. 1e9 in
  Weir_http_eio.Server.stop web ~timeout_ns:(Weir_base.Time.s 2);
  let again = (Weir_eio.Host.counters server).tcp_retransmitted in
  Weir_eio.shutdown server;
  { label; identical = !identical; seconds; again }

let clean ~clock ~sw link = Attach.recorded ~sw ~clock (Some (Recording.whole capture)) link

let lossy ~sw link : Link.t =
  ignore sw;
  let i = { Impairment.none with loss = Steady 0.02 } in
  (Impair.wrap ~seed:42 ~outbound:i ~inbound:i link :> Link.t)

let print_sites rows =
  Printf.printf "A site of %d files, %s, served by one host and fetched by the other\n\n"
    (List.length (Demo_site.files ()))
    (mb (Demo_site.bytes ()));
  let row f =
    [
      f.label;
      Printf.sprintf "%.3f s" f.seconds;
      Printf.sprintf "%.2f Gbit/s" (float_of_int (8 * Demo_site.bytes ()) /. f.seconds /. 1e9);
      string_of_int f.again;
      (if f.identical then "identical" else "DIFFERENT");
    ]
  in
  Table.print
    [ ("link", Left); ("time", Right); ("rate", Right); ("retransmitted", Right); ("hashes", Left) ]
    (List.map row rows)

(* -- bulk ---------------------------------------------------------------- *)

let bulk_bytes = 200_000_000

let bulk ~clock ~family label wrap =
  let label = named family ^ label in
  stage ("TCP in bulk, " ^ label);
  Eio.Switch.run @@ fun sw ->
  let server, client = pair ~sw ~clock (wrap ~sw) in
  let r =
    Stream.between ~from:client ~to_:server ~to_address:(server_in family) ~port:5001
      ~bytes:bulk_bytes
  in
  Weir_eio.shutdown server;
  (label, r)

let recorded_to path ~clock ~sw link = Attach.recorded ~sw ~clock (Some (Recording.whole path)) link

let print_bulk rows =
  Printf.printf "\nTCP in bulk, MTU 1500, no offload, both hosts in this one thread\n\n";
  Table.print
    [ ("", Left); ("bytes", Right); ("time", Right); ("rate", Right) ]
    (List.map
       (fun (label, (r : Stream.result)) ->
         [
           label;
           mb r.bytes;
           Printf.sprintf "%.3f s" r.seconds;
           Printf.sprintf "%.2f Gbit/s" (Stream.gbit_s r);
         ])
       rows)

(* -- the kernel ---------------------------------------------------------- *)

let print_tap = function
  | Error why -> Printf.printf "\nThe kernel over a TAP: left out (%s)\n" why
  | Ok checks ->
      Printf.printf "\nThe kernel over a TAP, in its own network namespace\n\n";
      Table.print
        [ ("program", Left); ("result", Left); ("", Left) ]
        (List.map
           (fun (name, ok, detail) -> [ name; (if ok then "ok" else "FAILED"); detail ])
           checks)

(* The name that the reader typed: ./weir builds and runs main.exe. *)
let try_next () =
  let weir = if Filename.basename Sys.executable_name = "main.exe" then "./weir" else "weir" in
  Printf.printf "\n%s holds every frame of the first fetch. Try next:\n" capture;
  List.iter
    (fun (arguments, what) -> Printf.printf "  %-31s  %s\n" (weir ^ " " ^ arguments) what)
    [
      ("dump " ^ capture ^ " | less", "each packet on a line");
      ("serve .", "this folder at http://127.0.0.1:8080/");
      ("iperf --impair loss=1%", "TCP over a bad link");
      ("sim", "servers in simulated worlds, with crashes and partitions");
      ("--help", "all commands");
    ]

let run () =
  let temporary = Filename.temp_file "weir" ".pcap" in
  Fun.protect ~finally:(fun () -> Sys.remove temporary) @@ fun () ->
  print_endline
    "Weir: two hosts with their own TCP/IP on a link in memory; no root, no kernel sockets\n";
  let sites, bulks =
    Eio_main.run @@ fun env ->
    let clock = Eio.Stdenv.mono_clock env in
    let both f = List.map (fun family -> f ~family) [ V4; V6 ] in
    let first = site_over ~clock ~family:V4 "clean" (clean ~clock) in
    let second = site_over ~clock ~family:V6 "clean" (recorded_to temporary ~clock) in
    let lossy = both (fun ~family -> site_over ~clock ~family "2% loss each way" lossy) in
    let plain = both (fun ~family -> bulk ~clock ~family "" (fun ~sw:_ link -> link)) in
    let recorded =
      bulk ~clock ~family:V4 ", recorded to a pcap file" (recorded_to temporary ~clock)
    in
    (first :: second :: lossy, plain @ [ recorded ])
  in
  stage "the kernel over a TAP";
  let tap = Result.map Demo_tap.run (Demo_tap.available ()) in
  clear_stage ();
  print_sites sites;
  print_bulk bulks;
  print_tap tap;
  try_next ();
  let bad_site = List.exists (fun f -> not f.identical) sites in
  let bad_bulk = List.exists (fun (_, (r : Stream.result)) -> r.bytes <> bulk_bytes) bulks in
  let bad_tap =
    match tap with Ok l -> List.exists (fun (_, ok, _) -> not ok) l | Error _ -> false
  in
  if bad_site || bad_bulk || bad_tap then Fail.failed "a check failed: see the tables above"

let in_namespace =
  Arg.(value & flag & info [ "in-namespace" ] ~docs:Manpage.s_none ~doc:"The part over a TAP.")

let cmd =
  let man =
    [
      `S Manpage.s_examples;
      `P "$(b,weir demo) runs all parts in less than a minute and leaves demo.pcap.";
    ]
  in
  Cmd.v
    (Cmd.info "demo" ~exits:Fail.exits ~man
       ~doc:"serve, fetch and measure between two hosts, and over a TAP")
    Term.(const (fun inside -> if inside then Demo_tap.child () else Fail.run run) $ in_namespace)
