(* A host with open connections is hit by everything; nothing of it may matter. *)

open Weir_base
open Weir_core
open White_box
open Weir_test

type pair = { at_a : Tcb.t; at_b : Tcb.t; forth : Stream.t; back : Stream.t }

let total = 400_000

let open_pair w l seed =
  let a = World.first w and b = World.second w in
  let at_a = World.connect w a b 80 in
  let accepted = ref None in
  ignore
    (World.run w
       ~limit:(World.now w + Time.s 1)
       (fun () ->
         if !accepted = None then accepted := Tcp.accept l;
         !accepted <> None));
  let at_b = Option.get !accepted in
  let stream seed = Stream.create ~seed ~total in
  { at_a; at_b; forth = stream seed; back = stream (seed + 1) }

(* All bytes up to [upto], both ways. *)
let exchange w pairs upto =
  let turn p =
    let more s = max 0 (upto - Stream.written s) in
    Stream.write p.forth ~most:(more p.forth) p.at_a;
    Stream.write p.back ~most:(more p.back) p.at_b;
    Stream.read p.forth p.at_b;
    Stream.read p.back p.at_a
  in
  let got p = Stream.read_so_far p.forth = upto && Stream.read_so_far p.back = upto in
  let moved () =
    List.iter turn pairs;
    List.for_all got pairs
  in
  (* Each byte must be looked at again once it has moved. *)
  let rec go tries =
    if moved () then true
    else if tries = 0 then false
    else (
      World.pass w (Time.ms 10);
      go (tries - 1))
  in
  if not (go 20_000) then
    Alcotest.failf "no transfer to %d: %a" upto
      Fmt.(list ~sep:comma (fun f p -> pf f "%a / %a" Invariants.pp p.at_a Invariants.pp p.at_b))
      pairs

(* Real frames to the second host, of all kinds. *)
let record w pairs =
  let seen = ref [] and count = ref 0 in
  let b = World.second w in
  World.on_frame w (fun h f n ->
      if h == World.first w && !count < 2_000 then (
        incr count;
        seen := (Bytes.sub f 0 n, n) :: !seen));
  let a = World.first w in
  let to_b = World.address b in
  (match Stack.bind_udp (World.stack a) ~address:Ipaddr.(V4 V4.any) ~port:9 ~reuse:true with
  | Error _ -> Alcotest.fail "bind"
  | Ok s ->
      List.iter
        (fun len ->
          ignore
            (Stack.send_udp (World.stack a) ~now:(World.now w) s ~dst:to_b ~dst_port:53
               (Bytes.make len 'u') ~off:0 ~len))
        [ 0; 10; 5_000; 9; 4_000 ]);
  List.iter
    (fun data_length ->
      ignore
        (Stack.ping (World.stack a) ~now:(World.now w) to_b ~identifier:3 ~sequence:4 ~data_length))
    [ 0; 100; 3_000 ];
  World.settle w;
  exchange w pairs 50_000;
  let arp = Bytes.make 42 '\000' in
  Bytes.blit_string "\000\001\008\000\006\004\000\001" 0 arp 14 8;
  Weir_wire.Ethernet.emit
    { dst = World.mac b; src = World.mac a; ethertype = Weir_wire.Ethernet.ethertype_arp }
    arp ~off:0;
  Weir_wire.Mac.set arp 22 (World.mac a);
  Weir_wire.Ip.set arp 28 (World.ip a);
  Weir_wire.Ip.set arp 38 (World.ip b);
  World.on_frame w (fun _ _ _ -> ());
  Array.of_list (List.init 20 (fun _ -> (arp, 42)) @ !seen)

let rain w random real pairs n =
  let b = World.second w in
  let buffer = Bytes.create 2_048 in
  let pairs = Array.of_list pairs in
  for i = 1 to n do
    let len =
      let c = pairs.(i mod Array.length pairs).at_b in
      match Random.State.int random 9 with
      | 0 | 1 | 2 -> Forge.aimed random b c buffer
      | 3 | 4 | 5 -> Forge.packet random b c buffer
      | _ -> Forge.garbage random b real buffer
    in
    (try World.inject w b buffer ~len
     with e ->
       Alcotest.failf "frame %d raised %s:@ %S" i (Printexc.to_string e)
         (Bytes.sub_string buffer 0 len));
    if i mod 50 = 0 then World.pass w (Time.us 500)
  done

let storm () =
  let n = Suite.iterations 1_000_000 in
  let seed = Suite.seed () in
  let delay = { Weir_link.Impairment.none with delay_ns = Time.us 50 } in
  let w = World.pair ~seed ~there:delay ~back:delay ~check:false () in
  let l = World.listen (World.second w) 80 in
  let pairs = List.init 4 (fun i -> open_pair w l (seed + (10 * i))) in
  let real = record w pairs in
  let random = Random.State.make [| seed; 4 |] in
  rain w random real pairs (n / 10);
  World.pass w (Time.s 120);
  exchange w pairs 100_000;
  let before = Weir_test.Words.live () in
  let c = Stack.counters (World.stack (World.second w)) in
  let in0 = c.tcp_in and bad0 = c.ip_in_malformed and ip0 = c.ip_in in
  let udp0 = c.udp_in and icmp0 = c.icmp_in in
  rain w random real pairs n;
  World.pass w (Time.s 120);
  let at_least what share got =
    if got * share < n then Alcotest.failf "only %d of %d frames were %s" got n what
  in
  at_least "packets" 2 (c.ip_in - ip0);
  at_least "datagrams" 50 (c.udp_in - udp0);
  at_least "ICMP messages" 50 (c.icmp_in - icmp0);
  at_least "segments" 4 (c.tcp_in - in0);
  at_least "malformed" 20 (c.ip_in_malformed - bad0);
  let grown = Weir_test.Words.live () - before in
  if grown > 100_000 then Alcotest.failf "WEIR_SEED=%d: %d words more after the storm" seed grown;
  List.iter
    (fun p ->
      Invariants.check p.at_a;
      Invariants.check p.at_b)
    pairs;
  exchange w pairs total

let cases = [ Suite.case "a million frames of garbage" storm ]
