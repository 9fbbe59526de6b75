(* XDP sockets on a veth pair of the test's own: frames of any bytes, ranges and tails go out and come
   in, while another domain changes them, uses the same link, or closes it. *)

open Attack
module Device = Weir_link_unix.Device
module Frame = Weir_link.Frame
module Packet = Weir_packet.Packet
module Veth = Weir_test.Veth
module Xdp = Weir_xdp.Xdp

let now = Weir_base.Time.s 0
let get = function Ok x -> x | Error e -> Weir_test.Suite.skip (Fmt.str "%a" Weir_tap.Error.pp e)

let with_link mode f =
  Weir_test.Netns.apart ();
  Veth.make "safe0" "safe1";
  Fun.protect
    ~finally:(fun () -> Veth.delete "safe0")
    (fun () ->
      let peer = get (Packet.open_ ~offload:false "safe1") in
      let link = get (Xdp.open_ ~mode "safe0") in
      Veth.await "safe0" "safe1";
      Fun.protect
        ~finally:(fun () ->
          link#close;
          peer#close)
        (fun () -> f link peer))

let take random link =
  let frame = link#receive ~now:(pick random [ now; Weir_base.Time.s 1; max_int ]) in
  if frame != Frame.none then (
    if frame.Frame.off < 0 || frame.len < 0 || frame.off > Bytes.length frame.data - frame.len then
      failwith "a frame outside of its bytes";
    Frame.release frame)

let pools = List.map (fun size -> Frame.pool ~size ()) [ 80; 1_600; 4_200; 66_000 ]

let frame random ring =
  let frame = Device_attacks.filled random (pick random pools) in
  Device_attacks.change random ring frame;
  frame

let send random ring (link : Weir_link.Link.t) =
  attempt (fun () -> link#send ~now (frame random ring))

(* To an address of one host's, so that the program takes it. *)
let send_in random ring (peer : Weir_link.Link.t) =
  let f = frame random ring in
  if f.len > 0 && f.off < Bytes.length f.data then Bytes.set_uint8 f.data f.off 2;
  attempt (fun () -> peer#send ~now f)

let rounds = Weir_test.Suite.iterations 3_000

let frames mode () =
  with_link mode @@ fun link peer ->
  let random = Random.State.make [| Weir_test.Suite.seed () |] in
  let ring = bytes random 3_000 in
  for _ = 1 to rounds do
    send random ring (link :> Weir_link.Link.t);
    if int random 8 = 0 then link#flush;
    send_in random ring (peer :> Weir_link.Link.t);
    take random link;
    take random peer
  done;
  ignore (link#stats : Weir_link.Link.stats);
  if link#stats.rx_frames = 0 || link#stats.tx_frames = 0 then failwith "nothing passed"

(* One domain at a time may use a link: two get no more than lost and mixed frames. *)
let used_by_two () =
  with_link Best @@ fun link peer ->
  let over = Atomic.make false in
  let ring = Bytes.make 3_000 'x' in
  let use seed =
    let random = Random.State.make [| seed |] in
    send random ring (link :> Weir_link.Link.t);
    attempt (fun () -> link#flush);
    attempt (fun () -> take random link);
    random
  in
  let other =
    Domain.spawn (fun () ->
        let seed = ref 0 in
        while not (Atomic.get over) do
          incr seed;
          ignore (use !seed : Random.State.t)
        done)
  in
  Fun.protect
    ~finally:(fun () ->
      Atomic.set over true;
      Domain.join other)
    (fun () ->
      for i = 1 to rounds do
        let random = use (-i) in
        send_in random ring (peer :> Weir_link.Link.t)
      done;
      link#close;
      for i = 1 to 100 do
        ignore (use (-i) : Random.State.t)
      done)

let groups =
  [
    ( "xdp",
      [
        Weir_test.Suite.case "frames" (frames Best);
        Weir_test.Suite.case "frames, generic" (frames Generic);
        Weir_test.Suite.case "used by two domains" used_by_two;
      ] );
  ]
