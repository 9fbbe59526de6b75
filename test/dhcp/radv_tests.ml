(* Routers that advertise themselves: dnsmasq at one end of a TAP, and by hand in a world. *)

open Weir_core
open Weir_programs
open Dnsmasq_tests
module Suite = Weir_test.Suite
module Ip = Weir_wire.Ip

let router = "fd00:77::1"
let up () = ok (Interface.set_address "tap0" (Ipaddr.of_string_exn router) ~prefix:64)

let advertising t arguments =
  let all =
    [
      "dnsmasq";
      "--no-daemon";
      "--conf-file=/dev/null";
      "--pid-file=";
      "--port=0";
      "--interface=tap0";
      "--bind-interfaces";
      "--enable-ra";
      "--dhcp-range=fd00:77::,ra-only,64,600";
      "--dhcp-leasefile=" ^ Filename.concat t.dir "leases";
    ]
    @ arguments
  in
  let command = Filename.quote_command "exec" all ^ " 2>&1" in
  Programs.start ~sw:t.sw t.env ~ready:"router advertisement" [ "sh"; "-c"; command ]

let configuration = function Ok (c : Autoconf.configuration) -> c | Error m -> Alcotest.fail m
let text l = List.map (Fmt.str "%a" Ip.pp) l
let lines = Alcotest.(check (list string))

let all_of_it t link =
  up ();
  ignore
    (advertising t
       [
         "--dhcp-option=option6:dns-server,[fd00:77::53]";
         "--dhcp-option=option6:domain-search,lab.example";
         "--ra-param=tap0,mtu:1400,0,1800";
       ]);
  let clock = Eio.Stdenv.mono_clock t.env in
  let h = Weir_eio.host ~sw:t.sw ~clock ~link ~address:"auto" () in
  let c = configuration (Weir_eio.await_autoconf h) in
  let own =
    match text c.addresses with
    | [ a ]
      when String.starts_with ~prefix:"fd00:77::" a || String.starts_with ~prefix:"fd00:77:0" a ->
        a
    | l -> Alcotest.failf "got %s" (String.concat " " l)
  in
  Alcotest.(check int) "a router" 1 (List.length c.routers);
  lines "servers" [ "fd00:77::53" ] (text c.servers);
  lines "domains" [ "lab.example" ] c.domains;
  Weir_eio.Host.with_stack h (fun s ->
      Alcotest.(check int) "MTU" 1_400 (Stack.interface s 0).mtu;
      Alcotest.(check bool) "a route" true (Stack.has_route s (Ipaddr.of_string_exn "2a00::1")));
  ping t own

let ping_command t =
  up ();
  ignore (advertising t []);
  let r =
    Programs.run t.env
      (Programs.weir "ping"
         [ router; "-c"; "2"; "-i"; "0.1"; "--link"; "tap:tap0"; "--address"; "auto" ])
  in
  Alcotest.(check int) ("status\n" ^ r.err) 0 r.status;
  if not (Programs.contains r.out "2 received") then Alcotest.fail r.out;
  if not (Programs.contains r.err "weir: routers on tap0: fd00:77:") then Alcotest.fail r.err

let cases = [ case "dnsmasq" all_of_it; command "weir ping" ping_command ]
