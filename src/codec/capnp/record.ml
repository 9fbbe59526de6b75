let too_large () = Message.fail 0 "message of 2 GiB or more"

let[@inline never] start d p bytes =
  let first = (2 + d + p) lsl 3 in
  let total = first + bytes in
  if total > 8 * Message.max_words then too_large ();
  let buf = Bytes.create total in
  Put.int64 buf 0 (Int64.shift_left (Int64.of_int ((total lsr 3) - 1)) 32);
  ignore (Put.new_struct d p buf 8 16 : int);
  buf

let[@inline] finish buf stop =
  assert (stop = Bytes.length buf);
  Bytes.unsafe_to_string buf

(* What is written becomes [b]'s with its root only when it is whole. *)
let[@inline never] restart b d p bytes =
  Builder.reset b;
  let room = Builder.room b (d + p + (bytes lsr 3)) in
  let buf = b.Builder.buf in
  if room && 16 + (8 * (d + p)) + bytes <= Bytes.length buf then buf else Bytes.empty

let[@inline never] built b buf d p stop =
  assert (stop <= Bytes.length buf);
  ignore (Put.new_struct d p buf 8 16 : int);
  Builder.use b (stop lsr 3)

(* Where there is no room in the last segment, or [h] lies in an earlier one, or a text may be too
   long, which would leave [h] half written: the value is written apart and what it points to
   copied. A group's struct holds data that are not the group's. *)
let[@inline never] fill_apart d p bytes write b h v =
  let pos = Pointer.data_at h and data = 8 * min d (Pointer.data_words h) in
  let first = 8 * (1 + d + p) in
  let apart = Bytes.make (first + bytes) '\000' in
  Bytes.blit b.Builder.buf (8 * pos) apart 8 data;
  ignore (write apart 8 v first);
  Bytes.blit apart 8 b.buf (8 * pos) data;
  let m = Message.of_segment apart ~off:0 ~len:(Bytes.length apart) in
  Message.set_traversal m max_int;
  for i = 0 to min p (Pointer.pointers h) - 1 do
    if Bytes.get_int64_le apart (8 * (1 + d + i)) <> 0L then
      Copy.pointer ~canonical:false m (1 + d + i) m.depth b (Builder.pointer_at (Shape.builder h) i)
  done

let[@inline never] fill d p size write b handle v =
  let h = Shape.int_of_builder handle in
  let bytes = size v and pos = Pointer.data_at h in
  let used = b.Builder.used in
  if Pointer.pointers_at h + Pointer.pointers h > used then Builder.stale ();
  if
    pos >= b.seg
    && Pointer.data_words h = d
    && Pointer.pointers h = p
    && bytes <= Pointer.max_bytes
    && Builder.room b (bytes lsr 3)
  then (
    (* Looked at once: another domain may change what the builder holds. *)
    let buf = b.buf in
    if (used lsl 3) + bytes > Bytes.length buf then Builder.stale ();
    Builder.use b (write buf (pos lsl 3) v (used lsl 3) lsr 3))
  else fill_apart d p bytes write b h v

let[@inline never] write d p size write b v = fill d p size write b (Builder.init_root b d p) v
