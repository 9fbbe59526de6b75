(* Builders with wrong offsets, sizes, kinds and handles; readers of damaged messages, with wrong
   offsets and handles of other messages. *)

open Weir_capnp
open Attack
module K = Capnp_corpus.Kinds_capnp

let builder random =
  Builder.create ~words:(int random 20)
    ?segment_words:(if int random 3 = 0 then Some (1 + int random 30) else None)
    ()

(* {1 Builders} *)

(* Handles live on through resets, and are used with either builder. *)
type state = {
  builders : Builder.t array;
  mutable structs : [ `S ] Builder.struct_ list;
  mutable lists : [ `L ] Builder.items list;
}

external as_items : _ Builder.items -> 'a Builder.items = "%identity"

let set random b h =
  let off = near random 24 in
  match int random 12 with
  | 0 -> Builder.set_bool b h off true
  | 1 -> Builder.set_uint8 b h off 1
  | 2 -> Builder.set_uint16 b h off 2
  | 3 -> Builder.set_uint32 b h off 3
  | 4 -> Builder.set_int64 b h off 4L
  | 5 -> Builder.set_float32 b h off 5.
  | 6 -> Builder.set_float64 b h off 6.
  | 7 -> Builder.set_int64_xor b h off 7L 8L
  | 8 -> Builder.set_float32_xor b h off 9 10.
  | 9 -> Builder.set_text b h (near random 3) (string random (length random))
  | 10 -> Builder.set_data b h (near random 3) (string random (length random))
  | _ -> Builder.set_capability b h (near random 3) (nasty random)

let put random b (l : [ `L ] Builder.items) =
  let i = near random 6 in
  match int random 10 with
  | 0 -> Builder.put_bool b (as_items l) i true
  | 1 -> Builder.put_uint8 b (as_items l) i 1
  | 2 -> Builder.put_uint16 b l i 2
  | 3 -> Builder.put_uint32 b (as_items l) i 3
  | 4 -> Builder.put_int64 b (as_items l) i 4L
  | 5 -> Builder.put_float32 b (as_items l) i 5.
  | 6 -> Builder.put_text b (as_items l) i (string random (length random))
  | 7 -> Builder.put_data b (as_items l) i (string random (length random))
  | 8 -> Builder.put_capability b (as_items l) i (nasty random)
  | _ -> Builder.put_float64 b (as_items l) i 6.

let keep_struct st h = st.structs <- Builder.cast h :: st.structs
let keep_list st l = st.lists <- as_items l :: st.lists
let size random = if int random 4 = 0 then nasty random else int random 4
let few random = if int random 6 = 0 then min (nasty random) 100_000 else int random 8
let kind random = if int random 5 = 0 then nasty random else int random 8

let grow random st b h =
  let i = near random 3 in
  match int random 6 with
  | 0 -> keep_struct st (Builder.init_struct b h i (size random) (size random))
  | 1 -> keep_list st (Builder.init_list b h i (kind random) (few random))
  | 2 -> keep_list st (Builder.init_struct_list b h i (few random) (size random) (size random))
  | 3 -> Option.iter (keep_struct st) (Builder.get_struct b h i)
  | 4 -> Option.iter (keep_list st) (Builder.get_items b h i (kind random))
  | _ -> Builder.set_null b h i

let of_list random st b l =
  let i = near random 6 in
  match int random 3 with
  | 0 -> keep_struct st (Builder.item b l i)
  | 1 -> keep_list st (Builder.put_list b (as_items l) i (kind random) (few random))
  | _ ->
      keep_list st
        (Builder.put_struct_list b (as_items l) i (few random) (size random) (size random))

let inner random b =
  match int random 5 with
  | 0 -> Builder.use b (near random (Builder.words b))
  | 1 -> ignore (Builder.over (bytes random (8 * int random 8)) ~used:(near random 8))
  | 2 ->
      let n = length random in
      Builder.new_bytes b Builder.first (bytes random n) (near random n) (near random n)
        (near random (n + 2))
  | 3 -> Builder.new_text b (near random 10) (string random (length random))
  | _ -> Builder.set_pointer b (near random 10) (nasty random) (nasty random)

let step random st =
  let b = st.builders.(int random 2) in
  match int random 12 with
  | 0 -> keep_struct st (Builder.init_root b (size random) (size random))
  | 1 -> keep_struct st (Builder.cast (K.Kinds.init b))
  | 2 -> (
      let v = { K.Kinds.default with text = string random (length random) } in
      match int random 3 with
      | 0 -> Builder.reset b
      | 1 -> K.Kinds.write b v
      | _ -> if st.structs <> [] then K.Kinds.to_builder b (Builder.cast (pick random st.structs)) v
      )
  | 3 -> inner random b
  | (4 | 5) when st.lists <> [] -> put random b (pick random st.lists)
  | 6 when st.lists <> [] -> of_list random st b (pick random st.lists)
  | (7 | 8) when st.structs <> [] -> grow random st b (pick random st.structs)
  | _ when st.structs <> [] -> set random b (pick random st.structs)
  | _ -> ()

let build random =
  let st = { builders = [| builder random; builder random |]; structs = []; lists = [] } in
  for _ = 1 to 40 do
    attempt (fun () -> step random st)
  done;
  Array.iter (fun b -> attempt (fun () -> Any.of_builder b)) st.builders;
  st.builders.(0)

(* {1 Readers} *)

let fields random m r =
  let off = near random 24 in
  let f = float_of_int in
  match int random 14 with
  | 0 -> ignore (Reader.bool m r off)
  | 1 -> ignore (Reader.uint8 m r off)
  | 2 -> ignore (Reader.int8 m r off)
  | 3 -> ignore (Reader.uint16 m r off)
  | 4 -> ignore (Reader.int32 m r off)
  | 5 -> ignore (Reader.int64 m r off)
  | 6 -> ignore (f (Int64.to_int (Reader.int64_xor m r off 5L)))
  | 7 -> ignore (Reader.float64 m r off)
  | 8 -> ignore (Reader.float32 m r off)
  | 9 -> ignore (Reader.string m r (near random 3))
  | 10 -> ignore (Blob.to_string m (Reader.data m r (near random 3)))
  | 11 -> ignore (Reader.capability m r (near random 3))
  | 12 ->
      let t = Reader.text m r (near random 3) in
      ignore (Blob.get m t (near random (Blob.length t)));
      ignore (Blob.equal m t "abc");
      Blob.blit m t (Bytes.create 16) ~off:(near random 16)
  | _ -> ignore (Any.detach m (Any.field m r (near random 3)))

let elements random m l =
  let i = near random (Items.length l) in
  match int random 12 with
  | 0 -> ignore (Items.bool m (Obj.magic l) i)
  | 1 -> ignore (Items.uint8 m (Obj.magic l) i)
  | 2 -> ignore (Items.uint16 m l i)
  | 3 -> ignore (Items.int32 m (Obj.magic l) i)
  | 4 -> ignore (Items.int64 m (Obj.magic l) i)
  | 5 -> ignore (Items.float32 m (Obj.magic l) i)
  | 6 -> ignore (Blob.to_string m (Items.text m (Obj.magic l) i))
  | 7 -> ignore (Items.octets m (Obj.magic l))
  | 8 -> ignore (Items.bits m (Obj.magic l))
  | 9 -> ignore (Items.int32s m (Obj.magic l))
  | 10 -> ignore (Items.int64s m (Obj.magic l))
  | _ -> fields random m (Items.struct_ m l i)

let read random s other =
  let m = Message.of_string s in
  Message.set_traversal m 100_000;
  Message.set_memory m 100_000;
  let handles = ref [ Reader.root m ] in
  for _ = 1 to 12 do
    (* The handle of one message, and the other message. *)
    let m = if int random 4 = 0 then other else m in
    let r = pick random !handles in
    attempt (fun () ->
        match int random 5 with
        | 0 -> handles := Reader.struct_ m r (near random 3) :: !handles
        | 1 -> elements random m (Reader.list m r (near random 3) (kind random))
        | 2 -> elements random m (Any.list_of m (Any.field m r (near random 3)))
        | 3 ->
            let b = builder random in
            let h = Builder.init_root b 1 2 in
            Any.copy_struct m r b h (near random 2) ~data:(near random 3) ~pointers:(near random 3)
        | _ -> fields random m r)
  done;
  attempt (fun () -> K.Kinds.of_reader m (K.Kinds.root m));
  attempt (fun () -> Canonical.of_message m)

let opening random =
  let n = length random in
  let b = bytes random n in
  let off = near random n and len = near random n in
  attempt (fun () -> ignore (Message.extent b ~off ~len));
  attempt (fun () -> ignore (Reader.root (Message.of_frame b ~off ~len)));
  attempt (fun () -> ignore (Reader.root (Message.of_segment b ~off ~len)));
  attempt (fun () -> ignore (Packed.message b ~off ~len));
  attempt (fun () -> Packed.add b ~off ~len (Buffer.create 10));
  attempt (fun () -> ignore (Packed.unpack ~limit:10_000 (Bytes.to_string b)));
  attempt (fun () ->
      let starts = Array.init (int random 4) (fun i -> if i = 0 then 0 else near random (n / 8)) in
      let m = Message.make ~traversal:1000 ~depth:(near random 63) b (near random n) starts in
      ignore (K.Kinds.of_reader m (K.Kinds.root m)));
  attempt (fun () ->
      ignore (Bits.to_list (Bits.of_bytes (Bytes.create (int random 5)) (near random 40))));
  attempt (fun () ->
      ignore
        (Any.write (Bytes.create 64) (near random 64)
           (string random (8 * int random 6))
           (near random 64)))

let groups =
  [
    ( "capnp",
      [
        property "builders" (fun random -> ignore (build random));
        property "readers" (fun random ->
            let b = build random in
            let s = match Builder.to_string b with s -> s | exception Invalid_argument _ -> "" in
            let other = K.Kinds.(encode default) in
            attempt (fun () -> read random (damaged random s) (Message.of_string other));
            attempt (fun () -> read random (damaged random other) (Message.of_string s)));
        property "opening" opening;
        (let shared = Builder.create ~words:1 () in
         let play random =
           let st = { builders = [| shared; shared |]; structs = []; lists = [] } in
           for _ = 1 to 10 do
             attempt (fun () -> step random st)
           done
         in
         racing "two domains share a builder" ~change:play play);
        (let b = Bytes.of_string K.Kinds.(encode default) in
         racing "bytes change while they are read"
           ~change:(fun random -> Bytes.set_uint8 b (int random (Bytes.length b)) (int random 256))
           (fun random ->
             attempt (fun () ->
                 let m = Message.of_frame b ~off:0 ~len:(Bytes.length b) in
                 elements random m (Any.list_of m (Any.field m (Reader.root m) (int random 20)));
                 ignore (K.Kinds.of_reader m (K.Kinds.root m)))));
      ] );
  ]
