(* Eio's network on the system is the standard. Where Weir answers differently, the question stands
   in [explained] with the reason; any other difference fails. All are printed. *)

open Weir_test
module Net = Eio.Net

let failure = function
  | Eio.Io (Net.E (Address_lookup_failed e), _) -> "failed: " ^ Net.Getaddrinfo_error.to_tag e
  | e -> Printexc.to_string e

let tried f = match f () with s -> s | exception e -> failure e
let text l = String.concat " " (List.map (Fmt.str "%a" Net.Sockaddr.pp) l)

(* Weir has no IPv6, nor a server of names: who asks the system in a namespace that reaches none is
   told to try again. *)
let is_v6 = function
  | `Tcp (a, _) | `Udp (a, _) -> Net.Ipaddr.fold a ~v4:(fun _ -> false) ~v6:(fun _ -> true)
  | `Unix _ -> false

let without_v6 node l =
  if String.contains node ':' then l else List.filter (fun a -> not (is_v6 a)) l

let find ?service node =
  let question =
    match service with
    | None -> Printf.sprintf "getaddrinfo %S" node
    | Some s -> Printf.sprintf "getaddrinfo %S ~service:%S" node s
  in
  ( question,
    fun net ->
      match tried (fun () -> text (without_v6 node (Net.getaddrinfo ?service net node))) with
      | "failed: AGAIN" -> "failed: NONAME"
      | s -> s )

let only kind node service =
  let ask, name =
    match kind with
    | `Stream ->
        ( (fun net -> (Net.getaddrinfo_stream ~service net node :> Net.Sockaddr.t list)),
          "getaddrinfo_stream" )
    | `Datagram ->
        ( (fun net -> (Net.getaddrinfo_datagram ~service net node :> Net.Sockaddr.t list)),
          "getaddrinfo_datagram" )
  in
  (Printf.sprintf "%s %S ~service:%S" name node service, fun net -> tried (fun () -> text (ask net)))

let name (address : Net.Sockaddr.t) =
  ( Fmt.str "getnameinfo %a" Net.Sockaddr.pp address,
    fun net ->
      tried (fun () ->
          let host, service = Net.getnameinfo net address in
          Printf.sprintf "%S %S" host service) )

let here = "127.0.0.1"
let lo = Net.Ipaddr.V4.loopback

let services =
  List.map
    (fun service -> find ~service here)
    [
      "http"; "HTTP"; "https"; "www"; "WWW"; "domain"; "ssh"; "ntp"; "syslog"; "shell"; "login";
      "who"; "echo"; "kerberos5"; "dicom"; "bootps"; "amqp"; "rtmp"; "clearcase"; "Clearcase";
      "nosuch"; "tcp"; "http/tcp"; "http "; " http"; "http\000x"; ""; "0"; "00080"; "+80"; "-1";
      " 80"; "80 "; "80x"; "0x50"; "0b11"; "1_000"; "65535"; "65536"; "70000"; "99999999999";
    ]
[@@ocamlformat "break-collection-expressions=wrap"]

let literals =
  List.map find
    [
      "127.0.0.1"; "127.1"; "127"; "0"; "0x7f.1"; "0177.0.0.1"; "010.0.0.1"; "1.2.3"; "0.0.0.0";
      "255.255.255.255"; "4294967295"; "1.2.3.4 "; " 1.2.3.4"; "::1"; "[::1]"; "::";
      "::ffff:10.0.0.1"; "2001:db8::1"; "fe80::1%lo";
    ]
[@@ocamlformat "break-collection-expressions=wrap"]

let others =
  [
    find "";
    find ~service:"80" "";
    find ~service:"http" "";
    find ~service:"" "";
    find ~service:"nosuch" "";
    find "localhost";
    find "LOCALHOST";
    find ~service:"ntp" "localhost";
    only `Stream here "http";
    only `Stream here "domain";
    only `Stream here "ntp";
    only `Datagram here "ntp";
    only `Datagram here "ssh";
  ]

let backwards =
  List.concat_map
    (fun port -> [ name (`Tcp (lo, port)); name (`Udp (lo, port)) ])
    [ 0; 1; 7; 21; 22; 53; 67; 80; 123; 443; 512; 514; 8_080; 12_345; 65_535; 65_536 ]
  @ [ name (`Unix "/tmp/socket") ]

(* These are looked for by way of DNS, where there is one. *)
let far =
  List.map find
    [
      "nosuch.invalid"; "no such"; "a..b"; "."; "-"; "localhost."; "x\000y"; "1.2.3.4.5";
      "256.1.1.1"; "1.2.3.4x"; "4294967296"; String.make 300 'a'; "\xc3\xa9.invalid";
    ]
  @ [ name (`Tcp (Net.Ipaddr.of_raw "\010\000\000\001", 80)) ]
[@@ocamlformat "break-collection-expressions=wrap"]

let wraps = "the C library takes a port above 65,535 modulo 65,536, so a port nobody named"
let nul = "the C library reads up to the NUL"

let explained =
  [
    ({|getaddrinfo "127.0.0.1" ~service:"65536"|}, wraps);
    ({|getaddrinfo "127.0.0.1" ~service:"70000"|}, wraps);
    ({|getaddrinfo "127.0.0.1" ~service:"99999999999"|}, wraps);
    ("getnameinfo tcp:127.0.0.1:65536", wraps);
    ("getnameinfo udp:127.0.0.1:65536", wraps);
    ({|getaddrinfo "127.0.0.1" ~service:"http\000x"|}, nul);
    ({|getaddrinfo "fe80::1%lo"|}, "Weir has no interfaces with names, and Eio drops the zone");
    ("getnameinfo unix:/tmp/socket", "the system adds its own name; a host of Weir's has none");
    ( "getnameinfo tcp:10.0.0.1:80",
      "Eio raises Not_found when DNS cannot be asked; Weir gives the digits" );
  ]

let with_nets f =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let link, _ = Weir_link.Memory.pair () in
  let clock = Eio.Stdenv.mono_clock env in
  let host = Weir_eio.host ~sw ~clock ~link ~address:"10.0.0.1/24" () in
  let ask on_system on_weir =
    let run (net : [ `Generic ] Net.ty Eio.Resource.t) questions =
      List.map (fun (_, ask) -> ask net) questions
    in
    ( run (Eio.Stdenv.net env :> [ `Generic ] Net.ty Eio.Resource.t) on_system,
      run (Weir_eio.net host) on_weir )
  in
  f ask

let compare_all questions () =
  with_nets @@ fun ask ->
  let system, weir = ask questions questions in
  let unexplained = ref [] in
  List.iteri
    (fun i (question, _) ->
      let theirs = List.nth system i and ours = List.nth weir i in
      if theirs <> ours then (
        let why = List.assoc_opt question explained in
        Printf.printf "%s\n  system: %s\n  Weir:   %s\n  %s\n" question theirs ours
          (Option.value why ~default:"not explained");
        if why = None then unexplained := question :: !unexplained))
    questions;
  if !unexplained <> [] then
    Alcotest.failf "differences nobody explained: %s" (String.concat ", " (List.rev !unexplained))

let table = "/etc/services"

let needs_table () =
  if not (Sys.file_exists table) then Suite.skip (table ^ " is not there: no names of services")

(* The system's table line by line. Another release of it may differ by a few. *)
let whole_table () =
  needs_table ();
  let known =
    In_channel.with_open_bin table In_channel.input_all
    |> String.split_on_char '\n'
    |> List.concat_map (fun line ->
        let line = List.hd (String.split_on_char '#' line) in
        let words =
          String.split_on_char ' ' (String.map (function '\t' -> ' ' | c -> c) line)
          |> List.filter (( <> ) "")
        in
        match words with
        | first :: where :: others -> List.map (fun name -> (name, where)) (first :: others)
        | _ -> [])
  in
  let module S = Weir_drive.Services in
  let seen = Hashtbl.create 500 in
  (* The first line with a name counts. *)
  let differs protocol name port =
    (not (Hashtbl.mem seen (protocol, name)))
    &&
    (Hashtbl.add seen (protocol, name) ();
     S.port protocol name <> int_of_string_opt port)
  in
  let differs (name, where) =
    match String.split_on_char '/' where with
    | [ port; "tcp" ] -> differs S.Tcp name port
    | [ port; "udp" ] -> differs Udp name port
    | _ -> false
  in
  let different = List.filter differs known in
  List.iter (fun (name, where) -> Printf.printf "%s %s: not so here\n" name where) different;
  let n = List.length different and all = List.length known in
  if 20 * n > all then Alcotest.failf "%d of %d names differ from %s" n all table

let cases =
  [
    Suite.case "numbers" (compare_all literals);
    Suite.case "services" (fun () ->
        needs_table ();
        compare_all (services @ others @ backwards) ());
    Suite.case "names that nobody has" (fun () ->
        Netns.apart ();
        compare_all far ());
    Suite.case "the whole table" whole_table;
  ]
