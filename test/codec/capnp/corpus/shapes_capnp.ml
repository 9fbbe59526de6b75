(* Made by capnpc-weir from shapes.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type colour =
  | Red
  | Green
  | None
  | Unrecognized of int

and point = {
  x : int;
  y : int;
}

let default_1 =
  Capnp.Any.constant "\000\000\000\000\001\000\000\000\000\000\000\000\000\000\000\000"

let default_2 =
  Capnp.Any.constant "\000\000\000\000\001\000\000\000\003\000\000\000\252\255\255\255"

let colour_of_int : int -> colour = function
  | 0 -> Red
  | 1 -> Green
  | 2 -> None
  | n -> Unrecognized n

let colour_to_int : colour -> int = function
  | Red -> 0
  | Green -> 1
  | None -> 2
  | Unrecognized n -> n

let rec read_point m (r : point Capnp.Reader.t) : point =
  Capnp.Reader.spend m r 3;
  let d = Capnp.Reader.Unsafe.data_of m r 8 in
  {
    x = Capnp.Reader.Unsafe.int32_at m r d 0;
    y = Capnp.Reader.Unsafe.int32_at m r d 4;
  }

and size_point (_ : point) = 0

and write_point buf at (v : point) next =
  Capnp.Unsafe.Put.uint32 buf at v.x;
  Capnp.Unsafe.Put.uint32 buf (at + 4) v.y;
  next

module Colour = struct
  type t = colour =
    | Red
    | Green
    | None
    | Unrecognized of int

  let of_int = colour_of_int
  let to_int = colour_to_int
  let item m (l : t Capnp.Items.t) i = of_int (Capnp.Items.uint16 m l i)
  let put b (l : t Capnp.Builder.items) i v = Capnp.Builder.put_uint16 b l i (to_int v)
end

module Point = struct
  type t = point = {
    x : int;
    y : int;
  }

  let decode s = Capnp.Reader.decode read_point s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 1 0 (size_point v) in
    Capnp.Unsafe.Record.finish buf (write_point buf 16 v 24)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 1 0 (size_point v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 1 0 (write_point buf 16 v 24)
    else Capnp.Unsafe.Record.write 1 0 size_point write_point b v
  let default = read_point Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 0
  let of_reader = read_point
  let to_builder b h v = Capnp.Unsafe.Record.fill 1 0 size_point write_point b h v
  let size = size_point
  let unsafe_put = write_point

  (** Reading in place. *)
  module R = struct
    type t = point Capnp.Reader.t

    let[@inline] x m r = Capnp.Reader.int32 m r 0
    let[@inline] y m r = Capnp.Reader.int32 m r 4
  end

  (** Building in place. *)
  module B = struct
    type t = point Capnp.Builder.struct_

    let set_x b h v = Capnp.Builder.set_uint32 b h 0 v
    let set_y b h v = Capnp.Builder.set_uint32 b h 4 v
  end

  let origin = read_point default_1 (Capnp.Reader.root default_1)
end

let corner = read_point default_2 (Capnp.Reader.root default_2)
