(* Made by capnpc-weir from kinds.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type kinds = {
  flag : bool;
  tiny : int;
  short : int;
  word : int;
  long : int64;
  byte : int;
  half : int;
  unsigned : int;
  wide : int64;
  single : float;
  double : float;
  text : string;
  data : string;
  colour : Shapes_capnp.colour;
  point : Shapes_capnp.point option;
  anything : Capnp.Any.detached;
  voids : int;
  flags : Capnp.Bits.t;
  tinies : string;
  shorts : int list;
  words : int list;
  longs : int64 list;
  bytes : string;
  halves : int list;
  unsigneds : int list;
  wides : int64 list;
  singles : float list;
  doubles : float list;
  texts : string list;
  datas : string list;
  colours : Shapes_capnp.colour list;
  points : Shapes_capnp.point list;
  matrix : int list list;
  grids : Shapes_capnp.point list list list;
  end_ : string;
  empty : empty option;
  empties : empty list;
}

and empty = unit

and field16 = {
  value : int;
}

and label = {
  text : string;
}

and defaults = {
  flag : bool;
  tiny : int;
  short : int;
  word : int;
  long : int64;
  byte : int;
  half : int;
  unsigned : int;
  wide : int64;
  single : float;
  double : float;
  text : string;
  data : string;
  colour : Shapes_capnp.colour;
  point : Shapes_capnp.point option;
  words : int list;
  points : Shapes_capnp.point list;
}

and shape = {
  area : float;
  label : shape_label;
  state : shape_state;
  which : shape_which;
}

and shape_which =
  | Circle of float
  | Square of float
  | Polygon of Shapes_capnp.point list
  | Named of string
  | Nothing
  | Box of shape_box
  | Inner of shape option
  | Unrecognized of int

and shape_box = {
  width : int;
  height : int;
}

and shape_label = {
  text : string;
  colour : Shapes_capnp.colour;
}

and shape_state = 
  | Off
  | On of int
  | Unrecognized of int

and tree = {
  value : tree_value option;
  left : tree option;
  right : tree option;
  children : tree list;
}

and tree_value = 
  | Number of int64
  | List of tree_value list
  | Option of tree_value_option option
  | Unrecognized of int

and tree_value_option = {
  key : string;
  level : tree_value_option_level;
}

and tree_value_option_level =
  | Low
  | High
  | Unrecognized of int

and pair = {
  first : Capnp.Any.detached;
  second : Capnp.Any.detached;
}

and pair_tagged = {
  tag : string;
  value : Capnp.Any.detached;
}

and pairs = {
  names : pair option;
  many : pair list;
  tagged : pair_tagged option;
}

and calculator_add_params = {
  left : int;
  right : int;
}

and calculator_add_results = {
  sum : int;
}

and calculator_child_params = {
  seed : Capnp.Any.detached;
}

and calculator_child_results = {
  result : int option;
}

and calculator_reset_params = unit

and calculator_reset_results = unit

and named_name_params = unit

and named_name_results = {
  name : string;
}

and handles = {
  one : int option;
  many : int option list;
}

let default_1 =
  Capnp.Any.constant "\000\000\000\000\001\000\000\000\005\000\000\000\250\255\255\255"

let default_2 =
  Capnp.Any.constant "\001\000\000\000\028\000\000\000\001\000\000\000\254\255\255\255\003\000\000\000\000\000\000\000"

let default_3 =
  Capnp.Any.constant "\001\000\000\000\023\000\000\000\b\000\000\000\001\000\000\000\001\000\000\000\002\000\000\000\003\000\000\000\000\000\000\000"

let default_4 = Capnp.Any.constant "\001\000\000\000z\000\000\000hello \"there\"\n\000\000"

let default_5 =
  Capnp.Any.constant "\001\000\000\000\026\000\000\000\000\255\016\000\000\000\000\000"

let default_6 =
  Capnp.Any.constant "\000\000\000\000\001\000\000\000\001\000\000\000\002\000\000\000"

let default_7 = Capnp.Any.constant "\001\000\000\000#\000\000\000\002\000\003\000\005\000\007\000"

let default_8 =
  Capnp.Any.constant "\000\000\000\000\004\000\002\000\000\000\000\000\000\000\004@\000\000\000\000\000\000\248?\001\000\001\000\001\000\000\000\007\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\001\000\000\000\026\000\000\000sq\000\000\000\000\000\000"

let tree_value_option_level_of_int : int -> tree_value_option_level = function
  | 0 -> Low
  | 1 -> High
  | n -> Unrecognized n

let tree_value_option_level_to_int : tree_value_option_level -> int = function
  | Low -> 0
  | High -> 1
  | Unrecognized n -> n

let rec read_kinds m (r : kinds Capnp.Reader.t) : kinds =
  Capnp.Reader.spend m r 50;
  let d = Capnp.Reader.Unsafe.data_of m r 48 in
  let p = Capnp.Reader.Unsafe.pointers_of r 23 in
  {
    flag = Capnp.Reader.Unsafe.bool_at m r d 0;
    tiny = Capnp.Reader.Unsafe.int8_at m r d 1;
    short = Capnp.Reader.Unsafe.int16_at m r d 2;
    word = Capnp.Reader.Unsafe.int32_at m r d 4;
    long = Capnp.Reader.Unsafe.int64_at m r d 8;
    byte = Capnp.Reader.Unsafe.uint8_at m r d 16;
    half = Capnp.Reader.Unsafe.uint16_at m r d 18;
    unsigned = Capnp.Reader.Unsafe.uint32_at m r d 20;
    wide = Capnp.Reader.Unsafe.int64_at m r d 24;
    single = Capnp.Reader.Unsafe.float32_at m r d 32;
    double = Capnp.Reader.Unsafe.float64_at m r d 40;
    text = Capnp.Reader.Unsafe.string_at m r p 0;
    data = Capnp.Reader.data_string m r 1;
    colour = Shapes_capnp.Colour.of_int (Capnp.Reader.Unsafe.uint16_at m r d 36);
    point = Capnp.Reader.optional m r 2 Shapes_capnp.Point.of_reader;
    anything = Capnp.Any.detach m (Capnp.Any.field m r 3);
    voids = Capnp.Items.voids m (Capnp.Reader.list m r 4 Capnp.Kind.void);
    flags = Capnp.Items.bits m (Capnp.Reader.list m r 5 Capnp.Kind.bit);
    tinies = Capnp.Items.octets m (Capnp.Reader.list m r 6 Capnp.Kind.byte);
    shorts = Capnp.Items.int16s m (Capnp.Reader.list m r 7 Capnp.Kind.two_bytes);
    words = Capnp.Items.int32s m (Capnp.Reader.list m r 8 Capnp.Kind.four_bytes);
    longs = Capnp.Items.int64s m (Capnp.Reader.list m r 9 Capnp.Kind.eight_bytes);
    bytes = Capnp.Items.octets m (Capnp.Reader.list m r 10 Capnp.Kind.byte);
    halves = Capnp.Items.uint16s m (Capnp.Reader.list m r 11 Capnp.Kind.two_bytes);
    unsigneds = Capnp.Items.uint32s m (Capnp.Reader.list m r 12 Capnp.Kind.four_bytes);
    wides = Capnp.Items.int64s m (Capnp.Reader.list m r 13 Capnp.Kind.eight_bytes);
    singles = Capnp.Items.float32s m (Capnp.Reader.list m r 14 Capnp.Kind.four_bytes);
    doubles = Capnp.Items.float64s m (Capnp.Reader.list m r 15 Capnp.Kind.eight_bytes);
    texts = Capnp.Items.texts m (Capnp.Reader.list m r 16 Capnp.Kind.pointer);
    datas = Capnp.Items.datas m (Capnp.Reader.list m r 17 Capnp.Kind.pointer);
    colours =
      Capnp.Items.enums Shapes_capnp.Colour.of_int ~known:3 m
        (Capnp.Reader.list m r 18 Capnp.Kind.two_bytes);
    points =
      Capnp.Items.structs Shapes_capnp.Point.of_reader m
        (Capnp.Reader.list m r 19 Capnp.Kind.struct_);
    matrix = Capnp.Items.lists Capnp.Items.int16s m (Capnp.Reader.list m r 20 Capnp.Kind.pointer);
    grids =
      Capnp.Items.lists (Capnp.Items.lists (Capnp.Items.structs Shapes_capnp.Point.of_reader)) m
        (Capnp.Reader.list m r 21 Capnp.Kind.pointer);
    end_ = Capnp.Reader.Unsafe.string_at m r p 22;
    empty = Capnp.Reader.optional m r 23 read_empty;
    empties = list_empty m (Capnp.Reader.list m r 24 Capnp.Kind.struct_);
  }

and size_kinds (v : kinds) =
  Capnp.Size.text v.text
  + Capnp.Size.data v.data
  + Capnp.Size.optional Shapes_capnp.Point.size 8 v.point
  + Capnp.Any.size v.anything
  + Capnp.Size.voids v.voids
  + Capnp.Size.bits v.flags
  + Capnp.Size.octets v.tinies
  + Capnp.Size.items 2 v.shorts
  + Capnp.Size.items 4 v.words
  + Capnp.Size.items 8 v.longs
  + Capnp.Size.octets v.bytes
  + Capnp.Size.items 2 v.halves
  + Capnp.Size.items 4 v.unsigneds
  + Capnp.Size.items 8 v.wides
  + Capnp.Size.items 4 v.singles
  + Capnp.Size.items 8 v.doubles
  + Capnp.Size.pointers Capnp.Size.text v.texts
  + Capnp.Size.pointers Capnp.Size.data v.datas
  + Capnp.Size.items 2 v.colours
  + Capnp.Size.flat_structs 8 v.points
  + Capnp.Size.pointers (Capnp.Size.items 2) v.matrix
  + Capnp.Size.pointers (Capnp.Size.pointers (Capnp.Size.flat_structs 8)) v.grids
  + Capnp.Size.text v.end_
  + Capnp.Size.optional size_empty 0 v.empty
  + Capnp.Size.flat_structs 0 v.empties

and write_kinds buf at (v : kinds) next =
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 32) 0L;
  Capnp.Unsafe.Put.uint8 buf at (Capnp.Unsafe.Put.bit v.flag 0);
  Capnp.Unsafe.Put.uint8 buf (at + 1) v.tiny;
  Capnp.Unsafe.Put.uint16 buf (at + 2) v.short;
  Capnp.Unsafe.Put.uint32 buf (at + 4) v.word;
  Capnp.Unsafe.Put.int64 buf (at + 8) v.long;
  Capnp.Unsafe.Put.uint8 buf (at + 16) v.byte;
  Capnp.Unsafe.Put.uint16 buf (at + 18) v.half;
  Capnp.Unsafe.Put.uint32 buf (at + 20) v.unsigned;
  Capnp.Unsafe.Put.int64 buf (at + 24) v.wide;
  Capnp.Unsafe.Put.float32 buf (at + 32) v.single;
  Capnp.Unsafe.Put.float64 buf (at + 40) v.double;
  let next = Capnp.Unsafe.Put.text buf (at + 48) v.text next in
  let next = Capnp.Unsafe.Put.data buf (at + 56) v.data next in
  Capnp.Unsafe.Put.uint16 buf (at + 36) (Shapes_capnp.Colour.to_int v.colour);
  let next =
    Capnp.Unsafe.Put.optional Shapes_capnp.Point.unsafe_put 1 0 buf (at + 64) v.point next in
  let next = Capnp.Any.write buf (at + 72) v.anything next in
  let next = Capnp.Unsafe.Put.voids buf (at + 80) v.voids next in
  let next = Capnp.Unsafe.Put.bits buf (at + 88) v.flags next in
  let next = Capnp.Unsafe.Put.octets buf (at + 96) v.tinies next in
  let next = Capnp.Unsafe.Put.int16s buf (at + 104) v.shorts next in
  let next = Capnp.Unsafe.Put.int32s buf (at + 112) v.words next in
  let next = Capnp.Unsafe.Put.int64s buf (at + 120) v.longs next in
  let next = Capnp.Unsafe.Put.octets buf (at + 128) v.bytes next in
  let next = Capnp.Unsafe.Put.int16s buf (at + 136) v.halves next in
  let next = Capnp.Unsafe.Put.int32s buf (at + 144) v.unsigneds next in
  let next = Capnp.Unsafe.Put.int64s buf (at + 152) v.wides next in
  let next = Capnp.Unsafe.Put.float32s buf (at + 160) v.singles next in
  let next = Capnp.Unsafe.Put.float64s buf (at + 168) v.doubles next in
  let next = Capnp.Unsafe.Put.pointers Capnp.Unsafe.Put.text buf (at + 176) v.texts next in
  let next = Capnp.Unsafe.Put.pointers Capnp.Unsafe.Put.data buf (at + 184) v.datas next in
  let next = Capnp.Unsafe.Put.enums Shapes_capnp.Colour.to_int buf (at + 192) v.colours next in
  let next =
    Capnp.Unsafe.Put.structs Shapes_capnp.Point.unsafe_put 1 0 buf (at + 200) v.points next in
  let next = Capnp.Unsafe.Put.pointers Capnp.Unsafe.Put.int16s buf (at + 208) v.matrix next in
  let next =
    Capnp.Unsafe.Put.pointers
      (Capnp.Unsafe.Put.pointers (Capnp.Unsafe.Put.structs Shapes_capnp.Point.unsafe_put 1 0)) buf
      (at + 216) v.grids next in
  let next = Capnp.Unsafe.Put.text buf (at + 224) v.end_ next in
  let next = Capnp.Unsafe.Put.optional write_empty 0 0 buf (at + 232) v.empty next in
  put_empty buf (at + 240) v.empties next

and read_empty _ (_ : empty Capnp.Reader.t) : empty = ()

and size_empty () = 0

and write_empty buf at () next =
  next

and list_empty m (l : empty Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_empty m l
  else
    let r = Capnp.Items.last m l in
    gather_empty m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_empty m r step n acc =
  if n = 0 then acc
  else
    let v = read_empty m r in
    gather_empty m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_empty buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_empty buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 0 0 buf at next)

and fill_empty buf at l next =
  match l with
  | [] -> next
  | (v : empty) :: rest -> fill_empty buf (at + 0) rest (write_empty buf at v next)

and read_field16 m (r : field16 Capnp.Reader.t) : field16 =
  Capnp.Reader.spend m r 2;
  {
    value = Capnp.Reader.uint16 m r 0;
  }

and size_field16 (_ : field16) = 0

and write_field16 buf at (v : field16) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.uint16 buf at v.value;
  next

and read_label m (r : label Capnp.Reader.t) : label =
  Capnp.Reader.spend m r 2;
  {
    text = Capnp.Reader.string m r 0;
  }

and size_label (v : label) =
  Capnp.Size.text v.text

and write_label buf at (v : label) next =
  Capnp.Unsafe.Put.text buf at v.text next

and read_defaults m (r : defaults Capnp.Reader.t) : defaults =
  Capnp.Reader.spend m r 30;
  let d = Capnp.Reader.Unsafe.data_of m r 48 in
  {
    flag = not (Capnp.Reader.Unsafe.bool_at m r d 0);
    tiny = Capnp.Reader.sign8 (Capnp.Reader.Unsafe.uint8_at m r d 1 lxor 0xf9);
    short = Capnp.Reader.sign16 (Capnp.Reader.Unsafe.uint16_at m r d 2 lxor 0xfed4);
    word = Capnp.Reader.sign32 (Capnp.Reader.Unsafe.uint32_at m r d 4 lxor 0xfffeee90);
    long = Capnp.Reader.Unsafe.int64_xor_at m r d 8 0xfffffffed5fa0e00L;
    byte = Capnp.Reader.Unsafe.uint8_at m r d 16 lxor 0xc8;
    half = Capnp.Reader.Unsafe.uint16_at m r d 18 lxor 0xea60;
    unsigned = Capnp.Reader.Unsafe.uint32_at m r d 20 lxor 0xee6b2800;
    wide = Capnp.Reader.Unsafe.int64_xor_at m r d 24 0xffffffffffffffffL;
    single = Capnp.Reader.Unsafe.float32_xor_at m r d 32 0x3fc00000;
    double = Capnp.Reader.Unsafe.float64_xor_at m r d 40 0xc002000000000000L;
    text = (if Capnp.Reader.has m r 0 then Capnp.Reader.string m r 0 else "hello \"there\"\n");
    data = (if Capnp.Reader.has m r 1 then Capnp.Reader.data_string m r 1 else "\000\255\016");
    colour = Shapes_capnp.Colour.of_int (Capnp.Reader.Unsafe.uint16_at m r d 36 lxor 0x1);
    point =
      (if Capnp.Reader.has m r 2 then Capnp.Reader.optional m r 2 Shapes_capnp.Point.of_reader
      else Option.some (Capnp.Reader.default m default_1
        (fun m -> Shapes_capnp.Point.of_reader m (Capnp.Reader.root m))));
    words =
      (if Capnp.Reader.has m r 3
      then Capnp.Items.int32s m (Capnp.Reader.list m r 3 Capnp.Kind.four_bytes)
      else Capnp.Reader.default m default_2
        (fun m -> Capnp.Items.int32s m
        (Capnp.Any.list m (Capnp.Any.root m) Capnp.Kind.four_bytes)));
    points =
      (if Capnp.Reader.has m r 4
      then Capnp.Items.structs Shapes_capnp.Point.of_reader m
        (Capnp.Reader.list m r 4 Capnp.Kind.struct_)
        else Capnp.Reader.default m default_3
        (fun m -> Capnp.Items.structs Shapes_capnp.Point.of_reader m
        (Capnp.Any.list m (Capnp.Any.root m) Capnp.Kind.struct_)));
  }

and size_defaults (v : defaults) =
  (match v.text with "" -> 8 | x -> Capnp.Size.text x)
  + Capnp.Size.data v.data
  + Capnp.Size.optional Shapes_capnp.Point.size 8 v.point
  + (match v.words with [] -> 0 | x -> Capnp.Size.items 4 x)
  + (match v.points with [] -> 8 | x -> Capnp.Size.flat_structs 8 x)

and write_defaults buf at (v : defaults) next =
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 32) 0L;
  Capnp.Unsafe.Put.uint8 buf at (Capnp.Unsafe.Put.bit (not v.flag) 0);
  Capnp.Unsafe.Put.uint8 buf (at + 1) (v.tiny lxor 0xf9);
  Capnp.Unsafe.Put.uint16 buf (at + 2) (v.short lxor 0xfed4);
  Capnp.Unsafe.Put.uint32 buf (at + 4) (v.word lxor 0xfffeee90);
  Capnp.Unsafe.Put.int64_xor buf (at + 8) 0xfffffffed5fa0e00L v.long;
  Capnp.Unsafe.Put.uint8 buf (at + 16) (v.byte lxor 0xc8);
  Capnp.Unsafe.Put.uint16 buf (at + 18) (v.half lxor 0xea60);
  Capnp.Unsafe.Put.uint32 buf (at + 20) (v.unsigned lxor 0xee6b2800);
  Capnp.Unsafe.Put.int64_xor buf (at + 24) 0xffffffffffffffffL v.wide;
  Capnp.Unsafe.Put.float32_xor buf (at + 32) 0x3fc00000 v.single;
  Capnp.Unsafe.Put.float64_xor buf (at + 40) 0xc002000000000000L v.double;
  let next =
    (match v.text with "" -> Capnp.Unsafe.Put.empty_text buf (at + 48) next
    | x -> Capnp.Unsafe.Put.text buf (at + 48) x next) in
  let next =
    (match v.data with "" -> Capnp.Unsafe.Put.empty_items Capnp.Kind.byte buf (at + 56) next
    | x -> Capnp.Unsafe.Put.data buf (at + 56) x next) in
  Capnp.Unsafe.Put.uint16 buf (at + 36) ((Shapes_capnp.Colour.to_int v.colour) lxor 0x1);
  let next =
    Capnp.Unsafe.Put.optional Shapes_capnp.Point.unsafe_put 1 0 buf (at + 64) v.point next in
  let next =
    (match v.words with [] -> Capnp.Unsafe.Put.empty_items Capnp.Kind.four_bytes buf (at + 72) next
    | x -> Capnp.Unsafe.Put.int32s buf (at + 72) x next) in
  (match v.points with [] -> Capnp.Unsafe.Put.empty_structs 1 0 buf (at + 80) next
  | x -> Capnp.Unsafe.Put.structs Shapes_capnp.Point.unsafe_put 1 0 buf (at + 80) x next)

and read_shape m (r : shape Capnp.Reader.t) : shape =
  Capnp.Reader.spend m r 7;
  {
    area = Capnp.Reader.float64 m r 0;
    label = read_shape_label m (Capnp.Reader.cast r);
    state = read_shape_state m (Capnp.Reader.cast r);
    which = read_shape_which m r;
  }

and size_shape (v : shape) =
  size_shape_label v.label
  + size_shape_state v.state
  + size_shape_which v.which

and write_shape buf at (v : shape) next =
  Capnp.Unsafe.Put.zero buf (at + 8) 5;
  Capnp.Unsafe.Put.float64 buf at v.area;
  let next = write_shape_label buf at v.label next in
  let next = write_shape_state buf at v.state next in
  write_shape_which buf at v.which next

and read_shape_which m (r : shape Capnp.Reader.t) : shape_which =
  Capnp.Reader.spend m r 4;
  match Capnp.Reader.uint16 m r 16 with
  | 0 -> Circle (Capnp.Reader.float64 m r 8)
  | 1 -> Square (Capnp.Reader.float64 m r 8)
  | 2 -> Polygon (Capnp.Items.structs Shapes_capnp.Point.of_reader m
      (Capnp.Reader.list m r 0 Capnp.Kind.struct_))
  | 3 -> Named (Capnp.Reader.string m r 0)
  | 4 -> Nothing
  | 5 -> Box (read_shape_box m (Capnp.Reader.cast r))
  | 6 -> Inner (Capnp.Reader.optional m r 0 read_shape)
  | n -> Unrecognized n

and size_shape_which (v : shape_which) =
  match v with
  | Polygon x -> Capnp.Size.flat_structs 8 x
  | Named x -> Capnp.Size.text x
  | Box x -> size_shape_box x
  | Inner x -> Capnp.Size.optional size_shape 48 x
  | _ -> 0

and write_shape_which buf at (v : shape_which) next =
  match v with
  | Circle x ->
      Capnp.Unsafe.Put.uint16 buf (at + 16) 0;
      Capnp.Unsafe.Put.float64 buf (at + 8) x;
      next
  | Square x ->
      Capnp.Unsafe.Put.uint16 buf (at + 16) 1;
      Capnp.Unsafe.Put.float64 buf (at + 8) x;
      next
  | Polygon x ->
      Capnp.Unsafe.Put.uint16 buf (at + 16) 2;
      Capnp.Unsafe.Put.structs Shapes_capnp.Point.unsafe_put 1 0 buf (at + 32) x next
  | Named x ->
      Capnp.Unsafe.Put.uint16 buf (at + 16) 3;
      Capnp.Unsafe.Put.text buf (at + 32) x next
  | Nothing ->
      Capnp.Unsafe.Put.uint16 buf (at + 16) 4;
      next
  | Box x ->
      Capnp.Unsafe.Put.uint16 buf (at + 16) 5;
      write_shape_box buf at x next
  | Inner x ->
      Capnp.Unsafe.Put.uint16 buf (at + 16) 6;
      Capnp.Unsafe.Put.optional write_shape 4 2 buf (at + 32) x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 16) n;
      next

and read_shape_box m (r : shape_box Capnp.Reader.t) : shape_box =
  Capnp.Reader.spend m r 3;
  let d = Capnp.Reader.Unsafe.data_of m r 12 in
  {
    width = Capnp.Reader.Unsafe.uint16_at m r d 8;
    height = Capnp.Reader.Unsafe.uint16_at m r d 10;
  }

and size_shape_box (_ : shape_box) = 0

and write_shape_box buf at (v : shape_box) next =
  Capnp.Unsafe.Put.uint16 buf (at + 8) v.width;
  Capnp.Unsafe.Put.uint16 buf (at + 10) v.height;
  next

and read_shape_label m (r : shape_label Capnp.Reader.t) : shape_label =
  Capnp.Reader.spend m r 5;
  {
    text = Capnp.Reader.string m r 1;
    colour = Shapes_capnp.Colour.of_int (Capnp.Reader.uint16 m r 18);
  }

and size_shape_label (v : shape_label) =
  Capnp.Size.text v.text

and write_shape_label buf at (v : shape_label) next =
  let next = Capnp.Unsafe.Put.text buf (at + 40) v.text next in
  Capnp.Unsafe.Put.uint16 buf (at + 18) (Shapes_capnp.Colour.to_int v.colour);
  next

and read_shape_state m (r : shape_state Capnp.Reader.t) : shape_state =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 20 with
  | 0 -> Off
  | 1 -> On (Capnp.Reader.int32 m r 24)
  | n -> Unrecognized n

and size_shape_state (_ : shape_state) = 0

and write_shape_state buf at (v : shape_state) next =
  match v with
  | Off ->
      Capnp.Unsafe.Put.uint16 buf (at + 20) 0;
      next
  | On x ->
      Capnp.Unsafe.Put.uint16 buf (at + 20) 1;
      Capnp.Unsafe.Put.uint32 buf (at + 24) x;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 20) n;
      next

and read_tree m (r : tree Capnp.Reader.t) : tree =
  Capnp.Reader.spend m r 5;
  {
    value = Capnp.Reader.optional m r 0 read_tree_value;
    left = Capnp.Reader.optional m r 1 read_tree;
    right = Capnp.Reader.optional m r 2 read_tree;
    children = list_tree m (Capnp.Reader.list m r 3 Capnp.Kind.struct_);
  }

and size_tree (v : tree) =
  Capnp.Size.optional size_tree_value 24 v.value
  + Capnp.Size.optional size_tree 32 v.left
  + Capnp.Size.optional size_tree 32 v.right
  + room_tree v.children

and write_tree buf at (v : tree) next =
  let next = Capnp.Unsafe.Put.optional write_tree_value 2 1 buf at v.value next in
  let next = Capnp.Unsafe.Put.optional write_tree 0 4 buf (at + 8) v.left next in
  let next = Capnp.Unsafe.Put.optional write_tree 0 4 buf (at + 16) v.right next in
  put_tree buf (at + 24) v.children next

and list_tree m (l : tree Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_tree m l
  else
    let r = Capnp.Items.last m l in
    gather_tree m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_tree m r step n acc =
  if n = 0 then acc
  else
    let v = read_tree m r in
    gather_tree m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_tree buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_tree buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 0 4 buf at next)

and fill_tree buf at l next =
  match l with
  | [] -> next
  | (v : tree) :: rest -> fill_tree buf (at + 32) rest (write_tree buf at v next)

and room_tree l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_tree 8 l)

and sum_tree total l =
  match l with
  | [] -> total
  | (v : tree) :: rest -> sum_tree (total + 32 + size_tree v) rest

and read_tree_value m (r : tree_value Capnp.Reader.t) : tree_value =
  Capnp.Reader.spend m r 5;
  match Capnp.Reader.uint16 m r 8 with
  | 0 -> Number (Capnp.Reader.int64 m r 0)
  | 1 -> List (list_tree_value m (Capnp.Reader.list m r 0 Capnp.Kind.struct_))
  | 2 -> Option (Capnp.Reader.optional m r 0 read_tree_value_option)
  | n -> Unrecognized n

and size_tree_value (v : tree_value) =
  match v with
  | List x -> room_tree_value x
  | Option x -> Capnp.Size.optional size_tree_value_option 16 x
  | _ -> 0

and write_tree_value buf at (v : tree_value) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  match v with
  | Number x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 0;
      Capnp.Unsafe.Put.int64 buf at x;
      next
  | List x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 1;
      put_tree_value buf (at + 16) x next
  | Option x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 2;
      Capnp.Unsafe.Put.optional write_tree_value_option 1 1 buf (at + 16) x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) n;
      next

and list_tree_value m (l : tree_value Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_tree_value m l
  else
    let r = Capnp.Items.last m l in
    gather_tree_value m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_tree_value m r step n acc =
  if n = 0 then acc
  else
    let v = read_tree_value m r in
    gather_tree_value m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_tree_value buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_tree_value buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 2 1 buf at next)

and fill_tree_value buf at l next =
  match l with
  | [] -> next
  | (v : tree_value) :: rest -> fill_tree_value buf (at + 24) rest (write_tree_value buf at v next)

and room_tree_value l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_tree_value 8 l)

and sum_tree_value total l =
  match l with
  | [] -> total
  | (v : tree_value) :: rest -> sum_tree_value (total + 24 + size_tree_value v) rest

and read_tree_value_option m (r : tree_value_option Capnp.Reader.t) : tree_value_option =
  Capnp.Reader.spend m r 5;
  {
    key = Capnp.Reader.string m r 0;
    level = tree_value_option_level_of_int (Capnp.Reader.uint16 m r 0 lxor 0x1);
  }

and size_tree_value_option (v : tree_value_option) =
  Capnp.Size.text v.key

and write_tree_value_option buf at (v : tree_value_option) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  let next = Capnp.Unsafe.Put.text buf (at + 8) v.key next in
  Capnp.Unsafe.Put.uint16 buf at ((tree_value_option_level_to_int v.level) lxor 0x1);
  next

and read_pair m (r : pair Capnp.Reader.t) : pair =
  Capnp.Reader.spend m r 3;
  {
    first = Capnp.Any.detach m (Capnp.Any.field m r 0);
    second = Capnp.Any.detach m (Capnp.Any.field m r 1);
  }

and size_pair (v : pair) =
  Capnp.Any.size v.first
  + Capnp.Any.size v.second

and write_pair buf at (v : pair) next =
  let next = Capnp.Any.write buf at v.first next in
  Capnp.Any.write buf (at + 8) v.second next

and list_pair m (l : pair Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_pair m l
  else
    let r = Capnp.Items.last m l in
    gather_pair m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_pair m r step n acc =
  if n = 0 then acc
  else
    let v = read_pair m r in
    gather_pair m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_pair buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_pair buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 0 2 buf at next)

and fill_pair buf at l next =
  match l with
  | [] -> next
  | (v : pair) :: rest -> fill_pair buf (at + 16) rest (write_pair buf at v next)

and room_pair l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_pair 8 l)

and sum_pair total l =
  match l with
  | [] -> total
  | (v : pair) :: rest -> sum_pair (total + 16 + size_pair v) rest

and read_pair_tagged m (r : pair_tagged Capnp.Reader.t) : pair_tagged =
  Capnp.Reader.spend m r 3;
  {
    tag = Capnp.Reader.string m r 0;
    value = Capnp.Any.detach m (Capnp.Any.field m r 1);
  }

and size_pair_tagged (v : pair_tagged) =
  Capnp.Size.text v.tag
  + Capnp.Any.size v.value

and write_pair_tagged buf at (v : pair_tagged) next =
  let next = Capnp.Unsafe.Put.text buf at v.tag next in
  Capnp.Any.write buf (at + 8) v.value next

and read_pairs m (r : pairs Capnp.Reader.t) : pairs =
  Capnp.Reader.spend m r 4;
  {
    names = Capnp.Reader.optional m r 0 read_pair;
    many = list_pair m (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
    tagged = Capnp.Reader.optional m r 2 read_pair_tagged;
  }

and size_pairs (v : pairs) =
  Capnp.Size.optional size_pair 16 v.names
  + room_pair v.many
  + Capnp.Size.optional size_pair_tagged 16 v.tagged

and write_pairs buf at (v : pairs) next =
  let next = Capnp.Unsafe.Put.optional write_pair 0 2 buf at v.names next in
  let next = put_pair buf (at + 8) v.many next in
  Capnp.Unsafe.Put.optional write_pair_tagged 0 2 buf (at + 16) v.tagged next

and read_calculator_add_params m (r : calculator_add_params Capnp.Reader.t) :
  calculator_add_params =
  Capnp.Reader.spend m r 3;
  let d = Capnp.Reader.Unsafe.data_of m r 8 in
  {
    left = Capnp.Reader.Unsafe.int32_at m r d 0;
    right = Capnp.Reader.Unsafe.int32_at m r d 4;
  }

and size_calculator_add_params (_ : calculator_add_params) = 0

and write_calculator_add_params buf at (v : calculator_add_params) next =
  Capnp.Unsafe.Put.uint32 buf at v.left;
  Capnp.Unsafe.Put.uint32 buf (at + 4) v.right;
  next

and read_calculator_add_results m (r : calculator_add_results Capnp.Reader.t) :
  calculator_add_results =
  Capnp.Reader.spend m r 2;
  {
    sum = Capnp.Reader.int32 m r 0;
  }

and size_calculator_add_results (_ : calculator_add_results) = 0

and write_calculator_add_results buf at (v : calculator_add_results) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.uint32 buf at v.sum;
  next

and read_calculator_child_params m (r : calculator_child_params Capnp.Reader.t) :
  calculator_child_params =
  Capnp.Reader.spend m r 2;
  {
    seed = Capnp.Any.detach m (Capnp.Any.field m r 0);
  }

and size_calculator_child_params (v : calculator_child_params) =
  Capnp.Any.size v.seed

and write_calculator_child_params buf at (v : calculator_child_params) next =
  Capnp.Any.write buf at v.seed next

and read_calculator_child_results m (r : calculator_child_results Capnp.Reader.t) :
  calculator_child_results =
  Capnp.Reader.spend m r 4;
  {
    result = Capnp.Reader.capability m r 0;
  }

and size_calculator_child_results (_ : calculator_child_results) = 0

and write_calculator_child_results buf at (v : calculator_child_results) next =
  Capnp.Unsafe.Put.capability buf at v.result;
  next

and read_calculator_reset_params _ (_ : calculator_reset_params Capnp.Reader.t) :
  calculator_reset_params = ()

and size_calculator_reset_params () = 0

and write_calculator_reset_params buf at () next =
  next

and read_calculator_reset_results _ (_ : calculator_reset_results Capnp.Reader.t) :
  calculator_reset_results = ()

and size_calculator_reset_results () = 0

and write_calculator_reset_results buf at () next =
  next

and read_named_name_params _ (_ : named_name_params Capnp.Reader.t) : named_name_params = ()

and size_named_name_params () = 0

and write_named_name_params buf at () next =
  next

and read_named_name_results m (r : named_name_results Capnp.Reader.t) : named_name_results =
  Capnp.Reader.spend m r 2;
  {
    name = Capnp.Reader.string m r 0;
  }

and size_named_name_results (v : named_name_results) =
  Capnp.Size.text v.name

and write_named_name_results buf at (v : named_name_results) next =
  Capnp.Unsafe.Put.text buf at v.name next

and read_handles m (r : handles Capnp.Reader.t) : handles =
  Capnp.Reader.spend m r 5;
  {
    one = Capnp.Reader.capability m r 0;
    many = Capnp.Items.capabilities m (Capnp.Reader.list m r 1 Capnp.Kind.pointer);
  }

and size_handles (v : handles) =
  Capnp.Size.items 8 v.many

and write_handles buf at (v : handles) next =
  Capnp.Unsafe.Put.capability buf at v.one;
  Capnp.Unsafe.Put.capabilities buf (at + 8) v.many next

module Kinds = struct
  type t = kinds = {
    flag : bool;
    tiny : int;
    short : int;
    word : int;
    long : int64;
    byte : int;
    half : int;
    unsigned : int;
    wide : int64;
    single : float;
    double : float;
    text : string;
    data : string;
    colour : Shapes_capnp.colour;
    point : Shapes_capnp.point option;
    anything : Capnp.Any.detached;
    voids : int;
    flags : Capnp.Bits.t;
    tinies : string;
    shorts : int list;
    words : int list;
    longs : int64 list;
    bytes : string;
    halves : int list;
    unsigneds : int list;
    wides : int64 list;
    singles : float list;
    doubles : float list;
    texts : string list;
    datas : string list;
    colours : Shapes_capnp.colour list;
    points : Shapes_capnp.point list;
    matrix : int list list;
    grids : Shapes_capnp.point list list list;
    end_ : string;
    empty : empty option;
    empties : empty list;
  }

  let decode s = Capnp.Reader.decode read_kinds s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 6 25 (size_kinds v) in
    Capnp.Unsafe.Record.finish buf (write_kinds buf 16 v 264)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 6 25 (size_kinds v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 6 25 (write_kinds buf 16 v 264)
    else Capnp.Unsafe.Record.write 6 25 size_kinds write_kinds b v
  let default = read_kinds Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 6 25
  let of_reader = read_kinds
  let to_builder b h v = Capnp.Unsafe.Record.fill 6 25 size_kinds write_kinds b h v
  let size = size_kinds
  let unsafe_put = write_kinds

  (** Reading in place. *)
  module R = struct
    type t = kinds Capnp.Reader.t

    let nothing _ _ = ()
    let[@inline] flag m r = Capnp.Reader.bool m r 0
    let[@inline] tiny m r = Capnp.Reader.int8 m r 1
    let[@inline] short m r = Capnp.Reader.int16 m r 2
    let[@inline] word m r = Capnp.Reader.int32 m r 4
    let[@inline] long m r = Capnp.Reader.int64 m r 8
    let[@inline] byte m r = Capnp.Reader.uint8 m r 16
    let[@inline] half m r = Capnp.Reader.uint16 m r 18
    let[@inline] unsigned m r = Capnp.Reader.uint32 m r 20
    let[@inline] wide m r = Capnp.Reader.int64 m r 24
    let[@inline] single m r = Capnp.Reader.float32 m r 32
    let[@inline] double m r = Capnp.Reader.float64 m r 40
    let has_text m r = Capnp.Reader.has m r 0
    let[@inline] text m r = Capnp.Reader.text m r 0
    let has_data m r = Capnp.Reader.has m r 1
    let[@inline] data m r = Capnp.Reader.data m r 1
    let[@inline] colour m r = Shapes_capnp.Colour.of_int (Capnp.Reader.uint16 m r 36)
    let has_point m r = Capnp.Reader.has m r 2
    let[@inline] point m r = Capnp.Reader.struct_ m r 2
    let has_anything m r = Capnp.Reader.has m r 3
    let[@inline] anything m r = Capnp.Any.field m r 3
    let has_voids m r = Capnp.Reader.has m r 4
    let[@inline] voids m r = Capnp.Reader.list m r 4 Capnp.Kind.void
    let has_flags m r = Capnp.Reader.has m r 5
    let[@inline] flags m r = Capnp.Reader.list m r 5 Capnp.Kind.bit
    let has_tinies m r = Capnp.Reader.has m r 6
    let[@inline] tinies m r = Capnp.Reader.list m r 6 Capnp.Kind.byte
    let has_shorts m r = Capnp.Reader.has m r 7
    let[@inline] shorts m r = Capnp.Reader.list m r 7 Capnp.Kind.two_bytes
    let has_words m r = Capnp.Reader.has m r 8
    let[@inline] words m r = Capnp.Reader.list m r 8 Capnp.Kind.four_bytes
    let has_longs m r = Capnp.Reader.has m r 9
    let[@inline] longs m r = Capnp.Reader.list m r 9 Capnp.Kind.eight_bytes
    let has_bytes m r = Capnp.Reader.has m r 10
    let[@inline] bytes m r = Capnp.Reader.list m r 10 Capnp.Kind.byte
    let has_halves m r = Capnp.Reader.has m r 11
    let[@inline] halves m r = Capnp.Reader.list m r 11 Capnp.Kind.two_bytes
    let has_unsigneds m r = Capnp.Reader.has m r 12
    let[@inline] unsigneds m r = Capnp.Reader.list m r 12 Capnp.Kind.four_bytes
    let has_wides m r = Capnp.Reader.has m r 13
    let[@inline] wides m r = Capnp.Reader.list m r 13 Capnp.Kind.eight_bytes
    let has_singles m r = Capnp.Reader.has m r 14
    let[@inline] singles m r = Capnp.Reader.list m r 14 Capnp.Kind.four_bytes
    let has_doubles m r = Capnp.Reader.has m r 15
    let[@inline] doubles m r = Capnp.Reader.list m r 15 Capnp.Kind.eight_bytes
    let has_texts m r = Capnp.Reader.has m r 16
    let[@inline] texts m r = Capnp.Reader.list m r 16 Capnp.Kind.pointer
    let has_datas m r = Capnp.Reader.has m r 17
    let[@inline] datas m r = Capnp.Reader.list m r 17 Capnp.Kind.pointer
    let has_colours m r = Capnp.Reader.has m r 18
    let[@inline] colours m r = Capnp.Reader.list m r 18 Capnp.Kind.two_bytes
    let has_points m r = Capnp.Reader.has m r 19
    let[@inline] points m r = Capnp.Reader.list m r 19 Capnp.Kind.struct_
    let has_matrix m r = Capnp.Reader.has m r 20
    let[@inline] matrix m r = Capnp.Reader.list m r 20 Capnp.Kind.pointer
    let has_grids m r = Capnp.Reader.has m r 21
    let[@inline] grids m r = Capnp.Reader.list m r 21 Capnp.Kind.pointer
    let has_end_ m r = Capnp.Reader.has m r 22
    let[@inline] end_ m r = Capnp.Reader.text m r 22
    let has_empty m r = Capnp.Reader.has m r 23
    let[@inline] empty m r = Capnp.Reader.struct_ m r 23
    let has_empties m r = Capnp.Reader.has m r 24
    let[@inline] empties m r = Capnp.Reader.list m r 24 Capnp.Kind.struct_
  end

  (** Building in place. *)
  module B = struct
    type t = kinds Capnp.Builder.struct_

    let set_flag b h v = Capnp.Builder.set_bool b h 0 v
    let set_tiny b h v = Capnp.Builder.set_uint8 b h 1 v
    let set_short b h v = Capnp.Builder.set_uint16 b h 2 v
    let set_word b h v = Capnp.Builder.set_uint32 b h 4 v
    let set_long b h v = Capnp.Builder.set_int64 b h 8 v
    let set_byte b h v = Capnp.Builder.set_uint8 b h 16 v
    let set_half b h v = Capnp.Builder.set_uint16 b h 18 v
    let set_unsigned b h v = Capnp.Builder.set_uint32 b h 20 v
    let set_wide b h v = Capnp.Builder.set_int64 b h 24 v
    let set_single b h v = Capnp.Builder.set_float32 b h 32 v
    let set_double b h v = Capnp.Builder.set_float64 b h 40 v
    let set_text b h v = Capnp.Builder.set_text b h 0 v
    let set_data b h v = Capnp.Builder.set_data b h 1 v
    let set_colour b h v = Capnp.Builder.set_uint16 b h 36 (Shapes_capnp.Colour.to_int v)
    let init_point b h = Capnp.Builder.init_struct b h 2 1 0
    let get_point b h = Capnp.Any.get_struct b h 2 ~data:1 ~pointers:0
    let copy_point b h m r = Capnp.Any.copy_struct m r b h 2 ~data:1 ~pointers:0
    let set_anything b h v = Capnp.Any.set b h 3 v
    let init_voids b h n = Capnp.Builder.init_list b h 4 Capnp.Kind.void n
    let get_voids b h = Capnp.Builder.get_items b h 4 Capnp.Kind.void
    let init_flags b h n = Capnp.Builder.init_list b h 5 Capnp.Kind.bit n
    let get_flags b h = Capnp.Builder.get_items b h 5 Capnp.Kind.bit
    let init_tinies b h n = Capnp.Builder.init_list b h 6 Capnp.Kind.byte n
    let get_tinies b h = Capnp.Builder.get_items b h 6 Capnp.Kind.byte
    let init_shorts b h n = Capnp.Builder.init_list b h 7 Capnp.Kind.two_bytes n
    let get_shorts b h = Capnp.Builder.get_items b h 7 Capnp.Kind.two_bytes
    let init_words b h n = Capnp.Builder.init_list b h 8 Capnp.Kind.four_bytes n
    let get_words b h = Capnp.Builder.get_items b h 8 Capnp.Kind.four_bytes
    let init_longs b h n = Capnp.Builder.init_list b h 9 Capnp.Kind.eight_bytes n
    let get_longs b h = Capnp.Builder.get_items b h 9 Capnp.Kind.eight_bytes
    let init_bytes b h n = Capnp.Builder.init_list b h 10 Capnp.Kind.byte n
    let get_bytes b h = Capnp.Builder.get_items b h 10 Capnp.Kind.byte
    let init_halves b h n = Capnp.Builder.init_list b h 11 Capnp.Kind.two_bytes n
    let get_halves b h = Capnp.Builder.get_items b h 11 Capnp.Kind.two_bytes
    let init_unsigneds b h n = Capnp.Builder.init_list b h 12 Capnp.Kind.four_bytes n
    let get_unsigneds b h = Capnp.Builder.get_items b h 12 Capnp.Kind.four_bytes
    let init_wides b h n = Capnp.Builder.init_list b h 13 Capnp.Kind.eight_bytes n
    let get_wides b h = Capnp.Builder.get_items b h 13 Capnp.Kind.eight_bytes
    let init_singles b h n = Capnp.Builder.init_list b h 14 Capnp.Kind.four_bytes n
    let get_singles b h = Capnp.Builder.get_items b h 14 Capnp.Kind.four_bytes
    let init_doubles b h n = Capnp.Builder.init_list b h 15 Capnp.Kind.eight_bytes n
    let get_doubles b h = Capnp.Builder.get_items b h 15 Capnp.Kind.eight_bytes
    let init_texts b h n = Capnp.Builder.init_list b h 16 Capnp.Kind.pointer n
    let get_texts b h = Capnp.Builder.get_items b h 16 Capnp.Kind.pointer
    let init_datas b h n = Capnp.Builder.init_list b h 17 Capnp.Kind.pointer n
    let get_datas b h = Capnp.Builder.get_items b h 17 Capnp.Kind.pointer
    let init_colours b h n = Capnp.Builder.init_list b h 18 Capnp.Kind.two_bytes n
    let get_colours b h = Capnp.Builder.get_items b h 18 Capnp.Kind.two_bytes
    let init_points b h n = Capnp.Builder.init_struct_list b h 19 n 1 0
    let get_points b h = Capnp.Builder.get_items b h 19 Capnp.Kind.struct_
    let init_matrix b h n = Capnp.Builder.init_list b h 20 Capnp.Kind.pointer n
    let get_matrix b h = Capnp.Builder.get_items b h 20 Capnp.Kind.pointer
    let init_grids b h n = Capnp.Builder.init_list b h 21 Capnp.Kind.pointer n
    let get_grids b h = Capnp.Builder.get_items b h 21 Capnp.Kind.pointer
    let set_end_ b h v = Capnp.Builder.set_text b h 22 v
    let init_empty b h = Capnp.Builder.init_struct b h 23 0 0
    let get_empty b h = Capnp.Any.get_struct b h 23 ~data:0 ~pointers:0
    let copy_empty b h m r = Capnp.Any.copy_struct m r b h 23 ~data:0 ~pointers:0
    let init_empties b h n = Capnp.Builder.init_struct_list b h 24 n 0 0
    let get_empties b h = Capnp.Builder.get_items b h 24 Capnp.Kind.struct_
  end
end

module Empty = struct
  type t = empty

  let decode s = Capnp.Reader.decode read_empty s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 0 (size_empty v) in
    Capnp.Unsafe.Record.finish buf (write_empty buf 16 v 16)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 0 (size_empty v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 0 (write_empty buf 16 v 16)
    else Capnp.Unsafe.Record.write 0 0 size_empty write_empty b v
  let default = read_empty Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 0
  let of_reader = read_empty
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 0 size_empty write_empty b h v
  let size = size_empty
  let unsafe_put = write_empty

  (** Reading in place. *)
  module R = struct
    type t = empty Capnp.Reader.t

  end

  (** Building in place. *)
  module B = struct
    type t = empty Capnp.Builder.struct_

  end
end

module Field16 = struct
  type t = field16 = {
    value : int;
  }

  let decode s = Capnp.Reader.decode read_field16 s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 1 0 (size_field16 v) in
    Capnp.Unsafe.Record.finish buf (write_field16 buf 16 v 24)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 1 0 (size_field16 v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 1 0 (write_field16 buf 16 v 24)
    else Capnp.Unsafe.Record.write 1 0 size_field16 write_field16 b v
  let default = read_field16 Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 0
  let of_reader = read_field16
  let to_builder b h v = Capnp.Unsafe.Record.fill 1 0 size_field16 write_field16 b h v
  let size = size_field16
  let unsafe_put = write_field16

  (** Reading in place. *)
  module R = struct
    type t = field16 Capnp.Reader.t

    let[@inline] value m r = Capnp.Reader.uint16 m r 0
  end

  (** Building in place. *)
  module B = struct
    type t = field16 Capnp.Builder.struct_

    let set_value b h v = Capnp.Builder.set_uint16 b h 0 v
  end
end

module Label = struct
  type t = label = {
    text : string;
  }

  let decode s = Capnp.Reader.decode read_label s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 1 (size_label v) in
    Capnp.Unsafe.Record.finish buf (write_label buf 16 v 24)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 1 (size_label v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 1 (write_label buf 16 v 24)
    else Capnp.Unsafe.Record.write 0 1 size_label write_label b v
  let default = read_label Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
  let of_reader = read_label
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 1 size_label write_label b h v
  let size = size_label
  let unsafe_put = write_label

  (** Reading in place. *)
  module R = struct
    type t = label Capnp.Reader.t

    let has_text m r = Capnp.Reader.has m r 0
    let[@inline] text m r = Capnp.Reader.text m r 0
  end

  (** Building in place. *)
  module B = struct
    type t = label Capnp.Builder.struct_

    let set_text b h v = Capnp.Builder.set_text b h 0 v
  end
end

module Defaults = struct
  type t = defaults = {
    flag : bool;
    tiny : int;
    short : int;
    word : int;
    long : int64;
    byte : int;
    half : int;
    unsigned : int;
    wide : int64;
    single : float;
    double : float;
    text : string;
    data : string;
    colour : Shapes_capnp.colour;
    point : Shapes_capnp.point option;
    words : int list;
    points : Shapes_capnp.point list;
  }

  let decode s = Capnp.Reader.decode read_defaults s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 6 5 (size_defaults v) in
    Capnp.Unsafe.Record.finish buf (write_defaults buf 16 v 104)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 6 5 (size_defaults v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 6 5 (write_defaults buf 16 v 104)
    else Capnp.Unsafe.Record.write 6 5 size_defaults write_defaults b v
  let default = read_defaults Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 6 5
  let of_reader = read_defaults
  let to_builder b h v = Capnp.Unsafe.Record.fill 6 5 size_defaults write_defaults b h v
  let size = size_defaults
  let unsafe_put = write_defaults

  (** Reading in place. *)
  module R = struct
    type t = defaults Capnp.Reader.t

    let[@inline] flag m r = not (Capnp.Reader.bool m r 0)
    let[@inline] tiny m r = Capnp.Reader.sign8 (Capnp.Reader.uint8 m r 1 lxor 0xf9)
    let[@inline] short m r = Capnp.Reader.sign16 (Capnp.Reader.uint16 m r 2 lxor 0xfed4)
    let[@inline] word m r = Capnp.Reader.sign32 (Capnp.Reader.uint32 m r 4 lxor 0xfffeee90)
    let[@inline] long m r = Capnp.Reader.int64_xor m r 8 0xfffffffed5fa0e00L
    let[@inline] byte m r = Capnp.Reader.uint8 m r 16 lxor 0xc8
    let[@inline] half m r = Capnp.Reader.uint16 m r 18 lxor 0xea60
    let[@inline] unsigned m r = Capnp.Reader.uint32 m r 20 lxor 0xee6b2800
    let[@inline] wide m r = Capnp.Reader.int64_xor m r 24 0xffffffffffffffffL
    let[@inline] single m r = Capnp.Reader.float32_xor m r 32 0x3fc00000
    let[@inline] double m r = Capnp.Reader.float64_xor m r 40 0xc002000000000000L
    let has_text m r = Capnp.Reader.has m r 0
    let text m r =
      if Capnp.Reader.has m r 0 then (m, Capnp.Reader.text m r 0)
      else (default_4, Capnp.Any.text default_4 (Capnp.Any.root default_4))
    let has_data m r = Capnp.Reader.has m r 1
    let data m r =
      if Capnp.Reader.has m r 1 then (m, Capnp.Reader.data m r 1)
      else (default_5, Capnp.Any.data default_5 (Capnp.Any.root default_5))
    let[@inline] colour m r = Shapes_capnp.Colour.of_int (Capnp.Reader.uint16 m r 36 lxor 0x1)
    let has_point m r = Capnp.Reader.has m r 2
    let point m r =
      if Capnp.Reader.has m r 2 then (m, Capnp.Reader.struct_ m r 2)
      else (default_1, Capnp.Reader.root default_1)
    let has_words m r = Capnp.Reader.has m r 3
    let words m r =
      if Capnp.Reader.has m r 3 then (m, Capnp.Reader.list m r 3 Capnp.Kind.four_bytes)
      else (default_2, Capnp.Any.list default_2 (Capnp.Any.root default_2) Capnp.Kind.four_bytes)
    let has_points m r = Capnp.Reader.has m r 4
    let points m r =
      if Capnp.Reader.has m r 4 then (m, Capnp.Reader.list m r 4 Capnp.Kind.struct_)
      else (default_3, Capnp.Any.list default_3 (Capnp.Any.root default_3) Capnp.Kind.struct_)
  end

  (** Building in place. *)
  module B = struct
    type t = defaults Capnp.Builder.struct_

    let set_flag b h v = Capnp.Builder.set_bool b h 0 (not v)
    let set_tiny b h v = Capnp.Builder.set_uint8 b h 1 (v lxor 0xf9)
    let set_short b h v = Capnp.Builder.set_uint16 b h 2 (v lxor 0xfed4)
    let set_word b h v = Capnp.Builder.set_uint32 b h 4 (v lxor 0xfffeee90)
    let set_long b h v = Capnp.Builder.set_int64_xor b h 8 0xfffffffed5fa0e00L v
    let set_byte b h v = Capnp.Builder.set_uint8 b h 16 (v lxor 0xc8)
    let set_half b h v = Capnp.Builder.set_uint16 b h 18 (v lxor 0xea60)
    let set_unsigned b h v = Capnp.Builder.set_uint32 b h 20 (v lxor 0xee6b2800)
    let set_wide b h v = Capnp.Builder.set_int64_xor b h 24 0xffffffffffffffffL v
    let set_single b h v = Capnp.Builder.set_float32_xor b h 32 0x3fc00000 v
    let set_double b h v = Capnp.Builder.set_float64_xor b h 40 0xc002000000000000L v
    let set_text b h v = Capnp.Builder.set_text b h 0 v
    let set_data b h v = Capnp.Builder.set_data b h 1 v
    let set_colour b h v = Capnp.Builder.set_uint16 b h 36 ((Shapes_capnp.Colour.to_int v) lxor 0x1)
    let init_point b h = Capnp.Builder.init_struct b h 2 1 0
    let get_point b h = Capnp.Any.get_struct b h 2 ~data:1 ~pointers:0
    let copy_point b h m r = Capnp.Any.copy_struct m r b h 2 ~data:1 ~pointers:0
    let init_words b h n = Capnp.Builder.init_list b h 3 Capnp.Kind.four_bytes n
    let get_words b h = Capnp.Builder.get_items b h 3 Capnp.Kind.four_bytes
    let init_points b h n = Capnp.Builder.init_struct_list b h 4 n 1 0
    let get_points b h = Capnp.Builder.get_items b h 4 Capnp.Kind.struct_
  end
end

module Shape = struct
  type which = shape_which =
    | Circle of float
    | Square of float
    | Polygon of Shapes_capnp.point list
    | Named of string
    | Nothing
    | Box of shape_box
    | Inner of shape option
    | Unrecognized of int

  type t = shape = {
    area : float;
    label : shape_label;
    state : shape_state;
    which : which;
  }

  let decode s = Capnp.Reader.decode read_shape s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 4 2 (size_shape v) in
    Capnp.Unsafe.Record.finish buf (write_shape buf 16 v 64)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 4 2 (size_shape v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 4 2 (write_shape buf 16 v 64)
    else Capnp.Unsafe.Record.write 4 2 size_shape write_shape b v
  let default = read_shape Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 4 2
  let of_reader = read_shape
  let to_builder b h v = Capnp.Unsafe.Record.fill 4 2 size_shape write_shape b h v
  let size = size_shape
  let unsafe_put = write_shape

  (** Reading in place. *)
  module R = struct
    type t = shape Capnp.Reader.t

    type which =
      | Circle
      | Square
      | Polygon
      | Named
      | Nothing
      | Box
      | Inner
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 16 with
      | 0 -> Circle
      | 1 -> Square
      | 2 -> Polygon
      | 3 -> Named
      | 4 -> Nothing
      | 5 -> Box
      | 6 -> Inner
      | n -> Unrecognized n

    let[@inline] area m r = Capnp.Reader.float64 m r 0
    let[@inline] circle m r = Capnp.Reader.float64 m r 8
    let[@inline] square m r = Capnp.Reader.float64 m r 8
    let has_polygon m r = Capnp.Reader.has m r 0
    let[@inline] polygon m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
    let has_named m r = Capnp.Reader.has m r 0
    let[@inline] named m r = Capnp.Reader.text m r 0
    let nothing _ _ = ()
    let box _ r = Capnp.Reader.cast r
    let has_inner m r = Capnp.Reader.has m r 0
    let[@inline] inner m r = Capnp.Reader.struct_ m r 0
    let label _ r = Capnp.Reader.cast r
    let state _ r = Capnp.Reader.cast r
  end

  (** Building in place. *)
  module B = struct
    type t = shape Capnp.Builder.struct_

    let set_area b h v = Capnp.Builder.set_float64 b h 0 v
    let set_circle b h v = Capnp.Builder.set_uint16 b h 16 0; Capnp.Builder.set_float64 b h 8 v
    let set_square b h v = Capnp.Builder.set_uint16 b h 16 1; Capnp.Builder.set_float64 b h 8 v
    let init_polygon b h n =
      Capnp.Builder.set_uint16 b h 16 2; Capnp.Builder.init_struct_list b h 0 n 1 0
    let get_polygon b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
    let set_named b h v = Capnp.Builder.set_uint16 b h 16 3; Capnp.Builder.set_text b h 0 v
    let set_nothing b h = Capnp.Builder.set_uint16 b h 16 4; ()
    let init_box b h =
      Capnp.Builder.set_uint16 b h 16 5; Capnp.Builder.set_uint16 b h 8 0;
      Capnp.Builder.set_uint16 b h 10 0; Capnp.Builder.cast h
    let init_inner b h = Capnp.Builder.set_uint16 b h 16 6; Capnp.Builder.init_struct b h 0 4 2
    let get_inner b h = Capnp.Any.get_struct b h 0 ~data:4 ~pointers:2
    let copy_inner b h m r =
      Capnp.Builder.set_uint16 b h 16 6; Capnp.Any.copy_struct m r b h 0 ~data:4 ~pointers:2
    let label b h = ignore b; Capnp.Builder.cast h
    let state b h = ignore b; Capnp.Builder.cast h
  end

  module Box = struct
    type t = shape_box = {
      width : int;
      height : int;
    }

    let default = read_shape_box Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_shape_box
    let to_builder b h v = Capnp.Unsafe.Record.fill 4 2 size_shape_box write_shape_box b h v
    let size = size_shape_box
    let unsafe_put = write_shape_box

    (** Reading in place. *)
    module R = struct
      type t = shape_box Capnp.Reader.t

      let[@inline] width m r = Capnp.Reader.uint16 m r 8
      let[@inline] height m r = Capnp.Reader.uint16 m r 10
    end

    (** Building in place. *)
    module B = struct
      type t = shape_box Capnp.Builder.struct_

      let set_width b h v = Capnp.Builder.set_uint16 b h 8 v
      let set_height b h v = Capnp.Builder.set_uint16 b h 10 v
    end
  end

  module Label = struct
    type t = shape_label = {
      text : string;
      colour : Shapes_capnp.colour;
    }

    let default = read_shape_label Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_shape_label
    let to_builder b h v = Capnp.Unsafe.Record.fill 4 2 size_shape_label write_shape_label b h v
    let size = size_shape_label
    let unsafe_put = write_shape_label

    (** Reading in place. *)
    module R = struct
      type t = shape_label Capnp.Reader.t

      let has_text m r = Capnp.Reader.has m r 1
      let[@inline] text m r = Capnp.Reader.text m r 1
      let[@inline] colour m r = Shapes_capnp.Colour.of_int (Capnp.Reader.uint16 m r 18)
    end

    (** Building in place. *)
    module B = struct
      type t = shape_label Capnp.Builder.struct_

      let set_text b h v = Capnp.Builder.set_text b h 1 v
      let set_colour b h v = Capnp.Builder.set_uint16 b h 18 (Shapes_capnp.Colour.to_int v)
    end
  end

  module State = struct
    type t = shape_state = 
      | Off
      | On of int
      | Unrecognized of int

    let default = read_shape_state Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_shape_state
    let to_builder b h v = Capnp.Unsafe.Record.fill 4 2 size_shape_state write_shape_state b h v
    let size = size_shape_state
    let unsafe_put = write_shape_state

    (** Reading in place. *)
    module R = struct
      type t = shape_state Capnp.Reader.t

      type which =
        | Off
        | On
        | Unrecognized of int

      let which m r : which =
        match Capnp.Reader.uint16 m r 20 with
        | 0 -> Off
        | 1 -> On
        | n -> Unrecognized n

      let off _ _ = ()
      let[@inline] on m r = Capnp.Reader.int32 m r 24
    end

    (** Building in place. *)
    module B = struct
      type t = shape_state Capnp.Builder.struct_

      let set_off b h = Capnp.Builder.set_uint16 b h 20 0; ()
      let set_on b h v = Capnp.Builder.set_uint16 b h 20 1; Capnp.Builder.set_uint32 b h 24 v
    end
  end
end

module Tree = struct
  type t = tree = {
    value : tree_value option;
    left : tree option;
    right : tree option;
    children : tree list;
  }

  let decode s = Capnp.Reader.decode read_tree s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 4 (size_tree v) in
    Capnp.Unsafe.Record.finish buf (write_tree buf 16 v 48)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 4 (size_tree v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 4 (write_tree buf 16 v 48)
    else Capnp.Unsafe.Record.write 0 4 size_tree write_tree b v
  let default = read_tree Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 4
  let of_reader = read_tree
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 4 size_tree write_tree b h v
  let size = size_tree
  let unsafe_put = write_tree

  (** Reading in place. *)
  module R = struct
    type t = tree Capnp.Reader.t

    let has_value m r = Capnp.Reader.has m r 0
    let[@inline] value m r = Capnp.Reader.struct_ m r 0
    let has_left m r = Capnp.Reader.has m r 1
    let[@inline] left m r = Capnp.Reader.struct_ m r 1
    let has_right m r = Capnp.Reader.has m r 2
    let[@inline] right m r = Capnp.Reader.struct_ m r 2
    let has_children m r = Capnp.Reader.has m r 3
    let[@inline] children m r = Capnp.Reader.list m r 3 Capnp.Kind.struct_
  end

  (** Building in place. *)
  module B = struct
    type t = tree Capnp.Builder.struct_

    let init_value b h = Capnp.Builder.init_struct b h 0 2 1
    let get_value b h = Capnp.Any.get_struct b h 0 ~data:2 ~pointers:1
    let copy_value b h m r = Capnp.Any.copy_struct m r b h 0 ~data:2 ~pointers:1
    let init_left b h = Capnp.Builder.init_struct b h 1 0 4
    let get_left b h = Capnp.Any.get_struct b h 1 ~data:0 ~pointers:4
    let copy_left b h m r = Capnp.Any.copy_struct m r b h 1 ~data:0 ~pointers:4
    let init_right b h = Capnp.Builder.init_struct b h 2 0 4
    let get_right b h = Capnp.Any.get_struct b h 2 ~data:0 ~pointers:4
    let copy_right b h m r = Capnp.Any.copy_struct m r b h 2 ~data:0 ~pointers:4
    let init_children b h n = Capnp.Builder.init_struct_list b h 3 n 0 4
    let get_children b h = Capnp.Builder.get_items b h 3 Capnp.Kind.struct_
  end

  module Value = struct
    type t = tree_value = 
      | Number of int64
      | List of tree_value list
      | Option of tree_value_option option
      | Unrecognized of int

    let decode s = Capnp.Reader.decode read_tree_value s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 2 1 (size_tree_value v) in
      Capnp.Unsafe.Record.finish buf (write_tree_value buf 16 v 40)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 2 1 (size_tree_value v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 2 1 (write_tree_value buf 16 v 40)
      else Capnp.Unsafe.Record.write 2 1 size_tree_value write_tree_value b v
    let default = read_tree_value Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 2 1
    let of_reader = read_tree_value
    let to_builder b h v = Capnp.Unsafe.Record.fill 2 1 size_tree_value write_tree_value b h v
    let size = size_tree_value
    let unsafe_put = write_tree_value

    (** Reading in place. *)
    module R = struct
      type t = tree_value Capnp.Reader.t

      type which =
        | Number
        | List
        | Option
        | Unrecognized of int

      let which m r : which =
        match Capnp.Reader.uint16 m r 8 with
        | 0 -> Number
        | 1 -> List
        | 2 -> Option
        | n -> Unrecognized n

      let[@inline] number m r = Capnp.Reader.int64 m r 0
      let has_list m r = Capnp.Reader.has m r 0
      let[@inline] list m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
      let has_option m r = Capnp.Reader.has m r 0
      let[@inline] option m r = Capnp.Reader.struct_ m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = tree_value Capnp.Builder.struct_

      let set_number b h v = Capnp.Builder.set_uint16 b h 8 0; Capnp.Builder.set_int64 b h 0 v
      let init_list b h n =
        Capnp.Builder.set_uint16 b h 8 1; Capnp.Builder.init_struct_list b h 0 n 2 1
      let get_list b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
      let init_option b h = Capnp.Builder.set_uint16 b h 8 2; Capnp.Builder.init_struct b h 0 1 1
      let get_option b h = Capnp.Any.get_struct b h 0 ~data:1 ~pointers:1
      let copy_option b h m r =
        Capnp.Builder.set_uint16 b h 8 2; Capnp.Any.copy_struct m r b h 0 ~data:1 ~pointers:1
    end

    module Option = struct
      type t = tree_value_option = {
        key : string;
        level : tree_value_option_level;
      }

      let decode s = Capnp.Reader.decode read_tree_value_option s
      let encode v =
        let buf = Capnp.Unsafe.Record.start 1 1 (size_tree_value_option v) in
        Capnp.Unsafe.Record.finish buf (write_tree_value_option buf 16 v 32)
      let write b v =
        let buf = Capnp.Unsafe.Record.restart b 1 1 (size_tree_value_option v) in
        if Bytes.length buf > 0 then
          Capnp.Unsafe.Record.built b buf 1 1 (write_tree_value_option buf 16 v 32)
        else Capnp.Unsafe.Record.write 1 1 size_tree_value_option write_tree_value_option b v
      let default = read_tree_value_option Capnp.Reader.nothing Capnp.Reader.null
      let root m : t Capnp.Reader.t = Capnp.Reader.root m
      let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 1
      let of_reader = read_tree_value_option
      let to_builder b h v =
        Capnp.Unsafe.Record.fill 1 1 size_tree_value_option write_tree_value_option b h v
      let size = size_tree_value_option
      let unsafe_put = write_tree_value_option

      (** Reading in place. *)
      module R = struct
        type t = tree_value_option Capnp.Reader.t

        let has_key m r = Capnp.Reader.has m r 0
        let[@inline] key m r = Capnp.Reader.text m r 0
        let[@inline] level m r = tree_value_option_level_of_int (Capnp.Reader.uint16 m r 0 lxor 0x1)
      end

      (** Building in place. *)
      module B = struct
        type t = tree_value_option Capnp.Builder.struct_

        let set_key b h v = Capnp.Builder.set_text b h 0 v
        let set_level b h v =
          Capnp.Builder.set_uint16 b h 0 ((tree_value_option_level_to_int v) lxor 0x1)
      end

      module Level = struct
        type t = tree_value_option_level =
          | Low
          | High
          | Unrecognized of int

        let of_int = tree_value_option_level_of_int
        let to_int = tree_value_option_level_to_int
        let item m (l : t Capnp.Items.t) i = of_int (Capnp.Items.uint16 m l i)
        let put b (l : t Capnp.Builder.items) i v = Capnp.Builder.put_uint16 b l i (to_int v)
      end
    end
  end
end

module Pair = struct
  type t = pair = {
    first : Capnp.Any.detached;
    second : Capnp.Any.detached;
  }

  let decode s = Capnp.Reader.decode read_pair s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 2 (size_pair v) in
    Capnp.Unsafe.Record.finish buf (write_pair buf 16 v 32)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 2 (size_pair v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 2 (write_pair buf 16 v 32)
    else Capnp.Unsafe.Record.write 0 2 size_pair write_pair b v
  let default = read_pair Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 2
  let of_reader = read_pair
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 2 size_pair write_pair b h v
  let size = size_pair
  let unsafe_put = write_pair

  (** Reading in place. *)
  module R = struct
    type t = pair Capnp.Reader.t

    let has_first m r = Capnp.Reader.has m r 0
    let[@inline] first m r = Capnp.Any.field m r 0
    let has_second m r = Capnp.Reader.has m r 1
    let[@inline] second m r = Capnp.Any.field m r 1
  end

  (** Building in place. *)
  module B = struct
    type t = pair Capnp.Builder.struct_

    let set_first b h v = Capnp.Any.set b h 0 v
    let set_second b h v = Capnp.Any.set b h 1 v
  end

  module Tagged = struct
    type t = pair_tagged = {
      tag : string;
      value : Capnp.Any.detached;
    }

    let decode s = Capnp.Reader.decode read_pair_tagged s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 2 (size_pair_tagged v) in
      Capnp.Unsafe.Record.finish buf (write_pair_tagged buf 16 v 32)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 2 (size_pair_tagged v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 2 (write_pair_tagged buf 16 v 32)
      else Capnp.Unsafe.Record.write 0 2 size_pair_tagged write_pair_tagged b v
    let default = read_pair_tagged Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 2
    let of_reader = read_pair_tagged
    let to_builder b h v = Capnp.Unsafe.Record.fill 0 2 size_pair_tagged write_pair_tagged b h v
    let size = size_pair_tagged
    let unsafe_put = write_pair_tagged

    (** Reading in place. *)
    module R = struct
      type t = pair_tagged Capnp.Reader.t

      let has_tag m r = Capnp.Reader.has m r 0
      let[@inline] tag m r = Capnp.Reader.text m r 0
      let has_value m r = Capnp.Reader.has m r 1
      let[@inline] value m r = Capnp.Any.field m r 1
    end

    (** Building in place. *)
    module B = struct
      type t = pair_tagged Capnp.Builder.struct_

      let set_tag b h v = Capnp.Builder.set_text b h 0 v
      let set_value b h v = Capnp.Any.set b h 1 v
    end
  end
end

module Pairs = struct
  type t = pairs = {
    names : pair option;
    many : pair list;
    tagged : pair_tagged option;
  }

  let decode s = Capnp.Reader.decode read_pairs s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 3 (size_pairs v) in
    Capnp.Unsafe.Record.finish buf (write_pairs buf 16 v 40)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 3 (size_pairs v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 3 (write_pairs buf 16 v 40)
    else Capnp.Unsafe.Record.write 0 3 size_pairs write_pairs b v
  let default = read_pairs Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 3
  let of_reader = read_pairs
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 3 size_pairs write_pairs b h v
  let size = size_pairs
  let unsafe_put = write_pairs

  (** Reading in place. *)
  module R = struct
    type t = pairs Capnp.Reader.t

    let has_names m r = Capnp.Reader.has m r 0
    let[@inline] names m r = Capnp.Reader.struct_ m r 0
    let has_many m r = Capnp.Reader.has m r 1
    let[@inline] many m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
    let has_tagged m r = Capnp.Reader.has m r 2
    let[@inline] tagged m r = Capnp.Reader.struct_ m r 2
  end

  (** Building in place. *)
  module B = struct
    type t = pairs Capnp.Builder.struct_

    let init_names b h = Capnp.Builder.init_struct b h 0 0 2
    let get_names b h = Capnp.Any.get_struct b h 0 ~data:0 ~pointers:2
    let copy_names b h m r = Capnp.Any.copy_struct m r b h 0 ~data:0 ~pointers:2
    let init_many b h n = Capnp.Builder.init_struct_list b h 1 n 0 2
    let get_many b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
    let init_tagged b h = Capnp.Builder.init_struct b h 2 0 2
    let get_tagged b h = Capnp.Any.get_struct b h 2 ~data:0 ~pointers:2
    let copy_tagged b h m r = Capnp.Any.copy_struct m r b h 2 ~data:0 ~pointers:2
  end
end

module Calculator = struct
  (* An interface: its calls are not supported, its capabilities are indexes. *)
  let interface_id = 0xa240a8df6aed1439L
  let methods = [ "add"; "child"; "reset" ]

  module Add_params = struct
    type t = calculator_add_params = {
      left : int;
      right : int;
    }

    let decode s = Capnp.Reader.decode read_calculator_add_params s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 1 0 (size_calculator_add_params v) in
      Capnp.Unsafe.Record.finish buf (write_calculator_add_params buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 1 0 (size_calculator_add_params v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 1 0 (write_calculator_add_params buf 16 v 24)
      else Capnp.Unsafe.Record.write 1 0 size_calculator_add_params write_calculator_add_params b v
    let default = read_calculator_add_params Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 0
    let of_reader = read_calculator_add_params
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 1 0 size_calculator_add_params write_calculator_add_params b h v
    let size = size_calculator_add_params
    let unsafe_put = write_calculator_add_params

    (** Reading in place. *)
    module R = struct
      type t = calculator_add_params Capnp.Reader.t

      let[@inline] left m r = Capnp.Reader.int32 m r 0
      let[@inline] right m r = Capnp.Reader.int32 m r 4
    end

    (** Building in place. *)
    module B = struct
      type t = calculator_add_params Capnp.Builder.struct_

      let set_left b h v = Capnp.Builder.set_uint32 b h 0 v
      let set_right b h v = Capnp.Builder.set_uint32 b h 4 v
    end
  end

  module Add_results = struct
    type t = calculator_add_results = {
      sum : int;
    }

    let decode s = Capnp.Reader.decode read_calculator_add_results s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 1 0 (size_calculator_add_results v) in
      Capnp.Unsafe.Record.finish buf (write_calculator_add_results buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 1 0 (size_calculator_add_results v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 1 0 (write_calculator_add_results buf 16 v 24)
      else Capnp.Unsafe.Record.write 1 0 size_calculator_add_results write_calculator_add_results b
        v
    let default = read_calculator_add_results Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 0
    let of_reader = read_calculator_add_results
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 1 0 size_calculator_add_results write_calculator_add_results b h v
    let size = size_calculator_add_results
    let unsafe_put = write_calculator_add_results

    (** Reading in place. *)
    module R = struct
      type t = calculator_add_results Capnp.Reader.t

      let[@inline] sum m r = Capnp.Reader.int32 m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = calculator_add_results Capnp.Builder.struct_

      let set_sum b h v = Capnp.Builder.set_uint32 b h 0 v
    end
  end

  module Child_params = struct
    type t = calculator_child_params = {
      seed : Capnp.Any.detached;
    }

    let decode s = Capnp.Reader.decode read_calculator_child_params s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 1 (size_calculator_child_params v) in
      Capnp.Unsafe.Record.finish buf (write_calculator_child_params buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 1 (size_calculator_child_params v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 1 (write_calculator_child_params buf 16 v 24)
      else Capnp.Unsafe.Record.write 0 1 size_calculator_child_params write_calculator_child_params
        b v
    let default = read_calculator_child_params Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
    let of_reader = read_calculator_child_params
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 0 1 size_calculator_child_params write_calculator_child_params b h v
    let size = size_calculator_child_params
    let unsafe_put = write_calculator_child_params

    (** Reading in place. *)
    module R = struct
      type t = calculator_child_params Capnp.Reader.t

      let has_seed m r = Capnp.Reader.has m r 0
      let[@inline] seed m r = Capnp.Any.field m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = calculator_child_params Capnp.Builder.struct_

      let set_seed b h v = Capnp.Any.set b h 0 v
    end
  end

  module Child_results = struct
    type t = calculator_child_results = {
      result : int option;
    }

    let decode s = Capnp.Reader.decode read_calculator_child_results s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 1 (size_calculator_child_results v) in
      Capnp.Unsafe.Record.finish buf (write_calculator_child_results buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 1 (size_calculator_child_results v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 1 (write_calculator_child_results buf 16 v 24)
      else Capnp.Unsafe.Record.write 0 1 size_calculator_child_results
        write_calculator_child_results b v
    let default = read_calculator_child_results Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
    let of_reader = read_calculator_child_results
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 0 1 size_calculator_child_results write_calculator_child_results b h
        v
    let size = size_calculator_child_results
    let unsafe_put = write_calculator_child_results

    (** Reading in place. *)
    module R = struct
      type t = calculator_child_results Capnp.Reader.t

      let has_result m r = Capnp.Reader.has m r 0
      let[@inline] result m r = Capnp.Reader.capability m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = calculator_child_results Capnp.Builder.struct_

      let set_result b h v = Capnp.Builder.set_capability b h 0 v
    end
  end

  module Reset_params = struct
    type t = calculator_reset_params

    let decode s = Capnp.Reader.decode read_calculator_reset_params s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 0 (size_calculator_reset_params v) in
      Capnp.Unsafe.Record.finish buf (write_calculator_reset_params buf 16 v 16)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 0 (size_calculator_reset_params v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 0 (write_calculator_reset_params buf 16 v 16)
      else Capnp.Unsafe.Record.write 0 0 size_calculator_reset_params write_calculator_reset_params
        b v
    let default = read_calculator_reset_params Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 0
    let of_reader = read_calculator_reset_params
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 0 0 size_calculator_reset_params write_calculator_reset_params b h v
    let size = size_calculator_reset_params
    let unsafe_put = write_calculator_reset_params

    (** Reading in place. *)
    module R = struct
      type t = calculator_reset_params Capnp.Reader.t

    end

    (** Building in place. *)
    module B = struct
      type t = calculator_reset_params Capnp.Builder.struct_

    end
  end

  module Reset_results = struct
    type t = calculator_reset_results

    let decode s = Capnp.Reader.decode read_calculator_reset_results s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 0 (size_calculator_reset_results v) in
      Capnp.Unsafe.Record.finish buf (write_calculator_reset_results buf 16 v 16)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 0 (size_calculator_reset_results v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 0 (write_calculator_reset_results buf 16 v 16)
      else Capnp.Unsafe.Record.write 0 0 size_calculator_reset_results
        write_calculator_reset_results b v
    let default = read_calculator_reset_results Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 0
    let of_reader = read_calculator_reset_results
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 0 0 size_calculator_reset_results write_calculator_reset_results b h
        v
    let size = size_calculator_reset_results
    let unsafe_put = write_calculator_reset_results

    (** Reading in place. *)
    module R = struct
      type t = calculator_reset_results Capnp.Reader.t

    end

    (** Building in place. *)
    module B = struct
      type t = calculator_reset_results Capnp.Builder.struct_

    end
  end
end

module Named = struct
  (* An interface: its calls are not supported, its capabilities are indexes. *)
  let interface_id = 0xfa91b56d08b16fc6L
  let methods = [ "name" ]

  module Name_params = struct
    type t = named_name_params

    let decode s = Capnp.Reader.decode read_named_name_params s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 0 (size_named_name_params v) in
      Capnp.Unsafe.Record.finish buf (write_named_name_params buf 16 v 16)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 0 (size_named_name_params v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 0 (write_named_name_params buf 16 v 16)
      else Capnp.Unsafe.Record.write 0 0 size_named_name_params write_named_name_params b v
    let default = read_named_name_params Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 0
    let of_reader = read_named_name_params
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 0 0 size_named_name_params write_named_name_params b h v
    let size = size_named_name_params
    let unsafe_put = write_named_name_params

    (** Reading in place. *)
    module R = struct
      type t = named_name_params Capnp.Reader.t

    end

    (** Building in place. *)
    module B = struct
      type t = named_name_params Capnp.Builder.struct_

    end
  end

  module Name_results = struct
    type t = named_name_results = {
      name : string;
    }

    let decode s = Capnp.Reader.decode read_named_name_results s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 1 (size_named_name_results v) in
      Capnp.Unsafe.Record.finish buf (write_named_name_results buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 1 (size_named_name_results v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 1 (write_named_name_results buf 16 v 24)
      else Capnp.Unsafe.Record.write 0 1 size_named_name_results write_named_name_results b v
    let default = read_named_name_results Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
    let of_reader = read_named_name_results
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 0 1 size_named_name_results write_named_name_results b h v
    let size = size_named_name_results
    let unsafe_put = write_named_name_results

    (** Reading in place. *)
    module R = struct
      type t = named_name_results Capnp.Reader.t

      let has_name m r = Capnp.Reader.has m r 0
      let[@inline] name m r = Capnp.Reader.text m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = named_name_results Capnp.Builder.struct_

      let set_name b h v = Capnp.Builder.set_text b h 0 v
    end
  end
end

module Handles = struct
  type t = handles = {
    one : int option;
    many : int option list;
  }

  let decode s = Capnp.Reader.decode read_handles s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 2 (size_handles v) in
    Capnp.Unsafe.Record.finish buf (write_handles buf 16 v 32)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 2 (size_handles v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 2 (write_handles buf 16 v 32)
    else Capnp.Unsafe.Record.write 0 2 size_handles write_handles b v
  let default = read_handles Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 2
  let of_reader = read_handles
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 2 size_handles write_handles b h v
  let size = size_handles
  let unsafe_put = write_handles

  (** Reading in place. *)
  module R = struct
    type t = handles Capnp.Reader.t

    let has_one m r = Capnp.Reader.has m r 0
    let[@inline] one m r = Capnp.Reader.capability m r 0
    let has_many m r = Capnp.Reader.has m r 1
    let[@inline] many m r = Capnp.Reader.list m r 1 Capnp.Kind.pointer
  end

  (** Building in place. *)
  module B = struct
    type t = handles Capnp.Builder.struct_

    let set_one b h v = Capnp.Builder.set_capability b h 0 v
    let init_many b h n = Capnp.Builder.init_list b h 1 Capnp.Kind.pointer n
    let get_many b h = Capnp.Builder.get_items b h 1 Capnp.Kind.pointer
  end
end

let pi = Capnp.Reader.float_of_bits 0x400921f9f01b866eL

let most = -1L

let low = (-128)

let greeting = "bonjour"

let raw = "\222\173"

let shade = Shapes_capnp.Colour.of_int 2

let home = Shapes_capnp.Point.of_reader default_6 (Capnp.Reader.root default_6)

let primes =
  Capnp.Items.uint16s default_7
    (Capnp.Any.list default_7 (Capnp.Any.root default_7) Capnp.Kind.two_bytes)

let sample = read_shape default_8 (Capnp.Reader.root default_8)
