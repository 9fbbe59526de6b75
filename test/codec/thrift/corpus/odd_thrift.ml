(* Made by weir-thrift from odd.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type nodes = node list

and alias = kids

and kids = (string * node) list

and node_ = int64

and empty =
  | Unrecognized of int

and dup =
  | A
  | B
  | C
  | Unrecognized of int

and type_ =
  | Val
  | Module
  | End
  | None
  | Some
  | True
  | Unrecognized_
  | Ok
  | Unrecognized of int

and node = {
  kids : nodes;
  next : node option;
  named : kids;
  alias : alias;
  n : node_;
}

and node__ = {
  lower : int;
}

and option_ = {
  option : option_ option;
  some : int option;
  none : int;
}

and list_ = {
  list : list_ list;
}

and string_ = {
  string : string;
  id : string;
}

and thrift = {
  reader : bool;
}

and unit_ = unit

and bool_ = {
  bool : bool;
  rb : bool;
  ob : bool option;
  lb : bool list;
  mb : (bool * bool) list;
  sb : bool list;
}

and keywords = {
  val_ : int;
  method_ : int;
  w : int;
  v : int;
  r : int;
  last : int;
  header : int;
  x : int;
  h : int;
  ref : int;
  ignore : int;
  raise : int;
  default : int;
  read : int;
  foo_bar : int;
  foo_bar_ : int;
  foo_bar__ : int;
  _x : int;
  mutable_ : int;
  end_ : int;
}

and ids = {
  big : int;
  one : int;
  far : bool;
  near : bool;
  b20 : bool;
}

and defaults = {
  a : int;
  b : int64;
  c : Odd_base_thrift.color;
  d : int list;
  e : (string * Odd_base_thrift.point) list;
  g : Odd_base_thrift.point;
  h : Odd_base_thrift.either option;
  i : int;
  j : int;
  k : float;
  l : int64 list option;
}

and u =
  | Flag of bool
  | Unit of unit_
  | U of u
  | Us of u list
  | M of (int * u) list
  | None of Odd_base_thrift.color
  | Some of float
  | Ok of string
  | Tiny of int
  | Short of int
  | Longs of int64 list
  | Unrecognized of int

and e = {
  e : string;
  cause : e option;
}

and exit = unit

and odd_w_args = {
  w : int;
  v : int;
  r : int;
}

and odd_w_result = {
  success : int option;
}

and odd_fire_args = {
  client : string;
  w : int;
}

and odd_raise_args = unit

and odd_raise_result = {
  e : e option;
  exit : exit option;
  success : Odd_base_thrift.oops option;
}

and odd_ignore_args = {
  ignore : int;
}

and odd_ignore_result = {
  success : int option;
  raise : e option;
}

and odd_option_args = {
  option : option_ option;
}

and odd_option_result = {
  success : option_ option;
}

and odd_complex_args = {
  nodes : nodes;
  u : u option;
  opt : int option;
}

and odd_complex_result = {
  success : (string * node) list list option;
  f : e option;
}

and odd_unit_args = {
  unit : unit_ option;
}

and odd_unit_result = {
  success : unit_ option;
}

and odder_w2_args = unit

and odder_w2_result = {
  success : string option;
}

let empty_of_int : int -> empty = function
  | n -> Unrecognized n

let empty_to_int : empty -> int = function
  | Unrecognized n -> n

let read_empty r =
  match empty_of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_empty w v = Thrift.Writer.i32 w (empty_to_int v)

let dup_of_int : int -> dup = function
  | 1 -> A
  | 1 -> B
  | 2 -> C
  | n -> Unrecognized n

let dup_to_int : dup -> int = function
  | A -> 1
  | B -> 1
  | C -> 2
  | Unrecognized n -> n

let read_dup r =
  match dup_of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_dup w v = Thrift.Writer.i32 w (dup_to_int v)

let type__of_int : int -> type_ = function
  | 0 -> Val
  | 1 -> Module
  | 2 -> End
  | 3 -> None
  | 4 -> Some
  | 5 -> True
  | 6 -> Unrecognized_
  | 7 -> Ok
  | n -> Unrecognized n

let type__to_int : type_ -> int = function
  | Val -> 0
  | Module -> 1
  | End -> 2
  | None -> 3
  | Some -> 4
  | True -> 5
  | Unrecognized_ -> 6
  | Ok -> 7
  | Unrecognized n -> n

let read_type_ r =
  match type__of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_type_ w v = Thrift.Writer.i32 w (type__to_int v)

let ignore_ : int = (1)

let ref_ : int = (2)

let raise_ : int = (3)

let r_ : int = (4)

let w_ : int = (5)

let header_ : int = (6)

let read_node___ : int = (7)

let foo_bar : int = (8)

let foo_bar_ : int = (9)

let wider : int64 = (1L)

let real : float = (4.)

let least : int64 = (-9223372036854775808L)

let quote : string = "it's \"quoted\" \\ \n \195\169 *) "

let one : bool = true

let nested : (string * (int * string list) list) list =
  [ ("a", [ ((1), [ "x"; "y" ]); (ref_, [  ]) ]); ("b", [  ]) ]

let names : (Odd_base_thrift.color * string) list =
  [ ((Odd_base_thrift.Color.of_int 1), "red"); ((Odd_base_thrift.Color.of_int (-3)), "neg") ]

let points : Odd_base_thrift.pt list =
  [ ({ x = r_; y = (2) } : Odd_base_thrift.point);
    ({ x = Odd_base_thrift.limit; y = (7) } : Odd_base_thrift.point);
    ({ x = (0); y = (7) } : Odd_base_thrift.point) ]

let either : Odd_base_thrift.either =
  (Odd_base_thrift.Many [ (Odd_base_thrift.Left ref_ : Odd_base_thrift.either);
    (Odd_base_thrift.Right "r" : Odd_base_thrift.either);
    (Odd_base_thrift.Either (Odd_base_thrift.Left (2) : Odd_base_thrift.either) :
    Odd_base_thrift.either) ] : Odd_base_thrift.either)

let history : Odd_base_thrift.history = [ ("h", [ (2L); least ]) ]

let number : int = (16)

let rec read_node r : node =
  Thrift.Reader.start r 9;
  let kids' = ref [] in
  let next' = ref Option.None in
  let named' = ref [] in
  let alias' = ref [] in
  let n' = ref (5L) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x19 -> kids' := Thrift.Reader.list r Thrift.Kind.struct_ read_node
    | 0x2c -> next' := Thrift.Reader.some r 2 (read_node r)
    | 0x3b -> named' := Thrift.Reader.map r Thrift.Kind.string Thrift.Kind.struct_
        Thrift.Reader.string read_node
    | 0x4b -> alias' := Thrift.Reader.map r Thrift.Kind.string Thrift.Kind.struct_
        Thrift.Reader.string read_node
    | 0x56 -> n' := Thrift.Reader.i64 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    kids = !kids';
    next = !next';
    named = !named';
    alias = !alias';
    n = !n';
  }

and write_node w (v : node) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.struct_ write_node v.kids;
  let last =
    match v.next with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.struct_ in
        write_node w x;
        last
  in
  let last = Thrift.Writer.field w last 3 Thrift.Kind.map in
  Thrift.Writer.map w Thrift.Kind.string Thrift.Kind.struct_ Thrift.Writer.string write_node
    v.named;
  let last = Thrift.Writer.field w last 4 Thrift.Kind.map in
  Thrift.Writer.map w Thrift.Kind.string Thrift.Kind.struct_ Thrift.Writer.string write_node
    v.alias;
  let last = Thrift.Writer.field w last 5 Thrift.Kind.i64 in
  Thrift.Writer.i64 w v.n;
  ignore last;
  Thrift.Writer.stop w

and read_node__ r : node__ =
  Thrift.Reader.start r 2;
  let lower' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> lower' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    lower = !lower';
  }

and write_node__ w (v : node__) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.lower;
  ignore last;
  Thrift.Writer.stop w

and read_option_ r : option_ =
  Thrift.Reader.start r 4;
  let option' = ref Option.None in
  let some' = ref Option.None in
  let none' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1c -> option' := Thrift.Reader.some r 2 (read_option_ r)
    | 0x25 -> some' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | 0x35 -> none' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    option = !option';
    some = !some';
    none = !none';
  }

and write_option_ w (v : option_) =
  let last = 0 in
  let last =
    match v.option with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_option_ w x;
        last
  in
  let last =
    match v.some with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
        Thrift.Writer.i32 w x;
        last
  in
  let last = Thrift.Writer.field w last 3 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.none;
  ignore last;
  Thrift.Writer.stop w

and read_list_ r : list_ =
  Thrift.Reader.start r 2;
  let list' = ref [] in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x19 -> list' := Thrift.Reader.list r Thrift.Kind.struct_ read_list_
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    list = !list';
  }

and write_list_ w (v : list_) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.struct_ write_list_ v.list;
  ignore last;
  Thrift.Writer.stop w

and read_string_ r : string_ =
  Thrift.Reader.start r 9;
  let string' = ref "" in
  let id' = ref "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000" in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> string' := Thrift.Reader.string r
    | 0x2d -> id' := Thrift.Reader.uuid r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    string = !string';
    id = !id';
  }

and write_string_ w (v : string_) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.string;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.uuid in
  Thrift.Writer.uuid w v.id;
  ignore last;
  Thrift.Writer.stop w

and read_thrift r : thrift =
  Thrift.Reader.start r 2;
  let reader' = ref false in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x11 -> reader' := Thrift.Reader.bool_field r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    reader = !reader';
  }

and write_thrift w (v : thrift) =
  let last = 0 in
  let last = Thrift.Writer.bool_field w last 1 v.reader in
  ignore last;
  Thrift.Writer.stop w

and read_unit_ r : unit_ =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_unit_ w (v : unit_) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_bool_ r : bool_ =
  Thrift.Reader.start r 13;
  let bool' = ref true in
  let rb' = ref Option.None in
  let ob' = ref (Option.Some false) in
  let lb' = ref [] in
  let mb' = ref [] in
  let sb' = ref ([ true; false ]) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x11 -> bool' := Thrift.Reader.bool_field r
    | 0x21 -> rb' := Thrift.Reader.some r 2 (Thrift.Reader.bool_field r)
    | 0x31 -> ob' := Thrift.Reader.some r 2 (Thrift.Reader.bool_field r)
    | 0x49 -> lb' := Thrift.Reader.list r Thrift.Kind.bool Thrift.Reader.bool
    | 0x5b -> mb' := Thrift.Reader.map r Thrift.Kind.bool Thrift.Kind.bool Thrift.Reader.bool
        Thrift.Reader.bool
    | 0x6a -> sb' := Thrift.Reader.list r Thrift.Kind.bool Thrift.Reader.bool
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    bool = !bool';
    rb = Thrift.Reader.required r "rb" !rb';
    ob = !ob';
    lb = !lb';
    mb = !mb';
    sb = !sb';
  }

and write_bool_ w (v : bool_) =
  let last = 0 in
  let last = Thrift.Writer.bool_field w last 1 v.bool in
  let last = Thrift.Writer.bool_field w last 2 v.rb in
  let last =
    match v.ob with
    | Option.None -> last
    | Option.Some x -> Thrift.Writer.bool_field w last 3 x
  in
  let last = Thrift.Writer.field w last 4 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.bool Thrift.Writer.bool v.lb;
  let last = Thrift.Writer.field w last 5 Thrift.Kind.map in
  Thrift.Writer.map w Thrift.Kind.bool Thrift.Kind.bool Thrift.Writer.bool Thrift.Writer.bool v.mb;
  let last = Thrift.Writer.field w last 6 Thrift.Kind.set in
  Thrift.Writer.list w Thrift.Kind.bool Thrift.Writer.bool v.sb;
  ignore last;
  Thrift.Writer.stop w

and read_keywords r : keywords =
  Thrift.Reader.start r 21;
  let val_' = ref 0 in
  let method_' = ref 0 in
  let w' = ref 0 in
  let v' = ref 0 in
  let r' = ref 0 in
  let last' = ref 0 in
  let header' = ref 0 in
  let x' = ref 0 in
  let h' = ref 0 in
  let ref' = ref 0 in
  let ignore' = ref 0 in
  let raise' = ref 0 in
  let default' = ref 0 in
  let read' = ref 0 in
  let foo_bar' = ref 0 in
  let foo_bar_' = ref 0 in
  let foo_bar__' = ref 0 in
  let _x' = ref 0 in
  let mutable_' = ref 0 in
  let end_' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> val_' := Thrift.Reader.i32 r
    | 0x25 -> method_' := Thrift.Reader.i32 r
    | 0x35 -> w' := Thrift.Reader.i32 r
    | 0x45 -> v' := Thrift.Reader.i32 r
    | 0x55 -> r' := Thrift.Reader.i32 r
    | 0x65 -> last' := Thrift.Reader.i32 r
    | 0x75 -> header' := Thrift.Reader.i32 r
    | 0x85 -> x' := Thrift.Reader.i32 r
    | 0x95 -> h' := Thrift.Reader.i32 r
    | 0xa5 -> ref' := Thrift.Reader.i32 r
    | 0xb5 -> ignore' := Thrift.Reader.i32 r
    | 0xc5 -> raise' := Thrift.Reader.i32 r
    | 0xd5 -> default' := Thrift.Reader.i32 r
    | 0xe5 -> read' := Thrift.Reader.i32 r
    | 0xf5 -> foo_bar' := Thrift.Reader.i32 r
    | 0x105 -> foo_bar_' := Thrift.Reader.i32 r
    | 0x115 -> foo_bar__' := Thrift.Reader.i32 r
    | 0x125 -> _x' := Thrift.Reader.i32 r
    | 0x135 -> mutable_' := Thrift.Reader.i32 r
    | 0x145 -> end_' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    val_ = !val_';
    method_ = !method_';
    w = !w';
    v = !v';
    r = !r';
    last = !last';
    header = !header';
    x = !x';
    h = !h';
    ref = !ref';
    ignore = !ignore';
    raise = !raise';
    default = !default';
    read = !read';
    foo_bar = !foo_bar';
    foo_bar_ = !foo_bar_';
    foo_bar__ = !foo_bar__';
    _x = !_x';
    mutable_ = !mutable_';
    end_ = !end_';
  }

and write_keywords w (v : keywords) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.val_;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.method_;
  let last = Thrift.Writer.field w last 3 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.w;
  let last = Thrift.Writer.field w last 4 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.v;
  let last = Thrift.Writer.field w last 5 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.r;
  let last = Thrift.Writer.field w last 6 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.last;
  let last = Thrift.Writer.field w last 7 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.header;
  let last = Thrift.Writer.field w last 8 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.x;
  let last = Thrift.Writer.field w last 9 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.h;
  let last = Thrift.Writer.field w last 10 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.ref;
  let last = Thrift.Writer.field w last 11 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.ignore;
  let last = Thrift.Writer.field w last 12 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.raise;
  let last = Thrift.Writer.field w last 13 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.default;
  let last = Thrift.Writer.field w last 14 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.read;
  let last = Thrift.Writer.field w last 15 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.foo_bar;
  let last = Thrift.Writer.field w last 16 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.foo_bar_;
  let last = Thrift.Writer.field w last 17 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.foo_bar__;
  let last = Thrift.Writer.field w last 18 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v._x;
  let last = Thrift.Writer.field w last 19 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.mutable_;
  let last = Thrift.Writer.field w last 20 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.end_;
  ignore last;
  Thrift.Writer.stop w

and read_ids r : ids =
  Thrift.Reader.start r 6;
  let big' = ref 0 in
  let one' = ref 0 in
  let far' = ref false in
  let near' = ref false in
  let b20' = ref false in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x7fff5 -> big' := Thrift.Reader.i32 r
    | 0x15 -> one' := Thrift.Reader.i32 r
    | 0x12c1 -> far' := Thrift.Reader.bool_field r
    | 0x12d1 -> near' := Thrift.Reader.bool_field r
    | 0x141 -> b20' := Thrift.Reader.bool_field r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    big = !big';
    one = !one';
    far = !far';
    near = !near';
    b20 = !b20';
  }

and write_ids w (v : ids) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.one;
  let last = Thrift.Writer.bool_field w last 20 v.b20 in
  let last = Thrift.Writer.bool_field w last 300 v.far in
  let last = Thrift.Writer.bool_field w last 301 v.near in
  let last = Thrift.Writer.field w last 32767 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.big;
  ignore last;
  Thrift.Writer.stop w

and read_defaults r : defaults =
  Thrift.Reader.start r 72;
  let a' = ref ref_ in
  let b' = ref least in
  let c' = ref ((Odd_base_thrift.Color.of_int 16)) in
  let d' = ref ([ (1); ref_; Odd_base_thrift.limit ]) in
  let e' =
    ref ([ ("o", ({ x = (0); y = (7) } : Odd_base_thrift.point));
      ("p", ({ x = (5); y = (7) } : Odd_base_thrift.point)) ]) in
  let g' = ref Option.None in
  let h' = ref (Option.Some (Odd_base_thrift.Left (4) : Odd_base_thrift.either)) in
  let i' = ref r_ in
  let j' = ref header_ in
  let k' = ref (1.) in
  let l' = ref (Option.Some [ (1L); (2L) ]) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> a' := Thrift.Reader.i32 r
    | 0x26 -> b' := Thrift.Reader.i64 r
    | 0x35 -> c' := Odd_base_thrift.Color.read r
    | 0x49 -> d' := Thrift.Reader.list r Thrift.Kind.i32 Thrift.Reader.i32
    | 0x5b -> e' := Thrift.Reader.map r Thrift.Kind.string Thrift.Kind.struct_ Thrift.Reader.string
        Odd_base_thrift.Point.read
    | 0x6c -> g' := Thrift.Reader.some r 2 (Odd_base_thrift.Point.read r)
    | 0x7c -> h' := Thrift.Reader.some r 2 (Odd_base_thrift.Either.read r)
    | 0x85 -> i' := Thrift.Reader.i32 r
    | 0x95 -> j' := Thrift.Reader.i32 r
    | 0xa7 -> k' := Thrift.Reader.double r
    | 0xba -> l' := Thrift.Reader.some r 2 (Thrift.Reader.list r Thrift.Kind.i64 Thrift.Reader.i64)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    a = !a';
    b = !b';
    c = !c';
    d = !d';
    e = !e';
    g = Thrift.Reader.required r "g" !g';
    h = !h';
    i = !i';
    j = !j';
    k = !k';
    l = !l';
  }

and write_defaults w (v : defaults) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.a;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i64 in
  Thrift.Writer.i64 w v.b;
  let last = Thrift.Writer.field w last 3 Thrift.Kind.i32 in
  Odd_base_thrift.Color.write w v.c;
  let last = Thrift.Writer.field w last 4 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i32 Thrift.Writer.i32 v.d;
  let last = Thrift.Writer.field w last 5 Thrift.Kind.map in
  Thrift.Writer.map w Thrift.Kind.string Thrift.Kind.struct_ Thrift.Writer.string
    Odd_base_thrift.Point.write v.e;
  let last = Thrift.Writer.field w last 6 Thrift.Kind.struct_ in
  Odd_base_thrift.Point.write w v.g;
  let last =
    match v.h with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 7 Thrift.Kind.struct_ in
        Odd_base_thrift.Either.write w x;
        last
  in
  let last = Thrift.Writer.field w last 8 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.i;
  let last = Thrift.Writer.field w last 9 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.j;
  let last = Thrift.Writer.field w last 10 Thrift.Kind.double in
  Thrift.Writer.double w v.k;
  let last =
    match v.l with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 11 Thrift.Kind.set in
        Thrift.Writer.list w Thrift.Kind.i64 Thrift.Writer.i64 x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_u r : u =
  Thrift.Reader.enter r;
  let v' = ref (Unrecognized 0 : u) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x11 -> Thrift.Reader.spend r 2; v' := (Flag (Thrift.Reader.bool_field r) : u)
    | 0x2c -> Thrift.Reader.spend r 2; v' := (Unit (read_unit_ r) : u)
    | 0x3c -> Thrift.Reader.spend r 2; v' := (U (read_u r) : u)
    | 0x49 -> Thrift.Reader.spend r 2;
    v' := (Us (Thrift.Reader.list r Thrift.Kind.struct_ read_u) : u)
    | 0x5b -> Thrift.Reader.spend r 2;
    v' := (M (Thrift.Reader.map r Thrift.Kind.i32 Thrift.Kind.struct_ Thrift.Reader.i32 read_u) : u)
    | 0x65 -> Thrift.Reader.spend r 2; v' := (None (Odd_base_thrift.Color.read r) : u)
    | 0x77 -> Thrift.Reader.spend r 4; v' := (Some (Thrift.Reader.double r) : u)
    | 0x88 -> Thrift.Reader.spend r 4; v' := (Ok (Thrift.Reader.string r) : u)
    | 0x93 -> Thrift.Reader.spend r 2; v' := (Tiny (Thrift.Reader.i8 r) : u)
    | 0xa4 -> Thrift.Reader.spend r 2; v' := (Short (Thrift.Reader.i16 r) : u)
    | 0xba -> Thrift.Reader.spend r 2;
    v' := (Longs (Thrift.Reader.list r Thrift.Kind.i64 Thrift.Reader.i64) : u)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  !v'

and write_u w (v : u) =
  (match v with
  | Flag x -> ignore (Thrift.Writer.bool_field w 0 1 x)
  | Unit x ->
      ignore (Thrift.Writer.field w 0 2 Thrift.Kind.struct_);
      write_unit_ w x
  | U x ->
      ignore (Thrift.Writer.field w 0 3 Thrift.Kind.struct_);
      write_u w x
  | Us x ->
      ignore (Thrift.Writer.field w 0 4 Thrift.Kind.list);
      Thrift.Writer.list w Thrift.Kind.struct_ write_u x
  | M x ->
      ignore (Thrift.Writer.field w 0 5 Thrift.Kind.map);
      Thrift.Writer.map w Thrift.Kind.i32 Thrift.Kind.struct_ Thrift.Writer.i32 write_u x
  | None x ->
      ignore (Thrift.Writer.field w 0 6 Thrift.Kind.i32);
      Odd_base_thrift.Color.write w x
  | Some x ->
      ignore (Thrift.Writer.field w 0 7 Thrift.Kind.double);
      Thrift.Writer.double w x
  | Ok x ->
      ignore (Thrift.Writer.field w 0 8 Thrift.Kind.string);
      Thrift.Writer.string w x
  | Tiny x ->
      ignore (Thrift.Writer.field w 0 9 Thrift.Kind.i8);
      Thrift.Writer.i8 w x
  | Short x ->
      ignore (Thrift.Writer.field w 0 10 Thrift.Kind.i16);
      Thrift.Writer.i16 w x
  | Longs x ->
      ignore (Thrift.Writer.field w 0 11 Thrift.Kind.set);
      Thrift.Writer.list w Thrift.Kind.i64 Thrift.Writer.i64 x
  | Unrecognized _ -> ());
  Thrift.Writer.stop w

and read_e r : e =
  Thrift.Reader.start r 5;
  let e' = ref "" in
  let cause' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> e' := Thrift.Reader.string r
    | 0x2c -> cause' := Thrift.Reader.some r 2 (read_e r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    e = !e';
    cause = !cause';
  }

and write_e w (v : e) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.e;
  let last =
    match v.cause with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.struct_ in
        write_e w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_exit r : exit =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_exit w (v : exit) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_odd_w_args r : odd_w_args =
  Thrift.Reader.start r 4;
  let w' = ref 0 in
  let v' = ref 0 in
  let r' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> w' := Thrift.Reader.i32 r
    | 0x25 -> v' := Thrift.Reader.i32 r
    | 0x35 -> r' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    w = !w';
    v = !v';
    r = !r';
  }

and write_odd_w_args w (v : odd_w_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.w;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.v;
  let last = Thrift.Writer.field w last 3 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.r;
  ignore last;
  Thrift.Writer.stop w

and read_odd_w_result r : odd_w_result =
  Thrift.Reader.start r 2;
  let success' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x5 -> success' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
  }

and write_odd_w_result w (v : odd_w_result) =
  let last = 0 in
  let last =
    match v.success with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.i32 in
        Thrift.Writer.i32 w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odd_fire_args r : odd_fire_args =
  Thrift.Reader.start r 5;
  let client' = ref "" in
  let w' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> client' := Thrift.Reader.string r
    | 0x25 -> w' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    client = !client';
    w = !w';
  }

and write_odd_fire_args w (v : odd_fire_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.client;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.w;
  ignore last;
  Thrift.Writer.stop w

and read_odd_raise_args r : odd_raise_args =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_odd_raise_args w (v : odd_raise_args) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_odd_raise_result r : odd_raise_result =
  Thrift.Reader.start r 4;
  let e' = ref Option.None in
  let exit' = ref Option.None in
  let success' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1c -> e' := Thrift.Reader.some r 2 (read_e r)
    | 0x2c -> exit' := Thrift.Reader.some r 2 (read_exit r)
    | 0x3c -> success' := Thrift.Reader.some r 2 (Odd_base_thrift.Oops.read r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    e = !e';
    exit = !exit';
    success = !success';
  }

and write_odd_raise_result w (v : odd_raise_result) =
  let last = 0 in
  let last =
    match v.e with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_e w x;
        last
  in
  let last =
    match v.exit with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.struct_ in
        write_exit w x;
        last
  in
  let last =
    match v.success with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 3 Thrift.Kind.struct_ in
        Odd_base_thrift.Oops.write w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odd_ignore_args r : odd_ignore_args =
  Thrift.Reader.start r 2;
  let ignore' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> ignore' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    ignore = !ignore';
  }

and write_odd_ignore_args w (v : odd_ignore_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.ignore;
  ignore last;
  Thrift.Writer.stop w

and read_odd_ignore_result r : odd_ignore_result =
  Thrift.Reader.start r 3;
  let success' = ref Option.None in
  let raise' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x5 -> success' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | 0x1c -> raise' := Thrift.Reader.some r 2 (read_e r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
    raise = !raise';
  }

and write_odd_ignore_result w (v : odd_ignore_result) =
  let last = 0 in
  let last =
    match v.success with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.i32 in
        Thrift.Writer.i32 w x;
        last
  in
  let last =
    match v.raise with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_e w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odd_option_args r : odd_option_args =
  Thrift.Reader.start r 2;
  let option' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1c -> option' := Thrift.Reader.some r 2 (read_option_ r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    option = !option';
  }

and write_odd_option_args w (v : odd_option_args) =
  let last = 0 in
  let last =
    match v.option with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_option_ w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odd_option_result r : odd_option_result =
  Thrift.Reader.start r 2;
  let success' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0xc -> success' := Thrift.Reader.some r 2 (read_option_ r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
  }

and write_odd_option_result w (v : odd_option_result) =
  let last = 0 in
  let last =
    match v.success with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.struct_ in
        write_option_ w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odd_complex_args r : odd_complex_args =
  Thrift.Reader.start r 4;
  let nodes' = ref [] in
  let u' = ref Option.None in
  let opt' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x19 -> nodes' := Thrift.Reader.list r Thrift.Kind.struct_ read_node
    | 0x2c -> u' := Thrift.Reader.some r 2 (read_u r)
    | 0x35 -> opt' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    nodes = !nodes';
    u = !u';
    opt = !opt';
  }

and write_odd_complex_args w (v : odd_complex_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.struct_ write_node v.nodes;
  let last =
    match v.u with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.struct_ in
        write_u w x;
        last
  in
  let last =
    match v.opt with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 3 Thrift.Kind.i32 in
        Thrift.Writer.i32 w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odd_complex_result r : odd_complex_result =
  Thrift.Reader.start r 3;
  let success' = ref Option.None in
  let f' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x9 -> success' := Thrift.Reader.some r 2
        (Thrift.Reader.list r Thrift.Kind.map
        (fun r -> Thrift.Reader.map r Thrift.Kind.string Thrift.Kind.struct_ Thrift.Reader.string
        read_node))
    | 0x1c -> f' := Thrift.Reader.some r 2 (read_e r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
    f = !f';
  }

and write_odd_complex_result w (v : odd_complex_result) =
  let last = 0 in
  let last =
    match v.success with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.list in
        Thrift.Writer.list w Thrift.Kind.map
          (fun w l -> Thrift.Writer.map w Thrift.Kind.string Thrift.Kind.struct_
          Thrift.Writer.string write_node l) x;
        last
  in
  let last =
    match v.f with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_e w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odd_unit_args r : odd_unit_args =
  Thrift.Reader.start r 2;
  let unit' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1c -> unit' := Thrift.Reader.some r 2 (read_unit_ r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    unit = !unit';
  }

and write_odd_unit_args w (v : odd_unit_args) =
  let last = 0 in
  let last =
    match v.unit with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_unit_ w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odd_unit_result r : odd_unit_result =
  Thrift.Reader.start r 2;
  let success' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0xc -> success' := Thrift.Reader.some r 2 (read_unit_ r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
  }

and write_odd_unit_result w (v : odd_unit_result) =
  let last = 0 in
  let last =
    match v.success with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.struct_ in
        write_unit_ w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_odder_w2_args r : odder_w2_args =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_odder_w2_args w (v : odder_w2_args) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_odder_w2_result r : odder_w2_result =
  Thrift.Reader.start r 2;
  let success' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x8 -> success' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
  }

and write_odder_w2_result w (v : odder_w2_result) =
  let last = 0 in
  let last =
    match v.success with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

module Empty = struct
  type t = empty =
    | Unrecognized of int

  let read = read_empty
  let write = write_empty
  let of_int = empty_of_int
  let to_int = empty_to_int
end

module Dup = struct
  type t = dup =
    | A
    | B
    | C
    | Unrecognized of int

  let read = read_dup
  let write = write_dup
  let of_int = dup_of_int
  let to_int = dup_to_int
end

module Type = struct
  type t = type_ =
    | Val
    | Module
    | End
    | None
    | Some
    | True
    | Unrecognized_
    | Ok
    | Unrecognized of int

  let read = read_type_
  let write = write_type_
  let of_int = type__of_int
  let to_int = type__to_int
end

module Node = struct
  type t = node = {
    kids : nodes;
    next : node option;
    named : kids;
    alias : alias;
    n : node_;
  }

  let read = read_node
  let write = write_node
  let decode protocol s = Thrift.Reader.decode read_node protocol s
  let encode protocol v = Thrift.Writer.encode write_node protocol v
  let default : t = { kids = []; next = Option.None; named = []; alias = []; n = (5L) }
end

module Node_ = struct
  type t = node__ = {
    lower : int;
  }

  let read = read_node__
  let write = write_node__
  let decode protocol s = Thrift.Reader.decode read_node__ protocol s
  let encode protocol v = Thrift.Writer.encode write_node__ protocol v
  let default : t = { lower = 0 }
end

module Option_ = struct
  type t = option_ = {
    option : option_ option;
    some : int option;
    none : int;
  }

  let read = read_option_
  let write = write_option_
  let decode protocol s = Thrift.Reader.decode read_option_ protocol s
  let encode protocol v = Thrift.Writer.encode write_option_ protocol v
  let default : t = { option = Option.None; some = Option.None; none = 0 }
end

module List = struct
  type t = list_ = {
    list : list_ list;
  }

  let read = read_list_
  let write = write_list_
  let decode protocol s = Thrift.Reader.decode read_list_ protocol s
  let encode protocol v = Thrift.Writer.encode write_list_ protocol v
  let default : t = { list = [] }
end

module String_ = struct
  type t = string_ = {
    string : string;
    id : string;
  }

  let read = read_string_
  let write = write_string_
  let decode protocol s = Thrift.Reader.decode read_string_ protocol s
  let encode protocol v = Thrift.Writer.encode write_string_ protocol v
  let default : t =
    { string = ""; id = "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000" }
end

module Thrift_ = struct
  type t = thrift = {
    reader : bool;
  }

  let read = read_thrift
  let write = write_thrift
  let decode protocol s = Thrift.Reader.decode read_thrift protocol s
  let encode protocol v = Thrift.Writer.encode write_thrift protocol v
  let default : t = { reader = false }
end

module Unit = struct
  type t = unit_

  let read = read_unit_
  let write = write_unit_
  let decode protocol s = Thrift.Reader.decode read_unit_ protocol s
  let encode protocol v = Thrift.Writer.encode write_unit_ protocol v
  let default = ()
end

module Bool = struct
  type t = bool_ = {
    bool : bool;
    rb : bool;
    ob : bool option;
    lb : bool list;
    mb : (bool * bool) list;
    sb : bool list;
  }

  let read = read_bool_
  let write = write_bool_
  let decode protocol s = Thrift.Reader.decode read_bool_ protocol s
  let encode protocol v = Thrift.Writer.encode write_bool_ protocol v
  let default : t =
    { bool = true; rb = false; ob = Option.Some false; lb = []; mb = []; sb = [ true; false ] }
end

module Keywords = struct
  type t = keywords = {
    val_ : int;
    method_ : int;
    w : int;
    v : int;
    r : int;
    last : int;
    header : int;
    x : int;
    h : int;
    ref : int;
    ignore : int;
    raise : int;
    default : int;
    read : int;
    foo_bar : int;
    foo_bar_ : int;
    foo_bar__ : int;
    _x : int;
    mutable_ : int;
    end_ : int;
  }

  let read = read_keywords
  let write = write_keywords
  let decode protocol s = Thrift.Reader.decode read_keywords protocol s
  let encode protocol v = Thrift.Writer.encode write_keywords protocol v
  let default : t =
    { val_ = 0; method_ = 0; w = 0; v = 0; r = 0; last = 0; header = 0; x = 0; h = 0; ref = 0;
      ignore = 0; raise = 0; default = 0; read = 0; foo_bar = 0; foo_bar_ = 0; foo_bar__ = 0;
      _x = 0; mutable_ = 0; end_ = 0 }
end

module Ids = struct
  type t = ids = {
    big : int;
    one : int;
    far : bool;
    near : bool;
    b20 : bool;
  }

  let read = read_ids
  let write = write_ids
  let decode protocol s = Thrift.Reader.decode read_ids protocol s
  let encode protocol v = Thrift.Writer.encode write_ids protocol v
  let default : t = { big = 0; one = 0; far = false; near = false; b20 = false }
end

module Defaults = struct
  type t = defaults = {
    a : int;
    b : int64;
    c : Odd_base_thrift.color;
    d : int list;
    e : (string * Odd_base_thrift.point) list;
    g : Odd_base_thrift.point;
    h : Odd_base_thrift.either option;
    i : int;
    j : int;
    k : float;
    l : int64 list option;
  }

  let read = read_defaults
  let write = write_defaults
  let decode protocol s = Thrift.Reader.decode read_defaults protocol s
  let encode protocol v = Thrift.Writer.encode write_defaults protocol v
  let default : t =
    { a = ref_; b = least; c = (Odd_base_thrift.Color.of_int 16);
      d = [ (1); ref_; Odd_base_thrift.limit ];
      e = [ ("o", ({ x = (0); y = (7) } : Odd_base_thrift.point));
      ("p", ({ x = (5); y = (7) } : Odd_base_thrift.point)) ];
      g = ({ x = (9); y = (7) } : Odd_base_thrift.point);
      h = Option.Some (Odd_base_thrift.Left (4) : Odd_base_thrift.either); i = r_; j = header_;
      k = (1.); l = Option.Some [ (1L); (2L) ] }
end

module U = struct
  type t = u =
    | Flag of bool
    | Unit of unit_
    | U of u
    | Us of u list
    | M of (int * u) list
    | None of Odd_base_thrift.color
    | Some of float
    | Ok of string
    | Tiny of int
    | Short of int
    | Longs of int64 list
    | Unrecognized of int

  let read = read_u
  let write = write_u
  let decode protocol s = Thrift.Reader.decode read_u protocol s
  let encode protocol v = Thrift.Writer.encode write_u protocol v
end

module E = struct
  type t = e = {
    e : string;
    cause : e option;
  }

  let read = read_e
  let write = write_e
  let decode protocol s = Thrift.Reader.decode read_e protocol s
  let encode protocol v = Thrift.Writer.encode write_e protocol v
  let default : t = { e = ""; cause = Option.None }

  exception E of t
end

module Exit = struct
  type t = exit

  let read = read_exit
  let write = write_exit
  let decode protocol s = Thrift.Reader.decode read_exit protocol s
  let encode protocol v = Thrift.Writer.encode write_exit protocol v
  let default = ()

  exception E of t
end

module Odd = struct
  module type S = sig
    include Odd_base_thrift.Base.S
    val w : w:int -> v:int -> r:int -> int
    val fire : client:string -> w:int -> unit
    val raise_ : unit -> unit
    val ignore : ignore:int -> int
    val option : option:option_ option -> option_
    val complex : nodes:nodes -> u:u option -> opt:int option -> (string * node) list list
    val unit : unit:unit_ option -> unit_
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "w" ->
        let args' : odd_w_args = read_odd_w_args r in
        ignore args';
        (match H.w ~w:args'.w ~v:args'.v ~r:args'.r with
        | v' -> Option.some (fun w -> write_odd_w_result w
            ({ success = Option.some v' } : odd_w_result))
        )
    | "fire" ->
        let args' : odd_fire_args = read_odd_fire_args r in
        ignore args';
        H.fire ~client:args'.client ~w:args'.w;
        Option.some (fun _ -> ())
    | "raise" ->
        let args' : odd_raise_args = read_odd_raise_args r in
        ignore args';
        (match H.raise_ () with
        | () -> Option.some (fun w -> write_odd_raise_result w
            ({ e = Option.none; exit = Option.none; success = Option.none } : odd_raise_result))
        | exception E.E e' -> Option.some
            (fun w -> write_odd_raise_result w
            ({ e = Option.some e'; exit = Option.none; success = Option.none } : odd_raise_result))
        | exception Exit.E e' ->
            Option.some (fun w -> write_odd_raise_result w
            ({ e = Option.none; exit = Option.some e'; success = Option.none } : odd_raise_result))
        | exception Odd_base_thrift.Oops.E e' ->
            Option.some (fun w -> write_odd_raise_result w
            ({ e = Option.none; exit = Option.none; success = Option.some e' } : odd_raise_result))
        )
    | "ignore" ->
        let args' : odd_ignore_args = read_odd_ignore_args r in
        ignore args';
        (match H.ignore ~ignore:args'.ignore with
        | v' -> Option.some (fun w -> write_odd_ignore_result w
            ({ success = Option.some v'; raise = Option.none } : odd_ignore_result))
        | exception E.E e' -> Option.some
            (fun w -> write_odd_ignore_result w
            ({ success = Option.none; raise = Option.some e' } : odd_ignore_result))
        )
    | "option" ->
        let args' : odd_option_args = read_odd_option_args r in
        ignore args';
        (match H.option ~option:args'.option with
        | v' -> Option.some (fun w -> write_odd_option_result w
            ({ success = Option.some v' } : odd_option_result))
        )
    | "complex" ->
        let args' : odd_complex_args = read_odd_complex_args r in
        ignore args';
        (match H.complex ~nodes:args'.nodes ~u:args'.u ~opt:args'.opt with
        | v' -> Option.some (fun w -> write_odd_complex_result w
            ({ success = Option.some v'; f = Option.none } : odd_complex_result))
        | exception E.E e' -> Option.some
            (fun w -> write_odd_complex_result w
            ({ success = Option.none; f = Option.some e' } : odd_complex_result))
        )
    | "unit" ->
        let args' : odd_unit_args = read_odd_unit_args r in
        ignore args';
        (match H.unit ~unit:args'.unit with
        | v' -> Option.some (fun w -> write_odd_unit_result w
            ({ success = Option.some v' } : odd_unit_result))
        )
    | _ -> Odd_base_thrift.Base.dispatch (module H) name' r

  module Client = struct
    include Odd_base_thrift.Base.Client
    let w client' ~w ~v ~r =
      let result' : odd_w_result =
        Thrift.Rpc.call client' "w" (fun w' -> write_odd_w_args w' ({ w; v; r } : odd_w_args))
          read_odd_w_result in
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "w"
    let fire client' ~client ~w =
      Thrift.Rpc.oneway client' "fire"
        (fun w' -> write_odd_fire_args w' ({ client; w } : odd_fire_args))
    let raise_ client' () =
      let result' : odd_raise_result =
        Thrift.Rpc.call client' "raise" (fun w' -> write_odd_raise_args w' ())
          read_odd_raise_result in
      Option.iter (fun e -> raise (E.E e)) result'.e;
      Option.iter (fun e -> raise (Exit.E e)) result'.exit;
      Option.iter (fun e -> raise (Odd_base_thrift.Oops.E e)) result'.success;
      ()
    let ignore client' ~ignore =
      let result' : odd_ignore_result =
        Thrift.Rpc.call client' "ignore"
          (fun w' -> write_odd_ignore_args w' ({ ignore } : odd_ignore_args))
          read_odd_ignore_result in
      Option.iter (fun e -> raise (E.E e)) result'.raise;
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "ignore"
    let option client' ~option =
      let result' : odd_option_result =
        Thrift.Rpc.call client' "option"
          (fun w' -> write_odd_option_args w' ({ option } : odd_option_args))
          read_odd_option_result in
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "option"
    let complex client' ~nodes ~u ~opt =
      let result' : odd_complex_result =
        Thrift.Rpc.call client' "complex"
          (fun w' -> write_odd_complex_args w' ({ nodes; u; opt } : odd_complex_args))
          read_odd_complex_result in
      Option.iter (fun e -> raise (E.E e)) result'.f;
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "complex"
    let unit client' ~unit =
      let result' : odd_unit_result =
        Thrift.Rpc.call client' "unit"
          (fun w' -> write_odd_unit_args w' ({ unit } : odd_unit_args)) read_odd_unit_result in
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "unit"
  end
end

module Odder = struct
  module type S = sig
    include Odd.S
    val w2 : unit -> string
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "w2" ->
        let args' : odder_w2_args = read_odder_w2_args r in
        ignore args';
        (match H.w2 () with
        | v' -> Option.some (fun w -> write_odder_w2_result w
            ({ success = Option.some v' } : odder_w2_result))
        )
    | _ -> Odd.dispatch (module H) name' r

  module Client = struct
    include Odd.Client
    let w2 client' () =
      let result' : odder_w2_result =
        Thrift.Rpc.call client' "w2" (fun w' -> write_odder_w2_args w' ()) read_odder_w2_result in
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "w2"
  end
end

module Nothing = struct
  module type S = sig
  end

  let dispatch (module H : S) name' r =
    match name' with
    | _ -> Option.none

  module Client = struct
  end
end

module Nothing2 = struct
  module type S = sig
    include Nothing.S
  end

  let dispatch (module H : S) name' r =
    match name' with
    | _ -> Nothing.dispatch (module H) name' r

  module Client = struct
    include Nothing.Client
  end
end
