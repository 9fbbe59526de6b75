open Weir_link
open Weir_tap
module Device = Weir_link_unix.Device
open Weir_test

let check = Alcotest.(check int)

let from_kernel kind () =
  Station.with_device kind (fun tap ->
      let s = Station.broadcast_socket () in
      Station.shout s ~port:9 "from the kernel";
      Alcotest.(check string)
        "payload" "from the kernel"
        (Station.receive tap (Station.udp_payload ~port:9));
      if tap#stats.rx_frames < 1 then Alcotest.fail "not counted";
      Unix.close s)

let listening port =
  let s = Unix.socket ~cloexec:true PF_INET SOCK_DGRAM 0 in
  Unix.bind s (ADDR_INET (Unix.inet_addr_any, port));
  Unix.setsockopt_float s SO_RCVTIMEO 2.;
  s

let heard s =
  let b = Bytes.create 70_000 in
  Bytes.sub_string b 0 (Unix.recv s b 0 70_000 [])

let to_kernel kind () =
  Station.with_device kind (fun tap ->
      let s = listening 5_000 in
      tap#send ~now:0 (Station.udp tap ~port:5_000 "to the kernel");
      tap#flush;
      Alcotest.(check string) "payload" "to the kernel" (heard s);
      check "sent" 1 tap#stats.tx_frames;
      check "bytes" (42 + 13) tap#stats.tx_bytes;
      Unix.close s)

(* Pumps [tap] with [on_frame] until the process ends; its status. *)
let rec while_runs pid (tap : Device.t) on_frame =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ ->
      let frame = tap#receive ~now:0 in
      if frame == Frame.none then ignore (Station.readable (tap :> Link.t) ~seconds:0.02 : bool)
      else (
        ignore (on_frame frame : bool);
        Frame.release frame);
      while_runs pid tap on_frame
  | _, status -> status

let ping kind () =
  Suite.needs_program "ping";
  Station.with_device kind (fun tap ->
      let null = Unix.openfile "/dev/null" [ O_RDWR ] 0 in
      let pid =
        Unix.create_process "ping"
          [| "ping"; "-q"; "-c"; "20"; "-i"; "0.01"; "-s"; "1400"; "-W"; "2"; "10.9.0.2" |]
          null null null
      in
      Unix.close null;
      match while_runs pid tap (Station.answer tap) with
      | WEXITED 0 -> ()
      | _ -> Alcotest.fail "ping lost packets")

let down_and_up kind () =
  Station.with_device kind (fun tap ->
      let s = listening 5_000 in
      Station.get (Interface.set_down tap#name);
      tap#send ~now:0 (Station.udp tap ~port:5_000 "lost");
      tap#flush;
      check "dropped" 1 tap#stats.tx_dropped;
      Alcotest.(check bool) "nothing" true (tap#receive ~now:0 == Frame.none);
      Alcotest.(check bool) "not gone" false tap#is_gone;
      Station.get (Interface.set_up tap#name);
      tap#send ~now:0 (Station.udp tap ~port:5_000 "found");
      tap#flush;
      Alcotest.(check string) "up again" "found" (heard s);
      Unix.close s)

let deleted kind () =
  Suite.needs_program "ip";
  Station.with_device kind (fun tap ->
      let told = ref 0 in
      tap#on_gone (fun () -> incr told);
      check "ip" 0 (Sys.command ("ip link delete " ^ tap#name));
      Alcotest.(check bool) "its end is told" true (Station.readable (tap :> Link.t) ~seconds:1.);
      Alcotest.(check bool) "nothing" true (tap#receive ~now:0 == Frame.none);
      Alcotest.(check bool) "gone" true tap#is_gone;
      check "told" 1 !told;
      tap#on_gone (fun () -> incr told);
      check "told at once" 2 !told;
      Alcotest.(check bool) "silent" false (Station.readable (tap :> Link.t) ~seconds:0.05);
      let f = Frame.alloc (Frame.pool ~size:100 ()) in
      Frame.set_length f 60;
      tap#send ~now:0 f;
      check "dropped" 1 tap#stats.tx_dropped)

let deleted_while_sending kind () =
  Suite.needs_program "ip";
  Station.with_device kind (fun tap ->
      let f = Station.udp tap ~port:9 "x" in
      check "ip" 0 (Sys.command ("ip link delete " ^ tap#name));
      tap#send ~now:0 f;
      tap#flush;
      Alcotest.(check bool) "gone" true tap#is_gone)

let too_long kind () =
  Station.with_device kind (fun tap ->
      let s = Station.broadcast_socket () in
      Station.get (Interface.set_mtu (Station.kernel_end tap) 4_000);
      Station.shout s ~port:9 (String.make 3_000 'x');
      Station.shout s ~port:9 "short";
      let seen = ref 0 in
      Alcotest.(check string)
        "only the short one" "short"
        (Station.receive tap (fun f ->
             seen := max !seen f.len;
             Station.udp_payload ~port:9 f));
      check "the long one is counted" 1 tap#stats.rx_dropped;
      if !seen > 1_518 then Alcotest.failf "a frame of %d bytes" !seen;
      Unix.close s)

let longest kind () =
  let mtu = if kind = Station.Xdp then Weir_tap.Error.longest_for_xdp else 9_000 in
  Station.with_device kind ~mtu (fun tap ->
      let s = Station.broadcast_socket () in
      Station.shout s ~port:9 (String.make (mtu - 28) 'x');
      check "received" (mtu - 28)
        (String.length (Station.receive tap (Station.udp_payload ~port:9)));
      Unix.close s;
      let s = listening 5_000 in
      tap#send ~now:0 (Station.udp ~len:(mtu + 14) tap ~port:5_000 "");
      tap#flush;
      check "sent" (mtu - 28) (String.length (heard s));
      tap#send ~now:0 (Station.udp ~len:(mtu + 15) tap ~port:5_000 "");
      check "one byte more is dropped" 1 tap#stats.tx_dropped;
      Unix.close s)

let too_short kind () =
  Station.with_device kind (fun tap ->
      let pool = Frame.pool ~size:100 () in
      for len = 0 to 13 do
        let f = Frame.alloc pool in
        Frame.set_length f len;
        tap#send ~now:0 f
      done;
      check "dropped" 14 tap#stats.tx_dropped;
      Alcotest.(check bool) "still there" false tap#is_gone)

let closed kind () =
  Station.with_device kind (fun tap ->
      let f = Station.udp tap ~port:9 "x" in
      tap#close;
      tap#send ~now:0 f;
      check "dropped" 1 tap#stats.tx_dropped;
      Alcotest.(check bool) "nothing" true (tap#receive ~now:0 == Frame.none))

let no_allocation kind () =
  Station.with_device kind (fun tap ->
      let pool = Frame.pool ~size:100 () in
      let round () =
        for _ = 1 to 1_000 do
          let f = Frame.alloc pool in
          Frame.set_length f 60;
          Bytes.fill f.data 0 60 '\x88';
          tap#send ~now:0 f;
          tap#flush;
          Frame.release (tap#receive ~now:0)
        done
      in
      round ();
      let before = Gc.minor_words () in
      round ();
      let words = Gc.minor_words () -. before in
      if words > 8. then Alcotest.failf "%.0f words" words)

let random_frames kind () =
  Station.with_device kind (fun tap ->
      let random = Random.State.make [| 11 |] in
      let pool = Frame.pool ~size:2_000 () in
      for _ = 1 to Suite.iterations 20_000 do
        let f = Frame.alloc pool in
        Frame.set_length f (Random.State.int random 1_515);
        for i = 0 to min 59 (f.len - 1) do
          Bytes.set_uint8 f.data i (Random.State.int random 256)
        done;
        tap#send ~now:0 f;
        if Random.State.int random 40 = 0 then tap#flush;
        Frame.release (tap#receive ~now:0)
      done;
      Alcotest.(check bool) "still there" false tap#is_gone)

(* A UDP frame whose checksum is left to the kernel. *)
let offloaded_checksum kind () =
  Station.with_device kind ~offload:true (fun tap ->
      let s = listening 5_000 in
      let f = Station.udp tap ~port:5_000 "summed by the kernel" in
      (* An XDP socket's link completes it itself, from the sum that must be there. *)
      Bytes.set_uint16_be f.data 40
        (if kind = Station.Xdp then
           Weir_wire.Ip.pseudo_sum ~src:Station.own_ip ~dst:Station.kernel_ip ~protocol:17
             ~length:28
         else 0xdead);
      Frame.set_checksum f Partial;
      tap#send ~now:0 f;
      tap#flush;
      Alcotest.(check string) "payload" "summed by the kernel" (heard s);
      let f = Station.udp tap ~port:5_000 "wrong" in
      Bytes.set_uint16_be f.data 40 0xdead;
      tap#send ~now:0 f;
      tap#send ~now:0 (Station.udp tap ~port:5_000 "right");
      tap#flush;
      Alcotest.(check string) "not partial: verified" "right" (heard s);
      Unix.close s;
      let s = Station.broadcast_socket () in
      Station.shout s ~port:9 "kernel";
      Alcotest.(check (pair string bool))
        "the kernel leaves its own to the device" ("kernel", true)
        (Station.receive tap (fun f ->
             Option.map (fun p -> (p, f.checksum = Frame.Partial)) (Station.udp_payload ~port:9 f)));
      Unix.close s)

(* A peer may want segments far shorter than the link allows. *)
let short_segments kind () =
  Station.with_device kind ~offload:true (fun tap ->
      let kernel = Station.get (Weir_packet.Packet.open_ ~up:false (Station.kernel_end tap)) in
      let kernel = (kernel :> Device.t) in
      let frame = Station.tcp tap ~port:5_000 (String.make 300 'x') in
      Frame.set_checksum frame Partial;
      Frame.set_segment_size frame 100;
      tap#send ~now:0 frame;
      tap#flush;
      let size (f : Frame.t) =
        if f.len < 54 || Weir_wire.Ethernet.get_ethertype f.data ~off:f.off <> 0x0800 then None
        else Some (f.len, f.segment_size)
      in
      let received = Station.receive kernel size in
      kernel#close;
      Alcotest.(check (pair int int)) "length and size of segments" (54 + 300, 100) received)

(* Frames that say they are what they are not must not make the stub read or
   write beyond them. *)
let offloaded_garbage kind () =
  Station.with_device kind ~offload:true (fun tap ->
      let random = Random.State.make [| 12 |] in
      let good = Station.udp tap ~port:9 (String.make 100 'x') in
      for _ = 1 to Suite.iterations 20_000 do
        let f = Frame.copy (Frame.pool ~keep:0 ~size:good.len ()) good in
        Frame.set_checksum f Partial;
        for _ = 0 to Random.State.int random 4 do
          Bytes.set_uint8 f.data (12 + Random.State.int random 40) (Random.State.int random 256)
        done;
        Frame.set_length f (Random.State.int random (good.len + 1));
        tap#send ~now:0 f;
        tap#flush;
        Frame.release (tap#receive ~now:0)
      done;
      let f = Frame.alloc (Frame.pool ~size:70_000 ()) in
      Frame.set_length f 60_000;
      Bytes.fill f.data 0 f.len '\000';
      let dropped = tap#stats.tx_dropped in
      tap#send ~now:0 f;
      check "long, but nothing to cut" (dropped + 1) tap#stats.tx_dropped)

let over kind =
  [
    Suite.case "from the kernel" (from_kernel kind);
    Suite.case "to the kernel" (to_kernel kind);
    Suite.case "ping" (ping kind);
    Suite.case "down and up" (down_and_up kind);
    Suite.case "deleted" (deleted kind);
    Suite.case "deleted while sending" (deleted_while_sending kind);
    Suite.case "the longest frames" (longest kind);
    Suite.case "frames too short" (too_short kind);
    Suite.case "close" (closed kind);
    Suite.case "no allocation" (no_allocation kind);
    Suite.case "random frames" (random_frames kind);
    Suite.case "offloaded checksums" (offloaded_checksum kind);
    Suite.case "offload and garbage" (offloaded_garbage kind);
  ]
  @
  if kind = Xdp then []
  else [ Suite.case "segments shorter than the link allows" (short_segments kind) ]

let cases = over Tap @ [ Suite.case "frames too long are noticed" (too_long Tap) ]
