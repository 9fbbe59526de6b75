(* Made by capnpc-weir from names.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type point = {
  x : int;
  back : point option;
}

and names = {
  not : bool;
  usually : bool;
  ignore : names_ignore;
  other : names_other;
  which : string;
  r : names option;
  which_ : names_which;
}

and names_which =
  | None
  | Some of string
  | Unrecognized_ of int
  | Unrecognized of int

and names_capnp_ = {
  option : names_option option;
}

and names_option = {
  string : names_string option;
}

and names_string = {
  capnp : names_capnp_ list;
}

and names_ignore = {
  inner : int;
  not : names_ignore_not;
}

and names_ignore_not = {
  innermost : bool;
}

and names_other = {
  y : int;
}

let default_1 =
  Capnp.Any.constant "\000\000\000\000\001\000\001\000\006\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"

(* Within a default a field that has the same default is absent: it would never end. *)
let is_default (m : Capnp.Message.t) =
  List.exists (fun (d : Capnp.Message.t) -> d.buf == m.buf) [ default_1 ]

let rec read_point m (r : point Capnp.Reader.t) : point =
  Capnp.Reader.spend m r 3;
  {
    x = Capnp.Reader.sign32 (Capnp.Reader.uint32 m r 0 lxor 0x7);
    back =
      (if Capnp.Reader.has m r 0 then Capnp.Reader.optional m r 0 read_point else if is_default m
      then Option.none else Option.some
        (Capnp.Reader.default m default_1 (fun m -> read_point m (Capnp.Reader.root m))));
  }

and size_point (v : point) =
  Capnp.Size.optional size_point 16 v.back

and write_point buf at (v : point) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.uint32 buf at (v.x lxor 0x7);
  Capnp.Unsafe.Put.optional write_point 1 1 buf (at + 8) v.back next

and read_names m (r : names Capnp.Reader.t) : names =
  Capnp.Reader.spend m r 8;
  let d = Capnp.Reader.Unsafe.data_of m r 1 in
  {
    not = Capnp.Reader.Unsafe.bool_at m r d 0;
    usually = not (Capnp.Reader.Unsafe.bool_at m r d 1);
    ignore = read_names_ignore m (Capnp.Reader.cast r);
    other = read_names_other m (Capnp.Reader.cast r);
    which = Capnp.Reader.string m r 0;
    r = Capnp.Reader.optional m r 1 read_names;
    which_ = read_names_which m r;
  }

and size_names (v : names) =
  size_names_ignore v.ignore
  + size_names_other v.other
  + Capnp.Size.text v.which
  + Capnp.Size.optional size_names 32 v.r
  + size_names_which v.which_

and write_names buf at (v : names) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 24) 0L;
  Capnp.Unsafe.Put.uint8 buf at
    (Capnp.Unsafe.Put.bit v.not 0 lor Capnp.Unsafe.Put.bit (not v.usually) 1);
  let next = write_names_ignore buf at v.ignore next in
  let next = write_names_other buf at v.other next in
  let next = Capnp.Unsafe.Put.text buf (at + 8) v.which next in
  let next = Capnp.Unsafe.Put.optional write_names 1 3 buf (at + 16) v.r next in
  write_names_which buf at v.which_ next

and read_names_which m (r : names Capnp.Reader.t) : names_which =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 4 with
  | 0 -> None
  | 1 -> Some (Capnp.Reader.string m r 2)
  | 2 -> Unrecognized_ (Capnp.Reader.int8 m r 3)
  | n -> Unrecognized n

and size_names_which (v : names_which) =
  match v with
  | Some x -> Capnp.Size.text x
  | _ -> 0

and write_names_which buf at (v : names_which) next =
  match v with
  | None ->
      Capnp.Unsafe.Put.uint16 buf (at + 4) 0;
      next
  | Some x ->
      Capnp.Unsafe.Put.uint16 buf (at + 4) 1;
      Capnp.Unsafe.Put.text buf (at + 24) x next
  | Unrecognized_ x ->
      Capnp.Unsafe.Put.uint16 buf (at + 4) 2;
      Capnp.Unsafe.Put.uint8 buf (at + 3) x;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 4) n;
      next

and read_names_capnp_ m (r : names_capnp_ Capnp.Reader.t) : names_capnp_ =
  Capnp.Reader.spend m r 2;
  {
    option = Capnp.Reader.optional m r 0 read_names_option;
  }

and size_names_capnp_ (v : names_capnp_) =
  Capnp.Size.optional size_names_option 8 v.option

and write_names_capnp_ buf at (v : names_capnp_) next =
  Capnp.Unsafe.Put.optional write_names_option 0 1 buf at v.option next

and list_names_capnp_ m (l : names_capnp_ Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_names_capnp_ m l
  else
    let r = Capnp.Items.last m l in
    gather_names_capnp_ m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_names_capnp_ m r step n acc =
  if n = 0 then acc
  else
    let v = read_names_capnp_ m r in
    gather_names_capnp_ m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_names_capnp_ buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_names_capnp_ buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 0 1 buf at next)

and fill_names_capnp_ buf at l next =
  match l with
  | [] -> next
  | (v : names_capnp_) :: rest ->
      fill_names_capnp_ buf (at + 8) rest (write_names_capnp_ buf at v next)

and room_names_capnp_ l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_names_capnp_ 8 l)

and sum_names_capnp_ total l =
  match l with
  | [] -> total
  | (v : names_capnp_) :: rest -> sum_names_capnp_ (total + 8 + size_names_capnp_ v) rest

and read_names_option m (r : names_option Capnp.Reader.t) : names_option =
  Capnp.Reader.spend m r 2;
  {
    string = Capnp.Reader.optional m r 0 read_names_string;
  }

and size_names_option (v : names_option) =
  Capnp.Size.optional size_names_string 8 v.string

and write_names_option buf at (v : names_option) next =
  Capnp.Unsafe.Put.optional write_names_string 0 1 buf at v.string next

and read_names_string m (r : names_string Capnp.Reader.t) : names_string =
  Capnp.Reader.spend m r 2;
  {
    capnp = list_names_capnp_ m (Capnp.Reader.list m r 0 Capnp.Kind.struct_);
  }

and size_names_string (v : names_string) =
  room_names_capnp_ v.capnp

and write_names_string buf at (v : names_string) next =
  put_names_capnp_ buf at v.capnp next

and read_names_ignore m (r : names_ignore Capnp.Reader.t) : names_ignore =
  Capnp.Reader.spend m r 3;
  {
    inner = Capnp.Reader.int8 m r 1;
    not = read_names_ignore_not m (Capnp.Reader.cast r);
  }

and size_names_ignore (v : names_ignore) =
  size_names_ignore_not v.not

and write_names_ignore buf at (v : names_ignore) next =
  Capnp.Unsafe.Put.uint8 buf (at + 1) v.inner;
  write_names_ignore_not buf at v.not next

and read_names_ignore_not m (r : names_ignore_not Capnp.Reader.t) : names_ignore_not =
  Capnp.Reader.spend m r 2;
  {
    innermost = not (Capnp.Reader.bool m r 2);
  }

and size_names_ignore_not (_ : names_ignore_not) = 0

and write_names_ignore_not buf at (v : names_ignore_not) next =
  Capnp.Unsafe.Put.bool buf at 2 (not v.innermost);
  next

and read_names_other m (r : names_other Capnp.Reader.t) : names_other =
  Capnp.Reader.spend m r 2;
  {
    y = Capnp.Reader.int8 m r 2;
  }

and size_names_other (_ : names_other) = 0

and write_names_other buf at (v : names_other) next =
  Capnp.Unsafe.Put.uint8 buf (at + 2) v.y;
  next

let point = read_point default_1 (Capnp.Reader.root default_1)

let ignore_ = (1)

let not_ = true

let read_point_ = (2)

let default1 = (3)

let point_of_int_ = (4)

module Point = struct
  type t = point = {
    x : int;
    back : point option;
  }

  let decode s = Capnp.Reader.decode read_point s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 1 1 (size_point v) in
    Capnp.Unsafe.Record.finish buf (write_point buf 16 v 32)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 1 1 (size_point v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 1 1 (write_point buf 16 v 32)
    else Capnp.Unsafe.Record.write 1 1 size_point write_point b v
  let default = read_point Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 1
  let of_reader = read_point
  let to_builder b h v = Capnp.Unsafe.Record.fill 1 1 size_point write_point b h v
  let size = size_point
  let unsafe_put = write_point

  (** Reading in place. *)
  module R = struct
    type t = point Capnp.Reader.t

    let[@inline] x m r = Capnp.Reader.sign32 (Capnp.Reader.uint32 m r 0 lxor 0x7)
    let has_back m r = Capnp.Reader.has m r 0
    let back m r =
      if Capnp.Reader.has m r 0 then (m, Capnp.Reader.struct_ m r 0)
      else (default_1, Capnp.Reader.root default_1)
  end

  (** Building in place. *)
  module B = struct
    type t = point Capnp.Builder.struct_

    let set_x b h v = Capnp.Builder.set_uint32 b h 0 (v lxor 0x7)
    let init_back b h = Capnp.Builder.init_struct b h 0 1 1
    let get_back b h = Capnp.Any.get_struct b h 0 ~data:1 ~pointers:1
    let copy_back b h m r = Capnp.Any.copy_struct m r b h 0 ~data:1 ~pointers:1
  end
end

module Names = struct
  type which = names_which =
    | None
    | Some of string
    | Unrecognized_ of int
    | Unrecognized of int

  type t = names = {
    not : bool;
    usually : bool;
    ignore : names_ignore;
    other : names_other;
    which : string;
    r : names option;
    which_ : which;
  }

  let decode s = Capnp.Reader.decode read_names s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 1 3 (size_names v) in
    Capnp.Unsafe.Record.finish buf (write_names buf 16 v 48)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 1 3 (size_names v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 1 3 (write_names buf 16 v 48)
    else Capnp.Unsafe.Record.write 1 3 size_names write_names b v
  let default = read_names Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 3
  let of_reader = read_names
  let to_builder b h v = Capnp.Unsafe.Record.fill 1 3 size_names write_names b h v
  let size = size_names
  let unsafe_put = write_names

  (** Reading in place. *)
  module R = struct
    type t = names Capnp.Reader.t

    type which =
      | None
      | Some
      | Unrecognized_
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 4 with
      | 0 -> None
      | 1 -> Some
      | 2 -> Unrecognized_
      | n -> Unrecognized n

    let[@inline] not_ m r = Capnp.Reader.bool m r 0
    let[@inline] usually m r = not (Capnp.Reader.bool m r 1)
    let ignore_ _ r = Capnp.Reader.cast r
    let other _ r = Capnp.Reader.cast r
    let has_which_ m r = Capnp.Reader.has m r 0
    let[@inline] which_ m r = Capnp.Reader.text m r 0
    let has_r m r = Capnp.Reader.has m r 1
    let[@inline] r m r = Capnp.Reader.struct_ m r 1
    let none _ _ = ()
    let has_some m r = Capnp.Reader.has m r 2
    let[@inline] some m r = Capnp.Reader.text m r 2
    let[@inline] unrecognized m r = Capnp.Reader.int8 m r 3
  end

  (** Building in place. *)
  module B = struct
    type t = names Capnp.Builder.struct_

    let set_not_ b h v = Capnp.Builder.set_bool b h 0 v
    let set_usually b h v = Capnp.Builder.set_bool b h 1 (not v)
    let ignore_ b h = ignore b; Capnp.Builder.cast h
    let other b h = ignore b; Capnp.Builder.cast h
    let set_which b h v = Capnp.Builder.set_text b h 0 v
    let init_r b h = Capnp.Builder.init_struct b h 1 1 3
    let get_r b h = Capnp.Any.get_struct b h 1 ~data:1 ~pointers:3
    let copy_r b h m r = Capnp.Any.copy_struct m r b h 1 ~data:1 ~pointers:3
    let set_none b h = Capnp.Builder.set_uint16 b h 4 0; ()
    let set_some b h v = Capnp.Builder.set_uint16 b h 4 1; Capnp.Builder.set_text b h 2 v
    let set_unrecognized b h v = Capnp.Builder.set_uint16 b h 4 2; Capnp.Builder.set_uint8 b h 3 v
  end

  let names = "a"

  module Capnp_ = struct
    type t = names_capnp_ = {
      option : names_option option;
    }

    let decode s = Capnp.Reader.decode read_names_capnp_ s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 1 (size_names_capnp_ v) in
      Capnp.Unsafe.Record.finish buf (write_names_capnp_ buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 1 (size_names_capnp_ v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 1 (write_names_capnp_ buf 16 v 24)
      else Capnp.Unsafe.Record.write 0 1 size_names_capnp_ write_names_capnp_ b v
    let default = read_names_capnp_ Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
    let of_reader = read_names_capnp_
    let to_builder b h v = Capnp.Unsafe.Record.fill 0 1 size_names_capnp_ write_names_capnp_ b h v
    let size = size_names_capnp_
    let unsafe_put = write_names_capnp_

    (** Reading in place. *)
    module R = struct
      type t = names_capnp_ Capnp.Reader.t

      let has_option m r = Capnp.Reader.has m r 0
      let[@inline] option m r = Capnp.Reader.struct_ m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = names_capnp_ Capnp.Builder.struct_

      let init_option b h = Capnp.Builder.init_struct b h 0 0 1
      let get_option b h = Capnp.Any.get_struct b h 0 ~data:0 ~pointers:1
      let copy_option b h m r = Capnp.Any.copy_struct m r b h 0 ~data:0 ~pointers:1
    end
  end

  module Option = struct
    type t = names_option = {
      string : names_string option;
    }

    let decode s = Capnp.Reader.decode read_names_option s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 1 (size_names_option v) in
      Capnp.Unsafe.Record.finish buf (write_names_option buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 1 (size_names_option v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 1 (write_names_option buf 16 v 24)
      else Capnp.Unsafe.Record.write 0 1 size_names_option write_names_option b v
    let default = read_names_option Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
    let of_reader = read_names_option
    let to_builder b h v = Capnp.Unsafe.Record.fill 0 1 size_names_option write_names_option b h v
    let size = size_names_option
    let unsafe_put = write_names_option

    (** Reading in place. *)
    module R = struct
      type t = names_option Capnp.Reader.t

      let has_string m r = Capnp.Reader.has m r 0
      let[@inline] string m r = Capnp.Reader.struct_ m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = names_option Capnp.Builder.struct_

      let init_string b h = Capnp.Builder.init_struct b h 0 0 1
      let get_string b h = Capnp.Any.get_struct b h 0 ~data:0 ~pointers:1
      let copy_string b h m r = Capnp.Any.copy_struct m r b h 0 ~data:0 ~pointers:1
    end
  end

  module String = struct
    type t = names_string = {
      capnp : names_capnp_ list;
    }

    let decode s = Capnp.Reader.decode read_names_string s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 1 (size_names_string v) in
      Capnp.Unsafe.Record.finish buf (write_names_string buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 1 (size_names_string v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 1 (write_names_string buf 16 v 24)
      else Capnp.Unsafe.Record.write 0 1 size_names_string write_names_string b v
    let default = read_names_string Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
    let of_reader = read_names_string
    let to_builder b h v = Capnp.Unsafe.Record.fill 0 1 size_names_string write_names_string b h v
    let size = size_names_string
    let unsafe_put = write_names_string

    (** Reading in place. *)
    module R = struct
      type t = names_string Capnp.Reader.t

      let has_capnp m r = Capnp.Reader.has m r 0
      let[@inline] capnp m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
    end

    (** Building in place. *)
    module B = struct
      type t = names_string Capnp.Builder.struct_

      let init_capnp b h n = Capnp.Builder.init_struct_list b h 0 n 0 1
      let get_capnp b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
    end
  end

  module Ignore = struct
    type t = names_ignore = {
      inner : int;
      not : names_ignore_not;
    }

    let default = read_names_ignore Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_names_ignore
    let to_builder b h v = Capnp.Unsafe.Record.fill 1 3 size_names_ignore write_names_ignore b h v
    let size = size_names_ignore
    let unsafe_put = write_names_ignore

    (** Reading in place. *)
    module R = struct
      type t = names_ignore Capnp.Reader.t

      let[@inline] inner m r = Capnp.Reader.int8 m r 1
      let not_ _ r = Capnp.Reader.cast r
    end

    (** Building in place. *)
    module B = struct
      type t = names_ignore Capnp.Builder.struct_

      let set_inner b h v = Capnp.Builder.set_uint8 b h 1 v
      let not_ b h = ignore b; Capnp.Builder.cast h
    end

    module Not = struct
      type t = names_ignore_not = {
        innermost : bool;
      }

      let default = read_names_ignore_not Capnp.Reader.nothing Capnp.Reader.null
      let of_reader = read_names_ignore_not
      let to_builder b h v =
        Capnp.Unsafe.Record.fill 1 3 size_names_ignore_not write_names_ignore_not b h v
      let size = size_names_ignore_not
      let unsafe_put = write_names_ignore_not

      (** Reading in place. *)
      module R = struct
        type t = names_ignore_not Capnp.Reader.t

        let[@inline] innermost m r = not (Capnp.Reader.bool m r 2)
      end

      (** Building in place. *)
      module B = struct
        type t = names_ignore_not Capnp.Builder.struct_

        let set_innermost b h v = Capnp.Builder.set_bool b h 2 (not v)
      end
    end
  end

  module Other = struct
    type t = names_other = {
      y : int;
    }

    let default = read_names_other Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_names_other
    let to_builder b h v = Capnp.Unsafe.Record.fill 1 3 size_names_other write_names_other b h v
    let size = size_names_other
    let unsafe_put = write_names_other

    (** Reading in place. *)
    module R = struct
      type t = names_other Capnp.Reader.t

      let[@inline] y m r = Capnp.Reader.int8 m r 2
    end

    (** Building in place. *)
    module B = struct
      type t = names_other Capnp.Builder.struct_

      let set_y b h v = Capnp.Builder.set_uint8 b h 2 v
    end
  end
end
