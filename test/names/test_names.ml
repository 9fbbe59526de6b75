open Weir_test
module Names = Weir_drive.Names
module Services = Weir_drive.Services

let strings = Alcotest.(check (list string))

(* -- numbers ------------------------------------------------------------- *)

let addresses node = List.map Ipaddr.to_string (Names.addresses [] node)

let literals () =
  let is node answer = strings node answer (addresses node) in
  is "10.1.2.3" [ "10.1.2.3" ];
  is "127.1" [ "127.0.0.1" ];
  is "010.0.0.1" [ "8.0.0.1" ];
  is "0x7f.0X1" [ "127.0.0.1" ];
  is "4294967295" [ "255.255.255.255" ];
  is "0" [ "0.0.0.0" ];
  is "::ffff:10.0.0.1" [ "::ffff:10.0.0.1" ];
  let none node = is node [] in
  List.iter none
    [ ""; "4294967296"; "1.2.3.256"; "256.1.2.3"; "1.2.3.4.5"; "1..2"; "1.2.3."; "08"; "0x"; "0xg" ];
  List.iter none
    [ "1_0"; "+1"; "-1"; " 1"; "1 "; "0b1"; "[::1]"; String.make 10_000 '1'; "0x100000001" ]

(* The C library reads them too. *)
let as_inet_aton =
  let open QCheck2.Gen in
  let part =
    oneof
      [
        map string_of_int (int_bound 300);
        map (Printf.sprintf "0%o") (int_bound 300);
        map (Printf.sprintf "0x%X") (int_bound 300);
        map string_of_int (int_bound 5_000_000_000);
        string_size ~gen:(oneof_list [ '0'; '1'; '9'; 'x'; 'a'; '_'; '-' ]) (int_bound 4);
      ]
  in
  QCheck2.Test.make ~count:5_000 ~name:"IPv4 literals as inet_aton reads them"
    ~print:(Printf.sprintf "%S")
    (map (String.concat ".") (list_size (int_range 1 5) part))
    (fun s ->
      let theirs =
        List.filter_map
          (fun (i : Unix.addr_info) ->
            match i.ai_addr with
            | ADDR_INET (a, _) -> Some (Unix.string_of_inet_addr a)
            | ADDR_UNIX _ -> None)
          (Unix.getaddrinfo s "" [ AI_NUMERICHOST; AI_FAMILY PF_INET; AI_SOCKTYPE SOCK_STREAM ])
      in
      addresses s = theirs)

(* -- services ------------------------------------------------------------ *)

let services () =
  let port p name = Services.port p name and name p port = Services.name p port in
  let number = Alcotest.(check (option int)) and text = Alcotest.(check (option string)) in
  number "http" (Some 80) (port Tcp "http");
  number "not over UDP" None (port Udp "http");
  number "another name" (Some 80) (port Tcp "www");
  number "by case" None (port Tcp "HTTP");
  number "over both" (Some 443) (port Udp "https");
  text "TCP" (Some "shell") (name Tcp 514);
  text "UDP" (Some "syslog") (name Udp 514);
  text "the first name" (Some "http") (name Tcp 80);
  text "unknown" None (name Tcp 12_345);
  Alcotest.(check string) "in digits" "12345" (Names.service Tcp 12_345)

let ports () =
  let is service answer =
    let over = function Names.Tcp -> "tcp" | Udp -> "udp" in
    strings service answer
      (List.map (fun (p, n) -> Printf.sprintf "%s %d" (over p) n) (Names.ports service))
  in
  is "" [ "tcp 0"; "udp 0" ];
  is "80" [ "tcp 80"; "udp 80" ];
  is " \t+0080" [ "tcp 80"; "udp 80" ];
  is "domain" [ "tcp 53"; "udp 53" ];
  is "ntp" [ "udp 123" ];
  List.iter
    (fun s -> is s [])
    [ "65536"; "99999999999999999999"; "-1"; "0x50"; "1_0"; "80 "; "+"; " "; "http "; "nosuch" ]

(* -- tables -------------------------------------------------------------- *)

let a = Ipaddr.of_string_exn "10.0.0.9"
let b = Ipaddr.of_string_exn "10.0.0.10"
let table = [ ("Box.example", a); ("other", b); ("box.EXAMPLE", b) ]

type Weir_link.Link.readiness += Device

let tables () =
  let found node = List.map Ipaddr.to_string (Names.addresses table node) in
  strings "every one, by no case" [ "10.0.0.9"; "10.0.0.10" ] (found "BOX.example");
  strings "localhost" [ "127.0.0.1" ] (found "LocalHost");
  Alcotest.(check string) "the first name" "other" (Names.name table b);
  Alcotest.(check string) "digits" "10.0.0.11" (Names.name table (Ipaddr.of_string_exn "10.0.0.11"));
  let own = [ ("localhost", a) ] in
  strings "its own" [ "10.0.0.9" ] (List.map Ipaddr.to_string (Names.addresses own "localhost"));
  let failed what error r = Alcotest.(check bool) what true (r = Error error) in
  failed "no service" `No_service (Names.lookup table ~service:"nosuch" "nobody");
  failed "no name" `No_name (Names.lookup table ~service:"http" "nobody");
  failed "nothing asked" `No_name (Names.lookup table ~service:"" "");
  match Names.lookup table ~service:"http" "" with
  | Ok [ (Tcp, a, 80) ] -> Alcotest.(check string) "here" "127.0.0.1" (Ipaddr.to_string a)
  | _ -> Alcotest.fail "one address"

(* RFC 4862 §5.4, unless the link is in memory, or the program says otherwise. *)
let duplicate_detection () =
  let memory = (fst (Weir_link.Memory.pair ()) :> Weir_link.Link.t) in
  let device : Weir_link.Link.t =
    object
      inherit Weir_link.Link.forward memory
      method! readiness = Device
    end
  in
  let check what want link config =
    let c = Weir_drive.Identity.config link config in
    Alcotest.(check (option int)) what (Some want) c.dad_transmits
  in
  let default = Weir_core.Config.default in
  check "a device" 1 device None;
  check "its own settings" 1 device (Some { default with nodelay = true });
  check "by its own choice" 0 device (Some { default with dad_transmits = Some 0 });
  check "memory" 0 memory (Some default)

(* What a program pays that starts, and one that asks. *)
let words () =
  let before = Gc.minor_words () in
  let name = Services.name Tcp 60_179 in
  let port = Services.port Tcp "fido" in
  let spent = Gc.minor_words () -. before in
  Alcotest.(check (option string)) "the last" (Some "fido") name;
  Alcotest.(check (option int)) "the last" (Some 60_179) port;
  if spent > 100. then Alcotest.failf "%.0f words" spent

let () =
  Netns.run @@ fun () ->
  Suite.run "names"
    [
      ("numbers", [ Suite.case "literals" literals; Suite.qcheck as_inet_aton ]);
      ( "services",
        [
          Suite.case "by protocol" services;
          Suite.case "numbers and names" ports;
          Suite.case "no words for the table" words;
        ] );
      ("tables", [ Suite.case "names of hosts" tables ]);
      ("settings", [ Suite.case "duplicate address detection" duplicate_detection ]);
      ("dns", Dns_tests.cases);
      ("dns forgeries", Dns_forgery_tests.cases);
      ("dns cache", Dns_cache_tests.cases);
      ("order", Order_tests.cases);
      ("system", System_tests.cases);
    ]
