(* Made by capnpc-weir from shared.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type shared = {
  a : bool;
  i : bool;
  j : shared_j;
  r : bool;
  s : int;
  t : int;
  u : only option;
  v : only list;
  w : shared list;
  x : string;
  y : bool;
  which : shared_which;
}

and shared_which =
  | B of bool
  | C of int
  | D of string
  | E of shared_e
  | Z
  | Unrecognized of int

and shared_e = {
  f : bool;
  g : bool;
  h : string;
}

and shared_j = {
  k : bool;
  l : int;
  m : Capnp.Bits.t;
  n : shared_j_n;
}

and shared_j_n = 
  | O of bool
  | P
  | Q of int64
  | Unrecognized of int

and only = 
  | None
  | Flag of bool
  | Both of only_both
  | List of bare list
  | Wide of float
  | Unrecognized of int

and only_both = {
  one : bool;
  two : float;
  text : string;
}

and bare = 
  | Old of int64
  | New
  | Unrecognized of int

let default_1 = Capnp.Any.constant "\001\000\000\000*\000\000\000full\000\000\000\000"

let rec read_shared m (r : shared Capnp.Reader.t) : shared =
  Capnp.Reader.spend m r 13;
  let d = Capnp.Reader.Unsafe.data_of m r 18 in
  {
    a = Capnp.Reader.Unsafe.bool_at m r d 0;
    i = not (Capnp.Reader.Unsafe.bool_at m r d 2);
    j = read_shared_j m (Capnp.Reader.cast r);
    r = Capnp.Reader.Unsafe.bool_at m r d 5;
    s = Capnp.Reader.Unsafe.int16_at m r d 16;
    t = Capnp.Reader.Unsafe.uint8_at m r d 5 lxor 0x7;
    u = Capnp.Reader.optional m r 2 read_only;
    v = list_only m (Capnp.Reader.list m r 3 Capnp.Kind.struct_);
    w = list_shared m (Capnp.Reader.list m r 4 Capnp.Kind.struct_);
    x = (if Capnp.Reader.has m r 5 then Capnp.Reader.string m r 5 else "full");
    y = Capnp.Reader.Unsafe.bool_at m r d 6;
    which = read_shared_which m r;
  }

and size_shared (v : shared) =
  size_shared_j v.j
  + Capnp.Size.optional size_only 24 v.u
  + room_only v.v
  + room_shared v.w
  + (match v.x with "" -> 8 | x -> Capnp.Size.text x)
  + size_shared_which v.which

and write_shared buf at (v : shared) next =
  Capnp.Unsafe.Put.zero buf at 5;
  Capnp.Unsafe.Put.uint8 buf at
    (Capnp.Unsafe.Put.bit v.a 0 lor Capnp.Unsafe.Put.bit (not v.i) 2 lor Capnp.Unsafe.Put.bit v.r 5
    lor Capnp.Unsafe.Put.bit v.y 6);
  let next = write_shared_j buf at v.j next in
  Capnp.Unsafe.Put.uint16 buf (at + 16) v.s;
  Capnp.Unsafe.Put.uint8 buf (at + 5) (v.t lxor 0x7);
  let next = Capnp.Unsafe.Put.optional write_only 2 1 buf (at + 40) v.u next in
  let next = put_only buf (at + 48) v.v next in
  let next = put_shared buf (at + 56) v.w next in
  let next =
    (match v.x with "" -> Capnp.Unsafe.Put.empty_text buf (at + 64) next
    | x -> Capnp.Unsafe.Put.text buf (at + 64) x next) in
  write_shared_which buf at v.which next

and read_shared_which m (r : shared Capnp.Reader.t) : shared_which =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 2 with
  | 0 -> B (Capnp.Reader.bool m r 1)
  | 1 -> C (Capnp.Reader.int8 m r 1)
  | 2 -> D (Capnp.Reader.string m r 0)
  | 3 -> E (read_shared_e m (Capnp.Reader.cast r))
  | 4 -> Z
  | n -> Unrecognized n

and size_shared_which (v : shared_which) =
  match v with
  | D x -> Capnp.Size.text x
  | E x -> size_shared_e x
  | _ -> 0

and write_shared_which buf at (v : shared_which) next =
  match v with
  | B x ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) 0;
      Capnp.Unsafe.Put.bool buf at 1 x;
      next
  | C x ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) 1;
      Capnp.Unsafe.Put.uint8 buf (at + 1) x;
      next
  | D x ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) 2;
      Capnp.Unsafe.Put.text buf (at + 24) x next
  | E x ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) 3;
      write_shared_e buf at x next
  | Z ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) 4;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) n;
      next

and list_shared m (l : shared Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_shared m l
  else
    let r = Capnp.Items.last m l in
    gather_shared m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_shared m r step n acc =
  if n = 0 then acc
  else
    let v = read_shared m r in
    gather_shared m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_shared buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_shared buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 3 6 buf at next)

and fill_shared buf at l next =
  match l with
  | [] -> next
  | (v : shared) :: rest -> fill_shared buf (at + 72) rest (write_shared buf at v next)

and room_shared l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_shared 8 l)

and sum_shared total l =
  match l with
  | [] -> total
  | (v : shared) :: rest -> sum_shared (total + 72 + size_shared v) rest

and read_shared_e m (r : shared_e Capnp.Reader.t) : shared_e =
  Capnp.Reader.spend m r 4;
  let d = Capnp.Reader.Unsafe.data_of m r 2 in
  {
    f = Capnp.Reader.Unsafe.bool_at m r d 1;
    g = not (Capnp.Reader.Unsafe.bool_at m r d 8);
    h = Capnp.Reader.string m r 0;
  }

and size_shared_e (v : shared_e) =
  Capnp.Size.text v.h

and write_shared_e buf at (v : shared_e) next =
  Capnp.Unsafe.Put.bool buf at 1 v.f;
  Capnp.Unsafe.Put.bool buf (at + 1) 0 (not v.g);
  Capnp.Unsafe.Put.text buf (at + 24) v.h next

and read_shared_j m (r : shared_j Capnp.Reader.t) : shared_j =
  Capnp.Reader.spend m r 5;
  let d = Capnp.Reader.Unsafe.data_of m r 5 in
  {
    k = Capnp.Reader.Unsafe.bool_at m r d 3;
    l = Capnp.Reader.sign8 (Capnp.Reader.Unsafe.uint8_at m r d 4 lxor 0xff);
    m = Capnp.Items.bits m (Capnp.Reader.list m r 1 Capnp.Kind.bit);
    n = read_shared_j_n m (Capnp.Reader.cast r);
  }

and size_shared_j (v : shared_j) =
  Capnp.Size.bits v.m
  + size_shared_j_n v.n

and write_shared_j buf at (v : shared_j) next =
  Capnp.Unsafe.Put.bool buf at 3 v.k;
  Capnp.Unsafe.Put.uint8 buf (at + 4) (v.l lxor 0xff);
  let next = Capnp.Unsafe.Put.bits buf (at + 32) v.m next in
  write_shared_j_n buf at v.n next

and read_shared_j_n m (r : shared_j_n Capnp.Reader.t) : shared_j_n =
  Capnp.Reader.spend m r 5;
  match Capnp.Reader.uint16 m r 6 with
  | 0 -> O (not (Capnp.Reader.bool m r 4))
  | 1 -> P
  | 2 -> Q (Capnp.Reader.int64_xor m r 8 0x5L)
  | n -> Unrecognized n

and size_shared_j_n (_ : shared_j_n) = 0

and write_shared_j_n buf at (v : shared_j_n) next =
  match v with
  | O x ->
      Capnp.Unsafe.Put.uint16 buf (at + 6) 0;
      Capnp.Unsafe.Put.bool buf at 4 (not x);
      next
  | P ->
      Capnp.Unsafe.Put.uint16 buf (at + 6) 1;
      next
  | Q x ->
      Capnp.Unsafe.Put.uint16 buf (at + 6) 2;
      Capnp.Unsafe.Put.int64_xor buf (at + 8) 0x5L x;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 6) n;
      next

and read_only m (r : only Capnp.Reader.t) : only =
  Capnp.Reader.spend m r 4;
  match Capnp.Reader.uint16 m r 0 with
  | 0 -> None
  | 1 -> Flag (Capnp.Reader.bool m r 16)
  | 2 -> Both (read_only_both m (Capnp.Reader.cast r))
  | 3 -> List (list_bare m (Capnp.Reader.list m r 0 Capnp.Kind.struct_))
  | 4 -> Wide (Capnp.Reader.float64 m r 8)
  | n -> Unrecognized n

and size_only (v : only) =
  match v with
  | Both x -> size_only_both x
  | List x -> Capnp.Size.flat_structs 16 x
  | _ -> 0

and write_only buf at (v : only) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  match v with
  | None ->
      Capnp.Unsafe.Put.uint16 buf at 0;
      next
  | Flag x ->
      Capnp.Unsafe.Put.uint16 buf at 1;
      Capnp.Unsafe.Put.bool buf (at + 2) 0 x;
      next
  | Both x ->
      Capnp.Unsafe.Put.uint16 buf at 2;
      write_only_both buf at x next
  | List x ->
      Capnp.Unsafe.Put.uint16 buf at 3;
      put_bare buf (at + 16) x next
  | Wide x ->
      Capnp.Unsafe.Put.uint16 buf at 4;
      Capnp.Unsafe.Put.float64 buf (at + 8) x;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf at n;
      next

and list_only m (l : only Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_only m l
  else
    let r = Capnp.Items.last m l in
    gather_only m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_only m r step n acc =
  if n = 0 then acc
  else
    let v = read_only m r in
    gather_only m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_only buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_only buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 2 1 buf at next)

and fill_only buf at l next =
  match l with
  | [] -> next
  | (v : only) :: rest -> fill_only buf (at + 24) rest (write_only buf at v next)

and room_only l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_only 8 l)

and sum_only total l =
  match l with
  | [] -> total
  | (v : only) :: rest -> sum_only (total + 24 + size_only v) rest

and read_only_both m (r : only_both Capnp.Reader.t) : only_both =
  Capnp.Reader.spend m r 6;
  let d = Capnp.Reader.Unsafe.data_of m r 8 in
  {
    one = Capnp.Reader.Unsafe.bool_at m r d 16;
    two = Capnp.Reader.Unsafe.float32_xor_at m r d 4 0x3fc00000;
    text = Capnp.Reader.string m r 0;
  }

and size_only_both (v : only_both) =
  Capnp.Size.text v.text

and write_only_both buf at (v : only_both) next =
  Capnp.Unsafe.Put.bool buf (at + 2) 0 v.one;
  Capnp.Unsafe.Put.float32_xor buf (at + 4) 0x3fc00000 v.two;
  Capnp.Unsafe.Put.text buf (at + 16) v.text next

and read_bare m (r : bare Capnp.Reader.t) : bare =
  Capnp.Reader.spend m r 5;
  match Capnp.Reader.uint16 m r 8 with
  | 0 -> Old (Capnp.Reader.int64 m r 0)
  | 1 -> New
  | n -> Unrecognized n

and size_bare (_ : bare) = 0

and write_bare buf at (v : bare) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  match v with
  | Old x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 0;
      Capnp.Unsafe.Put.int64 buf at x;
      next
  | New ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 1;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) n;
      next

and list_bare m (l : bare Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_bare m l
  else
    let r = Capnp.Items.last m l in
    gather_bare m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_bare m r step n acc =
  if n = 0 then acc
  else
    let v = read_bare m r in
    gather_bare m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_bare buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_bare buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 2 0 buf at next)

and fill_bare buf at l next =
  match l with
  | [] -> next
  | (v : bare) :: rest -> fill_bare buf (at + 16) rest (write_bare buf at v next)

module Shared = struct
  type which = shared_which =
    | B of bool
    | C of int
    | D of string
    | E of shared_e
    | Z
    | Unrecognized of int

  type t = shared = {
    a : bool;
    i : bool;
    j : shared_j;
    r : bool;
    s : int;
    t : int;
    u : only option;
    v : only list;
    w : shared list;
    x : string;
    y : bool;
    which : which;
  }

  let decode s = Capnp.Reader.decode read_shared s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 3 6 (size_shared v) in
    Capnp.Unsafe.Record.finish buf (write_shared buf 16 v 88)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 3 6 (size_shared v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 3 6 (write_shared buf 16 v 88)
    else Capnp.Unsafe.Record.write 3 6 size_shared write_shared b v
  let default = read_shared Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 3 6
  let of_reader = read_shared
  let to_builder b h v = Capnp.Unsafe.Record.fill 3 6 size_shared write_shared b h v
  let size = size_shared
  let unsafe_put = write_shared

  (** Reading in place. *)
  module R = struct
    type t = shared Capnp.Reader.t

    type which =
      | B
      | C
      | D
      | E
      | Z
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 2 with
      | 0 -> B
      | 1 -> C
      | 2 -> D
      | 3 -> E
      | 4 -> Z
      | n -> Unrecognized n

    let[@inline] a m r = Capnp.Reader.bool m r 0
    let[@inline] b m r = Capnp.Reader.bool m r 1
    let[@inline] c m r = Capnp.Reader.int8 m r 1
    let has_d m r = Capnp.Reader.has m r 0
    let[@inline] d m r = Capnp.Reader.text m r 0
    let e _ r = Capnp.Reader.cast r
    let z _ _ = ()
    let[@inline] i m r = not (Capnp.Reader.bool m r 2)
    let j _ r = Capnp.Reader.cast r
    let[@inline] r m r = Capnp.Reader.bool m r 5
    let[@inline] s m r = Capnp.Reader.int16 m r 16
    let[@inline] t m r = Capnp.Reader.uint8 m r 5 lxor 0x7
    let has_u m r = Capnp.Reader.has m r 2
    let[@inline] u m r = Capnp.Reader.struct_ m r 2
    let has_v m r = Capnp.Reader.has m r 3
    let[@inline] v m r = Capnp.Reader.list m r 3 Capnp.Kind.struct_
    let has_w m r = Capnp.Reader.has m r 4
    let[@inline] w m r = Capnp.Reader.list m r 4 Capnp.Kind.struct_
    let has_x m r = Capnp.Reader.has m r 5
    let x m r =
      if Capnp.Reader.has m r 5 then (m, Capnp.Reader.text m r 5)
      else (default_1, Capnp.Any.text default_1 (Capnp.Any.root default_1))
    let[@inline] y m r = Capnp.Reader.bool m r 6
  end

  (** Building in place. *)
  module B = struct
    type t = shared Capnp.Builder.struct_

    let set_a b h v = Capnp.Builder.set_bool b h 0 v
    let set_b b h v = Capnp.Builder.set_uint16 b h 2 0; Capnp.Builder.set_bool b h 1 v
    let set_c b h v = Capnp.Builder.set_uint16 b h 2 1; Capnp.Builder.set_uint8 b h 1 v
    let set_d b h v = Capnp.Builder.set_uint16 b h 2 2; Capnp.Builder.set_text b h 0 v
    let init_e b h =
      Capnp.Builder.set_uint16 b h 2 3; Capnp.Builder.set_bool b h 1 false;
      Capnp.Builder.set_bool b h 8 false; Capnp.Builder.set_null b h 0; Capnp.Builder.cast h
    let set_z b h = Capnp.Builder.set_uint16 b h 2 4; ()
    let set_i b h v = Capnp.Builder.set_bool b h 2 (not v)
    let j b h = ignore b; Capnp.Builder.cast h
    let set_r b h v = Capnp.Builder.set_bool b h 5 v
    let set_s b h v = Capnp.Builder.set_uint16 b h 16 v
    let set_t b h v = Capnp.Builder.set_uint8 b h 5 (v lxor 0x7)
    let init_u b h = Capnp.Builder.init_struct b h 2 2 1
    let get_u b h = Capnp.Any.get_struct b h 2 ~data:2 ~pointers:1
    let copy_u b h m r = Capnp.Any.copy_struct m r b h 2 ~data:2 ~pointers:1
    let init_v b h n = Capnp.Builder.init_struct_list b h 3 n 2 1
    let get_v b h = Capnp.Builder.get_items b h 3 Capnp.Kind.struct_
    let init_w b h n = Capnp.Builder.init_struct_list b h 4 n 3 6
    let get_w b h = Capnp.Builder.get_items b h 4 Capnp.Kind.struct_
    let set_x b h v = Capnp.Builder.set_text b h 5 v
    let set_y b h v = Capnp.Builder.set_bool b h 6 v
  end

  module E = struct
    type t = shared_e = {
      f : bool;
      g : bool;
      h : string;
    }

    let default = read_shared_e Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_shared_e
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 6 size_shared_e write_shared_e b h v
    let size = size_shared_e
    let unsafe_put = write_shared_e

    (** Reading in place. *)
    module R = struct
      type t = shared_e Capnp.Reader.t

      let[@inline] f m r = Capnp.Reader.bool m r 1
      let[@inline] g m r = not (Capnp.Reader.bool m r 8)
      let has_h m r = Capnp.Reader.has m r 0
      let[@inline] h m r = Capnp.Reader.text m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = shared_e Capnp.Builder.struct_

      let set_f b h v = Capnp.Builder.set_bool b h 1 v
      let set_g b h v = Capnp.Builder.set_bool b h 8 (not v)
      let set_h b h v = Capnp.Builder.set_text b h 0 v
    end
  end

  module J = struct
    type t = shared_j = {
      k : bool;
      l : int;
      m : Capnp.Bits.t;
      n : shared_j_n;
    }

    let default = read_shared_j Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_shared_j
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 6 size_shared_j write_shared_j b h v
    let size = size_shared_j
    let unsafe_put = write_shared_j

    (** Reading in place. *)
    module R = struct
      type t = shared_j Capnp.Reader.t

      let[@inline] k m r = Capnp.Reader.bool m r 3
      let[@inline] l m r = Capnp.Reader.sign8 (Capnp.Reader.uint8 m r 4 lxor 0xff)
      let has_m m r = Capnp.Reader.has m r 1
      let[@inline] m m r = Capnp.Reader.list m r 1 Capnp.Kind.bit
      let n _ r = Capnp.Reader.cast r
    end

    (** Building in place. *)
    module B = struct
      type t = shared_j Capnp.Builder.struct_

      let set_k b h v = Capnp.Builder.set_bool b h 3 v
      let set_l b h v = Capnp.Builder.set_uint8 b h 4 (v lxor 0xff)
      let init_m b h n = Capnp.Builder.init_list b h 1 Capnp.Kind.bit n
      let get_m b h = Capnp.Builder.get_items b h 1 Capnp.Kind.bit
      let n b h = ignore b; Capnp.Builder.cast h
    end

    module N = struct
      type t = shared_j_n = 
        | O of bool
        | P
        | Q of int64
        | Unrecognized of int

      let default = read_shared_j_n Capnp.Reader.nothing Capnp.Reader.null
      let of_reader = read_shared_j_n
      let to_builder b h v = Capnp.Unsafe.Record.fill 3 6 size_shared_j_n write_shared_j_n b h v
      let size = size_shared_j_n
      let unsafe_put = write_shared_j_n

      (** Reading in place. *)
      module R = struct
        type t = shared_j_n Capnp.Reader.t

        type which =
          | O
          | P
          | Q
          | Unrecognized of int

        let which m r : which =
          match Capnp.Reader.uint16 m r 6 with
          | 0 -> O
          | 1 -> P
          | 2 -> Q
          | n -> Unrecognized n

        let[@inline] o m r = not (Capnp.Reader.bool m r 4)
        let p _ _ = ()
        let[@inline] q m r = Capnp.Reader.int64_xor m r 8 0x5L
      end

      (** Building in place. *)
      module B = struct
        type t = shared_j_n Capnp.Builder.struct_

        let set_o b h v = Capnp.Builder.set_uint16 b h 6 0; Capnp.Builder.set_bool b h 4 (not v)
        let set_p b h = Capnp.Builder.set_uint16 b h 6 1; ()
        let set_q b h v = Capnp.Builder.set_uint16 b h 6 2; Capnp.Builder.set_int64_xor b h 8 0x5L v
      end
    end
  end
end

module Only = struct
  type t = only = 
    | None
    | Flag of bool
    | Both of only_both
    | List of bare list
    | Wide of float
    | Unrecognized of int

  let decode s = Capnp.Reader.decode read_only s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 2 1 (size_only v) in
    Capnp.Unsafe.Record.finish buf (write_only buf 16 v 40)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 2 1 (size_only v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 2 1 (write_only buf 16 v 40)
    else Capnp.Unsafe.Record.write 2 1 size_only write_only b v
  let default = read_only Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 2 1
  let of_reader = read_only
  let to_builder b h v = Capnp.Unsafe.Record.fill 2 1 size_only write_only b h v
  let size = size_only
  let unsafe_put = write_only

  (** Reading in place. *)
  module R = struct
    type t = only Capnp.Reader.t

    type which =
      | None
      | Flag
      | Both
      | List
      | Wide
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 0 with
      | 0 -> None
      | 1 -> Flag
      | 2 -> Both
      | 3 -> List
      | 4 -> Wide
      | n -> Unrecognized n

    let none _ _ = ()
    let[@inline] flag m r = Capnp.Reader.bool m r 16
    let both _ r = Capnp.Reader.cast r
    let has_list m r = Capnp.Reader.has m r 0
    let[@inline] list m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
    let[@inline] wide m r = Capnp.Reader.float64 m r 8
  end

  (** Building in place. *)
  module B = struct
    type t = only Capnp.Builder.struct_

    let set_none b h = Capnp.Builder.set_uint16 b h 0 0; ()
    let set_flag b h v = Capnp.Builder.set_uint16 b h 0 1; Capnp.Builder.set_bool b h 16 v
    let init_both b h =
      Capnp.Builder.set_uint16 b h 0 2; Capnp.Builder.set_bool b h 16 false;
      Capnp.Builder.set_uint32 b h 4 0; Capnp.Builder.set_null b h 0; Capnp.Builder.cast h
    let init_list b h n =
      Capnp.Builder.set_uint16 b h 0 3; Capnp.Builder.init_struct_list b h 0 n 2 0
    let get_list b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
    let set_wide b h v = Capnp.Builder.set_uint16 b h 0 4; Capnp.Builder.set_float64 b h 8 v
  end

  module Both = struct
    type t = only_both = {
      one : bool;
      two : float;
      text : string;
    }

    let default = read_only_both Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_only_both
    let to_builder b h v = Capnp.Unsafe.Record.fill 2 1 size_only_both write_only_both b h v
    let size = size_only_both
    let unsafe_put = write_only_both

    (** Reading in place. *)
    module R = struct
      type t = only_both Capnp.Reader.t

      let[@inline] one m r = Capnp.Reader.bool m r 16
      let[@inline] two m r = Capnp.Reader.float32_xor m r 4 0x3fc00000
      let has_text m r = Capnp.Reader.has m r 0
      let[@inline] text m r = Capnp.Reader.text m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = only_both Capnp.Builder.struct_

      let set_one b h v = Capnp.Builder.set_bool b h 16 v
      let set_two b h v = Capnp.Builder.set_float32_xor b h 4 0x3fc00000 v
      let set_text b h v = Capnp.Builder.set_text b h 0 v
    end
  end
end

module Bare = struct
  type t = bare = 
    | Old of int64
    | New
    | Unrecognized of int

  let decode s = Capnp.Reader.decode read_bare s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 2 0 (size_bare v) in
    Capnp.Unsafe.Record.finish buf (write_bare buf 16 v 32)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 2 0 (size_bare v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 2 0 (write_bare buf 16 v 32)
    else Capnp.Unsafe.Record.write 2 0 size_bare write_bare b v
  let default = read_bare Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 2 0
  let of_reader = read_bare
  let to_builder b h v = Capnp.Unsafe.Record.fill 2 0 size_bare write_bare b h v
  let size = size_bare
  let unsafe_put = write_bare

  (** Reading in place. *)
  module R = struct
    type t = bare Capnp.Reader.t

    type which =
      | Old
      | New
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 8 with
      | 0 -> Old
      | 1 -> New
      | n -> Unrecognized n

    let[@inline] old m r = Capnp.Reader.int64 m r 0
    let new_ _ _ = ()
  end

  (** Building in place. *)
  module B = struct
    type t = bare Capnp.Builder.struct_

    let set_old b h v = Capnp.Builder.set_uint16 b h 8 0; Capnp.Builder.set_int64 b h 0 v
    let set_new_ b h = Capnp.Builder.set_uint16 b h 8 1; ()
  end
end
