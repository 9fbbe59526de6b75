open Weir_link
open Weir_tap
open Weir_wire
module Device = Weir_link_unix.Device
module Packet = Weir_packet.Packet
module Xdp = Weir_xdp.Xdp
module Veth = Weir_test.Veth

let get = function Ok x -> x | Error e -> Alcotest.failf "%a" Weir_tap.Error.pp e
let ip s = Ip.of_ipaddr (Ipaddr.of_string_exn s)
let own_ip = ip "10.9.0.2"
let kernel_ip = ip "10.9.0.1"
let own_mac = Mac.of_int 0x0200_0000_0002
let pool = Frame.pool ~size:70_000 ()

type kind = Tap | Packet | Xdp

(* The ends of the veth pair. *)
let ours = "pack0"
let theirs = "kern0"
let kernel_end (d : Device.t) = if d#name = ours then theirs else d#name

let needed = function
  | Tap -> Weir_test.Netns.needed ()
  | (Packet | Xdp) as kind -> (
      Weir_test.Netns.apart ();
      match if kind = Xdp then Xdp.available () else Packet.available () with
      | Ok () -> ()
      | Error e -> Weir_test.Suite.skip (Fmt.str "%a" Weir_tap.Error.pp e))

let use device f =
  Fun.protect
    ~finally:(fun () -> device#close)
    (fun () ->
      let kernel = kernel_end (device :> Device.t) in
      get (Interface.set_address kernel (Ipaddr.of_string_exn "10.9.0.1") ~prefix:24);
      get (Interface.set_up kernel);
      f device)

let open_card kind ?offload ?mode ?mac ?up name =
  if kind = Xdp then Result.map (fun x -> (x :> Packet.t)) (Xdp.open_ ?mode ?mac ?up name)
  else Packet.open_ ?offload ?mac ?up name

let with_card kind ?mtu ?offload ?mode ?mac f =
  needed kind;
  Veth.make ?mtu ours theirs;
  Fun.protect
    ~finally:(fun () -> Veth.delete ours)
    (fun () ->
      use
        (get (open_card kind ?offload ?mode ?mac ours))
        (fun device ->
          Veth.await ours theirs;
          f device))

let with_device kind ?mtu ?(offload = false) f =
  match kind with
  | Tap ->
      needed Tap;
      use (get (Tap.open_ ?mtu ~offload ())) f
  | Packet | Xdp -> with_card kind ?mtu ~offload (fun d -> f (d :> Device.t))

let python program =
  Weir_test.Suite.needs_program "python3";
  if Sys.command ("python3 -c " ^ Filename.quote program) <> 0 then Alcotest.fail "python3 failed"

let readable (l : Link.t) ~seconds =
  match l#readiness with
  | Weir_link_unix.Descriptor.Fd fd -> (
      match Unix.select [ fd ] [] [] seconds with [], _, _ -> false | _ -> true)
  | _ -> Alcotest.fail "no descriptor"

let receive (tap : Device.t) f =
  let until = Unix.gettimeofday () +. 2. in
  let rec go () =
    let frame = tap#receive ~now:0 in
    if frame != Frame.none then (
      let found = f frame in
      Frame.release frame;
      match found with Some x -> x | None -> go ())
    else
      let left = until -. Unix.gettimeofday () in
      if left < 0. then Alcotest.fail "no such frame in two seconds";
      ignore (readable (tap :> Link.t) ~seconds:left : bool);
      go ()
  in
  go ()

(* The IPv4 header of a frame, and where its data begin. *)
let ipv4 (f : Frame.t) =
  match Ethernet.decode f.data ~off:f.off ~len:f.len with
  | Ok { ethertype = 0x0800; _ } -> (
      match Ipv4.decode f.data ~off:(f.off + 14) ~len:(f.len - 14) with
      | Ok h -> Some (h, f.off + 14 + h.header_length)
      | Error e -> Alcotest.failf "%a" Error.pp e)
  | _ -> None

let udp_payload ~port (f : Frame.t) =
  match ipv4 f with
  | Some (h, off) when h.protocol = 17 -> (
      let pseudo =
        if f.checksum <> Unverified then -1
        else Ip.pseudo_sum ~src:h.src ~dst:h.dst ~protocol:17 ~length:h.data_length
      in
      match Udp.decode ~pseudo f.data ~off ~len:h.data_length with
      | Ok u when u.dst_port = port -> Some (Bytes.sub_string f.data (off + 8) u.data_length)
      | Ok _ -> None
      | Error e -> Alcotest.failf "%a" Error.pp e)
  | _ -> None

let kernel_mac (tap : Device.t) = Mac.of_macaddr (get (Interface.hardware_address (kernel_end tap)))

(* A frame to the kernel: [write b off pseudo] writes [length] bytes of [protocol]. *)
let frame tap ~protocol ~length write =
  let f = Frame.alloc pool in
  write f.data 34 (Ip.pseudo_sum ~src:own_ip ~dst:kernel_ip ~protocol ~length);
  Ipv4.emit
    { Ipv4.base with src = own_ip; dst = kernel_ip; protocol; data_length = length }
    f.data ~off:14;
  Ethernet.emit { dst = kernel_mac tap; src = own_mac; ethertype = 0x0800 } f.data ~off:0;
  Frame.set_length f (34 + length);
  f

let udp ?len tap ~port s =
  let data_length = match len with Some len -> len - 42 | None -> String.length s in
  frame tap ~protocol:17 ~length:(8 + data_length) (fun b off pseudo ->
      Bytes.fill b (off + 8) data_length '\000';
      Bytes.blit_string s 0 b (off + 8) (String.length s);
      Udp.emit { src_port = 4_000; dst_port = port; data_length; checksummed = true } ~pseudo b ~off)

let tcp tap ~port s =
  let h = { Tcp.base with src_port = 4_000; dst_port = port; data_length = String.length s } in
  frame tap ~protocol:6
    ~length:(Tcp.length h + h.data_length)
    (fun b off pseudo ->
      Bytes.blit_string s 0 b (off + Tcp.length h) h.data_length;
      Tcp.emit h ~pseudo ~data_sum:(-1) b ~off)

let reply (tap : Device.t) (f : Frame.t) ethertype emit =
  let r = Frame.copy pool f in
  Ethernet.emit { dst = kernel_mac tap; src = own_mac; ethertype } r.data ~off:0;
  emit r.data;
  tap#send ~now:0 r;
  tap#flush;
  true

let answer_arp tap (f : Frame.t) =
  match Arp.decode f.data ~off:(f.off + 14) ~len:(f.len - 14) with
  | Ok ({ operation = Request; _ } as a) when Ip.equal a.target_ip own_ip ->
      reply tap f 0x0806 (fun b ->
          Arp.emit
            {
              operation = Reply;
              sender_mac = own_mac;
              sender_ip = own_ip;
              target_mac = a.sender_mac;
              target_ip = a.sender_ip;
            }
            b ~off:14)
  | _ -> false

let answer tap (f : Frame.t) =
  match Ethernet.decode f.data ~off:f.off ~len:f.len with
  | Ok { ethertype = 0x0806; _ } -> answer_arp tap f
  | _ -> (
      match ipv4 f with
      | Some (h, off) when h.protocol = 1 && Ip.equal h.dst own_ip -> (
          match Icmpv4.decode f.data ~off ~len:h.data_length with
          | Ok (Echo_request { identifier; sequence; data_length }) ->
              reply tap f 0x0800 (fun b ->
                  Ipv4.emit { h with src = own_ip; dst = h.src } b ~off:14;
                  Icmpv4.emit (Echo_reply { identifier; sequence; data_length }) b ~off:34)
          | _ -> false)
      | _ -> false)

let broadcast_socket () =
  let s = Unix.socket ~cloexec:true PF_INET SOCK_DGRAM 0 in
  Unix.setsockopt s SO_BROADCAST true;
  s

let shout s ~port text =
  let dst = Unix.ADDR_INET (Unix.inet_addr_of_string "10.9.0.255", port) in
  ignore (Unix.sendto_substring s text 0 (String.length text) [] dst : int)
