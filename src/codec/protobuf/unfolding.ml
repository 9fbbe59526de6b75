open Unfolding_table

exception Malformed

let default_memory bytes = (2 * bytes) + allowance

type count = {
  s : string;
  mutable left : int;
  mutable beside : int;  (** what a block takes beside its numbers, each as often as there are *)
  mutable run_end : int;  (** where the last number of a run ended *)
}

let limit_reached = "memory limit reached: ~memory allows more"
let[@inline never] refused pos = Error.fail pos limit_reached

let[@inline] spend c words pos =
  c.left <- c.left - words;
  if c.left < 0 then refused pos

let[@inline] number c pos limit =
  match Decode.varint c.s pos limit with
  | r -> r
  | exception Error.Error _ -> raise_notrace Malformed

let top = 0x80L

(* How many numbers a block has, and in [beside] the words that they take otherwise: unknown Words.ones of a
   closed enum are kept one by one. *)
let block_count c (e : entry) first stop =
  match (e.wire, e.known) with
  | 0, None ->
      let n = ref 0 and short = ref 0 and before = ref top and p = ref first in
      while !p + 8 <= stop do
        let ends = Int64.logand (Int64.lognot (Words.word c.s !p)) Words.high in
        n := !n + Words.ones ends;
        if e.saved > 0 then
          short :=
            !short + Words.ones (Int64.logand ends (Int64.logor (Int64.shift_left ends 8) !before));
        before := Int64.logand (Int64.shift_right_logical ends 56) top;
        p := !p + 8
      done;
      let before = ref (Int64.equal !before top) in
      for i = !p to stop - 1 do
        let ends = Decode.byte c.s i < 128 in
        if ends then incr n;
        if ends && !before then incr short;
        before := ends
      done;
      c.beside <- - !short * e.saved;
      !n
  | 0, Some known ->
      let rec go pos n strange =
        if pos >= stop then (
          c.beside <- strange;
          n)
        else
          let r = number c pos stop in
          let value = Decode.int32 r in
          go
            (pos + Decode.width r)
            (n + 1)
            (if Hashtbl.mem known value then strange else strange + aside)
      in
      go first 0 0
  | wire, _ ->
      c.beside <- 0;
      (stop - first) / if wire = 1 then 8 else 4

let[@inline] find t n = if n < Array.length t.entries then Array.unsafe_get t.entries n else None

(* So many numbers came in the last block of field [n]. *)
let none = ref 0

let rec last_block n = function
  | [] -> none
  | (field, last) :: rest -> if field = n then last else last_block n rest

(* A message of field [n]; one that comes again is a piece, to be joined with the others. *)
let spend_message c e (inner : table) n pos len blocks =
  if e.single && last_block n blocks != none then spend c (piece + (len / 8)) pos
  else spend c (e.each + inner.record) pos

let[@inline] seen e n blocks =
  if e.single && last_block n blocks == none then (n, ref 0) :: blocks else blocks

(* The position behind; [group] is the group that is to end, or 0. [blocks] are those packed fields of which
   blocks came, and the messages that came once. *)
let rec message c t pos limit ~group ~blocks ~strange depth =
  if pos >= limit then if group = 0 then pos else raise_notrace Malformed
  else
    let r = number c pos limit in
    let tag = Decode.value r and p = pos + Decode.width r in
    let n = tag lsr 3 and wire = tag land 7 in
    if wire = 4 then if n = group then p else raise_notrace Malformed
    else
      match find t n with
      | Some e when e.wire = wire -> known c t e n wire pos p limit ~group ~blocks depth
      | Some e when wire = 2 && e.block > 0 ->
          let r = number c p limit in
          let first = p + Decode.width r in
          let stop = first + Decode.value r in
          if stop > limit then raise_notrace Malformed;
          let count = block_count c e first stop in
          let last = last_block n blocks in
          let fresh = last == none in
          let blocks = if fresh then (n, ref 0) :: blocks else blocks in
          let last = last_block n blocks in
          (if e.form = Array then (
             let grown = if fresh then 0 else growing * (count + !last) in
             spend c (count + grown + if fresh then e.fixed else 0) pos;
             last := if fresh then count else 0)
           else
             let words = if e.wire = 0 then Number_lists.beside (stop - first) else 0 in
             spend c ((count * e.block) + c.beside + (!last * e.cells) + words) pos;
             last := count);
          message c t stop limit ~group ~blocks ~strange:false depth
      | _ ->
          let stop =
            try Decode.skip c.s tag p limit depth with Error.Error _ -> raise_notrace Malformed
          in
          (* Those in a row are one piece, copied at the end, and again into one. *)
          spend c ((if strange then 4 else 9) + ((stop - pos + 3) / 4)) pos;
          message c t stop limit ~group ~blocks ~strange:true depth

(* A run that goes on is longer; where another was before, that one is turned. *)
and run_element c e n pos blocks =
  let last = last_block n blocks in
  if last == none then (
    spend c (e.each + 4) pos;
    (n, ref 1) :: blocks)
  else if c.run_end = pos then (
    incr last;
    spend c e.each pos;
    blocks)
  else (
    spend c (e.each + 4 + (!last * e.cells)) pos;
    last := 1;
    blocks)

and known c t e n wire pos p limit ~group ~blocks depth =
  let blocks =
    if e.fixed > 0 && last_block n blocks == none then (
      spend c e.fixed pos;
      (n, ref 0) :: blocks)
    else blocks
  in
  match wire with
  | 0 when e.run ->
      let r = number c p limit in
      let blocks = run_element c e n pos blocks in
      c.run_end <- p + Decode.width r;
      message c t c.run_end limit ~group ~blocks ~strange:false depth
  | 0 ->
      let r = number c p limit in
      let words =
        match e.known with
        | Some known when not (Hashtbl.mem known (Decode.int32 r)) -> aside
        | _ -> if Decode.width r = 1 then e.each - e.saved else e.each
      in
      spend c words pos;
      message c t (p + Decode.width r) limit ~group ~blocks ~strange:false depth
  | 1 | 5 ->
      let stop = p + if wire = 1 then 8 else 4 in
      if stop > limit then raise_notrace Malformed;
      spend c e.each pos;
      message c t stop limit ~group ~blocks ~strange:false depth
  | 2 -> (
      let r = number c p limit in
      let first = p + Decode.width r in
      let stop = first + Decode.value r in
      if stop > limit then raise_notrace Malformed;
      match e.inner with
      | None ->
          let bytes = stop - first in
          let text = if bytes = 0 then 0 else if e.form = Slice then slice else (bytes / 8) + 2 in
          spend c (e.each + text) pos;
          message c t stop limit ~group ~blocks ~strange:false depth
      | Some inner ->
          spend_message c e inner n pos (stop - first) blocks;
          if depth <= 0 then raise_notrace Malformed;
          ignore (message c inner first stop ~group:0 ~blocks:[] ~strange:false (depth - 1));
          let blocks = seen e n blocks in
          message c t stop limit ~group ~blocks ~strange:false depth)
  | _ -> (
      match e.inner with
      | None -> raise_notrace Malformed
      | Some inner ->
          spend_message c e inner n pos 0 blocks;
          if depth <= 0 then raise_notrace Malformed;
          let stop = message c inner p limit ~group:n ~blocks:[] ~strange:false (depth - 1) in
          let blocks = seen e n blocks in
          message c t stop limit ~group ~blocks ~strange:false depth)

(* What is left of [memory]. *)
let count t s pos limit memory =
  let c = { s; left = memory - t.record; beside = 0; run_end = -1 } in
  (try ignore (message c t pos limit ~group:0 ~blocks:[] ~strange:false Decode.max_depth)
   with Malformed -> ());
  c.left

(* Derived types' readers have no budget. *)
let is_derived (m : Descriptor.message) =
  List.exists
    (fun (f : Descriptor.field) -> match f.form with Boxed _ -> true | _ -> false)
    m.fields

let count_all t s pos limit memory () = ignore (count t s pos limit memory)

(* Only messages and blocks are charged: each other byte that is left may take two words. Where a
   message ends its lists are turned, and what was allocated for them is so again; maps' entries are
   looked up. Charges are too high. What the domain has allocated since is too, where threads take
   turns: only a count of the bytes refuses. *)
let beside pos limit = 2 * (limit - pos)

let recount t s pos limit memory =
  let before = Gc.minor_words () in
  fun words at ->
    let taken = words + (t.again * int_of_float (Gc.minor_words () -. before)) in
    let left = memory - taken - beside (Int.max pos (Int.min at limit)) limit in
    if left > allowance / 8 then left
    else begin
      ignore (count t s pos limit memory);
      max_int
    end

(* Where even bytes that are not charged may take too much, it is counted before. *)
let watched t memory s pos limit depth f =
  let left = memory - beside pos limit in
  if left < 0 then (
    count_all t s pos limit memory ();
    f depth)
  else
    Budget.with_ ~left ~message:t.message ~byte:t.byte ~recount:(recount t s pos limit memory)
      ~depth ~none:(count_all t s pos limit memory) f

let[@inline never] read ?memory (m : Descriptor.message) s pos limit depth f =
  match (m.unfolding, memory) with
  | Descriptor.Unbounded, _ -> f depth
  | _, Some words ->
      if words = max_int then f depth
      else if is_derived m then (
        count_all (measured m) s pos limit words ();
        f depth)
      else watched (measured m) words s pos limit depth f
  | _, None ->
      let t = measured m in
      if limit - pos <= t.safe then f depth
      else if is_derived m then (
        count_all t s pos limit (default_memory (limit - pos)) ();
        f depth)
      else watched t (default_memory (limit - pos)) s pos limit depth f

(* Of a thousand fields an empty message takes two bytes. *)
let short = 200

let[@inline] harmless (m : Descriptor.message) n =
  n <= short || match m.unfolding with Measured t -> n <= t.safe | _ -> false

let count (m : Descriptor.message) s pos limit ~memory ~at =
  match m.unfolding with
  | Descriptor.Unbounded -> memory
  | _ -> (
      try count (table m) s pos limit memory
      with Error.Error e -> raise (Error.Error { e with position = at }))
