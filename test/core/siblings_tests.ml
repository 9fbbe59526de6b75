(* Three hosts with one address, each on a queue of its own, and a peer whose frames come to any of
   the queues: worse than a device, which keeps a flow on one. *)

open Weir_base
open Weir_core
open Weir_link
open Weir_test
module Pump = Weir_drive.Pump
module Exchange = Weir_drive.Exchange

let count = 3
let ours = Ipaddr.of_string_exn "10.0.0.11"
let theirs = Ipaddr.of_string_exn "10.0.0.1"

class queue ~(send : Frame.t -> unit) =
  object
    val frames = Queue.create ()
    val stats = Link.stats ()
    method mtu = 1500
    method capabilities = Link.none
    method readiness = Link.Notify ignore
    method row = 1

    method receive ~now:(_ : Time.t) =
      match Queue.take_opt frames with
      | None -> Frame.none
      | Some f ->
          Frame.dequeue f;
          f

    method put f =
      Frame.enqueue f;
      Queue.push f frames

    method send ~now:(_ : Time.t) f =
      Link.complete f;
      send f

    method flush = ()
    method deadline = Time.never
    method stats = stats
    method carrier = true
    method close = ()
  end

type net = { peer : Pump.t; all : Pump.t array; mutable now : Time.t }

let host ~seed link address =
  let random = Random.State.make [| seed |] in
  let mac =
    Macaddr.of_string_exn (if address = ours then "02:00:00:00:00:01" else "02:00:00:00:00:02")
  in
  Weir_drive.Identity.settings ~random ~mtu:1500 ~config:Config.default ~mac
    (Ipaddr.to_string address ^ "/24")
  |> Pump.create ~random ~hosts:[] ~rearm:ignore ~now:0 (link :> Link.t)

let net ~seed =
  let random = Random.State.make [| seed |] in
  let queues = ref [||] in
  let peers = new queue ~send:(fun f -> !queues.(Random.State.int random count)#put f) in
  queues := Array.init count (fun _ -> new queue ~send:peers#put);
  let exchange = Exchange.create ~count in
  let all =
    Array.mapi
      (fun i q ->
        let p = host ~seed:(10 + i) q ours in
        Pump.join p (Exchange.seat exchange i);
        p)
      !queues
  in
  { peer = host ~seed:1 peers theirs; all; now = 0 }

let pumps t = t.peer :: Array.to_list t.all

let pass t ms =
  for _ = 1 to ms do
    t.now <- t.now + Time.ms 1;
    for _ = 1 to 2 * count do
      List.iter (fun p -> ignore (Pump.step p ~now:t.now : bool)) (pumps t)
    done
  done

let get what = function Ok x -> x | Error _ -> Alcotest.fail what
let tcp p = Stack.tcp (Pump.stack p)
let counters p = Stack.counters (Pump.stack p)

let listen p port =
  get "listen" (Tcp.listen (tcp p) ~address:Weir_wire.Ip.any ~port ~backlog:1_000 ~reuse:true)

let connect t p address port = get "connect" (Stack.connect (Pump.stack p) ~now:t.now address ~port)
let text n = Bytes.of_string (Printf.sprintf "connection %d says %s" n (String.make 5_000 'x'))

let write t p c b =
  Alcotest.(check int) "written" (Bytes.length b) (Tcp.write c b ~off:0 ~len:(Bytes.length b));
  Pump.flush p ~now:t.now

let read c =
  let b = Bytes.create 10_000 in
  Bytes.sub b 0 (Tcp.read c b ~off:0 ~len:10_000)

let hosts_resets t = Array.fold_left (fun n p -> n + (counters p).tcp_out_resets) 0 t.all
let resets t = (counters t.peer).tcp_out_resets + hosts_resets t

(* The peer opens them; who has accepted one answers. *)
let passive () =
  let t = net ~seed:1 and n = 60 in
  let listeners = Array.map (fun p -> listen p 80) t.all in
  let clients = List.init n (fun _ -> connect t t.peer ours 80) in
  pass t 20;
  List.iteri (fun i c -> write t t.peer c (text i)) clients;
  (* Their order changes on the way, so some are sent again. *)
  pass t 1_000;
  let answer p l =
    let rec go k =
      match Tcp.accept l with
      | None -> k
      | Some c ->
          write t p c (read c);
          go (k + 1)
    in
    go 0
  in
  let served = Array.map2 answer t.all listeners in
  pass t 1_000;
  List.iteri
    (fun i c ->
      let got = read c in
      if got <> text i then
        Alcotest.failf "connection %d: %d bytes, %S" i (Bytes.length got)
          (Bytes.sub_string got 0 (Int.min 30 (Bytes.length got))))
    clients;
  Alcotest.(check int) "all" n (Array.fold_left ( + ) 0 served);
  Array.iter (fun k -> if k < n / 10 then Alcotest.failf "one host has %d" k) served;
  Alcotest.(check int) "resets" 0 (resets t);
  List.iter (fun c -> Pump.close_connection t.peer ~now:t.now c) clients;
  pass t 100;
  Alcotest.(check int) "resets at the end" 0 (resets t)

(* They open them, at the same time, to one port. *)
let active () =
  let t = net ~seed:2 in
  let l = listen t.peer 80 in
  let opened =
    Array.to_list t.all
    |> List.concat_map (fun p -> List.init 30 (fun _ -> (p, connect t p theirs 80)))
  in
  Array.iter (fun p -> Pump.flush p ~now:t.now) t.all;
  pass t 2_000;
  let rec accepted () =
    match Tcp.accept l with
    | None -> 0
    | Some c ->
        let port = Bytes.of_string (string_of_int (Tcp.remote_port c)) in
        write t t.peer c port;
        1 + accepted ()
  in
  Alcotest.(check int) "accepted" 90 (accepted ());
  pass t 100;
  let ports = List.map (fun (_, c) -> Tcp.local_port c) opened in
  Alcotest.(check int) "ports differ" 90 (List.length (List.sort_uniq compare ports));
  List.iter
    (fun (_, c) ->
      Alcotest.(check string)
        "its own"
        (string_of_int (Tcp.local_port c))
        (Bytes.to_string (read c)))
    opened;
  Alcotest.(check int) "resets" 0 (resets t)

(* What none of them knows is refused, by one. *)
let refused () =
  let t = net ~seed:3 in
  let low = connect t t.peer ours 81 and high = connect t t.peer ours 40_001 in
  pass t 100;
  List.iter
    (fun c -> Alcotest.(check bool) "refused" true (Tcp.error c = Some Tcb.Refused))
    [ low; high ];
  Alcotest.(check int) "one reset each" 2 (hosts_resets t)

let bind p ~port =
  get "bind" (Stack.bind_udp (Pump.stack p) ~address:Ipaddr.(V4 V4.any) ~port ~reuse:false)

let send t p s ~dst ~dst_port b =
  get "send"
    (Stack.send_udp (Pump.stack p) ~now:t.now s ~dst ~dst_port b ~off:0 ~len:(Bytes.length b));
  Pump.flush p ~now:t.now

let receive s =
  let b = Bytes.create 9_000 in
  let n = Udp_sockets.receive s b ~off:0 ~len:9_000 in
  if n < 0 then None else Some (Bytes.sub b 0 n)

(* Datagrams in fragments, each fragment to any host of the same flow: answers find the host that
   asked. *)
let datagrams () =
  let t = net ~seed:4 in
  let server = bind t.peer ~port:53 in
  let sockets = Array.map (fun p -> bind p ~port:0) t.all in
  let ask i = Bytes.of_string (Printf.sprintf "question %d" i) in
  Array.iteri (fun i s -> send t t.all.(i) s ~dst:theirs ~dst_port:53 (ask i)) sockets;
  pass t 2_000;
  let rec answer () =
    match receive server with
    | None -> ()
    | Some b ->
        send t t.peer server ~dst:ours ~dst_port:(Udp_sockets.last_src_port server) b;
        answer ()
  in
  answer ();
  pass t 100;
  Array.iteri
    (fun i s ->
      Alcotest.(check (option string))
        "answer"
        (Some (Bytes.to_string (ask i)))
        (Option.map Bytes.to_string (receive s)))
    sockets;
  (* A broadcast is for all. *)
  let everyone = Array.map (fun p -> bind p ~port:67) t.all in
  send t t.peer server ~dst:Ipaddr.(V4 V4.broadcast) ~dst_port:67 (ask 9);
  pass t 10;
  Array.iter (fun s -> Alcotest.(check bool) "broadcast" true (receive s <> None)) everyone;
  Array.iter (fun s -> Alcotest.(check bool) "once" true (receive s = None)) everyone

let pings () =
  let t = net ~seed:5 in
  let answered = Array.make count 0 in
  Array.iteri
    (fun i p ->
      for sequence = 1 to 5 do
        let (_ : unit -> unit) =
          Pump.ping p
            ~now:(fun () -> t.now)
            ~data_length:8 ~sequence theirs
            (function Reply _ -> answered.(i) <- answered.(i) + 1 | _ -> ())
        in
        pass t 2_000;
        Pump.tell p
      done)
    t.all;
  Array.iter (fun n -> Alcotest.(check int) "pongs" 5 n) answered

(* An ICMP error reaches the connection that it is about, wherever it comes. *)
let errors () =
  let t = net ~seed:6 in
  Array.iter
    (fun p ->
      let s = bind p ~port:0 in
      Udp_sockets.connect s ~local:(Weir_wire.Ip.of_ipaddr ours)
        ~remote:(Weir_wire.Ip.of_ipaddr theirs) ~remote_port:9;
      send t p s ~dst:theirs ~dst_port:9 (Bytes.make 1 'x');
      pass t 2_000;
      Alcotest.(check bool) "the error" true (Udp_sockets.take_error s <> None))
    t.all

(* Packets that nobody knows go round once, and a queue of them is bounded. *)
let bounded () =
  let exchange = Exchange.create ~count:2 in
  let a = Exchange.seat exchange 0 and b = Exchange.seat exchange 1 in
  let woken = ref 0 in
  Exchange.set_wake b (fun () -> incr woken);
  let packet n : Siblings.packet =
    {
      bytes = Bytes.make 1 (Char.chr (n land 255));
      arp = false;
      verified = true;
      segment_size = 0;
      link_group = false;
      hops = 1;
    }
  in
  let n = Exchange.longest + 100 in
  for i = 1 to n do
    (Exchange.siblings a).hand 1 (packet i)
  done;
  let got = ref 0 in
  Exchange.take b (fun p ->
      incr got;
      Alcotest.(check char) "in order" (Char.chr (!got land 255)) (Bytes.get p.bytes 0));
  Alcotest.(check int) "taken" Exchange.longest !got;
  Alcotest.(check int) "dropped" 100 (Exchange.dropped b);
  Alcotest.(check int) "woken once" 1 !woken;
  Alcotest.(check bool) "empty" true (Exchange.is_empty b)

(* Three domains hand to a fourth while it takes. *)
let from_domains () =
  let exchange = Exchange.create ~count:4 and each = 20_000 in
  let seat = Exchange.seat exchange in
  let running = Atomic.make 3 in
  let send i () =
    let hand = (Exchange.siblings (seat i)).hand in
    for n = 1 to each do
      let bytes = Bytes.create 16 in
      Bytes.set_int64_le bytes 0 (Int64.of_int i);
      Bytes.set_int64_le bytes 8 (Int64.of_int n);
      hand 0 { bytes; arp = false; verified = true; segment_size = 0; link_group = false; hops = 1 }
    done;
    Atomic.decr running
  in
  let domains = List.init 3 (fun i -> Domain.spawn (send (i + 1))) in
  let last = Array.make 4 0 and taken = ref 0 in
  let take () =
    Exchange.take (seat 0) (fun p ->
        let i = Int64.to_int (Bytes.get_int64_le p.bytes 0)
        and n = Int64.to_int (Bytes.get_int64_le p.bytes 8) in
        if n <= last.(i) then Alcotest.failf "%d after %d" n last.(i);
        last.(i) <- n;
        incr taken)
  in
  while Atomic.get running > 0 do
    take ();
    Domain.cpu_relax ()
  done;
  List.iter Domain.join domains;
  take ();
  Alcotest.(check int) "none is lost unseen" (3 * each) (!taken + Exchange.dropped (seat 0))

let cases =
  [
    Suite.case "connections of a peer" passive;
    Suite.case "connections to a peer" active;
    Suite.case "refusals" refused;
    Suite.case "datagrams" datagrams;
    Suite.case "pings" pings;
    Suite.case "ICMP errors" errors;
    Suite.case "the queue is bounded" bounded;
    Suite.case "the queue, from several domains" from_domains;
  ]
