(* Devices that are one end of a pair of sockets: frames of any bytes, ranges, tails and segment
   sizes go out, datagrams of any bytes and offload headers come in, and another domain changes a
   frame that is being sent. *)

open Attack
module Device = Weir_link_unix.Device
module Frame = Weir_link.Frame
module Link = Weir_link.Link

let now = Weir_base.Time.s 0

let with_device random f =
  let ours, theirs = Unix.socketpair ~cloexec:true Unix.PF_UNIX Unix.SOCK_DGRAM 0 in
  Unix.set_nonblock ours;
  Unix.set_nonblock theirs;
  let device =
    new Device.t
      ~fd:ours ~name:"attacked"
      ~mtu:(pick random [ 68; 1280; 1500; 9000 ])
      ~header:(Random.State.bool random)
      (if Random.State.bool random then { Link.all with gathers = true } else Link.none)
  in
  Fun.protect
    ~finally:(fun () ->
      device#close;
      Unix.close theirs)
    (fun () -> f device theirs)

(* Where offloads look: an IPv4 or IPv6 header of TCP or UDP, its lengths right or not. *)
let dress random b =
  if Bytes.length b >= 74 then (
    let v6 = Random.State.bool random in
    Bytes.set_uint16_be b 12 (if v6 then 0x86dd else 0x0800);
    if not v6 then Bytes.set_uint8 b 14 (pick random [ 0x45; 0x4f; 0x40; int random 256 ]);
    Bytes.set_uint16_be b (if v6 then 18 else 16) (near random (Bytes.length b - 14) land 0xffff);
    if not v6 then Bytes.set_uint16_be b 20 (pick random [ 0; 0x4000; int random 65536 ]);
    Bytes.set_uint8 b (if v6 then 20 else 23) (pick random [ 6; 17; int random 256 ]))

let change random ring frame =
  attempt (fun () ->
      Frame.set frame ~off:(near random 100) ~len:(near random (Bytes.length frame.Frame.data)));
  attempt (fun () ->
      if Random.State.bool random then
        Frame.set_tail frame ring
          ~at:(near random (Bytes.length ring))
          ~len:(near random (Bytes.length ring)));
  attempt (fun () -> Frame.set_segment_size frame (pick random [ 0; 1; 536; 1448; nasty random ]));
  Frame.set_checksum frame (pick random [ Frame.Unverified; Verified; Partial ])

let filled random pool =
  let frame = Frame.alloc pool in
  let b = bytes random (Frame.size pool) in
  dress random b;
  Bytes.blit b 0 frame.data 0 (Bytes.length b);
  frame

let drain random fd device =
  let b = Bytes.create 70_000 in
  (try
     while true do
       ignore (Unix.read fd b 0 70_000)
     done
   with Unix.Unix_error _ -> ());
  for _ = 1 to 3 do
    let b = bytes random (pick random [ 0; 9; 10; 11; 24; 80; 1_600; 10_000 ]) in
    if Bytes.length b > 10 then dress random (Bytes.sub b 10 (Bytes.length b - 10));
    try ignore (Unix.write fd b 0 (Bytes.length b)) with Unix.Unix_error _ -> ()
  done;
  let rec receive patience =
    let frame = device#receive ~now in
    if frame != Frame.none then (
      if frame.off < 0 || frame.len < 0 || frame.off > Bytes.length frame.data - frame.len then
        failwith "a frame outside of its bytes";
      Frame.release frame;
      if patience > 0 then receive (patience - 1))
  in
  receive 10

let devices random =
  with_device random (fun device theirs ->
      let pool = Frame.pool ~size:(pick random [ 80; 1_600; 66_000 ]) () in
      let ring = bytes random (1 + int random 3_000) in
      for _ = 1 to 5 do
        let frame = filled random pool in
        change random ring frame;
        attempt (fun () -> device#send ~now frame);
        drain random theirs device
      done)

let shared = Atomic.make None

let races random =
  with_device random (fun device theirs ->
      let pool = Frame.pool ~size:1_600 () in
      let ring = bytes random 3_000 in
      for _ = 1 to 5 do
        let frame = filled random pool in
        Atomic.set shared (Some (ring, frame));
        change random ring frame;
        attempt (fun () -> device#send ~now frame)
      done;
      Atomic.set shared None;
      drain random theirs device)

let groups =
  [
    ( "devices",
      [
        property ~count:300 "frames" devices;
        racing "a frame changes while it is sent" races ~change:(fun random ->
            match Atomic.get shared with
            | Some (ring, frame) -> change random ring frame
            | None -> Domain.cpu_relax ());
      ] );
  ]
