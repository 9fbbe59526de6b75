(* Made by capnpc-weir from payload.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type payload = {
  first : bool;
  second : bool;
  third : float;
  fourth : int64;
  fifth : words list;
  sixth : int64 list;
}

and words = {
  a : string;
  b : string;
  c : string;
  d : string;
}

let rec read_payload m (r : payload Capnp.Reader.t) : payload =
  Capnp.Reader.spend m r 12;
  let d = Capnp.Reader.Unsafe.data_of m r 24 in
  {
    first = Capnp.Reader.Unsafe.bool_at m r d 0;
    second = Capnp.Reader.Unsafe.bool_at m r d 1;
    third = Capnp.Reader.Unsafe.float64_at m r d 8;
    fourth = Capnp.Reader.Unsafe.int64_at m r d 16;
    fifth = list_words m (Capnp.Reader.list m r 0 Capnp.Kind.struct_);
    sixth = Capnp.Items.int64s m (Capnp.Reader.list m r 1 Capnp.Kind.eight_bytes);
  }

and size_payload (v : payload) =
  room_words v.fifth
  + Capnp.Size.items 8 v.sixth

and write_payload buf at (v : payload) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.uint8 buf at
    (Capnp.Unsafe.Put.bit v.first 0 lor Capnp.Unsafe.Put.bit v.second 1);
  Capnp.Unsafe.Put.float64 buf (at + 8) v.third;
  Capnp.Unsafe.Put.int64 buf (at + 16) v.fourth;
  let next = put_words buf (at + 24) v.fifth next in
  Capnp.Unsafe.Put.int64s buf (at + 32) v.sixth next

and read_words m (r : words Capnp.Reader.t) : words =
  Capnp.Reader.spend m r 5;
  let p = Capnp.Reader.Unsafe.pointers_of r 4 in
  {
    a = Capnp.Reader.Unsafe.string_at m r p 0;
    b = Capnp.Reader.Unsafe.string_at m r p 1;
    c = Capnp.Reader.Unsafe.string_at m r p 2;
    d = Capnp.Reader.Unsafe.string_at m r p 3;
  }

and size_words (v : words) =
  Capnp.Size.text v.a
  + Capnp.Size.text v.b
  + Capnp.Size.text v.c
  + Capnp.Size.text v.d

and write_words buf at (v : words) next =
  let next = Capnp.Unsafe.Put.text buf at v.a next in
  let next = Capnp.Unsafe.Put.text buf (at + 8) v.b next in
  let next = Capnp.Unsafe.Put.text buf (at + 16) v.c next in
  Capnp.Unsafe.Put.text buf (at + 24) v.d next

and list_words m (l : words Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_words m l
  else
    let r = Capnp.Items.last m l in
    gather_words m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_words m r step n acc =
  if n = 0 then acc
  else
    let v = read_words m r in
    gather_words m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_words buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_words buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 0 4 buf at next)

and fill_words buf at l next =
  match l with
  | [] -> next
  | (v : words) :: rest -> fill_words buf (at + 32) rest (write_words buf at v next)

and room_words l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_words 8 l)

and sum_words total l =
  match l with
  | [] -> total
  | (v : words) :: rest -> sum_words (total + 32 + size_words v) rest

module Payload = struct
  type t = payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int64;
    fifth : words list;
    sixth : int64 list;
  }

  let decode s = Capnp.Reader.decode read_payload s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 3 2 (size_payload v) in
    Capnp.Unsafe.Record.finish buf (write_payload buf 16 v 56)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 3 2 (size_payload v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 3 2 (write_payload buf 16 v 56)
    else Capnp.Unsafe.Record.write 3 2 size_payload write_payload b v
  let default = read_payload Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 3 2
  let of_reader = read_payload
  let to_builder b h v = Capnp.Unsafe.Record.fill 3 2 size_payload write_payload b h v
  let size = size_payload
  let unsafe_put = write_payload

  (** Reading in place. *)
  module R = struct
    type t = payload Capnp.Reader.t

    let[@inline] first m r = Capnp.Reader.bool m r 0
    let[@inline] second m r = Capnp.Reader.bool m r 1
    let[@inline] third m r = Capnp.Reader.float64 m r 8
    let[@inline] fourth m r = Capnp.Reader.int64 m r 16
    let has_fifth m r = Capnp.Reader.has m r 0
    let[@inline] fifth m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
    let has_sixth m r = Capnp.Reader.has m r 1
    let[@inline] sixth m r = Capnp.Reader.list m r 1 Capnp.Kind.eight_bytes
  end

  (** Building in place. *)
  module B = struct
    type t = payload Capnp.Builder.struct_

    let set_first b h v = Capnp.Builder.set_bool b h 0 v
    let set_second b h v = Capnp.Builder.set_bool b h 1 v
    let set_third b h v = Capnp.Builder.set_float64 b h 8 v
    let set_fourth b h v = Capnp.Builder.set_int64 b h 16 v
    let init_fifth b h n = Capnp.Builder.init_struct_list b h 0 n 0 4
    let get_fifth b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
    let init_sixth b h n = Capnp.Builder.init_list b h 1 Capnp.Kind.eight_bytes n
    let get_sixth b h = Capnp.Builder.get_items b h 1 Capnp.Kind.eight_bytes
  end
end

module Words = struct
  type t = words = {
    a : string;
    b : string;
    c : string;
    d : string;
  }

  let decode s = Capnp.Reader.decode read_words s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 4 (size_words v) in
    Capnp.Unsafe.Record.finish buf (write_words buf 16 v 48)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 4 (size_words v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 4 (write_words buf 16 v 48)
    else Capnp.Unsafe.Record.write 0 4 size_words write_words b v
  let default = read_words Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 4
  let of_reader = read_words
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 4 size_words write_words b h v
  let size = size_words
  let unsafe_put = write_words

  (** Reading in place. *)
  module R = struct
    type t = words Capnp.Reader.t

    let has_a m r = Capnp.Reader.has m r 0
    let[@inline] a m r = Capnp.Reader.text m r 0
    let has_b m r = Capnp.Reader.has m r 1
    let[@inline] b m r = Capnp.Reader.text m r 1
    let has_c m r = Capnp.Reader.has m r 2
    let[@inline] c m r = Capnp.Reader.text m r 2
    let has_d m r = Capnp.Reader.has m r 3
    let[@inline] d m r = Capnp.Reader.text m r 3
  end

  (** Building in place. *)
  module B = struct
    type t = words Capnp.Builder.struct_

    let set_a b h v = Capnp.Builder.set_text b h 0 v
    let set_b b h v = Capnp.Builder.set_text b h 1 v
    let set_c b h v = Capnp.Builder.set_text b h 2 v
    let set_d b h v = Capnp.Builder.set_text b h 3 v
  end
end
