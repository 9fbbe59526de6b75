(* Copies what a pointer points to, depth first, each object before what it points to: the order
   that the canonical form asks for. The depth kept in the handles bounds the recursion. *)
open Message
open Pointer

let word m w = Bytes.get_int64_le m.buf (m.base + (w lsl 3))

(* The sizes without the zero words at the end of the data and the null pointers at the end. *)
let trimmed_data m pos d =
  let n = ref d in
  while !n > 0 && word m (pos + !n - 1) = 0L do
    decr n
  done;
  !n

let trimmed_pointers m pos d p =
  let n = ref p in
  while !n > 0 && word m (pos + d + !n - 1) = 0L do
    decr n
  done;
  !n

let blit_words m from (b : Builder.t) target words =
  Bytes.blit m.buf (m.base + (from lsl 3)) b.buf (target lsl 3) (words lsl 3)

(* The builder's room grows by doubling, which makes up to three words of garbage for each kept. *)
let spend m p words = Message.spend m p (4 * words)

let rec pointer ~canonical m p depth (b : Builder.t) dst =
  match what m p with
  | Null -> Builder.set_pointer b dst 0 0
  | Struct -> struct_ ~canonical m (Pointer.struct_ m p depth) b dst ~data:0 ~pointers:0
  | List when kind_at m p = byte ->
      let t = blob_slowly m p ~text:false in
      spend m p (string_words (blob_length t));
      Builder.new_bytes b dst m.buf (m.base + blob_byte t) (blob_length t) (blob_length t)
  | List -> list ~canonical m (Pointer.list m p depth any) b dst
  | Capability n ->
      if canonical then fail p "a capability has no canonical form";
      Builder.set_pointer b dst 3 n

and struct_ ~canonical m r b dst ~data ~pointers =
  if r < 0 then narrow m r b dst ~data ~pointers
  else
    let pos = data_at r and d = data_words r and p = Pointer.pointers r in
    let d' = if canonical then trimmed_data m pos d else d in
    let p' = if canonical then trimmed_pointers m pos d p else p in
    spend m pos (max d' data + max p' pointers);
    let h = Builder.new_struct b dst (max d' data) (max p' pointers) in
    fields ~canonical m pos d d' p' (depth r) b h

and fields ~canonical m pos d d' p' depth b h =
  blit_words m pos b (data_at h) d';
  let first = pointers_at h in
  for i = 0 to p' - 1 do
    pointer ~canonical m (pos + d + i) depth b (first + i)
  done

(* An element of 1, 2 or 4 bytes that was read as a struct becomes a struct of one word. *)
and narrow m r b dst ~data ~pointers =
  spend m (pointers_at r) (max 1 data + pointers);
  let h = Builder.new_struct b dst (max 1 data) pointers in
  Bytes.blit m.buf (m.base + narrow_byte r) b.Builder.buf (data_at h lsl 3) (narrow_width r)

and list ~canonical m l b dst =
  let n = count l and k = kind l and pos = position l in
  if k = composite then structs ~canonical m l b dst
  else (
    (* Those without a size become bytes. *)
    spend m pos (if k = void then n / 8 else element_words k n);
    let copy = if canonical then Builder.new_list_as_is b dst k n else Builder.new_list b dst k n in
    let target = position (Builder.items_handle copy) in
    if k = Pointer.pointer then
      for i = 0 to n - 1 do
        pointer ~canonical m (pos + i) (list_depth l) b (target + i)
      done
    else
      let all = if k = bit then n else n * bits.(k) in
      Bytes.blit m.buf (m.base + (pos lsl 3)) b.Builder.buf (target lsl 3) (all / 8);
      if all land 7 <> 0 then
        let last = Bytes.get_uint8 m.buf (m.base + (pos lsl 3) + (all / 8)) in
        Bytes.set_uint8 b.Builder.buf
          ((target lsl 3) + (all / 8))
          (last land ((1 lsl (all land 7)) - 1)))

and structs ~canonical m l b dst =
  let n = count l and pos = position l in
  let tag = high m (pos - 1) in
  let d = tag land 0xffff and p = tag lsr 16 in
  let d' = ref (if canonical then 0 else d) and p' = ref (if canonical then 0 else p) in
  if canonical then
    for i = 0 to n - 1 do
      let at = pos + (i * (d + p)) in
      d' := max !d' (trimmed_data m at d);
      p' := max !p' (trimmed_pointers m at d p)
    done;
  spend m pos (1 + (n * Int.max 1 (!d' + !p')));
  let items =
    if canonical then Builder.new_struct_list_as_is b dst n !d' !p'
    else Builder.new_struct_list b dst n !d' !p'
  in
  for i = 0 to n - 1 do
    fields ~canonical m
      (pos + (i * (d + p)))
      d !d' !p' (list_depth l) b
      (Shape.int_of_builder (Builder.item b items i))
  done
