(* A host on two links: addresses that come and go, routes by longest prefix,
   answers by the right link. *)

open Weir_base
open Weir_core
open Weir_test
module Ip = Weir_wire.Ip

let v4 = Ipaddr.of_string_exn
let prefix = Ipaddr.Prefix.of_string_exn

let stack ?gateway ~mac cidr =
  Stack.create
    {
      mac = Net.mac mac;
      addresses = [ prefix cidr ];
      gateways = List.map v4 (Option.to_list gateway);
      secret = Stable_address.secret_of_string cidr;
      mtu = 1_500;
      config = Config.default;
    }
    ~random:(Random.State.make [| mac |]) ~now:0

(* [host] has a link to [a] and one to [b]; frames are counted by link and way. *)
type world = {
  host : Stack.t;
  a : Stack.t;
  b : Stack.t;
  mutable now : Time.t;
  out : int array;  (** frames of [host]'s, by interface *)
}

let world () =
  let host = stack ~mac:1 "10.1.0.1/24" in
  let second = Stack.add_interface host ~mac:(Net.mac 2) ~mtu:900 in
  Stack.add_address host second (prefix "10.2.0.1/24");
  {
    host;
    a = stack ~mac:3 ~gateway:"10.1.0.1" "10.1.0.9/24";
    b = stack ~mac:4 ~gateway:"10.2.0.1" "10.2.0.9/24";
    now = 0;
    out = [| 0; 0 |];
  }

let peer w = function 0 -> w.a | _ -> w.b

let rec send_host w f moved =
  let i = Stack.transmit w.host ~now:w.now f in
  if i < 0 then moved
  else (
    w.out.(i) <- w.out.(i) + 1;
    if f.len > (Stack.interface w.host i).mtu + 14 then Alcotest.failf "%d bytes by %d" f.len i;
    Stack.input (peer w i) ~now:w.now ~interface:0 f;
    send_host w f true)

let rec send_peer w n f moved =
  if Stack.transmit (peer w n) ~now:w.now f < 0 then moved
  else (
    Stack.input w.host ~now:w.now ~interface:n f;
    send_peer w n f true)

let rec settle w =
  let f = Frame.alloc (Frame.pool ~size:1_514 ()) in
  let moved = send_host w f false in
  let moved = send_peer w 0 f moved in
  if send_peer w 1 f moved then settle w

let pass w ns =
  let until = w.now + ns in
  let rec go () =
    settle w;
    let next =
      List.fold_left (fun t s -> Int.min t (Stack.deadline s)) until [ w.host; w.a; w.b ]
    in
    w.now <- Int.max w.now next;
    List.iter (fun s -> Stack.tick s ~now:w.now) [ w.host; w.a; w.b ];
    settle w;
    if w.now < until then go ()
  in
  go ()

let listen s port =
  match Tcp.listen (Stack.tcp s) ~address:Ip.any ~port ~backlog:4 ~reuse:true with
  | Ok l -> l
  | Error _ -> Alcotest.fail "listen"

let connect w s address port =
  match Stack.connect s ~now:w.now (v4 address) ~port with
  | Ok c ->
      pass w (Time.ms 100);
      c
  | Error _ -> Alcotest.fail "connect"

let check_state what expected c =
  Alcotest.(check string) what expected (Fmt.str "%a" Tcp.pp_state (Tcp.state c))

(* [n] bytes from [sender] to [receiver]: whether they came within 10 s. *)
let transfer w sender receiver n =
  let b = Bytes.make 4_096 'x' in
  let sent = ref 0 and got = ref 0 and until = w.now + Time.s 10 in
  while !got < n && w.now < until do
    if !sent < n then sent := !sent + Tcp.write sender b ~off:0 ~len:(Int.min 4_096 (n - !sent));
    pass w (Time.ms 10);
    got := !got + Tcp.read receiver b ~off:0 ~len:4_096
  done;
  !got = n

let arrives what w sender receiver =
  Alcotest.(check bool) what true (transfer w sender receiver 20_000)

let accept w l =
  pass w (Time.ms 10);
  match Tcp.accept l with Some c -> c | None -> Alcotest.fail "nobody to accept"

let by_interface w f =
  Array.fill w.out 0 2 0;
  f ();
  (w.out.(0) > 0, w.out.(1) > 0)

let only = Alcotest.(pair bool bool)

(* Answers leave by the link of whom they are for, in segments that fit it. *)
let two_links () =
  let w = world () in
  let l = listen w.host 80 in
  let from_a = connect w w.a "10.1.0.1" 80 in
  let to_a = accept w l in
  let from_b = connect w w.b "10.2.0.1" 80 in
  let to_b = accept w l in
  Alcotest.check only "to a" (true, false) (by_interface w (fun () -> arrives "a" w to_a from_a));
  Alcotest.check only "to b" (false, true) (by_interface w (fun () -> arrives "b" w to_b from_b));
  Alcotest.(check int) "segments of its link, with timestamps" (900 - 40 - 12) (Tcp.mss from_b)

(* The second address of the host is reached through the first link: the weak model. *)
let weak_host () =
  let w = world () in
  let l = listen w.host 80 in
  let c = connect w w.a "10.2.0.1" 80 in
  arrives "across" w c (accept w l);
  Alcotest.(check string) "from the address asked" "10.2.0.1" (Fmt.str "%a" Ip.pp (Tcp.remote c))

let comes_and_goes () =
  let w = world () in
  let l = listen w.host 80 in
  let kept = connect w w.a "10.1.0.1" 80 in
  let at_host = accept w l in
  let first = Stack.interface w.host 0 in
  Stack.add_address w.host first (prefix "10.1.0.77/24");
  let late = connect w w.a "10.1.0.77" 80 in
  arrives "the new address" w late (accept w l);
  arrives "the old one meanwhile" w kept at_host;
  Stack.remove_address w.host first (v4 "10.1.0.77");
  arrives "the old one afterwards" w kept at_host;
  Alcotest.(check bool) "nothing at the removed one" false (transfer w late late 1);
  (match Stack.connect w.a ~now:w.now (v4 "10.1.0.77") ~port:80 with
  | Error _ -> Alcotest.fail "connect"
  | Ok c ->
      pass w (Time.s 30);
      check_state "nobody answers for it" "SYN-SENT" c);
  Stack.add_address w.host first (prefix "10.1.0.77/24");
  check_state "it waits" "ESTABLISHED" late

(* Lifetimes: a deprecated address serves who has it, and is none to begin with. *)
let lifetimes () =
  let w = world () in
  let first = Stack.interface w.host 0 in
  let in_ s = w.now + Time.s s in
  Stack.add_address w.host first (prefix "10.9.0.1/24") ~preferred_until:(in_ 5)
    ~valid_until:(in_ 10);
  let source () = Ipaddr.to_string (Stack.source_for w.host (v4 "10.9.0.5")) in
  Alcotest.(check string) "preferred" "10.9.0.1" (source ());
  pass w (Time.s 6);
  Alcotest.(check string) "deprecated: another begins" "10.1.0.1" (source ());
  Alcotest.(check bool) "but it is there" true (Stack.is_local w.host (v4 "10.9.0.1"));
  pass w (Time.s 5);
  Alcotest.(check bool) "gone" false (Stack.is_local w.host (v4 "10.9.0.1"));
  Alcotest.(check bool) "and its network" false (Stack.has_route w.host (v4 "10.9.0.5"));
  Stack.add_address w.host first ~state:Tentative (prefix "10.8.0.1/24");
  Alcotest.(check bool) "tentative: not yet" false (Stack.is_local w.host (v4 "10.8.0.1"))

let routes () =
  let w = world () in
  let add p gateway = Stack.add_route w.host (prefix p) ~gateway:(v4 gateway) in
  Alcotest.(check bool) "default" true (add "0.0.0.0/0" "10.1.0.9" = Ok ());
  Alcotest.(check bool) "longer" true (add "172.16.0.0/12" "10.2.0.9" = Ok ());
  Alcotest.(check bool) "longest" true (add "172.16.5.0/24" "10.1.0.9" = Ok ());
  Alcotest.(check bool) "no such gateway" true (Result.is_error (add "1.0.0.0/8" "10.3.0.1"));
  let leaves_by what expected dst =
    let sent () =
      ignore (Stack.ping w.host ~now:w.now (v4 dst) ~identifier:1 ~sequence:1 ~data_length:0);
      pass w (Time.ms 10)
    in
    Alcotest.check only what expected (by_interface w sent)
  in
  leaves_by "by default" (true, false) "8.8.8.8";
  leaves_by "by the longer prefix" (false, true) "172.17.0.1";
  leaves_by "by the longest" (true, false) "172.16.5.1";
  Stack.remove_address w.host (Stack.interface w.host 1) (v4 "10.2.0.1");
  leaves_by "its link has no address any more" (true, false) "172.17.0.1"

(* A connection whose route moves to a link that takes less goes on, in fragments. *)
let narrower_route () =
  let w = world () in
  let l = listen w.host 80 in
  let c = connect w w.a "10.1.0.1" 80 in
  let at_host = accept w l in
  Alcotest.(check bool)
    "a route by the other link" true
    (Stack.add_route w.host (prefix "10.1.0.9/32") ~gateway:(v4 "10.2.0.9") = Ok ());
  (* [b] forwards nothing: it is enough that no frame is too long. *)
  let sent = Tcp.write at_host (Bytes.make 20_000 'x') ~off:0 ~len:20_000 in
  Alcotest.(check bool) "written" true (sent > 1_448);
  let by = by_interface w (fun () -> pass w (Time.ms 10)) in
  Alcotest.check only "by the other" (false, true) by;
  Alcotest.(check bool)
    "and by the first again" true
    (Weir_core.Routes.remove (Stack.routes w.host) ~network:(Net.ip "10.1.0.9") ~prefix_length:32);
  pass w (Time.s 20);
  let b = Bytes.create 20_000 in
  Alcotest.(check int) "all came" sent (Tcp.read c b ~off:0 ~len:20_000)

(* Two interfaces on one network: when the first loses its address, the second serves. *)
let one_network () =
  let w = world () in
  let first = Stack.interface w.host 0 and second = Stack.interface w.host 1 in
  Stack.add_address w.host second (prefix "10.1.0.2/24");
  Stack.remove_address w.host first (v4 "10.1.0.1");
  Alcotest.(check bool) "still on a link" true (Stack.has_route w.host (v4 "10.1.0.9"));
  Alcotest.(check int) "the second's" 900 (Stack.mtu_to w.host (v4 "10.1.0.9"))

let no_address () =
  let w = world () in
  let third = Stack.add_interface w.host ~mac:(Net.mac 6) ~mtu:1_500 in
  Stack.add_address w.host third ~state:Tentative (prefix "10.5.0.1/24");
  match Stack.connect w.host ~now:w.now (v4 "10.5.0.9") ~port:80 with
  | Error `No_route -> ()
  | _ -> Alcotest.fail "a connection from no address"

let cases =
  [
    Suite.case "two links" two_links;
    Suite.case "an address of the other link" weak_host;
    Suite.case "addresses come and go" comes_and_goes;
    Suite.case "lifetimes" lifetimes;
    Suite.case "routes by longest prefix" routes;
    Suite.case "a route to a narrower link" narrower_route;
    Suite.case "two interfaces on one network" one_network;
    Suite.case "an interface without an address" no_address;
  ]
