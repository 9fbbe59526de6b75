open Weir_link
open Weir_test
open Passage

let gen =
  let open QCheck2.Gen in
  let p = map (fun n -> float_of_int n /. 20.) (int_bound 6) in
  let* loss =
    oneof
      [
        map (fun p -> Impairment.Steady p) p;
        (let+ enter = p and+ leave = p and+ bad = p in
         Impairment.Bursts { enter; leave; good = 0.; bad });
      ]
  in
  let* duplicate = p and* corrupt = p and* truncate = p and* reorder = p in
  let* reorder_ns = int_range (-5_000) 5_000 and* delay_ns = int_bound 5_000 in
  let* jitter_ns = int_bound 2_000 in
  let* rate_bps = oneof [ return Impairment.unlimited; int_range 1_000_000 10_000_000_000 ] in
  let* queue_bytes = int_range 1 5_000 and* held_frames = int_range 1 30 in
  let+ gaps = list_size (int_bound 200) (pair (int_bound 2_000) (int_range 22 1_500)) in
  let sends =
    List.rev
      (snd (List.fold_left (fun (t, l) (gap, len) -> (t + gap, (t + gap, len) :: l)) (0, []) gaps))
  in
  ( {
      Impairment.loss;
      duplicate;
      corrupt;
      truncate;
      reorder;
      reorder_ns;
      delay_ns;
      jitter_ns;
      rate_bps;
      queue_bytes;
      held_frames;
    },
    sends )

let print (i, sends) =
  Fmt.str "%a; %a" Impairment.pp i Fmt.(list ~sep:semi (pair ~sep:(any "+") int int)) sends

let property name f = Suite.qcheck (QCheck2.Test.make ~name ~count:300 ~print gen f)

let same_seed =
  property "the same seed gives the same" (fun (i, sends) ->
      let a, out = through ~seed:5 i sends and b, out' = through ~seed:5 i sends in
      out = out' && a#outbound = b#outbound)

let conservation =
  property "every frame is accounted for and released" (fun (i, sends) ->
      let ok = ref false in
      Frames.all_released (fun pool ->
          let link, out = through ~pool i sends in
          let c = link#outbound in
          ok :=
            c.entered = List.length sends
            && c.left = List.length out
            && c.entered + c.duplicated = c.left + c.lost + c.overflowed
            && link#held = 0
            && link#stats.tx_dropped = Lane.dropped c
            && link#stats.tx_frames = c.left);
      !ok)

let ordered =
  property "nothing overtakes without reordering" (fun (i, sends) ->
      let i = { i with reorder = 0.; truncate = 0.; corrupt = 0. } in
      let _, out = through i sends in
      ids out = List.sort compare (ids out))

let rate_kept =
  property "no stretch of time carries more than the rate" (fun (i, sends) ->
      let i = { i with rate_bps = 80_000_000; jitter_ns = 0; reorder = 0.; delay_ns = 77 } in
      let _, out = through i sends in
      (* From each arrival on: what came since then, that frame not counted. *)
      let rec from = function
        | [] -> true
        | first :: rest ->
            let bytes = ref 0 in
            List.for_all
              (fun a ->
                bytes := !bytes + String.length a.bytes;
                !bytes * 100 <= a.at - first.at + 1)
              rest
            && from rest
      in
      from out)

let delay_kept =
  property "nothing arrives before its delay" (fun (i, sends) ->
      let i = { i with reorder = 0.; truncate = 0.; corrupt = 0. } in
      let times = Array.of_list (List.map fst sends) in
      let _, out = through i sends in
      List.for_all (fun a -> a.at >= times.(id a) + i.delay_ns) out)

let cases = [ same_seed; conservation; ordered; rate_kept; delay_kept ]
