(* Made by capnpc-weir from payload.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type fifth = {
  first : string;
  second : string;
  third : string;
  fourth : string;
}

and payload = {
  first : bool;
  second : bool;
  third : float;
  fourth : int;
  fifth : fifth list;
  sixth : int list;
}

let rec read_fifth m (r : fifth Capnp.Reader.t) : fifth =
  Capnp.Reader.spend m r 5;
  let p = Capnp.Reader.Unsafe.pointers_of r 4 in
  {
    first = Capnp.Reader.Unsafe.string_at m r p 0;
    second = Capnp.Reader.Unsafe.string_at m r p 1;
    third = Capnp.Reader.Unsafe.string_at m r p 2;
    fourth = Capnp.Reader.Unsafe.string_at m r p 3;
  }

and size_fifth (v : fifth) =
  Capnp.Size.text v.first
  + Capnp.Size.text v.second
  + Capnp.Size.text v.third
  + Capnp.Size.text v.fourth

and write_fifth buf at (v : fifth) next =
  let next = Capnp.Unsafe.Put.text buf at v.first next in
  let next = Capnp.Unsafe.Put.text buf (at + 8) v.second next in
  let next = Capnp.Unsafe.Put.text buf (at + 16) v.third next in
  Capnp.Unsafe.Put.text buf (at + 24) v.fourth next

and list_fifth m (l : fifth Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_fifth m l
  else
    let r = Capnp.Items.last m l in
    gather_fifth m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_fifth m r step n acc =
  if n = 0 then acc
  else
    let v = read_fifth m r in
    gather_fifth m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_fifth buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_fifth buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 0 4 buf at next)

and fill_fifth buf at l next =
  match l with
  | [] -> next
  | (v : fifth) :: rest -> fill_fifth buf (at + 32) rest (write_fifth buf at v next)

and room_fifth l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_fifth 8 l)

and sum_fifth total l =
  match l with
  | [] -> total
  | (v : fifth) :: rest -> sum_fifth (total + 32 + size_fifth v) rest

and read_payload m (r : payload Capnp.Reader.t) : payload =
  Capnp.Reader.spend m r 9;
  let d = Capnp.Reader.Unsafe.data_of m r 16 in
  {
    first = Capnp.Reader.Unsafe.bool_at m r d 0;
    second = Capnp.Reader.Unsafe.bool_at m r d 1;
    third = Capnp.Reader.Unsafe.float64_at m r d 8;
    fourth = Capnp.Reader.Unsafe.int32_at m r d 4;
    fifth = list_fifth m (Capnp.Reader.list m r 0 Capnp.Kind.struct_);
    sixth = Capnp.Items.int32s m (Capnp.Reader.list m r 1 Capnp.Kind.four_bytes);
  }

and size_payload (v : payload) =
  room_fifth v.fifth
  + Capnp.Size.items 4 v.sixth

and write_payload buf at (v : payload) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.uint8 buf at
    (Capnp.Unsafe.Put.bit v.first 0 lor Capnp.Unsafe.Put.bit v.second 1);
  Capnp.Unsafe.Put.float64 buf (at + 8) v.third;
  Capnp.Unsafe.Put.uint32 buf (at + 4) v.fourth;
  let next = put_fifth buf (at + 16) v.fifth next in
  Capnp.Unsafe.Put.int32s buf (at + 24) v.sixth next

module Fifth = struct
  type t = fifth = {
    first : string;
    second : string;
    third : string;
    fourth : string;
  }

  let decode s = Capnp.Reader.decode read_fifth s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 4 (size_fifth v) in
    Capnp.Unsafe.Record.finish buf (write_fifth buf 16 v 48)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 4 (size_fifth v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 4 (write_fifth buf 16 v 48)
    else Capnp.Unsafe.Record.write 0 4 size_fifth write_fifth b v
  let default = read_fifth Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 4
  let of_reader = read_fifth
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 4 size_fifth write_fifth b h v
  let size = size_fifth
  let unsafe_put = write_fifth

  (** Reading in place. *)
  module R = struct
    type t = fifth Capnp.Reader.t

    let has_first m r = Capnp.Reader.has m r 0
    let[@inline] first m r = Capnp.Reader.text m r 0
    let has_second m r = Capnp.Reader.has m r 1
    let[@inline] second m r = Capnp.Reader.text m r 1
    let has_third m r = Capnp.Reader.has m r 2
    let[@inline] third m r = Capnp.Reader.text m r 2
    let has_fourth m r = Capnp.Reader.has m r 3
    let[@inline] fourth m r = Capnp.Reader.text m r 3
  end

  (** Building in place. *)
  module B = struct
    type t = fifth Capnp.Builder.struct_

    let set_first b h v = Capnp.Builder.set_text b h 0 v
    let set_second b h v = Capnp.Builder.set_text b h 1 v
    let set_third b h v = Capnp.Builder.set_text b h 2 v
    let set_fourth b h v = Capnp.Builder.set_text b h 3 v
  end
end

module Payload = struct
  type t = payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int;
    fifth : fifth list;
    sixth : int list;
  }

  let decode s = Capnp.Reader.decode read_payload s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 2 2 (size_payload v) in
    Capnp.Unsafe.Record.finish buf (write_payload buf 16 v 48)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 2 2 (size_payload v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 2 2 (write_payload buf 16 v 48)
    else Capnp.Unsafe.Record.write 2 2 size_payload write_payload b v
  let default = read_payload Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 2 2
  let of_reader = read_payload
  let to_builder b h v = Capnp.Unsafe.Record.fill 2 2 size_payload write_payload b h v
  let size = size_payload
  let unsafe_put = write_payload

  (** Reading in place. *)
  module R = struct
    type t = payload Capnp.Reader.t

    let[@inline] first m r = Capnp.Reader.bool m r 0
    let[@inline] second m r = Capnp.Reader.bool m r 1
    let[@inline] third m r = Capnp.Reader.float64 m r 8
    let[@inline] fourth m r = Capnp.Reader.int32 m r 4
    let has_fifth m r = Capnp.Reader.has m r 0
    let[@inline] fifth m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
    let has_sixth m r = Capnp.Reader.has m r 1
    let[@inline] sixth m r = Capnp.Reader.list m r 1 Capnp.Kind.four_bytes
  end

  (** Building in place. *)
  module B = struct
    type t = payload Capnp.Builder.struct_

    let set_first b h v = Capnp.Builder.set_bool b h 0 v
    let set_second b h v = Capnp.Builder.set_bool b h 1 v
    let set_third b h v = Capnp.Builder.set_float64 b h 8 v
    let set_fourth b h v = Capnp.Builder.set_uint32 b h 4 v
    let init_fifth b h n = Capnp.Builder.init_struct_list b h 0 n 0 4
    let get_fifth b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
    let init_sixth b h n = Capnp.Builder.init_list b h 1 Capnp.Kind.four_bytes n
    let get_sixth b h = Capnp.Builder.get_items b h 1 Capnp.Kind.four_bytes
  end
end
