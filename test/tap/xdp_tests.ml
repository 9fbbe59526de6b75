open Weir_tap
open Weir_test
module Device = Weir_link_unix.Device
module Packet = Weir_packet.Packet
module Xdp = Weir_xdp.Xdp

let check = Alcotest.(check int)
let mac = Macaddr.of_string_exn "02:00:00:00:00:02"

let error what want = function
  | Ok _ -> Alcotest.failf "%s: no error" what
  | Error e -> Alcotest.(check string) what want (Fmt.str "%a" Error.pp e)

(* -- who may have one, and where ------------------------------------------- *)

let long =
  "pack0 has frames that are too long for XDP sockets: run `ip link set pack0 mtu 3498`, on both \
   ends of a veth pair, or take packet:pack0"

let refused () =
  Station.with_card Xdp (fun first ->
      error "a second one"
        "pack0 has another XDP program, or an XDP socket on its first queue: end the process that \
         it belongs to, or remove the program by `ip link set dev pack0 xdp off`"
        (Xdp.open_ "pack0");
      first#close;
      error "zero-copy" "the driver of pack0 has no zero-copy for XDP sockets: leave out zero-copy"
        (Xdp.open_ ~mode:Zero_copy "pack0");
      (Station.get (Xdp.open_ "pack0"))#close;
      Station.get (Interface.set_mtu "kern0" 9_000);
      error "the other end's MTU" long (Xdp.open_ "pack0");
      Station.get (Interface.set_mtu "pack0" 9_000);
      error "its MTU" long (Xdp.open_ "pack0"))

let without_permission () =
  Netns.needs_root ();
  Station.with_card Xdp (fun packet ->
      packet#close;
      let said =
        Packet_tests.as_nobody (fun () ->
            match Xdp.open_ "pack0" with Ok _ -> "no error" | Error e -> Fmt.str "%a" Error.pp e)
      in
      (* The packet socket beside it is asked for first. *)
      Alcotest.(check string)
        "what to do"
        "not permitted to open a packet socket on pack0: it needs root or CAP_NET_RAW; try `sudo`, \
         or let root give it to the program once: `setcap cap_net_raw+ep PROGRAM`"
        said)

(* -- the program ------------------------------------------------------------ *)

let has_program () = Sys.command "ip link show pack0 | grep -q xdp" = 0

let rec without_program tries =
  (not (has_program ()))
  || tries > 0
     && begin
       Unix.sleepf 0.02;
       without_program (tries - 1)
     end

let leaves_with_close () =
  Station.with_card Xdp (fun packet ->
      Alcotest.(check bool) "there" true (has_program ());
      packet#close;
      packet#close;
      Alcotest.(check bool) "gone" true (without_program 50))

let leaves_with_process () =
  Station.with_card Xdp (fun packet ->
      packet#close;
      let input, output = Unix.pipe ~cloexec:true () in
      match Unix.fork () with
      | 0 ->
          let said = match Xdp.open_ "pack0" with Ok _ -> "open" | Error _ -> "none" in
          ignore (Unix.write_substring output said 0 4 : int);
          Unix.sleep 60;
          Unix._exit 0
      | pid ->
          let said = Bytes.create 4 in
          ignore (Unix.read input said 0 4 : int);
          Alcotest.(check string) "the other process" "open" (Bytes.to_string said);
          Alcotest.(check bool) "there" true (has_program ());
          Unix.kill pid Sys.sigkill;
          ignore (Unix.waitpid [] pid);
          Unix.close input;
          Unix.close output;
          Alcotest.(check bool) "gone" true (without_program 50))

(* The kernel keeps its addresses on the interface: it is reached through the same. *)
let beside_the_kernel () =
  List.iter Suite.needs_program [ "ping"; "unshare"; "nsenter" ];
  Station.with_card Xdp ~mac (fun _ ->
      let far = Unix.create_process "unshare" [| "unshare"; "-n"; "sleep"; "60" |] Unix.stdin Unix.stdout Unix.stderr in
      let there command =
        Sys.command (Printf.sprintf "nsenter -t %d -n %s >/dev/null 2>&1" far command)
      in
      Fun.protect
        ~finally:(fun () ->
          Unix.kill far Sys.sigkill;
          ignore (Unix.waitpid [] far))
        (fun () ->
          let rec moved tries =
            Sys.command (Printf.sprintf "ip link set kern0 netns %d" far) = 0
            && there "ip link show kern0" = 0
            || tries > 0 && (Unix.sleepf 0.05; moved (tries - 1))
          in
          Alcotest.(check bool) "the other end is away" true (moved 40);
          check "its address" 0 (there "ip address add 10.9.0.1/24 dev kern0");
          check "it is up" 0 (there "ip link set kern0 up");
          let own = Ipaddr.of_string_exn "10.9.0.9" in
          Station.get (Interface.set_address "pack0" own ~prefix:24);
          Veth.await "pack0" "pack0";
          check "the kernel answers" 0 (there "ping -c 3 -i 0.05 -W 2 10.9.0.9")))
  [@@ocamlformat "disable"]

(* -- frames ------------------------------------------------------------------ *)

let program =
  Packet_tests.send_frames
  ^ {|
for i in range(12000):
    frame("020000000002", "frame %d" % i)
    if i % 1000 == 999: input()
|}

(* More than the memory has, so each part of it is used several times. *)
let in_order () =
  Station.with_card Xdp (fun packet ->
      Suite.needs_program "python3";
      let go = Unix.open_process_out ("python3 -c " ^ Filename.quote program) in
      for i = 0 to 11_999 do
        let text = Station.receive (packet :> Device.t) Packet_tests.text in
        if text <> Printf.sprintf "frame %d" i then Alcotest.failf "%s in place of %d" text i;
        if i mod 1_000 = 999 then (
          output_string go "\n";
          flush go)
      done;
      ignore (Unix.close_process_out go);
      check "none is lost" 0 packet#stats.rx_dropped)

let out_in_order mode () =
  Station.with_card Xdp ~mode (fun packet ->
      let device = (packet :> Device.t) in
      let kernel = Station.get (Packet.open_ ~offload:false ~up:false "kern0") in
      let n = 12_000 in
      for i = 0 to n - 1 do
        packet#send ~now:0 (Station.udp ~len:(60 + (i mod 1_455)) device ~port:9 (string_of_int i));
        if i mod 100 = 99 then (
          packet#flush;
          for i = i - 99 to i do
            let f = Station.receive (kernel :> Device.t) (fun f ->
                if Weir_wire.Ethernet.get_ethertype f.data ~off:f.off = 0x0800 then
                  Option.map (fun s -> (f.len, s)) (Station.udp_payload ~port:9 f)
                else None)
            in
            check "length" (60 + (i mod 1_455)) (fst f);
            let text = List.hd (String.split_on_char '\000' (snd f)) in
            Alcotest.(check string) "its text" (string_of_int i) text
          done)
      done;
      kernel#close;
      check "sent" n packet#stats.tx_frames;
      check "none is dropped" 0 packet#stats.tx_dropped)
  [@@ocamlformat "disable"]

(* An ARP request must not wait until no other frame comes. *)
let groups_have_turns () =
  Station.with_card Xdp (fun packet ->
      Station.python
        (Packet_tests.send_frames
       ^ {|
frame("ffffffffffff", "everyone's")
for i in range(1000): frame("020000000002", "ours")
|}
        );
      let rec before n =
        match Station.receive (packet :> Device.t) Packet_tests.text with
        | "everyone's" -> n
        | _ -> before (n + 1)
      in
      let n = before 0 in
      if n = 0 || n > 64 then Alcotest.failf "%d frames before it" n)

(* The kernel leaves the checksums of its own datagrams to a device, and the ring does not say so. *)
let partial () =
  Station.with_card Xdp ~mac (fun packet ->
      let device = (packet :> Device.t) in
      let send =
        {|
import socket, subprocess
subprocess.run("ip neighbour replace 10.9.0.2 lladdr 02:00:00:00:00:02 dev kern0", shell=True, check=True)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.sendto(b"to one host", ("10.9.0.2", 9))
|}
      in
      Station.python send;
      let found =
        Station.receive device (fun f ->
            match Station.ipv4 f with
            | Some (h, off) when h.protocol = 17 ->
                let right =
                  let b = Bytes.copy f.data in
                  Weir_wire.Transport.complete b ~off:f.off ~len:f.len
                  && Bytes.get_uint16_be b (off + 6) <> Bytes.get_uint16_be f.data (off + 6)
                in
                Some (f.checksum = Partial, right, Bytes.sub_string f.data (off + 8) 11)
            | _ -> None)
      in
      Alcotest.(check (triple bool bool string))
        "partial, to be completed" (true, true, "to one host") found)

let kinds () =
  let is mode want =
    Station.needed Xdp;
    Veth.make "pack0" "kern0";
    Fun.protect
      ~finally:(fun () -> Veth.delete "pack0")
      (fun () ->
        let x = Station.get (Xdp.open_ ~mode "pack0") in
        Alcotest.(check (pair bool bool)) "native, zero-copy" want (x#native, x#zero_copy);
        x#close)
  in
  is Best (true, false);
  is Copy (true, false);
  is Generic (false, false)

let cases =
  Packet_tests.over Xdp
  @ [
      Suite.case "who is refused" refused;
      Suite.case "without permission" without_permission;
      Suite.case "how it works" kinds;
      Suite.case "its program ends with it" leaves_with_close;
      Suite.case "its program ends with a killed process" leaves_with_process;
      Suite.case "the kernel is still reached" beside_the_kernel;
      Suite.case "12,000 frames in" in_order;
      Suite.case "12,000 frames out" (out_in_order Best);
      Suite.case "12,000 frames out, generic" (out_in_order Generic);
      Suite.case "frames for groups among many others" groups_have_turns;
      Suite.case "partial checksums" partial;
    ]
