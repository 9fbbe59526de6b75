(* Made by capnpc-weir from kinds.capnp; do not edit. *)

(** One of everything that a schema may hold. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

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

(** A struct with "a quoted word", a (brace) and ( * a comment. *)
module Kinds : sig
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
        (** A keyword of OCaml. *)
    empty : empty option;
    empties : empty list;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = kinds Capnp.Reader.t

    val nothing : Capnp.Message.t -> t -> unit
    val flag : Capnp.Message.t -> t -> bool
    val tiny : Capnp.Message.t -> t -> int
    val short : Capnp.Message.t -> t -> int
    val word : Capnp.Message.t -> t -> int
    val long : Capnp.Message.t -> t -> int64
    val byte : Capnp.Message.t -> t -> int
    val half : Capnp.Message.t -> t -> int
    val unsigned : Capnp.Message.t -> t -> int
    val wide : Capnp.Message.t -> t -> int64
    val single : Capnp.Message.t -> t -> float
    val double : Capnp.Message.t -> t -> float
    val has_text : Capnp.Message.t -> t -> bool
    val text : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_data : Capnp.Message.t -> t -> bool
    val data : Capnp.Message.t -> t -> Capnp.Blob.t
    val colour : Capnp.Message.t -> t -> Shapes_capnp.colour
    val has_point : Capnp.Message.t -> t -> bool
    val point : Capnp.Message.t -> t -> Shapes_capnp.point Capnp.Reader.t
    val has_anything : Capnp.Message.t -> t -> bool
    val anything : Capnp.Message.t -> t -> Capnp.Any.t
    val has_voids : Capnp.Message.t -> t -> bool
    val voids : Capnp.Message.t -> t -> [ `Void ] Capnp.Items.t
    val has_flags : Capnp.Message.t -> t -> bool
    val flags : Capnp.Message.t -> t -> [ `Bool ] Capnp.Items.t
    val has_tinies : Capnp.Message.t -> t -> bool
    val tinies : Capnp.Message.t -> t -> [ `Int8 ] Capnp.Items.t
    val has_shorts : Capnp.Message.t -> t -> bool
    val shorts : Capnp.Message.t -> t -> [ `Int16 ] Capnp.Items.t
    val has_words : Capnp.Message.t -> t -> bool
    val words : Capnp.Message.t -> t -> [ `Int32 ] Capnp.Items.t
    val has_longs : Capnp.Message.t -> t -> bool
    val longs : Capnp.Message.t -> t -> [ `Int64 ] Capnp.Items.t
    val has_bytes : Capnp.Message.t -> t -> bool
    val bytes : Capnp.Message.t -> t -> [ `Uint8 ] Capnp.Items.t
    val has_halves : Capnp.Message.t -> t -> bool
    val halves : Capnp.Message.t -> t -> [ `Uint16 ] Capnp.Items.t
    val has_unsigneds : Capnp.Message.t -> t -> bool
    val unsigneds : Capnp.Message.t -> t -> [ `Uint32 ] Capnp.Items.t
    val has_wides : Capnp.Message.t -> t -> bool
    val wides : Capnp.Message.t -> t -> [ `Uint64 ] Capnp.Items.t
    val has_singles : Capnp.Message.t -> t -> bool
    val singles : Capnp.Message.t -> t -> [ `Float32 ] Capnp.Items.t
    val has_doubles : Capnp.Message.t -> t -> bool
    val doubles : Capnp.Message.t -> t -> [ `Float64 ] Capnp.Items.t
    val has_texts : Capnp.Message.t -> t -> bool
    val texts : Capnp.Message.t -> t -> [ `Text ] Capnp.Items.t
    val has_datas : Capnp.Message.t -> t -> bool
    val datas : Capnp.Message.t -> t -> [ `Data ] Capnp.Items.t
    val has_colours : Capnp.Message.t -> t -> bool
    val colours : Capnp.Message.t -> t -> Shapes_capnp.colour Capnp.Items.t
    val has_points : Capnp.Message.t -> t -> bool
    val points : Capnp.Message.t -> t -> Shapes_capnp.point Capnp.Items.t
    val has_matrix : Capnp.Message.t -> t -> bool
    val matrix : Capnp.Message.t -> t -> [ `Int16 ] Capnp.Items.t Capnp.Items.t
    val has_grids : Capnp.Message.t -> t -> bool
    val grids : Capnp.Message.t -> t -> Shapes_capnp.point Capnp.Items.t Capnp.Items.t Capnp.Items.t
    val has_end_ : Capnp.Message.t -> t -> bool
    val end_ : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_empty : Capnp.Message.t -> t -> bool
    val empty : Capnp.Message.t -> t -> empty Capnp.Reader.t
    val has_empties : Capnp.Message.t -> t -> bool
    val empties : Capnp.Message.t -> t -> empty Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = kinds Capnp.Builder.struct_

    val set_flag : Capnp.Builder.t -> t -> bool -> unit
    val set_tiny : Capnp.Builder.t -> t -> int -> unit
    val set_short : Capnp.Builder.t -> t -> int -> unit
    val set_word : Capnp.Builder.t -> t -> int -> unit
    val set_long : Capnp.Builder.t -> t -> int64 -> unit
    val set_byte : Capnp.Builder.t -> t -> int -> unit
    val set_half : Capnp.Builder.t -> t -> int -> unit
    val set_unsigned : Capnp.Builder.t -> t -> int -> unit
    val set_wide : Capnp.Builder.t -> t -> int64 -> unit
    val set_single : Capnp.Builder.t -> t -> float -> unit
    val set_double : Capnp.Builder.t -> t -> float -> unit
    val set_text : Capnp.Builder.t -> t -> string -> unit
    val set_data : Capnp.Builder.t -> t -> string -> unit
    val set_colour : Capnp.Builder.t -> t -> Shapes_capnp.colour -> unit
    val init_point : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.struct_
    val get_point : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.struct_ option
    val copy_point : Capnp.Builder.t -> t -> Capnp.Message.t ->
      Shapes_capnp.point Capnp.Reader.t -> unit
    val set_anything : Capnp.Builder.t -> t -> Capnp.Any.detached -> unit
    val init_voids : Capnp.Builder.t -> t -> int -> [ `Void ] Capnp.Builder.items
    val get_voids : Capnp.Builder.t -> t -> [ `Void ] Capnp.Builder.items option
    val init_flags : Capnp.Builder.t -> t -> int -> [ `Bool ] Capnp.Builder.items
    val get_flags : Capnp.Builder.t -> t -> [ `Bool ] Capnp.Builder.items option
    val init_tinies : Capnp.Builder.t -> t -> int -> [ `Int8 ] Capnp.Builder.items
    val get_tinies : Capnp.Builder.t -> t -> [ `Int8 ] Capnp.Builder.items option
    val init_shorts : Capnp.Builder.t -> t -> int -> [ `Int16 ] Capnp.Builder.items
    val get_shorts : Capnp.Builder.t -> t -> [ `Int16 ] Capnp.Builder.items option
    val init_words : Capnp.Builder.t -> t -> int -> [ `Int32 ] Capnp.Builder.items
    val get_words : Capnp.Builder.t -> t -> [ `Int32 ] Capnp.Builder.items option
    val init_longs : Capnp.Builder.t -> t -> int -> [ `Int64 ] Capnp.Builder.items
    val get_longs : Capnp.Builder.t -> t -> [ `Int64 ] Capnp.Builder.items option
    val init_bytes : Capnp.Builder.t -> t -> int -> [ `Uint8 ] Capnp.Builder.items
    val get_bytes : Capnp.Builder.t -> t -> [ `Uint8 ] Capnp.Builder.items option
    val init_halves : Capnp.Builder.t -> t -> int -> [ `Uint16 ] Capnp.Builder.items
    val get_halves : Capnp.Builder.t -> t -> [ `Uint16 ] Capnp.Builder.items option
    val init_unsigneds : Capnp.Builder.t -> t -> int -> [ `Uint32 ] Capnp.Builder.items
    val get_unsigneds : Capnp.Builder.t -> t -> [ `Uint32 ] Capnp.Builder.items option
    val init_wides : Capnp.Builder.t -> t -> int -> [ `Uint64 ] Capnp.Builder.items
    val get_wides : Capnp.Builder.t -> t -> [ `Uint64 ] Capnp.Builder.items option
    val init_singles : Capnp.Builder.t -> t -> int -> [ `Float32 ] Capnp.Builder.items
    val get_singles : Capnp.Builder.t -> t -> [ `Float32 ] Capnp.Builder.items option
    val init_doubles : Capnp.Builder.t -> t -> int -> [ `Float64 ] Capnp.Builder.items
    val get_doubles : Capnp.Builder.t -> t -> [ `Float64 ] Capnp.Builder.items option
    val init_texts : Capnp.Builder.t -> t -> int -> [ `Text ] Capnp.Builder.items
    val get_texts : Capnp.Builder.t -> t -> [ `Text ] Capnp.Builder.items option
    val init_datas : Capnp.Builder.t -> t -> int -> [ `Data ] Capnp.Builder.items
    val get_datas : Capnp.Builder.t -> t -> [ `Data ] Capnp.Builder.items option
    val init_colours : Capnp.Builder.t -> t -> int -> Shapes_capnp.colour Capnp.Builder.items
    val get_colours : Capnp.Builder.t -> t -> Shapes_capnp.colour Capnp.Builder.items option
    val init_points : Capnp.Builder.t -> t -> int -> Shapes_capnp.point Capnp.Builder.items
    val get_points : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.items option
    val init_matrix : Capnp.Builder.t -> t -> int -> [ `Int16 ] Capnp.Items.t Capnp.Builder.items
    val get_matrix : Capnp.Builder.t -> t -> [ `Int16 ] Capnp.Items.t Capnp.Builder.items option
    val init_grids : Capnp.Builder.t -> t -> int ->
      Shapes_capnp.point Capnp.Items.t Capnp.Items.t Capnp.Builder.items
    val get_grids : Capnp.Builder.t -> t ->
      Shapes_capnp.point Capnp.Items.t Capnp.Items.t Capnp.Builder.items option
    val set_end_ : Capnp.Builder.t -> t -> string -> unit
    val init_empty : Capnp.Builder.t -> t -> empty Capnp.Builder.struct_
    val get_empty : Capnp.Builder.t -> t -> empty Capnp.Builder.struct_ option
    val copy_empty : Capnp.Builder.t -> t -> Capnp.Message.t -> empty Capnp.Reader.t -> unit
    val init_empties : Capnp.Builder.t -> t -> int -> empty Capnp.Builder.items
    val get_empties : Capnp.Builder.t -> t -> empty Capnp.Builder.items option
  end
end

module Empty : sig
  type t = empty

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = empty Capnp.Reader.t

  end

  (** Building in place. *)
  module B : sig
    type t = empty Capnp.Builder.struct_

  end
end

module Field16 : sig
  type t = field16 = {
    value : int;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = field16 Capnp.Reader.t

    val value : Capnp.Message.t -> t -> int
  end

  (** Building in place. *)
  module B : sig
    type t = field16 Capnp.Builder.struct_

    val set_value : Capnp.Builder.t -> t -> int -> unit
  end
end

module Label : sig
  type t = label = {
    text : string;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = label Capnp.Reader.t

    val has_text : Capnp.Message.t -> t -> bool
    val text : Capnp.Message.t -> t -> Capnp.Blob.t
  end

  (** Building in place. *)
  module B : sig
    type t = label Capnp.Builder.struct_

    val set_text : Capnp.Builder.t -> t -> string -> unit
  end
end

module Defaults : sig
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

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = defaults Capnp.Reader.t

    val flag : Capnp.Message.t -> t -> bool
    val tiny : Capnp.Message.t -> t -> int
    val short : Capnp.Message.t -> t -> int
    val word : Capnp.Message.t -> t -> int
    val long : Capnp.Message.t -> t -> int64
    val byte : Capnp.Message.t -> t -> int
    val half : Capnp.Message.t -> t -> int
    val unsigned : Capnp.Message.t -> t -> int
    val wide : Capnp.Message.t -> t -> int64
    val single : Capnp.Message.t -> t -> float
    val double : Capnp.Message.t -> t -> float
    val has_text : Capnp.Message.t -> t -> bool
    val text : Capnp.Message.t -> t -> Capnp.Message.t * Capnp.Blob.t
    val has_data : Capnp.Message.t -> t -> bool
    val data : Capnp.Message.t -> t -> Capnp.Message.t * Capnp.Blob.t
    val colour : Capnp.Message.t -> t -> Shapes_capnp.colour
    val has_point : Capnp.Message.t -> t -> bool
    val point : Capnp.Message.t -> t -> Capnp.Message.t * Shapes_capnp.point Capnp.Reader.t
    val has_words : Capnp.Message.t -> t -> bool
    val words : Capnp.Message.t -> t -> Capnp.Message.t * [ `Int32 ] Capnp.Items.t
    val has_points : Capnp.Message.t -> t -> bool
    val points : Capnp.Message.t -> t -> Capnp.Message.t * Shapes_capnp.point Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = defaults Capnp.Builder.struct_

    val set_flag : Capnp.Builder.t -> t -> bool -> unit
    val set_tiny : Capnp.Builder.t -> t -> int -> unit
    val set_short : Capnp.Builder.t -> t -> int -> unit
    val set_word : Capnp.Builder.t -> t -> int -> unit
    val set_long : Capnp.Builder.t -> t -> int64 -> unit
    val set_byte : Capnp.Builder.t -> t -> int -> unit
    val set_half : Capnp.Builder.t -> t -> int -> unit
    val set_unsigned : Capnp.Builder.t -> t -> int -> unit
    val set_wide : Capnp.Builder.t -> t -> int64 -> unit
    val set_single : Capnp.Builder.t -> t -> float -> unit
    val set_double : Capnp.Builder.t -> t -> float -> unit
    val set_text : Capnp.Builder.t -> t -> string -> unit
    val set_data : Capnp.Builder.t -> t -> string -> unit
    val set_colour : Capnp.Builder.t -> t -> Shapes_capnp.colour -> unit
    val init_point : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.struct_
    val get_point : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.struct_ option
    val copy_point : Capnp.Builder.t -> t -> Capnp.Message.t ->
      Shapes_capnp.point Capnp.Reader.t -> unit
    val init_words : Capnp.Builder.t -> t -> int -> [ `Int32 ] Capnp.Builder.items
    val get_words : Capnp.Builder.t -> t -> [ `Int32 ] Capnp.Builder.items option
    val init_points : Capnp.Builder.t -> t -> int -> Shapes_capnp.point Capnp.Builder.items
    val get_points : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.items option
  end
end

module Shape : sig
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

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
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

    val which : Capnp.Message.t -> t -> which
    val area : Capnp.Message.t -> t -> float
    val circle : Capnp.Message.t -> t -> float
    val square : Capnp.Message.t -> t -> float
    val has_polygon : Capnp.Message.t -> t -> bool
    val polygon : Capnp.Message.t -> t -> Shapes_capnp.point Capnp.Items.t
    val has_named : Capnp.Message.t -> t -> bool
    val named : Capnp.Message.t -> t -> Capnp.Blob.t
    val nothing : Capnp.Message.t -> t -> unit
    val box : Capnp.Message.t -> t -> shape_box Capnp.Reader.t
    val has_inner : Capnp.Message.t -> t -> bool
    val inner : Capnp.Message.t -> t -> shape Capnp.Reader.t
    val label : Capnp.Message.t -> t -> shape_label Capnp.Reader.t
    val state : Capnp.Message.t -> t -> shape_state Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = shape Capnp.Builder.struct_

    val set_area : Capnp.Builder.t -> t -> float -> unit
    val set_circle : Capnp.Builder.t -> t -> float -> unit
    val set_square : Capnp.Builder.t -> t -> float -> unit
    val init_polygon : Capnp.Builder.t -> t -> int -> Shapes_capnp.point Capnp.Builder.items
    val get_polygon : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.items option
    val set_named : Capnp.Builder.t -> t -> string -> unit
    val set_nothing : Capnp.Builder.t -> t -> unit
    val init_box : Capnp.Builder.t -> t -> shape_box Capnp.Builder.struct_
    val init_inner : Capnp.Builder.t -> t -> shape Capnp.Builder.struct_
    val get_inner : Capnp.Builder.t -> t -> shape Capnp.Builder.struct_ option
    val copy_inner : Capnp.Builder.t -> t -> Capnp.Message.t -> shape Capnp.Reader.t -> unit
    val label : Capnp.Builder.t -> t -> shape_label Capnp.Builder.struct_
    val state : Capnp.Builder.t -> t -> shape_state Capnp.Builder.struct_
  end

  module Box : sig
    type t = shape_box = {
      width : int;
      height : int;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = shape_box Capnp.Reader.t

      val width : Capnp.Message.t -> t -> int
      val height : Capnp.Message.t -> t -> int
    end

    (** Building in place. *)
    module B : sig
      type t = shape_box Capnp.Builder.struct_

      val set_width : Capnp.Builder.t -> t -> int -> unit
      val set_height : Capnp.Builder.t -> t -> int -> unit
    end
  end

  module Label : sig
    type t = shape_label = {
      text : string;
      colour : Shapes_capnp.colour;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = shape_label Capnp.Reader.t

      val has_text : Capnp.Message.t -> t -> bool
      val text : Capnp.Message.t -> t -> Capnp.Blob.t
      val colour : Capnp.Message.t -> t -> Shapes_capnp.colour
    end

    (** Building in place. *)
    module B : sig
      type t = shape_label Capnp.Builder.struct_

      val set_text : Capnp.Builder.t -> t -> string -> unit
      val set_colour : Capnp.Builder.t -> t -> Shapes_capnp.colour -> unit
    end
  end

  module State : sig
    type t = shape_state = 
      | Off
      | On of int
      | Unrecognized of int

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = shape_state Capnp.Reader.t

      type which =
        | Off
        | On
        | Unrecognized of int

      val which : Capnp.Message.t -> t -> which
      val off : Capnp.Message.t -> t -> unit
      val on : Capnp.Message.t -> t -> int
    end

    (** Building in place. *)
    module B : sig
      type t = shape_state Capnp.Builder.struct_

      val set_off : Capnp.Builder.t -> t -> unit
      val set_on : Capnp.Builder.t -> t -> int -> unit
    end
  end
end

(** Recursive, with nested types of its own. *)
module Tree : sig
  type t = tree = {
    value : tree_value option;
    left : tree option;
    right : tree option;
    children : tree list;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = tree Capnp.Reader.t

    val has_value : Capnp.Message.t -> t -> bool
    val value : Capnp.Message.t -> t -> tree_value Capnp.Reader.t
    val has_left : Capnp.Message.t -> t -> bool
    val left : Capnp.Message.t -> t -> tree Capnp.Reader.t
    val has_right : Capnp.Message.t -> t -> bool
    val right : Capnp.Message.t -> t -> tree Capnp.Reader.t
    val has_children : Capnp.Message.t -> t -> bool
    val children : Capnp.Message.t -> t -> tree Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = tree Capnp.Builder.struct_

    val init_value : Capnp.Builder.t -> t -> tree_value Capnp.Builder.struct_
    val get_value : Capnp.Builder.t -> t -> tree_value Capnp.Builder.struct_ option
    val copy_value : Capnp.Builder.t -> t -> Capnp.Message.t -> tree_value Capnp.Reader.t -> unit
    val init_left : Capnp.Builder.t -> t -> tree Capnp.Builder.struct_
    val get_left : Capnp.Builder.t -> t -> tree Capnp.Builder.struct_ option
    val copy_left : Capnp.Builder.t -> t -> Capnp.Message.t -> tree Capnp.Reader.t -> unit
    val init_right : Capnp.Builder.t -> t -> tree Capnp.Builder.struct_
    val get_right : Capnp.Builder.t -> t -> tree Capnp.Builder.struct_ option
    val copy_right : Capnp.Builder.t -> t -> Capnp.Message.t -> tree Capnp.Reader.t -> unit
    val init_children : Capnp.Builder.t -> t -> int -> tree Capnp.Builder.items
    val get_children : Capnp.Builder.t -> t -> tree Capnp.Builder.items option
  end

  module Value : sig
    type t = tree_value = 
      | Number of int64
      | List of tree_value list
      | Option of tree_value_option option
      | Unrecognized of int

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = tree_value Capnp.Reader.t

      type which =
        | Number
        | List
        | Option
        | Unrecognized of int

      val which : Capnp.Message.t -> t -> which
      val number : Capnp.Message.t -> t -> int64
      val has_list : Capnp.Message.t -> t -> bool
      val list : Capnp.Message.t -> t -> tree_value Capnp.Items.t
      val has_option : Capnp.Message.t -> t -> bool
      val option : Capnp.Message.t -> t -> tree_value_option Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = tree_value Capnp.Builder.struct_

      val set_number : Capnp.Builder.t -> t -> int64 -> unit
      val init_list : Capnp.Builder.t -> t -> int -> tree_value Capnp.Builder.items
      val get_list : Capnp.Builder.t -> t -> tree_value Capnp.Builder.items option
      val init_option : Capnp.Builder.t -> t -> tree_value_option Capnp.Builder.struct_
      val get_option : Capnp.Builder.t -> t -> tree_value_option Capnp.Builder.struct_ option
      val copy_option : Capnp.Builder.t -> t -> Capnp.Message.t ->
        tree_value_option Capnp.Reader.t -> unit
    end

    module Option : sig
      type t = tree_value_option = {
        key : string;
        level : tree_value_option_level;
      }

      val decode : string -> (t, Capnp.Message.error) result
      val encode : t -> string
      val write : Capnp.Builder.t -> t -> unit
      val default : t
      val root : Capnp.Message.t -> t Capnp.Reader.t
      val init : Capnp.Builder.t -> t Capnp.Builder.struct_
      val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
      val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

      (**/**)

      val size : t -> int
      val unsafe_put : Bytes.t -> int -> t -> int -> int

      (**/**)

      (** Reading in place. *)
      module R : sig
        type t = tree_value_option Capnp.Reader.t

        val has_key : Capnp.Message.t -> t -> bool
        val key : Capnp.Message.t -> t -> Capnp.Blob.t
        val level : Capnp.Message.t -> t -> tree_value_option_level
      end

      (** Building in place. *)
      module B : sig
        type t = tree_value_option Capnp.Builder.struct_

        val set_key : Capnp.Builder.t -> t -> string -> unit
        val set_level : Capnp.Builder.t -> t -> tree_value_option_level -> unit
      end

      module Level : sig
        type t = tree_value_option_level =
          | Low
          | High
          | Unrecognized of int

        val of_int : int -> t
        val to_int : t -> int
        val item : Capnp.Message.t -> t Capnp.Items.t -> int -> t
        val put : Capnp.Builder.t -> t Capnp.Builder.items -> int -> t -> unit
      end
    end
  end
end

module Pair : sig
  type t = pair = {
    first : Capnp.Any.detached;
    second : Capnp.Any.detached;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = pair Capnp.Reader.t

    val has_first : Capnp.Message.t -> t -> bool
    val first : Capnp.Message.t -> t -> Capnp.Any.t
    val has_second : Capnp.Message.t -> t -> bool
    val second : Capnp.Message.t -> t -> Capnp.Any.t
  end

  (** Building in place. *)
  module B : sig
    type t = pair Capnp.Builder.struct_

    val set_first : Capnp.Builder.t -> t -> Capnp.Any.detached -> unit
    val set_second : Capnp.Builder.t -> t -> Capnp.Any.detached -> unit
  end

  module Tagged : sig
    type t = pair_tagged = {
      tag : string;
      value : Capnp.Any.detached;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = pair_tagged Capnp.Reader.t

      val has_tag : Capnp.Message.t -> t -> bool
      val tag : Capnp.Message.t -> t -> Capnp.Blob.t
      val has_value : Capnp.Message.t -> t -> bool
      val value : Capnp.Message.t -> t -> Capnp.Any.t
    end

    (** Building in place. *)
    module B : sig
      type t = pair_tagged Capnp.Builder.struct_

      val set_tag : Capnp.Builder.t -> t -> string -> unit
      val set_value : Capnp.Builder.t -> t -> Capnp.Any.detached -> unit
    end
  end
end

module Pairs : sig
  type t = pairs = {
    names : pair option;
    many : pair list;
    tagged : pair_tagged option;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = pairs Capnp.Reader.t

    val has_names : Capnp.Message.t -> t -> bool
    val names : Capnp.Message.t -> t -> pair Capnp.Reader.t
    val has_many : Capnp.Message.t -> t -> bool
    val many : Capnp.Message.t -> t -> pair Capnp.Items.t
    val has_tagged : Capnp.Message.t -> t -> bool
    val tagged : Capnp.Message.t -> t -> pair_tagged Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = pairs Capnp.Builder.struct_

    val init_names : Capnp.Builder.t -> t -> pair Capnp.Builder.struct_
    val get_names : Capnp.Builder.t -> t -> pair Capnp.Builder.struct_ option
    val copy_names : Capnp.Builder.t -> t -> Capnp.Message.t -> pair Capnp.Reader.t -> unit
    val init_many : Capnp.Builder.t -> t -> int -> pair Capnp.Builder.items
    val get_many : Capnp.Builder.t -> t -> pair Capnp.Builder.items option
    val init_tagged : Capnp.Builder.t -> t -> pair_tagged Capnp.Builder.struct_
    val get_tagged : Capnp.Builder.t -> t -> pair_tagged Capnp.Builder.struct_ option
    val copy_tagged : Capnp.Builder.t -> t -> Capnp.Message.t -> pair_tagged Capnp.Reader.t -> unit
  end
end

module Calculator : sig
  (* An interface: its calls are not supported, its capabilities are indexes. *)
  val interface_id : int64
  val methods : string list

  module Add_params : sig
    type t = calculator_add_params = {
      left : int;
      right : int;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = calculator_add_params Capnp.Reader.t

      val left : Capnp.Message.t -> t -> int
      val right : Capnp.Message.t -> t -> int
    end

    (** Building in place. *)
    module B : sig
      type t = calculator_add_params Capnp.Builder.struct_

      val set_left : Capnp.Builder.t -> t -> int -> unit
      val set_right : Capnp.Builder.t -> t -> int -> unit
    end
  end

  module Add_results : sig
    type t = calculator_add_results = {
      sum : int;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = calculator_add_results Capnp.Reader.t

      val sum : Capnp.Message.t -> t -> int
    end

    (** Building in place. *)
    module B : sig
      type t = calculator_add_results Capnp.Builder.struct_

      val set_sum : Capnp.Builder.t -> t -> int -> unit
    end
  end

  module Child_params : sig
    type t = calculator_child_params = {
      seed : Capnp.Any.detached;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = calculator_child_params Capnp.Reader.t

      val has_seed : Capnp.Message.t -> t -> bool
      val seed : Capnp.Message.t -> t -> Capnp.Any.t
    end

    (** Building in place. *)
    module B : sig
      type t = calculator_child_params Capnp.Builder.struct_

      val set_seed : Capnp.Builder.t -> t -> Capnp.Any.detached -> unit
    end
  end

  module Child_results : sig
    type t = calculator_child_results = {
      result : int option;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = calculator_child_results Capnp.Reader.t

      val has_result : Capnp.Message.t -> t -> bool
      val result : Capnp.Message.t -> t -> int option
    end

    (** Building in place. *)
    module B : sig
      type t = calculator_child_results Capnp.Builder.struct_

      val set_result : Capnp.Builder.t -> t -> int -> unit
    end
  end

  module Reset_params : sig
    type t = calculator_reset_params

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = calculator_reset_params Capnp.Reader.t

    end

    (** Building in place. *)
    module B : sig
      type t = calculator_reset_params Capnp.Builder.struct_

    end
  end

  module Reset_results : sig
    type t = calculator_reset_results

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = calculator_reset_results Capnp.Reader.t

    end

    (** Building in place. *)
    module B : sig
      type t = calculator_reset_results Capnp.Builder.struct_

    end
  end
end

module Named : sig
  (* An interface: its calls are not supported, its capabilities are indexes. *)
  val interface_id : int64
  val methods : string list

  module Name_params : sig
    type t = named_name_params

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = named_name_params Capnp.Reader.t

    end

    (** Building in place. *)
    module B : sig
      type t = named_name_params Capnp.Builder.struct_

    end
  end

  module Name_results : sig
    type t = named_name_results = {
      name : string;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = named_name_results Capnp.Reader.t

      val has_name : Capnp.Message.t -> t -> bool
      val name : Capnp.Message.t -> t -> Capnp.Blob.t
    end

    (** Building in place. *)
    module B : sig
      type t = named_name_results Capnp.Builder.struct_

      val set_name : Capnp.Builder.t -> t -> string -> unit
    end
  end
end

module Handles : sig
  type t = handles = {
    one : int option;
    many : int option list;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = handles Capnp.Reader.t

    val has_one : Capnp.Message.t -> t -> bool
    val one : Capnp.Message.t -> t -> int option
    val has_many : Capnp.Message.t -> t -> bool
    val many : Capnp.Message.t -> t -> [ `Capability ] Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = handles Capnp.Builder.struct_

    val set_one : Capnp.Builder.t -> t -> int -> unit
    val init_many : Capnp.Builder.t -> t -> int -> [ `Capability ] Capnp.Builder.items
    val get_many : Capnp.Builder.t -> t -> [ `Capability ] Capnp.Builder.items option
  end
end

val pi : float

val most : int64

val low : int

val greeting : string

val raw : string

val shade : Shapes_capnp.colour

val home : Shapes_capnp.point

val primes : int list

val sample : shape
