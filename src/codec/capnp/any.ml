(* A pointer's place: position 28 bits, the depth left 6 bits above; -1 for a pointer that the
   struct is too short to have. *)
type t = int

let place p depth : t = p lor (depth lsl 28)
let position t = t land 0xfff_ffff
let depth t = (t lsr 28) land 63

type what = Pointer.what = Null | Struct | List | Capability of int

let null = -1

let[@inline never] field m r i =
  ignore m;
  let h = Shape.int_of_reader r in
  if Pointer.has h i then place (Reader.pointer_at h i) (Pointer.depth h) else null

let root m = if Message.words m = 0 then null else place 0 m.Message.depth

let item m l i =
  let h = Items.handle l in
  place (Items.pointer_position m h i) (Pointer.list_depth h)

let what m t = if t = null then Null else Pointer.what m (position t)

let struct_ m t : _ Reader.t =
  Shape.reader (if t = null then 0 else Pointer.struct_ m (position t) (depth t))

let list m t want : _ Items.t =
  Items.Unsafe.of_handle (if t = null then 0 else Pointer.list m (position t) (depth t) want)

let blob m t ~text = Blob.of_handle (if t = null then 0 else Pointer.blob m (position t) ~text)
let text m t = blob m t ~text:true
let data m t = blob m t ~text:false

type detached = string

let none = ""

let[@inline never] detach m t =
  if what m t = Null then none
  else
    let b = Builder.create ~words:4 () in
    Message.spend m (position t) 24;
    Copy.pointer ~canonical:false m (position t) (depth t) b Builder.first;
    Message.spend m (position t) (Builder.words b);
    Bytes.sub_string b.Builder.buf (8 * Builder.first) (8 * Builder.words b)

let message d =
  let d = if d = none then String.make 8 '\000' else d in
  Message.of_segment (Bytes.unsafe_of_string d) ~off:0 ~len:(String.length d)

let[@inline never] constant d =
  let m = message d in
  Message.set_traversal m max_int;
  Message.set_memory m max_int;
  m

(* The usual limit, or what a larger tree needs: each word once, and lists of nothing. *)
let allow m = Message.set_traversal m (Int.max Message.default_budget (4 * Message.words m))

let of_builder b =
  let m = Builder.message b in
  allow m;
  detach m (root m)

let[@inline never] put_at b p d =
  let m = message d in
  allow m;
  Copy.pointer ~canonical:false m 0 m.Message.depth b p

let set b h i d = put_at b (Builder.pointer_at h i) d
let put b l i d = put_at b (Builder.pointer_item l i) d

let[@inline never] copy_struct m r b h i ~data ~pointers =
  let p = Builder.pointer_at h i in
  Copy.struct_ ~canonical:false m (Shape.int_of_reader r) b p ~data ~pointers

(* A struct that was copied may be of an older schema: one of the sizes of today takes its place. *)
let[@inline never] get_struct b h i ~data ~pointers =
  match Builder.get_struct b h i with
  | Some s
    when Pointer.data_words (Shape.int_of_builder s) < data
         || Pointer.pointers (Shape.int_of_builder s) < pointers ->
      let m = Builder.message b and p = Builder.pointer_at h i in
      allow m;
      let old = Pointer.struct_ m (p - Builder.first) m.Message.depth in
      Copy.struct_ ~canonical:false m old b p ~data ~pointers;
      Builder.get_struct b h i
  | found -> found

let list_of m t = list m t Pointer.any
let[@inline never] details m l = Items.to_list (fun m l i -> detach m (item m l i)) m l

(* In a record: copied once to learn the size, since it need not be laid out as [detach] does. *)

let[@inline never] size d =
  if d = none then 0
  else
    let b = Builder.create ~words:(String.length d / 8) () in
    put_at b Builder.first d;
    8 * (Builder.words b - 1)

let[@inline never] write buf at d next =
  if d = none then (
    Bytes.set_int64_le buf at 0L;
    next)
  else
    let b = Builder.over buf ~used:(next lsr 3) in
    put_at b (at lsr 3) d;
    if b.buf != buf then invalid_arg "Any.write: too few bytes";
    b.used lsl 3
