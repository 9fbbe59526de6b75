open Weir_link
open Weir_test

let check = Alcotest.(check int)
let ints = Alcotest.(check (list int))
let host n = 0x0200_0000_0000 + n

let send ?(now = 0) (l : Link.t) pool ~src ~dst n =
  Frames.send l ~now (Frames.make ~src ~dst pool n)

let broadcast = 0xffff_ffff_ffff

let three ?learning ?queue ?table () =
  let hub = Hub.create ?learning ?queue ?table () in
  let a = Hub.port hub in
  let b = Hub.port hub in
  (hub, a, b, Hub.port hub)

let drained ?(now = 0) links = List.map (Frames.drain ~now) links
let lists = Alcotest.(check (list (list int)))

let learns () =
  Frames.all_released (fun pool ->
      let _, a, b, c = three () in
      send a pool ~src:(host 1) ~dst:(host 2) 1;
      lists "unknown: to all but the sender" [ []; [ 1 ]; [ 1 ] ] (drained [ a; b; c ]);
      send b pool ~src:(host 2) ~dst:(host 1) 2;
      lists "known: to one" [ [ 2 ]; []; [] ] (drained [ a; b; c ]);
      send a pool ~src:(host 1) ~dst:(host 2) 3;
      lists "known by its answer" [ []; [ 3 ]; [] ] (drained [ a; b; c ]);
      send a pool ~src:(host 1) ~dst:broadcast 4;
      lists "broadcast" [ []; [ 4 ]; [ 4 ] ] (drained [ a; b; c ]);
      send c pool ~src:(host 2) ~dst:(host 3) 5;
      send a pool ~src:(host 1) ~dst:(host 2) 6;
      lists "who moves is found" [ [ 5 ]; [ 5 ]; [ 6 ] ] (drained [ a; b; c ]);
      send c pool ~src:(host 9) ~dst:(host 2) 7;
      lists "not back to where it came from" [ []; []; [] ] (drained [ a; b; c ]))

let forgets () =
  let _, a, b, c = three () in
  let pool = Frames.pool () in
  send b pool ~src:(host 2) ~dst:broadcast 1;
  ignore (drained [ a; b; c ]);
  let later = Mac_table.lifetime in
  send a ~now:later pool ~src:(host 1) ~dst:(host 2) 2;
  lists "still known" [ []; [ 2 ]; [] ] (drained ~now:later [ a; b; c ]);
  let later = later + 1 in
  send a ~now:later pool ~src:(host 1) ~dst:(host 2) 3;
  lists "forgotten" [ []; [ 3 ]; [ 3 ] ] (drained ~now:later [ a; b; c ])

let repeats () =
  let _, a, b, c = three ~learning:false () in
  let pool = Frames.pool () in
  send b pool ~src:(host 2) ~dst:(host 1) 1;
  send a pool ~src:(host 1) ~dst:(host 2) 2;
  lists "all see all" [ [ 1 ]; [ 2 ]; [ 1; 2 ] ] (drained [ a; b; c ])

let copies_are_equal () =
  let _, a, b, c = three () in
  let f = Frames.make ~len:1514 (Frames.pool ()) 7 in
  Frame.set_checksum f Verified;
  let bytes = Bytes.sub f.data f.off f.len in
  Frames.send a ~now:0 f;
  let both = [ b#receive ~now:0; c#receive ~now:0 ] in
  List.iter
    (fun (g : Frame.t) ->
      Alcotest.(check bytes) "bytes" bytes (Bytes.sub g.data g.off g.len);
      Alcotest.(check bool) "verified" true (g.checksum = Verified))
    both;
  Alcotest.(check bool) "not shared" true ((List.nth both 0).data != (List.nth both 1).data)

let bounded () =
  Frames.all_released (fun pool ->
      let _, a, b, c = three ~queue:4 () in
      for n = 1 to 6 do
        send a pool ~src:(host 1) ~dst:broadcast n
      done;
      lists "four each" [ []; [ 1; 2; 3; 4 ]; [ 1; 2; 3; 4 ] ] (drained [ a; b; c ]);
      check "dropped at b" 2 b#stats.rx_dropped;
      check "dropped at c" 2 c#stats.rx_dropped;
      check "sent" 6 a#stats.tx_frames)

let wakes () =
  let _, a, b, c = three () in
  let pool = Frames.pool () in
  let order = ref [] in
  let listen name (l : Link.t) =
    match l#readiness with
    | Link.Notify set -> set (fun () -> order := name :: !order)
    | _ -> Alcotest.fail "no notice"
  in
  listen "b" b;
  listen "c" c;
  for n = 1 to 5 do
    a#send ~now:0 (Frames.make ~src:(host 1) ~dst:broadcast pool n)
  done;
  Alcotest.(check (list string)) "not before the flush" [] !order;
  a#flush;
  a#flush;
  Alcotest.(check (list string)) "each once" [ "c"; "b" ] !order

let ports_come_and_go () =
  Frames.all_released (fun pool ->
      let hub, a, b, c = three () in
      send b pool ~src:(host 2) ~dst:broadcast 1;
      ignore (drained [ a; b; c ]);
      for n = 1 to 50 do
        let d = Hub.port hub in
        send a pool ~src:(host 1) ~dst:broadcast n;
        d#close;
        d#close
      done;
      a#flush;
      check "ports" 3 (Hub.ports hub);
      ints "the others had them all" (List.init 50 succ) (Frames.drain ~now:0 c);
      ignore (Frames.drain ~now:0 b);
      b#close;
      send a pool ~src:(host 1) ~dst:(host 2) 60;
      lists "its addresses are forgotten" [ []; [ 60 ] ] (drained [ a; c ]);
      send b pool ~src:(host 2) ~dst:broadcast 61;
      check "a closed port drops" 1 b#stats.tx_dropped;
      c#close;
      send a pool ~src:(host 1) ~dst:broadcast 62;
      check "sent to nobody" 0 a#stats.tx_dropped)

let flood_of_addresses () =
  let _, a, b, c = three ~table:64 () in
  let pool = Frames.pool () in
  send b ~now:1 pool ~src:(host 2) ~dst:broadcast 0;
  ignore (drained [ a; b; c ]);
  let live () =
    Gc.full_major ();
    (Gc.quick_stat ()).heap_words
  in
  let before = live () in
  for n = 1 to 20_000 do
    send a ~now:n pool ~src:(host (1_000 + n)) ~dst:(host 1) n;
    ignore (drained [ b; c ])
  done;
  if live () > before + 100_000 then Alcotest.fail "the table grew";
  send c ~now:20_001 pool ~src:(host 3) ~dst:(host 21_000) 1;
  lists "the newest is known" [ [ 1 ]; [] ] (drained [ a; b ])

let table_model =
  QCheck2.Test.make ~name:"a table with room is a map" ~count:300
    QCheck2.Gen.(list (triple (int_range 0 30) (int_range 0 5) bool))
    (fun steps ->
      let table = Mac_table.create ~size:4096 () and map = Hashtbl.create 16 in
      List.for_all
        (fun (mac, port, learn) ->
          let key = Weir_wire.Mac.of_int (mac * 0x10001) in
          if learn then (
            Mac_table.learn table ~now:0 key ~port;
            Hashtbl.replace map mac port);
          Mac_table.find table ~now:0 key = Option.value (Hashtbl.find_opt map mac) ~default:(-1))
        steps)

let no_allocation () =
  let _, a, b, c = three () in
  let pool = Frames.pool () in
  let round n =
    for i = 1 to n do
      let f = Frame.alloc pool in
      Frame.set_length f 64;
      Weir_wire.Mac.set f.data 0 (Weir_wire.Mac.of_int (if i land 1 = 0 then broadcast else host 2));
      Weir_wire.Mac.set f.data 6 (Weir_wire.Mac.of_int (host 1));
      Frames.send a ~now:0 f;
      a#flush;
      Frame.release (b#receive ~now:0);
      Frame.release (c#receive ~now:0)
    done
  in
  send b pool ~src:(host 2) ~dst:broadcast 0;
  ignore (drained [ a; b; c ]);
  round 10;
  let before = Gc.minor_words () in
  round 10_000;
  let words = Gc.minor_words () -. before in
  if words > 8. then Alcotest.failf "%.0f words" words

let cases =
  [
    Suite.case "a switch learns" learns;
    Suite.case "a switch forgets" forgets;
    Suite.case "a plain hub repeats" repeats;
    Suite.case "copies are equal" copies_are_equal;
    Suite.case "queues are bounded" bounded;
    Suite.case "flush wakes each port once" wakes;
    Suite.case "ports come and go" ports_come_and_go;
    Suite.case "a flood of addresses" flood_of_addresses;
    Suite.case "no allocation" no_allocation;
    Suite.qcheck table_model;
  ]
