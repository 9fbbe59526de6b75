open Weir_programs
module Suite = Weir_test.Suite
module Error = Weir_tap.Error
module Interface = Weir_tap.Interface

let kernel = "10.0.0.1"
let weir = "10.0.0.11"
let kernel_v6 = "fd00::1"
let weir_v6 = "fd00::11"

type t = {
  env : Programs.env;
  sw : Eio.Switch.t;
  host : Weir_eio.host;
  net : [ `Generic ] Eio.Net.ty Eio.Resource.t;
  interface : string;
  dir : string;
  kernel : string;
  weir : string;
}

let ok = function Ok x -> x | Error e -> Alcotest.failf "%a" Error.pp e
let sysctl name value = ok (Weir_tap.Namespace.sysctl name value)

type link = Tap | Tun | Packet | Xdp

(* The kernel's address is not tested for duplicates, which would take a second. *)
let configure_v6 name =
  sysctl (Printf.sprintf "net.ipv6.conf.%s.accept_dad" name) "0";
  ok (Interface.set_address name (Ipaddr.of_string_exn kernel_v6) ~prefix:64)

let configure_tap name ~address =
  ok (Interface.set_address name (Ipaddr.of_string_exn address) ~prefix:24);
  ok (Interface.set_up name)

let impaired spec (link : Weir_link.Link.t) =
  match spec with
  | None -> link
  | Some s ->
      let how = Result.get_ok (Weir_link.Impairment.of_string s) in
      (Weir_link.Impair.wrap ~seed:5 ~outbound:how ~inbound:how link :> Weir_link.Link.t)

let recorded ~sw ~now path (link : Weir_link.Link.t) =
  let file = Result.get_ok (Weir_link_unix.File_writer.create path) in
  Eio.Switch.on_release sw (fun () -> Weir_link_unix.File_writer.close file);
  Weir_link.Pcap_link.record
    ~epoch_ns:(Weir_link_unix.Wall_clock.epoch_ns ~now)
    ~write:(fun b ~off ~len -> Weir_link_unix.File_writer.write file b ~off ~len)
    link

(* An end that only Weir is to have: the kernel's IPv6 says nothing on it. *)
let open_veth link ~offload =
  Suite.needs_program "ip";
  if Sys.command "ip link add veth0 type veth peer name weir0" <> 0 then Suite.skip "no veth here";
  sysctl "net.ipv6.conf.weir0.disable_ipv6" "1";
  if link = Xdp then (ok (Weir_xdp.Xdp.open_ "weir0") :> Weir_link.Link.t)
  else (ok (Weir_packet.Packet.open_ ~offload "weir0") :> Weir_link.Link.t)

let on_veth = function Packet | Xdp -> true | Tap | Tun -> false

let open_link link ~offload : Weir_link.Link.t * string =
  match link with
  | Tap -> ((ok (Weir_tap.Tap.open_ ~name:"tap0" ~offload ()) :> Weir_link.Link.t), "tap0")
  | Tun -> ((ok (Weir_tap.Tap.open_tun ~name:"tun0" ()) :> Weir_link.Link.t), "tun0")
  | Packet | Xdp -> (open_veth link ~offload, "veth0")

let needed = function
  | Tap | Tun -> Weir_test.Netns.needed ()
  | (Packet | Xdp) as link -> (
      Weir_test.Netns.apart ();
      match if link = Xdp then Weir_xdp.Xdp.available () else Weir_packet.Packet.available () with
      | Ok () -> ()
      | Error e -> Suite.skip (Fmt.str "%a" Error.pp e))

let with_weir ?(link = Tap) ?(ipv6 = false) ?(seconds = 40.) ?(offload = false)
    ?(ecn = Weir_core.Config.Accept) ?(congestion = Weir_core.Cubic.algorithm) ?impair ?capture
    ?gateway f =
  needed link;
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let device, interface = open_link link ~offload in
  if ipv6 then configure_v6 interface;
  configure_tap interface ~address:kernel;
  if on_veth link then (
    Eio.Switch.on_release sw (fun () -> Weir_test.Veth.delete interface);
    Weir_test.Veth.await interface "weir0");
  let mac = if link = Tun then Some (Weir_wire.Mac.to_macaddr Weir_link.Layer3.mac) else None in
  let link = impaired impair device in
  let now = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock)) in
  let link = match capture with None -> link | Some p -> recorded ~sw ~now p link in
  let config = { Weir_core.Config.default with ecn; dad_transmits = Some 1 } in
  let config =
    { config with congestion = Weir_core.Congestion.prefer congestion config.congestion }
  in
  let address = Printf.sprintf "%s/24,%s/64" weir weir_v6 in
  let host = Weir_eio.host ~sw ~clock ~config ?mac ~link ~address ?gateway () in
  match
    Eio.Time.Timeout.run (Eio.Time.Timeout.seconds clock seconds) (fun () ->
        (* What a case leaves running ends with it. *)
        Eio.Switch.run @@ fun sw ->
        let kernel, weir = if ipv6 then (kernel_v6, weir_v6) else (kernel, weir) in
        Ok (f { env; sw; host; net = Weir_eio.net host; interface; dir; kernel; weir }))
  with
  | Ok () -> ()
  | Error `Timeout -> Alcotest.failf "not done within %g s" seconds

let script = lazy (Filename.concat (Suite.project_root ()) "test/peers/peer.py")
let python sub args = "python3" :: Lazy.force script :: sub :: args
let check_python () = Suite.needs_program "python3"
let authority a = if String.contains a ':' then "[" ^ a ^ "]" else a
let address a = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets (Ipaddr.of_string_exn a))

let listen t ~port f =
  let listener = Weir_eio.Network.listen t.host ~sw:t.sw ~port ~backlog:256 in
  let rec accept () =
    let c = Weir_eio.Network.accept listener ~sw:t.sw in
    Eio.Fiber.fork ~sw:t.sw (fun () ->
        f c;
        Weir_eio.Connection.close c);
    accept ()
  in
  Eio.Fiber.fork_daemon ~sw:t.sw accept

(* Linux sends a TCP checksum that comes to 0 as 0xffff, as UDP must: the same
   number in one's complement, but tshark wants the other form. *)
let bad =
  Printf.sprintf
    "_ws.malformed || ip.checksum.status == \"Bad\" || udp.checksum.status == \"Bad\" || \
     icmp.checksum.status == \"Bad\" || (tcp.checksum.status == \"Bad\" && !(tcp.checksum == \
     0xffff && (ip.src == %s || ipv6.src == %s))) || icmpv6.checksum.status == \"Bad\""
    kernel kernel_v6

(* Random bytes to any port would else be taken for some application's. *)
let judged = [ "frame"; "eth"; "ethertype"; "arp"; "ip"; "ipv6"; "icmp"; "icmpv6"; "tcp"; "udp" ]

let tshark env file args =
  Suite.needs_program "tshark";
  let verify p = [ "-o"; p ^ ".check_checksum:TRUE" ] in
  Programs.succeed env
    ([ "tshark"; "-n"; "-r"; file; "--disable-all-protocols" ]
    @ List.concat_map (fun p -> [ "--enable-protocol"; p ]) judged
    @ List.concat_map verify [ "ip"; "tcp"; "udp" ]
    @ args)

let faults env file = tshark env file [ "-Y"; bad ]
let malformed env file = tshark env file [ "-Y"; "_ws.malformed" ]

let check_clean_capture env file =
  let found = faults env file in
  if found <> "" then Alcotest.failf "tshark finds:\n%s" found;
  let numbers = tshark env file [ "-T"; "fields"; "-e"; "frame.number" ] in
  List.length (String.split_on_char '\n' numbers) - 1

let figures = ref []
let report fmt = Fmt.kstr (fun s -> figures := s :: !figures) fmt
let () = at_exit (fun () -> List.iter print_endline (List.rev !figures))
