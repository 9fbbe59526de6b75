open Weir_link
open Weir_test

let check = Alcotest.(check int)
let ints = Alcotest.(check (list int))

let on_frame (l : Link.t) =
  let calls = ref 0 in
  (match l#readiness with
  | Link.Notify set -> set (fun () -> incr calls)
  | _ -> Alcotest.fail "no notice");
  calls

let push_ids (l : Link.t) pool ids = List.iter (fun n -> l#send ~now:0 (Frames.make pool n)) ids

let send_ids l pool ids =
  push_ids l pool ids;
  l#flush

let in_order () =
  let a, b = Memory.pair () in
  let pool = Frames.pool () in
  send_ids a pool [ 1; 2; 3 ];
  send_ids b pool [ 4; 5 ];
  ints "a to b" [ 1; 2; 3 ] (Frames.drain ~now:0 b);
  ints "b to a" [ 4; 5 ] (Frames.drain ~now:0 a);
  check "sent" 3 a#stats.tx_frames;
  check "bytes" 192 a#stats.tx_bytes;
  check "received" 3 b#stats.rx_frames

let not_copied () =
  let a, b = Memory.pair () in
  let f = Frames.make (Frames.pool ()) 1 in
  Frame.set_checksum f Verified;
  Frames.send a ~now:0 f;
  let g = b#receive ~now:0 in
  Alcotest.(check bool) "the same frame" true (f == g && g.checksum = Verified)

(* A checksum left to the device is there at the other end of a cable, and in a capture. *)
let completed () =
  let a, b = Memory.pair () in
  let f = Frame.alloc (Frames.pool ()) in
  let src = Weir_wire.Ip.of_int 0x0a000001 and dst = Weir_wire.Ip.of_int 0x0a000002 in
  let pseudo = Weir_wire.Ip.pseudo_sum ~src ~dst ~protocol:17 ~length:12 in
  Weir_wire.Ethernet.emit
    { dst = Weir_wire.Mac.of_int 1; src = Weir_wire.Mac.of_int 2; ethertype = 0x0800 }
    f.data ~off:0;
  Weir_wire.Ipv4.(emit { base with src; dst; protocol = 17; data_length = 12 }) f.data ~off:14;
  Weir_wire.Udp.emit
    { src_port = 1; dst_port = 2; data_length = 4; checksummed = false }
    ~pseudo f.data ~off:34;
  Bytes.set_uint16_be f.data 40 pseudo;
  Frame.set_length f 46;
  Frame.set_checksum f Partial;
  Alcotest.(check bool) "a cable does not" false a#capabilities.send.v4.checksum;
  Frames.send a ~now:0 f;
  let g = b#receive ~now:0 in
  Alcotest.(check bool) "to be verified" true (g.checksum = Unverified);
  match Weir_wire.Udp.decode ~pseudo g.data ~off:34 ~len:12 with
  | Ok u -> check "bytes" 4 u.data_length
  | Error e -> Alcotest.failf "%a" Weir_wire.Error.pp e

let sent_twice () =
  let a, _ = Memory.pair () in
  let f = Frames.make (Frames.pool ()) 1 in
  a#send ~now:0 f;
  match a#send ~now:0 f with () -> Alcotest.fail "sent twice" | exception Invalid_argument _ -> ()

let wakes_once () =
  let a, b = Memory.pair () in
  let pool = Frames.pool () in
  let calls = on_frame b in
  push_ids a pool [ 1; 2; 3 ];
  check "not before the flush" 0 !calls;
  ints "nor is there anything to receive" [] (Frames.drain ~now:0 b);
  a#flush;
  check "once for three" 1 !calls;
  send_ids a pool [ 4 ];
  check "not while frames wait" 1 !calls;
  ints "all" [ 1; 2; 3; 4 ] (Frames.drain ~now:0 b);
  a#flush;
  check "not for nothing" 1 !calls;
  send_ids a pool [ 5 ];
  check "empty to non-empty again" 2 !calls

let late_listener () =
  let a, b = Memory.pair () in
  send_ids a (Frames.pool ()) [ 1 ];
  check "told at once" 1 !(on_frame b)

let bounded () =
  Frames.all_released (fun pool ->
      let a, b = Memory.pair ~queue:10 () in
      send_ids a pool (List.init 25 Fun.id);
      check "dropped" 15 a#stats.tx_dropped;
      check "sent" 10 a#stats.tx_frames;
      ints "the first ten" (List.init 10 Fun.id) (Frames.drain ~now:0 b);
      send_ids a pool [ 99 ];
      ints "room again" [ 99 ] (Frames.drain ~now:0 b))

let too_long () =
  let a, b = Memory.pair ~mtu:100 () in
  let pool = Frames.pool () in
  Frames.send a ~now:0 (Frames.make ~len:115 pool 1);
  Frames.send a ~now:0 (Frames.make ~len:114 pool 2);
  ints "what fits" [ 2 ] (Frames.drain ~now:0 b);
  check "dropped" 1 a#stats.tx_dropped

let closed () =
  Frames.all_released (fun pool ->
      let a, b = Memory.pair () in
      send_ids a pool [ 1; 2 ];
      b#close;
      b#close;
      ints "nothing to receive" [] (Frames.drain ~now:0 b);
      send_ids a pool [ 3 ];
      send_ids b pool [ 4 ];
      check "the open end drops" 1 a#stats.tx_dropped;
      check "the closed end drops" 1 b#stats.tx_dropped;
      ints "nothing came" [] (Frames.drain ~now:0 a))

let refusals () =
  Alcotest.check_raises "MTU" (Invalid_argument "MTU 67 is below 68") (fun () ->
      ignore (Memory.pair ~mtu:67 ()));
  Alcotest.check_raises "queue" (Invalid_argument "the queue must hold at least one frame")
    (fun () -> ignore (Memory.pair ~queue:0 ()))

(* Gc.minor_words itself allocates a float. *)
let no_words what f =
  f ();
  let before = Gc.minor_words () in
  f ();
  let words = Gc.minor_words () -. before in
  if words > 8. then Alcotest.failf "%s: %.0f words" what words

let no_allocation () =
  let a, b = Memory.pair () in
  let pool = Frames.pool () in
  no_words "memory pair" (fun () ->
      Frames.send a ~now:0 (Frame.alloc pool);
      for _ = 1 to 10_000 do
        let f = b#receive ~now:0 in
        Frames.send a ~now:0 f;
        a#flush
      done;
      Frame.release (b#receive ~now:0))

(* Sent, handed over by a flush, and taken by the receiver a batch at a time; the
   receiver is told when it has taken all that was handed over before. *)
let model =
  QCheck2.Test.make ~name:"is a bounded queue" ~count:500
    QCheck2.Gen.(pair (int_range 1 20) (list (int_range 0 2)))
    (fun (queue, steps) ->
      let a, b = Memory.pair ~queue () in
      let pool = Frames.pool () in
      let sent = Queue.create () and given = Queue.create () and taken = Queue.create () in
      let calls = on_frame b and told = ref 0 in
      List.iteri
        (fun n step ->
          match step with
          | 0 ->
              a#send ~now:0 (Frames.make pool n);
              if Queue.length sent + Queue.length given + Queue.length taken < queue then
                Queue.push n sent
          | 1 ->
              let f = b#receive ~now:0 in
              let got = if f == Frame.none then None else Some (Frames.id f) in
              Frame.release f;
              if Queue.is_empty taken then Queue.transfer given taken;
              if got <> Queue.take_opt taken then QCheck2.Test.fail_report "another frame"
          | _ ->
              if Queue.is_empty given && not (Queue.is_empty sent) then incr told;
              Queue.transfer sent given;
              a#flush)
        steps;
      !calls = !told)

let cases =
  [
    Suite.case "frames arrive in order" in_order;
    Suite.case "frames are not copied" not_copied;
    Suite.case "partial checksums are completed" completed;
    Suite.case "a frame is sent once" sent_twice;
    Suite.case "flush wakes once" wakes_once;
    Suite.case "a late listener is told" late_listener;
    Suite.case "the queue is bounded" bounded;
    Suite.case "too long is dropped" too_long;
    Suite.case "close" closed;
    Suite.case "arguments that make no sense" refusals;
    Suite.case "no allocation" no_allocation;
    Suite.qcheck model;
  ]
