(* A transparent proxy on a TUN device (needs CAP_NET_ADMIN): what the kernel sends to the device, for
   whatever address, arrives at the same port of this machine.

     proxy.exe tun0 10.9.0.1/24 &
     ip route add 198.51.100.0/24 dev tun0; nc 198.51.100.7 22 *)

(* $MDX part-begin=proxy *)
let () =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  match Weir_tap.Tap.open_tun ~name:Sys.argv.(1) ~kernel:Sys.argv.(2) () with
  | Error e -> Fmt.failwith "%a" Weir_tap.Error.pp e
  | Ok link ->
      let mac = Weir_wire.Mac.to_macaddr Weir_link.Layer3.mac in
      let host = Weir_eio.host ~sw ~clock ~mac ~link ~address:"10.9.0.2/24" () in
      let decide _ (address, port) : Weir_gateway.Decision.t =
        Fmt.pr "%a port %d@." Ipaddr.pp address port;
        To (Ipaddr.of_string_exn "127.0.0.1", port)
      in
      Weir_gateway.run ~clock ~net:(Eio.Stdenv.net env) ~decide
        ~datagrams:Weir_gateway.Outside.datagrams host
(* $MDX part-end *)
