open Weir_wire
open Weir_core
open Weir_test
open Net

let here = ip "10.0.0.1"
let loopback = ip "127.0.0.1"
let peer = ip "10.0.0.2"
let other = ip "10.0.0.3"
let make () = Udp_sockets.create (random ()) ~budget:(Weir_base.Budget.create ~limit:max_int)

let bind ?buffer ?max_datagrams ?(address = Ip.any) ?(reuse = false) t port =
  match Udp_sockets.bind ?buffer ?max_datagrams t ~address ~port ~reuse with
  | Ok s -> s
  | Error `In_use -> Alcotest.failf "port %d in use" port
  | Error `No_port -> Alcotest.fail "no port"

let find ?(dst = here) ?(dst_port = 53) ?(src = peer) ?(src_port = 9) t =
  Udp_sockets.find t (Packet.between ~source:src ~destination:dst) ~dst_port ~src_port

let is what want got =
  Alcotest.(check bool)
    what true
    (match (want, got) with
    | None, None -> true
    | Some w, Some (g : Udp_sockets.socket) -> w == g
    | _ -> false)

let demux () =
  let t = make () in
  let all = bind t 53 ~reuse:true in
  let one = bind t 53 ~address:here ~reuse:true in
  let connected = bind t 53 ~reuse:true in
  let elsewhere = bind t 54 in
  Udp_sockets.connect connected ~local:here ~remote:peer ~remote_port:9;
  is "its peer" (Some connected) (find t);
  is "another port of the peer" (Some one) (find t ~src_port:10);
  is "another host" (Some one) (find t ~src:other);
  is "another local address" (Some all) (find t ~dst:loopback);
  is "another port" (Some elsewhere) (find t ~dst_port:54);
  is "nobody" None (find t ~dst_port:55);
  is "a port of the same bucket" None (find t ~dst_port:(53 + 4096));
  Udp_sockets.disconnect connected;
  is "disconnected: bound to all again" (Some one) (find t);
  Udp_sockets.close t one;
  is "the last bound" (Some connected) (find t);
  Udp_sockets.close t connected;
  Udp_sockets.close t connected;
  is "the first" (Some all) (find t);
  Alcotest.(check int) "two are left" 2 (Udp_sockets.length t);
  let groups = ref 0 in
  let extra = bind t 53 ~reuse:true in
  Udp_sockets.connect extra ~local:here ~remote:other ~remote_port:1;
  let again = bind t 53 ~reuse:true in
  Udp_sockets.iter_matching t (Packet.between ~source:peer ~destination:Ip.broadcast)
    ~dst_port:53 ~src_port:9 (fun s ->
      incr groups;
      Alcotest.(check bool) "not connected elsewhere" true (s == all || s == again));
  Alcotest.(check int) "a broadcast reaches both" 2 !groups

let in_use () =
  let case what (a1, r1) (a2, r2) want =
    let t = make () in
    ignore (bind t 53 ~address:a1 ~reuse:r1);
    let got = Udp_sockets.bind t ~address:a2 ~port:53 ~reuse:r2 in
    Alcotest.(check bool) what want (Result.is_ok got)
  in
  case "the same" (here, false) (here, false) false;
  case "all over one" (here, false) (Ip.any, false) false;
  case "one under all" (Ip.any, false) (here, false) false;
  case "two addresses" (here, false) (loopback, false) true;
  case "only the second reuses" (here, false) (here, true) false;
  case "both reuse" (here, true) (here, true) true;
  case "all and one reuse" (Ip.any, true) (here, true) true;
  let t = make () in
  Udp_sockets.close t (bind t 53);
  ignore (bind t 53)

let ephemeral () =
  let t = make () in
  let first = Udp_sockets.port (bind t 0) and second = Udp_sockets.port (bind t 0) in
  Alcotest.(check bool) "not in sequence" true (abs (first - second) > 1);
  let count = 65_536 - Ports.first in
  let seen = Hashtbl.create count in
  Hashtbl.add seen first ();
  Hashtbl.add seen second ();
  (* [reuse] does not share an ephemeral port. *)
  for _ = 3 to count do
    let p = Udp_sockets.port (bind t 0 ~reuse:true) in
    if p < Ports.first || p > 65_535 || Hashtbl.mem seen p then Alcotest.failf "port %d" p;
    Hashtbl.add seen p ()
  done;
  (match Udp_sockets.bind t ~address:Ip.any ~port:0 ~reuse:false with
  | Error `No_port -> ()
  | _ -> Alcotest.fail "more ports than there are");
  ignore (bind t 53)

(* The data stand behind the addresses, at [data]. *)
let data = 8

let packet ?(source = peer) ?(destination = here) text =
  let p = Packet.between ~source ~destination in
  p.data <- Bytes.cat p.data (Bytes.of_string text);
  p

let put ?src ?(src_port = 9) ?dst s text =
  let p = packet ?source:src ?destination:dst text in
  Udp_sockets.enqueue s p ~src_port ~off:data ~len:(String.length text)

let take ?(len = 100) s =
  let b = Bytes.make (len + 1) '.' in
  match Udp_sockets.receive s b ~off:1 ~len with
  | -1 -> "nothing"
  | n ->
      Fmt.str "%d %s %a:%d" n
        (Bytes.sub_string b 1 (Int.min n len))
        Ip.pp (Udp_sockets.last_src s) (Udp_sockets.last_src_port s)

let receiving () =
  let t = make () in
  let s = bind t 53 in
  let check what want = Alcotest.(check string) what want (take s) in
  check "empty" "nothing";
  Alcotest.(check bool) "stored" true (put s "one" ~dst:Ip.broadcast);
  Alcotest.(check bool) "stored" true (put s "" ~src:other ~src_port:65_535);
  Alcotest.(check bool) "stored" true (put s "three");
  Alcotest.(check int) "queued" 3 (Udp_sockets.queued s);
  Alcotest.(check int) "bytes" (8 + 39) (Udp_sockets.queued_bytes s);
  Alcotest.(check int) "the next" 3 (Udp_sockets.next_length s);
  check "first" "3 one 10.0.0.2:9";
  Alcotest.(check bool) "sent to all" true (Udp_sockets.last_dst s = Ip.broadcast);
  check "an empty one" "0  10.0.0.3:65535";
  Alcotest.(check bool) "sent here" true (Udp_sockets.last_dst s = here);
  Alcotest.(check string) "cut short" "5 th 10.0.0.2:9" (take s ~len:2);
  check "and gone" "nothing";
  Alcotest.(check int) "no next" (-1) (Udp_sockets.next_length s)

let closing () =
  let t = make () in
  let s = bind t 53 in
  ignore (put s "one");
  Udp_sockets.close t s;
  Alcotest.(check bool) "closed" false (Udp_sockets.is_open s);
  Alcotest.(check string) "nothing to read" "nothing" (take s);
  Alcotest.(check bool) "nothing stored" false (put s "two");
  is "not found" None (find t)

let errors () =
  let t = make () in
  let s = bind t 53 and plain = bind t 54 in
  let report ?(remote = peer) ?(remote_port = 9) ?(local_port = 53) e =
    Udp_sockets.report t ~local:here ~local_port ~remote ~remote_port e
  in
  let port_error =
    Icmp_error.V4 (Destination_unreachable { code = Port; rest = 0; data_length = 0 })
  in
  is "not connected" None (report port_error);
  Udp_sockets.connect s ~local:here ~remote:peer ~remote_port:9;
  is "about another host" None (report ~remote:other port_error);
  is "about another port" None (report ~remote_port:10 port_error);
  is "about another socket" None (report ~local_port:54 port_error);
  is "about ours" (Some s) (report port_error);
  Alcotest.(check bool) "seen" true (Udp_sockets.error s = Some port_error);
  Alcotest.(check bool) "taken" true (Udp_sockets.take_error s = Some port_error);
  Alcotest.(check bool) "once" true (Udp_sockets.take_error s = None);
  Alcotest.(check bool) "the plain one has none" true (Udp_sockets.error plain = None);
  Alcotest.(check bool) "its peer" true (Udp_sockets.remote s = Some (peer, 9));
  Alcotest.check address "its address" here (Udp_sockets.address s)

let wakes () =
  let t = make () in
  let s = bind t 53 in
  let woken = ref 0 in
  Udp_sockets.wake s ();
  Udp_sockets.set_wake s (fun () -> incr woken);
  Udp_sockets.wake s ();
  Alcotest.(check int) "as was set" 1 !woken;
  Alcotest.(check (list bool))
    "announced once" [ true; false; false ]
    (List.init 3 (fun _ -> Udp_sockets.announce s));
  Udp_sockets.heard s;
  Alcotest.(check bool) "and again" true (Udp_sockets.announce s)

let flood () =
  let t = make () in
  let s = bind t 53 and empty = bind t 54 in
  let b = Bytes.make 1_472 'x' in
  let p = packet (Bytes.to_string b) in
  let fill s len n =
    for _ = 1 to n do
      ignore (Udp_sockets.enqueue s p ~src_port:9 ~off:data ~len)
    done
  in
  fill s 1_472 100_000;
  Alcotest.(check bool) "bytes" true (Udp_sockets.queued_bytes s <= 262_144);
  Alcotest.(check int) "drops are counted" (100_000 - Udp_sockets.queued s) (Udp_sockets.dropped s);
  Alcotest.(check int) "as many as fit" (262_144 / 1_485) (Udp_sockets.queued s);
  fill empty 0 100_000;
  Alcotest.(check int) "empty datagrams are bounded too" 4_096 (Udp_sockets.queued empty);
  Alcotest.(check bool) "live words" true (live t < ((262_144 + 65_536) / 8) + 1_000);
  while Udp_sockets.receive s b ~off:0 ~len:1_472 >= 0 do
    ()
  done;
  while Udp_sockets.receive empty b ~off:0 ~len:0 >= 0 do
    ()
  done;
  Alcotest.(check bool) "a flood's storage is given back" true (live t < (65_536 / 8) + 1_000);
  let little n =
    for _ = 1 to n do
      fill empty 0 1;
      ignore (Udp_sockets.receive empty b ~off:0 ~len:0 : int)
    done
  in
  little 10;
  Alcotest.(check bool) "a burst's is kept for the next" true (live t > 65_536 / 8);
  little 30;
  Alcotest.(check bool) "but not for ever" true (live t < 1_000)

let burst s n =
  let b = Bytes.make 1_472 'x' in
  let p = packet (Bytes.to_string b) in
  for _ = 1 to n do
    ignore (Udp_sockets.enqueue s p ~src_port:9 ~off:data ~len:1_472 : bool)
  done;
  while Udp_sockets.receive s b ~off:0 ~len:1_472 >= 0 do
    ()
  done

(* Storage is not made anew for each of many bursts, and idle sockets do not
   keep all of it. *)
let bursts () =
  let t = make () in
  let s = bind t 53 in
  burst s 64;
  Gc.minor ();
  let _, _, before = Gc.counters () in
  for _ = 1 to 100 do
    burst s 64
  done;
  Gc.minor ();
  let _, _, after = Gc.counters () in
  if after -. before > 500_000. then
    Alcotest.failf "a hundred bursts made %.0f words" (after -. before);
  let many = List.init 100 (fun i -> bind t (1_000 + i)) in
  List.iter (fun s -> burst s 64) many;
  let words = live t in
  if words > 2 * 1_048_576 / 8 then Alcotest.failf "idle sockets keep %d words" words;
  List.iter (Udp_sockets.close t) (s :: many);
  Alcotest.(check bool) "closed ones nothing" true (live t < 1_000);
  let s = bind t 53 in
  burst s 64;
  Alcotest.(check bool) "so that others can" true (live s > 94_000 / 8)

(* Against a plain queue, with a buffer so small that it wraps and overflows. *)
let agrees ops =
  let s = bind (make ()) 53 ~buffer:100 ~max_datagrams:4 in
  let q = Queue.create () in
  let used () = Queue.fold (fun n d -> n + 13 + String.length d) 0 q in
  List.for_all
    (function
      | Some d ->
          let fits = used () + 13 + String.length d <= 100 && Queue.length q < 4 in
          if fits then Queue.push d q;
          put s d = fits
      | None -> (
          match Queue.take_opt q with
          | None -> take s = "nothing"
          | Some d -> take s = Fmt.str "%d %s 10.0.0.2:9" (String.length d) d))
    ops

let model =
  let open QCheck2.Gen in
  let op = option ~ratio:0.6 (string_size ~gen:printable (int_range 0 40)) in
  QCheck2.Test.make ~name:"the queue, against a plain one" ~count:1_000
    ~print:QCheck2.Print.(list (option string))
    (list_size (int_range 0 100) op)
    agrees

let free () =
  let t = make () in
  let s = bind t 53 in
  let b = Bytes.make 1_500 'x' in
  let p = packet (Bytes.to_string b) in
  no_allocation "find" (fun () ->
      ignore (Sys.opaque_identity (Udp_sockets.find t p ~dst_port:53 ~src_port:9)));
  no_allocation "enqueue and receive" (fun () ->
      ignore (Udp_sockets.enqueue s p ~src_port:9 ~off:data ~len:1_400);
      ignore (Udp_sockets.receive s b ~off:0 ~len:1_500))

let bad () =
  let t = make () in
  List.iter
    (fun port ->
      match Udp_sockets.bind t ~address:Ip.any ~port ~reuse:false with
      | _ -> Alcotest.failf "port %d accepted" port
      | exception Invalid_argument _ -> ())
    [ -1; 65_536 ]

let cases =
  Suite.
    [
      case "whom a datagram is for" demux;
      case "who may bind" in_use;
      case "ephemeral ports, all of them" ephemeral;
      case "receiving" receiving;
      case "closing" closing;
      case "errors reach connected sockets" errors;
      case "wakes and announcements" wakes;
      native "OCaml's heap" (case "a flood is bounded" flood);
      native "OCaml's heap" (case "bursts share storage" bursts);
      native "OCaml's heap" (case "find, enqueue and receive allocate nothing" free);
      case "bad ports" bad;
      qcheck model;
    ]
