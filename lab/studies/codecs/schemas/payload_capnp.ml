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
  {
    first = Capnp.Reader.string m r 0;
    second = Capnp.Reader.string m r 1;
    third = Capnp.Reader.string m r 2;
    fourth = Capnp.Reader.string m r 3;
  }

and write_fifth b (h : fifth Capnp.Builder.struct_) (v : fifth) =
  Capnp.Builder.text b h 0 v.first;
  Capnp.Builder.text b h 1 v.second;
  Capnp.Builder.text b h 2 v.third;
  Capnp.Builder.text b h 3 v.fourth

and read_payload m (r : payload Capnp.Reader.t) : payload =
  {
    first = Capnp.Reader.bool m r 0;
    second = Capnp.Reader.bool m r 1;
    third = Capnp.Reader.float64 m r 8;
    fourth = Capnp.Reader.int32 m r 4;
    fifth = Capnp.Items.structs read_fifth m (Capnp.Reader.list m r 0 Capnp.Kind.struct_);
    sixth = Capnp.Items.int32s m (Capnp.Reader.list m r 1 Capnp.Kind.four_bytes);
  }

and write_payload b (h : payload Capnp.Builder.struct_) (v : payload) =
  Capnp.Builder.set_bool b h 0 v.first;
  Capnp.Builder.set_bool b h 1 v.second;
  Capnp.Builder.set_float64 b h 8 v.third;
  Capnp.Builder.set_uint32 b h 4 v.fourth;
  (match v.fifth with [] -> () | l -> Capnp.Builder.new_structs write_fifth 0 4 b (Capnp.Builder.pointer_at h 0) l);
  (match v.sixth with [] -> () | l -> Capnp.Builder.new_32s b (Capnp.Builder.pointer_at h 1) l)

module Fifth = struct
  type t = fifth = {
    first : string;
    second : string;
    third : string;
    fourth : string;
  }

  let of_reader = read_fifth
  let to_builder = write_fifth
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 4
  let decode s = Capnp.Reader.decode read_fifth s
  let encode v = Capnp.Builder.encode 0 4 write_fifth v
  let write b v = write_fifth b (Capnp.Builder.init_root b 0 4) v
  let default = read_fifth Capnp.Reader.nothing Capnp.Reader.null

  (** Reading in place. *)
  module R = struct
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

  let of_reader = read_payload
  let to_builder = write_payload
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 2 2
  let decode s = Capnp.Reader.decode read_payload s
  let encode v = Capnp.Builder.encode 2 2 write_payload v
  let write b v = write_payload b (Capnp.Builder.init_root b 2 2) v
  let default = read_payload Capnp.Reader.nothing Capnp.Reader.null

  (** Reading in place. *)
  module R = struct
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
    let set_first b h v = Capnp.Builder.set_bool b h 0 v
    let set_second b h v = Capnp.Builder.set_bool b h 1 v
    let set_third b h v = Capnp.Builder.set_float64 b h 8 v
    let set_fourth b h v = Capnp.Builder.set_uint32 b h 4 v
    let init_fifth b h n = Capnp.Builder.init_struct_list b h 0 n 0 4
    let get_fifth b h = Capnp.Builder.get_items b h 0
    let init_sixth b h n = Capnp.Builder.init_list b h 1 Capnp.Kind.four_bytes n
    let get_sixth b h = Capnp.Builder.get_items b h 1
  end

end

