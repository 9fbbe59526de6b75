(* Checksums, rings, frames and addresses with wrong ranges; frames that two domains use. *)

open Weir_base
open Attack
module Ip = Weir_wire.Ip

let checksums random =
  let n = length random in
  let a = bytes random n and b = bytes random n in
  attempt (fun () -> ignore (Checksum.sum a ~off:(near random n) ~len:(near random n)));
  attempt (fun () ->
      let dst = if int random 3 = 0 then a else b in
      ignore
        (Checksum.blit_sum a ~src_off:(near random n) dst ~dst_off:(near random n)
           ~len:(near random n)));
  attempt (fun () ->
      let ip = Ip.get a (near random n) ~length:(near random 16) in
      Ip.set b (near random n) ip;
      ignore (Ip.is_at ip b (near random n) ~length:(near random 16));
      ignore (Ip.network ip ~prefix_length:(nasty random)))

let ring random =
  (* Of a larger capacity the host may not have the memory. *)
  let capacity = Int.min 100_000 (if int random 4 = 0 then nasty random else int random 5_000) in
  let r = Byte_ring.create ~capacity () in
  let b = bytes random 300 in
  for _ = 1 to 20 do
    attempt (fun () ->
        let off = near random 300 and len = near random 300 in
        match int random 10 with
        | 0 | 1 | 2 -> Byte_ring.write r b ~off ~len
        | 3 -> Byte_ring.blit_ahead r ~at:(near random 100) b ~off ~len
        | 4 -> Byte_ring.extend r (near random 100)
        | 5 -> ignore (Byte_ring.read r b ~off ~len)
        | 6 -> ignore (Byte_ring.peek_sum r ~at:(near random 100) b ~off ~len)
        | 7 -> Byte_ring.drop r (near random (Byte_ring.length r))
        | 8 -> Byte_ring.set_capacity r (Int.min 100_000 (near random 5_000))
        | 9 -> Byte_ring.tail r ~want:(Int.min 10_000 (nasty random)) (fun _ _ _ -> ())
        | _ -> Byte_ring.trim r)
  done

let send_queue random =
  let q = Send_queue.create ~capacity:(int random 5_000) () in
  let b = bytes random 300 and s = String.make 300 's' in
  for _ = 1 to 20 do
    attempt (fun () ->
        let off = near random 300 and len = near random 300 in
        match int random 9 with
        | 0 | 1 -> Send_queue.write q b ~off ~len
        | 2 | 3 -> Send_queue.lend q s ~off ~len
        | 4 -> ignore (Send_queue.fill q ~want:len (fun _ _ len -> near random len))
        | 5 -> Send_queue.peek q ~at:(near random 300) b ~off ~len
        | 6 -> ignore (Send_queue.peek_sum q ~at:(near random 300) b ~off ~len)
        | 7 ->
            let at = near random 300 in
            let last = Send_queue.in_one_place q ~at ~len in
            ignore (Send_queue.place q ~at:(at + len - last) ~len:last);
            ignore (Send_queue.source q ~at)
        | _ -> Send_queue.drop q (near random (Send_queue.length q)))
  done

(* Whatever was done, a frame's range is within its bytes, and two owners have two frames. *)
let frames random =
  let pool = Frame.pool ~keep:(int random 4) ~size:(int random 100) () in
  let held = ref [] in
  for _ = 1 to 30 do
    attempt (fun () ->
        match int random 6 with
        | 0 | 1 ->
            let f = Frame.alloc pool in
            if List.memq f !held then failwith "one frame for two owners";
            held := f :: !held
        | 2 when !held <> [] ->
            let f = pick random !held in
            held := List.filter (fun g -> g != f) !held;
            Frame.release f;
            Frame.release f
        | 3 when !held <> [] -> Frame.set_length (pick random !held) (nasty random)
        | 4 when !held <> [] -> held := Frame.copy pool (pick random !held) :: !held
        | _ when !held <> [] ->
            Frame.set (pick random !held) ~off:(near random 100) ~len:(near random 100)
        | _ -> ())
  done;
  List.iter
    (fun (f : Frame.t) ->
      if f.off < 0 || f.len < 0 || f.off > Bytes.length f.data - f.len then
        failwith "a frame outside of its bytes")
    !held

let groups =
  [
    ( "base",
      [
        property "checksums" checksums;
        property "rings" ring;
        property "send queues" send_queue;
        property "frames" frames;
      ] );
  ]
