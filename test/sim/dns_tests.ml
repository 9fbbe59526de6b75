(* Names in worlds: DNS servers are ordinary programs, the network loses, and others forge. *)

open Eio.Std
open Weir_link
open Weir_wire
open Room
open Dns_room
module Zone = Weir_sim.Dns_server

let names world =
  let lan = Weir_sim.lan world in
  let _ = dns_at world lan resolver in
  let c = client ~search:[ "corp.example" ] world lan in
  is c.net "www.example" "10.0.0.1";
  is c.net "alias.example." "10.0.0.1";
  (* There is no route to IPv6's, so it is tried last. *)
  is c.net "both.example" "10.0.0.1 fd00::1";
  is c.net "host" "10.0.0.7";
  is c.net "nobody.example" "NONAME";
  is c.net "_x.example" "NONAME";
  is c.net "192.0.2.1" "192.0.2.1";
  is c.net "localhost" "127.0.0.1";
  let name a =
    fst
      (Eio.Net.getnameinfo c.net
         (`Tcp (Eio.Net.Ipaddr.of_raw Ipaddr.V4.(to_octets (of_string_exn a)), 80)))
  in
  check_string "backwards" "www.example" (name "10.0.0.1");
  check_string "no host's name" "10.0.0.77" (name "10.0.0.77");
  check_string "a world's name" "10.0.0.2" (name "10.0.0.2")

let only_text world =
  let lan = Weir_sim.lan world in
  let _ = dns_at ~zone:[ ("text.example", 60, TXT [ "x" ]) ] world lan resolver in
  let c = client world lan in
  is c.net "text.example" "NODATA"

let servers world =
  let lan = Weir_sim.lan world in
  let good = dns_at world lan other in
  (* Nobody is at the first address; then a host without a server; then one that says nothing. *)
  let c = client ~resolvers:[ resolver; other ] world lan in
  let got, took = until_answered world (fun () -> addresses c.net "www.example") in
  check_string "one of two is dead" "10.0.0.1" got;
  check_bool "in about a second" true (took < 1.1);
  let refusing = Weir_sim.host world lan "10.0.0.55/24" in
  let d = Weir_sim.host world lan "10.0.0.3/24" ~resolvers:[ refusing.address; other ] in
  let got, took = until_answered world (fun () -> addresses d.net "www.example") in
  check_string "one refuses" "10.0.0.1" got;
  check_bool "at once" true (took < 0.1);
  Weir_sim.crash good;
  let got, took = until_answered world (fun () -> addresses c.net "nobody.example") in
  check_string "both are dead" "AGAIN" got;
  check_bool "after three rounds" true (took > 6. && took < 15.);
  is c.net "www.example" "10.0.0.1";
  Weir_sim.restart good;
  is c.net "nobody.example" "NONAME"

let slow world =
  let lan = Weir_sim.lan world in
  let udp q =
    Weir_sim.sleep world (`Ms 1_500);
    [ Zone.answer zone q ]
  in
  let _ = dns_at ~udp world lan resolver in
  let c = client world lan in
  is c.net "www.example" "10.0.0.1"

let truncated world =
  Switch.run @@ fun sw ->
  let lan = Weir_sim.lan world ~loss:0.05 in
  let _ = dns_at world lan resolver in
  let h = own ~sw world lan in
  match Weir_eio.records h TXT "big.example" with
  | Ok [ { data = TXT l; _ } ] -> check_int "strings" 8 (List.length l)
  | Ok _ -> Alcotest.fail "other records"
  | Error e -> Alcotest.failf "%a" Weir_drive.Lookup.pp_failure e

(* Right or no answer, never another answer. *)
let lossy () =
  let answered = ref 0 and all = ref 0 in
  let failures =
    Weir_sim.sweep ~seeds:(1, 40) (fun world ->
        let lan = Weir_sim.lan world ~loss:0.15 ~latency:(`Ms 20) ~jitter:(`Ms 40) in
        let _ = dns_at world lan resolver and _ = dns_at world lan other in
        let c = client ~resolvers:[ resolver; other ] world lan in
        Fiber.List.iter
          (fun i ->
            incr all;
            match addresses c.net (Printf.sprintf "h%d.example" i) with
            | "AGAIN" -> ()
            | got ->
                incr answered;
                check_string "address" (Printf.sprintf "10.3.0.%d" i) got)
          (List.init 20 Fun.id))
  in
  List.iter (fun f -> Alcotest.failf "%a" Weir_sim.Failure.pp f) failures;
  if !answered * 100 < !all * 98 then Alcotest.failf "%d of %d answered" !answered !all

(* -- forgers ----------------------------------------------------------------- *)

let evil = Ipaddr.V4.of_string_exn "66.66.66.66"

(* A datagram as if the server had sent it. *)
let forged ~mac ~port message =
  let udp : Udp.t =
    { src_port = 53; dst_port = port; data_length = String.length message; checksummed = true }
  in
  let total = Udp.length + udp.data_length in
  let src = Ip.of_v4 (Option.get (Ipaddr.to_v4 resolver))
  and dst = Ip.of_v4 (Ipaddr.V4.of_string_exn "10.0.0.2") in
  let ip = { Ipv4.base with protocol = Ipv4.protocol_udp; src; dst; data_length = total } in
  let b = Bytes.create (Ethernet.length + Ipv4.length ip + total) in
  Ethernet.emit
    { dst = mac; src = Mac.of_int 0x020000_666666; ethertype = Ethernet.ethertype_ipv4 }
    b ~off:0;
  Ipv4.emit ip b ~off:Ethernet.length;
  let off = Ethernet.length + Ipv4.length ip in
  Bytes.blit_string message 0 b (off + Udp.length) (String.length message);
  Udp.emit udp ~pseudo:(Ip.pseudo_sum ~src ~dst ~protocol:ip.protocol ~length:total) b ~off;
  b

let guess random n =
  let query = Dns.query ~id:(Random.State.int random 0x10000) ~edns:None A (Zone.name n) in
  let record = { Dns.name = Zone.name n; class_ = 1; ttl = 9_999; data = A evil } in
  Dns.emit { query with response = true; recursion_available = true; answers = [ record ] }

(* It sees no query, but knows all ports, so it guesses identifiers and cases only. *)
let forger world lan (c : Weir_sim.host) ~mac =
  let link = Weir_sim.link world lan and random = Weir_sim.random world in
  let pool = Frame.pool ~size:2_000 () and sent = ref 0 in
  let send b =
    let f = Frame.alloc pool in
    Bytes.blit b 0 f.data f.off (Bytes.length b);
    Frame.set_length f (Bytes.length b);
    link#send ~now:(Weir_sim.now world) f
  in
  let rec flood () =
    if !sent > 1_000_000 then Alcotest.fail "the names take too long";
    let sockets =
      match Weir_sim.stack c with
      | Some stack -> Weir_core.Udp_sockets.to_list (Weir_core.Stack.udp stack)
      | None -> []
    in
    List.iter
      (fun s ->
        for i = 0 to 19 do
          let port = Weir_core.Udp_sockets.port s in
          incr sent;
          send (forged ~mac ~port (guess random (Printf.sprintf "h%d.example" i)))
        done)
      sockets;
    link#flush;
    Weir_sim.sleep world (`Ms 1);
    flood ()
  in
  flood ()

let forgeries world =
  let lan = Weir_sim.lan world ~latency:(`Ms 50) in
  let _ = dns_at world lan resolver in
  let c = client world lan in
  is c.net "www.example" "10.0.0.1";
  let mac =
    match Weir_sim.stack c with
    | Some stack -> (Weir_core.Stack.interface stack 0).mac
    | None -> Alcotest.fail "off"
  in
  Fiber.first
    (fun () -> forger world lan c ~mac)
    (fun () ->
      Fiber.List.iter
        (fun i ->
          let got = addresses c.net (Printf.sprintf "h%d.example" i) in
          check_string "the real one" (Printf.sprintf "10.3.0.%d" i) got)
        (List.init 20 Fun.id));
  match Weir_sim.stack c with
  | Some stack when (Weir_core.Stack.counters stack).udp_in > 200 -> ()
  | _ -> Alcotest.fail "few forgeries have come"

(* A server whose answers are no messages. *)
let lying world =
  let lan = Weir_sim.lan world in
  let main (h : Weir_sim.host) =
    Switch.run @@ fun sw ->
    let s = Eio.Net.datagram_socket ~sw h.net (`Udp (Eio.Net.Ipaddr.V4.any, 53)) in
    let b = Cstruct.create 2_000 in
    let rec go () =
      let from, n = Eio.Net.recv s b in
      (* One answer, whose name is a pointer to itself, or to the next pointer. *)
      List.iter
        (fun (at, pointer) ->
          let lie = Bytes.make 1_200 '\xc0' in
          Cstruct.blit_to_bytes b 0 lie 0 n;
          Bytes.set_uint16_be lie 2 0x8180;
          Bytes.set_uint16_be lie 6 1;
          Bytes.set_uint16_be lie (n - 11 + at) pointer;
          Eio.Net.send s ~dst:from [ Cstruct.of_bytes lie ])
        [ (0, 0xc000 lor (n - 11)); (0, 0xffff); (2, 0xc00c) ];
      go ()
    in
    go ()
  in
  let _ = Weir_sim.host world lan (Ipaddr.to_string resolver ^ "/24") ~main in
  let _ = dns_at world lan other in
  let c = client ~resolvers:[ resolver; other ] world lan in
  is c.net "www.example" "10.0.0.1"

(* -- changes ----------------------------------------------------------------- *)

let at_run_time world =
  Switch.run @@ fun sw ->
  let lan = Weir_sim.lan world in
  let _ = dns_at world lan resolver in
  let h = own ~resolvers:[] ~sw world lan in
  let net = Weir_eio.net h in
  is net "www.example" "NONAME";
  Weir_eio.Host.set_resolvers h ~search:[ "example" ] [ resolver ];
  is net "www" "10.0.0.1";
  Weir_eio.Host.set_resolvers h [];
  is net "www.example" "NONAME"

(* Who waits for a name when the host ends is told. *)
let ended world =
  let lan = Weir_sim.lan world in
  let told = ref false in
  Switch.run (fun sw ->
      let h = own ~sw world lan in
      Fiber.both
        (fun () ->
          match Eio.Net.getaddrinfo (Weir_eio.net h) "www.example" with
          | _ -> Alcotest.fail "an address"
          | exception Eio.Io _ -> told := true)
        (fun () ->
          Weir_sim.sleep world (`Ms 100);
          Weir_eio.Host.release h));
  check_bool "told" true !told

let cases =
  [
    Suite.case "names" (in_world names);
    Suite.case "a name without addresses" (in_world only_text);
    Suite.case "servers dead, refusing, crashed" (in_world servers);
    Suite.case "a slow server" (in_world slow);
    Suite.case "truncated, over loss" (in_world truncated);
    Suite.case "two servers over loss" lossy;
    Suite.case "a flood of forged answers" (in_world forgeries);
    Suite.case "lying pointers" (in_world lying);
    Suite.case "servers that change" (in_world at_run_time);
    Suite.case "the host ends" (in_world ended);
  ]
