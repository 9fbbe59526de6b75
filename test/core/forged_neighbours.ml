(* Forged ARP packets against a host that talks, and what they cost it. Linux
   asks again after 5 s, three times, and has lost 8.7 s by then. *)

open Weir_base
open Weir_wire
open White_box

let nobody = Mac.of_int 0x02_00_00_00_00_66

(* "The address of [of_] is at [mac]", told to [h] in each way there is. *)
let claims h ~of_ mac =
  let sender_ip = World.ip of_ in
  let packet operation target_ip : Arp.t =
    { operation; sender_mac = mac; sender_ip; target_mac = World.mac h; target_ip }
  in
  [ packet Reply (World.ip h); packet Request (World.ip h); packet Request sender_ip ]

let tell w h (arp : Arp.t) =
  let b = Bytes.create (Ethernet.length + Arp.length) in
  Ethernet.emit
    { dst = World.mac h; src = arp.sender_mac; ethertype = Ethernet.ethertype_arp }
    b ~off:0;
  Arp.emit arp b ~off:Ethernet.length;
  World.inject w h b ~len:(Bytes.length b)

(* Every 10 ms something is written, and both sides are lied to meanwhile: the
   longest time for which nothing is read. *)
let known () =
  let far = { Weir_link.Impairment.none with delay_ns = Time.ms 1 } in
  let w = World.pair ~seed:1 ~there:far ~back:far () in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w a b 80 in
  World.pass w (Time.ms 10);
  let s = Option.get (Tcp.accept l) and began = World.now w in
  let stream = Stream.create ~seed:1 ~total:600_000 in
  let read = ref 0 and at = ref began and longest = ref 0 in
  World.app w (fun () ->
      Stream.read stream s;
      if Stream.read_so_far stream > !read then (
        longest := Int.max !longest (World.now w - !at);
        read := Stream.read_so_far stream;
        at := World.now w));
  for i = 0 to 599 do
    World.at w (began + Time.ms (10 * i)) (fun () -> Stream.write stream ~most:1_000 c)
  done;
  for i = 0 to 2 do
    World.at w
      (began + Time.s (1 + i))
      (fun () ->
        tell w a (List.nth (claims a ~of_:b nobody) i);
        tell w b (List.nth (claims b ~of_:a nobody) i))
  done;
  let limit = World.now w + Time.s 100 in
  if not (World.run w ~limit (fun () -> Stream.all_read stream)) then Alcotest.fail "not finished";
  if !longest > Time.ms 50 then Alcotest.failf "nothing for %a" Time.pp !longest

(* Neither knows the other any more. *)
let strangers () =
  let w = World.pair ~seed:1 () in
  ignore (World.listen (World.second w) 80);
  World.pass w (Time.s 200);
  w

let time_to_connect w a b =
  let began = World.now w in
  let c = World.connect w a b 80 in
  if not (World.run w ~limit:(began + Time.s 100) (fun () -> c.state = Established)) then
    Alcotest.fail "not connected";
  World.now w - began

let unknown () =
  let w = strangers () in
  let a = World.first w and b = World.second w in
  tell w a (List.nth (claims a ~of_:b nobody) 1);
  let took = time_to_connect w a b in
  (* SYNs at 0, 1 and 3 s; the third finds what the probes have found. *)
  if took > Time.ms 3_100 then Alcotest.failf "%a" Time.pp took

(* The wrong one is known; the right one speaks up, as after a move, and is
   believed after a second. *)
let moved () =
  let w = strangers () in
  let a = World.first w and b = World.second w in
  tell w a (List.nth (claims a ~of_:b nobody) 1);
  tell w a (List.nth (claims a ~of_:b (World.mac b)) 2);
  World.pass w (Time.ms 1_010);
  let took = time_to_connect w a b in
  if took > Time.ms 10 then Alcotest.failf "%a" Time.pp took

let cases =
  List.map
    (fun (name, f) -> Weir_test.Suite.case name f)
    [ ("of a known host", known); ("of an unknown one", unknown); ("a move", moved) ]
