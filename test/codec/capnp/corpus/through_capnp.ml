(* Made by capnpc-weir from through.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type through = {
  point : Shapes_capnp.point option;
  tree : Kinds_capnp.tree option;
}

let rec read_through m (r : through Capnp.Reader.t) : through =
  Capnp.Reader.spend m r 3;
  {
    point = Capnp.Reader.optional m r 0 Shapes_capnp.Point.of_reader;
    tree = Capnp.Reader.optional m r 1 Kinds_capnp.Tree.of_reader;
  }

and size_through (v : through) =
  Capnp.Size.optional Shapes_capnp.Point.size 8 v.point
  + Capnp.Size.optional Kinds_capnp.Tree.size 32 v.tree

and write_through buf at (v : through) next =
  let next = Capnp.Unsafe.Put.optional Shapes_capnp.Point.unsafe_put 1 0 buf at v.point next in
  Capnp.Unsafe.Put.optional Kinds_capnp.Tree.unsafe_put 0 4 buf (at + 8) v.tree next

module Through = struct
  type t = through = {
    point : Shapes_capnp.point option;
    tree : Kinds_capnp.tree option;
  }

  let decode s = Capnp.Reader.decode read_through s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 2 (size_through v) in
    Capnp.Unsafe.Record.finish buf (write_through buf 16 v 32)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 2 (size_through v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 2 (write_through buf 16 v 32)
    else Capnp.Unsafe.Record.write 0 2 size_through write_through b v
  let default = read_through Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 2
  let of_reader = read_through
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 2 size_through write_through b h v
  let size = size_through
  let unsafe_put = write_through

  (** Reading in place. *)
  module R = struct
    type t = through Capnp.Reader.t

    let has_point m r = Capnp.Reader.has m r 0
    let[@inline] point m r = Capnp.Reader.struct_ m r 0
    let has_tree m r = Capnp.Reader.has m r 1
    let[@inline] tree m r = Capnp.Reader.struct_ m r 1
  end

  (** Building in place. *)
  module B = struct
    type t = through Capnp.Builder.struct_

    let init_point b h = Capnp.Builder.init_struct b h 0 1 0
    let get_point b h = Capnp.Any.get_struct b h 0 ~data:1 ~pointers:0
    let copy_point b h m r = Capnp.Any.copy_struct m r b h 0 ~data:1 ~pointers:0
    let init_tree b h = Capnp.Builder.init_struct b h 1 0 4
    let get_tree b h = Capnp.Any.get_struct b h 1 ~data:0 ~pointers:4
    let copy_tree b h m r = Capnp.Any.copy_struct m r b h 1 ~data:0 ~pointers:4
  end
end
